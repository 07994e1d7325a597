// What has the focus, and whether that is "shown": it, or a part of it, looks otherwise than without.
(() => {
  const e = document.activeElement;
  if (e === document.body) return ["body", ""];
  const looks = () =>
    [e, ...e.querySelectorAll("*")].map((x) => {
      const s = getComputedStyle(x);
      const outline = s.outlineStyle === "none" ? "" : s.outlineWidth + s.outlineColor;
      return [outline, s.stroke, s.strokeWidth, s.fill, s.boxShadow, s.backgroundColor, s.left].join();
    }).join(";");
  const box = e.getBoundingClientRect();
  const seen = box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth;
  const focused = looks();
  e.blur();
  const blurred = looks();
  e.focus({ focusVisible: true, preventScroll: true });
  return [e.outerHTML.slice(0, 80), seen && focused !== blurred ? "shown" : ""];
})()
