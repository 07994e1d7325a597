// A map that is drawn anew stays where the reader has scrolled it.
{
  let left = 0;
  document.addEventListener("scroll", (e) => {
    if (e.target.id === "map-box") left = e.target.scrollLeft;
  }, { capture: true, passive: true });
  document.addEventListener("watu:shown", () => {
    const box = document.getElementById("map-box");
    if (box) box.scrollLeft = left;
  });
}
