// Who has scrolled away from the newest is not taken there: a link says how many events came.
{
  const link = document.getElementById("fresh");
  const away = () => scrollY > innerHeight / 2;
  let last = Number(document.getElementById("moment")?.dataset.event ?? 0);
  let came = 0;

  const tell = () => {
    link.hidden = !came;
    if (came) link.textContent = `${came} new`;
  };
  if (link) {
    document.addEventListener("watu:shown", (e) => {
      const now = Number(document.getElementById("moment")?.dataset.event ?? 0);
      came = e.detail.how?.moving && away() ? came + Math.max(now - last, 0) : 0;
      last = now;
      tell();
    });
    addEventListener(
      "scroll",
      () => {
        if (!came || away()) return;
        came = 0;
        tell();
      },
      { passive: true },
    );
  }
}
