// Times that have passed, as one says them: "4 min ago", and how they read in the reader's zone where the pointer rests on
// them. The element keeps the exact time.
{
  const formats = new Map(); // of a language
  const formatsOf = (lang) => {
    if (!formats.has(lang)) {
      formats.set(lang, {
        ago: new Intl.RelativeTimeFormat(lang, { numeric: "auto", style: "short" }),
        near: new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" }),
        far: new Intl.DateTimeFormat(lang, { dateStyle: "long" }),
      });
    }
    return formats.get(lang);
  };

  const said = (then, { ago, far }) => {
    const minutes = Math.floor((Date.now() - then) / 60000);
    if (minutes < 1) return ago.format(0, "second");
    if (minutes < 60) return ago.format(-minutes, "minute");
    if (minutes < 24 * 60) return ago.format(-Math.floor(minutes / 60), "hour");
    if (minutes < 7 * 24 * 60) return ago.format(-Math.floor(minutes / 60 / 24), "day");
    return far.format(then);
  };

  const tick = () => {
    if (document.hidden) return;
    for (const e of document.querySelectorAll("time[datetime]")) {
      const then = new Date(e.dateTime);
      if (isNaN(then)) continue;
      const format = formatsOf(e.closest("[lang]").lang);
      const text = said(then, format).replace(".", "");
      if (e.textContent !== text) e.textContent = text;
      if (!e.title) own(e, "title", format.near.format(then));
    }
  };
  tick();
  setInterval(tick, 15000);
  document.addEventListener("visibilitychange", tick);
  document.addEventListener("watu:shown", tick);
}
