// Each plot is a scrubber too: dragging over it goes to the end of the turn below the pointer. Plots move and go as the
// moment changes; turns stay where they were when the drag began.
{
  let drag = null; // where the turns lie on the page, and their last events
  const take = (plot) => {
    const box = plot.getBoundingClientRect();
    const scale = box.width / plot.viewBox.baseVal.width;
    const { left, right, ends } = plot.dataset;
    return { from: box.left + left * scale, to: box.left + right * scale, ends: ends.split(" ") };
  };
  const to = (x) => {
    const i = Math.floor(((x - drag.from) / (drag.to - drag.from)) * drag.ends.length);
    const end = drag.ends[Math.min(Math.max(i, 0), drag.ends.length - 1)];
    const field = document.getElementById("scrub");
    if (!field || field.value === end) return;
    field.value = end;
    field.dispatchEvent(new Event("input"));
  };
  document.addEventListener("pointerdown", (e) => {
    const plot = e.button === 0 && !e.target.closest?.("circle") && e.target.closest?.(".line-plot[data-ends]");
    drag = plot ? take(plot) : null;
  });
  document.addEventListener("pointermove", (e) => drag && e.buttons && to(e.clientX));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (drag = null));
  document.addEventListener("dragstart", (e) => e.target.closest?.(".line-plot") && e.preventDefault());
}
