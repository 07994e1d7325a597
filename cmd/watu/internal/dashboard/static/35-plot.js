// The plot is a scrubber too: dragging over it goes to the end of the turn below the pointer.
{
  let dragging = false;
  const turnAt = (x) =>
    [...document.querySelectorAll(".line-plot > a[data-end]")].findLast((a) => a.querySelector("rect").getBoundingClientRect().left <= x);
  const to = (x) => {
    const turn = turnAt(x);
    const field = document.getElementById("scrub");
    if (!turn || !field || field.value === turn.dataset.end) return;
    field.value = turn.dataset.end;
    field.dispatchEvent(new Event("input"));
  };
  document.addEventListener("pointerdown", (e) => {
    dragging = e.button === 0 && e.target.closest?.(".line-plot") !== null && !e.target.closest("circle");
  });
  document.addEventListener("pointermove", (e) => dragging && e.buttons && to(e.clientX));
  addEventListener("pointerup", () => (dragging = false));
  document.addEventListener("dragstart", (e) => e.target.closest?.(".line-plot") && e.preventDefault());
}
