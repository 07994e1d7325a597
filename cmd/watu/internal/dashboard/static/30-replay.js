// Replay: the scrubber, its buttons and its keys. A moment is a URL; the end of the campaign is the page
// without one, which follows.
const scrub = document.getElementById("scrub");
if (scrub) {
  const byId = (id) => document.getElementById(id);
  const play = byId("play");
  const speed = byId("speed");
  const last = () => Number(scrub.max);
  let at = Number(scrub.value); // where the reader wants to be
  let going = false;
  let held = false; // the scrubber is being dragged
  let playing = false;
  let run = 0; // counts the playings: an older one ends

  const urlOf = (n) => {
    const url = new URL(place);
    url.hash = "";
    if (n >= last()) url.searchParams.delete("at");
    else url.searchParams.set("at", n);
    return url;
  };

  // remember makes the moment the page's address. A browser may refuse when that is asked of it too
  // often; the next one is remembered again.
  const remember = () => {
    try {
      if (place.href !== location.href) history.replaceState(null, "", place);
    } catch {}
  };

  // go goes to a moment. While a page is on its way only the last wish counts.
  const go = async (n) => {
    at = Math.max(0, Math.min(n, last()));
    scrub.value = at;
    if (going) return;
    going = true;
    try {
      for (let shown = -1; shown !== at; ) {
        shown = at;
        await show(urlOf(shown));
      }
    } catch {
      fail();
    }
    going = false;
    settle();
    remember();
  };

  // settle makes the scrubber say what the page shows.
  const settle = () => {
    const moment = byId("moment");
    scrub.max = Number(moment.dataset.of) - 1;
    scrub.setAttribute("aria-valuetext", moment.firstElementChild.textContent);
    if (going || held) return;
    at = Number(moment.dataset.event);
    scrub.value = at;
  };

  // resume plays: the clock says which step is due, and each frame of the screen shows the newest that has come by then. Pages
  // are asked for so early that they come in time, and none that would come too late: nothing queues up. Where they come
  // slowly steps are left out; where they do not come, the clock waits.
  const resume = async () => {
    const mine = ++run;
    playing = true;
    play.textContent = play.dataset.pause;
    if (at >= last()) await go(0); // from the beginning
    const came = new Map(); // pages, by their events
    let due = at; // a fraction of a step counts
    let sent = at; // the last that was asked for
    let underWay = 0;
    let takes = 100; // milliseconds until a page comes
    let before = performance.now();
    let noted = before;
    const ask = () => {
      const pace = speed.value / 1000;
      while (mine === run && underWay < 4) {
        const next = Math.min(Math.max(sent + 1, Math.ceil(due + takes * pace)), last());
        if (next <= sent || next > due + 2 + 2 * takes * pace) return; // a frame that took long leaves much that is due
        const began = performance.now();
        const url = urlOf(next);
        sent = next;
        underWay++;
        load(url, known)
          .then((page) => came.set(next, { url, page }))
          .catch(() => mine === run && fail())
          .finally(() => {
            takes += (performance.now() - began - takes) / 4;
            underWay--;
            ask();
          });
      }
    };
    const frame = (now) => {
      if (mine !== run) return;
      const late = at + Math.max(1, speed.value / 4);
      due = Math.min(due + ((now - before) * speed.value) / 1000, late, last());
      before = now;
      for (const n of [...came.keys()]) if (n <= at) came.delete(n);
      let ready = Math.max(...[...came.keys()].filter((n) => n <= due));
      if (ready < 0 && due >= late) ready = Math.min(...came.keys()); // what comes now was meant for later
      if (came.has(ready) && !pressed) {
        turnTo(came.get(ready).url, came.get(ready).page, { moving: speed.value <= 2 });
        if (now - noted > 1000) noted = (remember(), now);
      }
      if (at >= last()) return pause(); // and the page follows
      ask();
      requestAnimationFrame(frame);
    };
    if (mine === run) requestAnimationFrame(frame);
  };
  const pause = () => {
    if (playing) remember();
    run++;
    playing = false;
    play.textContent = play.dataset.play;
  };
  const fail = () => {
    pause();
    byId("pulse").textContent = "That moment did not come. Try again.";
  };
  const toggle = () => (playing ? pause() : resume());

  // turn gives the end of the turn before or behind.
  const turn = (back) => {
    const ends = byId("strip").dataset.ends.split(" ").map(Number);
    return back ? (ends.findLast((e) => e < at) ?? 0) : (ends.find((e) => e > at) ?? last());
  };

  const moves = {
    first: () => 0,
    back: (turns) => (turns ? turn(true) : at - 1),
    forward: (turns) => (turns ? turn(false) : at + 1),
    last: () => last(),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last" };

  // move is what the reader does himself, and ends the playing.
  const move = (n) => {
    pause();
    go(n);
  };

  // typing reports whether a key is somebody else's: a field's, or that of a box that scrolls.
  const typing = (key, on) => {
    if (on === scrub || !(on instanceof Element)) return false;
    if (on.closest("input, select, textarea, [contenteditable], .scroll, .ledger")) return true;
    return key === " " && on.closest("button, summary, a") !== null;
  };

  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || typing(e.key, e.target)) return;
    if (e.key === " ") {
      if (!e.repeat) toggle();
    } else if (keys[e.key]) {
      move(moves[keys[e.key]](e.shiftKey));
    } else {
      return;
    }
    e.preventDefault();
  });

  byId("timeline").addEventListener("submit", (e) => {
    e.preventDefault();
    move(moves[e.submitter?.id]?.(false) ?? Number(scrub.value));
  });
  scrub.addEventListener("input", () => move(Number(scrub.value)));
  scrub.addEventListener("pointerdown", () => (held = true));
  addEventListener("pointerup", () => (held = false));
  addEventListener("pointercancel", () => (held = false));
  play.addEventListener("click", toggle);

  // A link to another moment of this page is a way on the scrubber.
  document.addEventListener("click", async (e) => {
    const link = e.target.closest?.("main a[href]");
    if (!link || e.defaultPrevented || e.button || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
    const url = new URL(link.href.baseVal ?? link.href, location.href);
    if (url.origin !== location.origin || url.pathname !== location.pathname || url.hash) return;
    e.preventDefault();
    pause();
    try {
      await show(url);
      if (place.href === url.href) history.pushState(null, "", url); // unless he has gone on meanwhile
    } catch {
      location.assign(url);
    }
  });
  addEventListener("popstate", () => {
    pause();
    show(location.href).catch(() => location.reload());
  });

  document.addEventListener("watu:shown", settle);
  document.addEventListener("watu:grown", settle);
  play.hidden = false;
  byId("pace").hidden = false;
  byId("go").hidden = true;
  settle();
}
