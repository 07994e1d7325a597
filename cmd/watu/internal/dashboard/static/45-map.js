// The map is zoomed and moved by its viewBox, and names keep their size. Each name, plate and silhouette knows how large
// it is on the whole map; a name knows too from which scale on it has room in its space.
{
  const steps = 1.5; // of a button or a key
  const nearest = 10; // times as large as the whole
  let view = null; // what is seen, in the map's units; null until the reader chooses
  let scrolled = 0; // when the page was scrolled last: a wheel that scrolls does not begin to zoom
  let frame = 0;
  const map = () => document.querySelector("#map .plotted");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // room is how wide and high the map is on the page. An observer says so: to ask has the page laid out.
  const rooms = new WeakMap();
  const resized = new ResizeObserver((list) => {
    for (const { target, contentRect } of list) rooms.set(target, [contentRect.width, contentRect.height]);
    settle();
  });
  const room = (svg) => {
    if (!rooms.has(svg)) {
      rooms.set(svg, [svg.clientWidth, svg.clientHeight]);
      resized.observe(svg);
    }
    return rooms.get(svg);
  };

  // whole is what shows all of the map in the room that it has.
  const whole = (svg) => {
    const [W, H] = [Number(svg.dataset.width), Number(svg.dataset.height)];
    const [wide, high] = room(svg);
    const shape = wide / high || W / H;
    const w = Math.max(W, H * shape);
    const h = w / shape;
    return { x: (W - w) / 2, y: (H - h) / 2, w, h };
  };

  // fitted keeps a view within the map, in the shape of the window.
  const fitted = (svg, v) => {
    const all = whole(svg);
    const w = Math.min(Math.max(v.w, all.w / nearest), all.w);
    const h = (w * all.h) / all.w;
    const [x, y] = [v.x + (v.w - w) / 2, v.y + ((v.h ?? h) - h) / 2];
    const within = (at, size, board) => (size >= board ? (board - size) / 2 : Math.min(Math.max(at, 0), board - size));
    return { x: within(x, w, Number(svg.dataset.width)), y: within(y, h, Number(svg.dataset.height)), w, h };
  };

  // draw shows a view.
  const draw = (svg, v) => {
    const all = whole(svg);
    own(svg, "viewBox", [v.x, v.y, v.w, v.h].map((n) => n.toFixed(2)).join(" "));
    const scale = v.w / room(svg)[0];
    const times = scale / svg.dataset.unit;
    own(svg, "class", times > 1.6 ? "plotted far" : "plotted");
    for (const g of svg.querySelectorAll(".names")) {
      own(g, "font-size", (svg.dataset.size * times).toFixed(2));
      for (const list of g.children) {
        let shown = false;
        for (const name of list.children) {
          const fits = !shown && name.dataset.room >= 100 * times - 2;
          shown ||= fits;
          own(name, "display", fits ? null : "none");
        }
      }
    }
    const fits = (room) => room >= 100 * times - 2;
    for (const e of svg.querySelectorAll(".stacks > a")) own(e, "display", fits(e.dataset.room) && !fits(e.dataset.until) ? null : "none");
    for (const e of svg.querySelectorAll(".fix")) own(e, "transform", `scale(${Math.min(scale, 1.6 * svg.dataset.unit).toFixed(3)})`);
    const barred = { "map-out": v.w > all.w * 0.99, "map-whole": v.w > all.w * 0.99, "map-in": v.w < (all.w / nearest) * 1.01 };
    for (const id in barred) own(document.getElementById(id), "disabled", barred[id] ? "" : null);
  };

  // settle shows the map that is on the page now as the reader has it.
  const settle = () => {
    const svg = map();
    if (!svg) return;
    for (const side of ["width", "height"]) own(svg, `data-${side}`, svg.getAttribute(side));
    own(document.getElementById("map-zoom"), "hidden", null);
    if (!room(svg)[0]) return;
    draw(svg, view ? (view = fitted(svg, view)) : whole(svg));
  };

  const seen = (svg) => view ?? whole(svg);

  // go goes to another view, in a moment unless motion is unwanted.
  const go = (to, soft) => {
    const svg = map();
    const from = seen(svg);
    view = fitted(svg, to);
    cancelAnimationFrame(frame);
    if (!soft || still.matches) return draw(svg, view);
    const began = performance.now();
    const step = (now) => {
      const t = Math.min((now - began) / 150, 1);
      const v = {};
      for (const i of ["x", "y", "w", "h"]) v[i] = from[i] + (view[i] - from[i]) * t;
      draw(map(), v);
      if (t < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };

  // zoom makes the map so many times as large, about a place in the window.
  const zoom = (times, x, y, soft) => {
    const svg = map();
    const v = seen(svg);
    const box = svg.getBoundingClientRect();
    const [fx, fy] = x === undefined ? [0.5, 0.5] : [(x - box.x) / box.width, (y - box.y) / box.height];
    const all = whole(svg);
    const w = Math.min(Math.max(v.w / times, all.w / nearest), all.w);
    const h = (w * v.h) / v.w;
    go({ x: v.x + (v.w - w) * fx, y: v.y + (v.h - h) * fy, w, h }, soft);
  };
  const pan = (dx, dy, soft) => {
    const svg = map();
    const v = seen(svg);
    const scale = v.w / room(svg)[0];
    go({ ...v, x: v.x - dx * scale, y: v.y - dy * scale }, soft);
  };
  const all = () => go(whole(map()), true);

  const keys = {
    "+": () => zoom(steps, undefined, undefined, true),
    "=": () => zoom(steps, undefined, undefined, true),
    "-": () => zoom(1 / steps, undefined, undefined, true),
    0: all,
    ArrowLeft: () => pan(80, 0, true),
    ArrowRight: () => pan(-80, 0, true),
    ArrowUp: () => pan(0, 80, true),
    ArrowDown: () => pan(0, -80, true),
  };
  document.addEventListener("keydown", (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || !keys[e.key] || !e.target.closest?.("#map-box")) return;
    e.preventDefault();
    keys[e.key]();
  });
  document.addEventListener("click", (e) => {
    const id = e.target.closest?.("#map-zoom button")?.id;
    if (id === "map-in") keys["+"]();
    if (id === "map-out") keys["-"]();
    if (id === "map-whole") all();
  });

  addEventListener("scroll", () => (scrolled = performance.now()), { passive: true });
  document.addEventListener(
    "wheel",
    (e) => {
      const svg = e.target.closest?.("#map .plotted");
      if (!svg || performance.now() - scrolled < 300) return;
      const out = seen(svg).w > whole(svg).w * 0.99;
      if (out && e.deltaY > 0) return; // the page scrolls on
      e.preventDefault();
      zoom(Math.exp(-Math.min(Math.max(e.deltaY, -200), 200) / 300), e.clientX, e.clientY);
    },
    { passive: false },
  );

  // Pointers that are down on the map: one moves it, two zoom it.
  const down = new Map();
  let moved = false;
  document.addEventListener("pointerdown", (e) => {
    if (e.button || !e.target.closest?.("#map .plotted")) return;
    if (!down.size) moved = false;
    down.set(e.pointerId, [e.clientX, e.clientY]);
  });
  document.addEventListener("pointermove", (e) => {
    const was = down.get(e.pointerId);
    if (!was) return;
    const [dx, dy] = [e.clientX - was[0], e.clientY - was[1]];
    if (!moved && Math.hypot(dx, dy) < 5) return;
    moved = true;
    down.set(e.pointerId, [e.clientX, e.clientY]);
    if (down.size === 1) return pan(dx, dy);
    const [other] = [...down].filter(([id]) => id !== e.pointerId).map(([, at]) => at);
    const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]);
    zoom(apart([e.clientX, e.clientY]) / Math.max(apart(was), 1), (e.clientX + other[0]) / 2, (e.clientY + other[1]) / 2);
    pan(dx / 2, dy / 2);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (e) => down.delete(e.pointerId));
  document.addEventListener("touchmove", (e) => e.touches.length > 1 && e.target.closest?.("#map .plotted") && e.preventDefault(), { passive: false });
  document.addEventListener("dragstart", (e) => e.target.closest?.("#map .plotted") && e.preventDefault());
  document.addEventListener(
    "click",
    (e) => {
      if (!moved || !e.target.closest?.("#map .plotted")) return;
      moved = false; // what was drawn is no choice
      e.preventDefault();
      e.stopPropagation();
    },
    true,
  );

  document.addEventListener("watu:shown", (e) => e.detail.parts.has("map") && settle());
  if (map()) resized.observe(map()); // and so the map settles once it is laid out
}
