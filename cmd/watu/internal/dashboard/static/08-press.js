// Who presses something gets what he saw there: until his click has come this page stays as it is, and takes over then what
// came meanwhile. Where it moves all the same below a pointer that rests, the click is for what was pressed. Who drags over a
// plot, along the scrubber or on a map wants to see what comes.
let pressed = null; // a promise, while something is
{
  const pressable = "a:not(.line-plot :has(> rect)), button, summary, label, select";
  let press = null; // what is pressed, and where
  let end = () => {};
  let timer = 0;
  const within = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(end, ms);
  };
  addEventListener(
    "pointerdown",
    (e) => {
      end();
      const on = !e.button && e.target.closest?.(pressable);
      if (!on) return;
      press = { on, x: e.clientX, y: e.clientY };
      pressed = new Promise((done) => (end = () => done((press = pressed = null))));
      within(5000); // he holds it, or it was let go elsewhere
    },
    true,
  );
  addEventListener("pointerup", () => within(300), true); // a finger's click comes somewhat later
  addEventListener(
    "click",
    (e) => {
      const { on, x, y } = press ?? {};
      press = null;
      within(0);
      if (!on?.isConnected || on.contains(e.target) || Math.hypot(e.clientX - x, e.clientY - y) > 5) return;
      e.preventDefault();
      e.stopImmediatePropagation();
      on.dispatchEvent(new MouseEvent("click", e));
    },
    true,
  );
}
