// Who has scrolled away from the newest is not taken there: a link says how many events came.
{
  const top = document.querySelector(".top");
  const eventShown = () => Number(document.getElementById("moment")?.dataset.event ?? 0);
  let away = false; // asked as the reader scrolls alone: to ask has the page laid out
  const look = () => (away = scrollY > innerHeight / 2);
  const link = Object.assign(document.createElement("a"), { id: "fresh", className: "fresh", href: "#main" });
  let last = eventShown();
  let came = 0;

  const tell = (n) => {
    came = n;
    link.textContent = top.dataset.fresh.replace("2", n);
    if (!n) link.remove();
    else if (!link.isConnected) top.append(link);
  };
  if (top) {
    document.addEventListener("watu:shown", (e) => {
      const now = eventShown();
      tell(e.detail.how?.moving && away ? came + Math.max(now - last, 0) : 0);
      last = now;
    });
    addEventListener("scroll", () => look() || (came && tell(0)), { passive: true });
  }
}
