// Each plot is a scrubber too: dragging over it goes to the end of the turn below the pointer.
{
  let plot = null; // over which the pointer is dragged
  const turnAt = (x) => {
    const box = plot.getBoundingClientRect();
    const { left, right, ends } = plot.dataset;
    const list = ends.split(" ");
    const at = ((x - box.left) / box.width) * plot.viewBox.baseVal.width;
    const i = Math.floor(((at - left) / (right - left)) * list.length);
    return list[Math.min(Math.max(i, 0), list.length - 1)];
  };
  const to = (x) => {
    const field = document.getElementById("scrub");
    if (!plot.isConnected || !field) return;
    const end = turnAt(x);
    if (field.value === end) return;
    field.value = end;
    field.dispatchEvent(new Event("input"));
  };
  document.addEventListener("pointerdown", (e) => {
    plot = (e.button === 0 && !e.target.closest?.("circle") && e.target.closest?.(".line-plot[data-ends]")) || null;
  });
  document.addEventListener("pointermove", (e) => plot && e.buttons && to(e.clientX));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (plot = null));
  document.addEventListener("dragstart", (e) => e.target.closest?.(".line-plot") && e.preventDefault());
}
