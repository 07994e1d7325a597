// Motion: what a page takes over while it follows is seen to change. Whoever wants no motion sees the new values at once,
// and so does who goes to a moment himself. Nothing that is read depends on it, and it leaves nothing behind.
{
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const moves = (went) => went.how?.moving && !still.matches && !document.hidden;
  const most = 8; // washes at a time: a page that changes everywhere need not flash

  // what of a page is washed when it changes, the nearest around it; and what is not: the course of the campaign, which
  // moves with every event, and drawings.
  const washed = ".side, .alliance-name, .headline, .story-card, .event-line, .force, .roll, .sea-head, li, td, th, dd, p";
  const calm = "#strip, #moment, #turns-figures, #plot, #viewer, time, svg";

  const elements = (changes, selector) => {
    const found = new Set();
    for (const { node, was } of changes) {
      if (was !== undefined || !node.isConnected || node.nodeType !== Node.ELEMENT_NODE) continue;
      if (node.matches(selector)) found.add(node);
      for (const e of node.querySelectorAll(selector)) found.add(e);
    }
    return found;
  };

  // seen reports whether something is in the window.
  const seen = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  };

  // wash marks what changed, and is seen: the style sheet has the mark fade.
  const wash = (changes) => {
    const targets = new Set();
    for (const { node, was } of changes) {
      if (!node.isConnected || (was !== undefined && !node.nodeValue.trim())) continue;
      const around = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
      const target = around?.closest(washed);
      if (target && !around.closest(calm)) targets.add(target);
    }
    const list = [...targets].filter(seen).slice(0, most);
    return () => {
      for (const e of list) own(e, "data-washed", "");
      setTimeout(() => list.forEach((e) => own(e, "data-washed", null)), 1100);
    };
  };

  // reel is what moves on some times a second, as in an old film: a map is drawn anew each time.
  const reel = new Map(); // functions of the milliseconds since they began, which end with false
  let turning = 0;
  const turn = () => {
    for (const [on, began] of reel) if (!on(performance.now() - began)) reel.delete(on);
    if (!reel.size) turning = clearInterval(turning);
  };
  const film = (on) => {
    reel.set(on, performance.now());
    turning ||= setInterval(turn, 75);
  };

  // count has a figure of the score go to its new value in 400 ms, by three steps: each is laid out.
  const counting = new Set(); // what moves texts
  const count = (text, from, to) => {
    const on = (ms) => {
      const value = String(Math.round(from + (to - from) * Math.min(Math.floor(ms / 130) / 3, 1)));
      if (text.nodeValue !== value) text.nodeValue = value;
      return ms < 400 && text.isConnected;
    };
    counting.add(on);
    on(0);
    film(on);
  };

  // counted has every figure at its value, before a page is compared with the next: none goes on to one of before.
  const counted = () => {
    for (const on of counting) if (reel.delete(on)) on(400);
    counting.clear();
  };

  // draw plays an animation that the page itself has to draw.
  const draw = (e, keyframes, how) => {
    const animation = e.animate(keyframes, how);
    animation.pause();
    film((ms) => {
      if (ms < how.duration) animation.currentTime = ms;
      else animation.cancel();
      return ms < how.duration;
    });
  };
  const figure = /^\s*\d{1,6}\s*$/;

  // raid draws an arrow from the boat to the land, and bombing its dots from where the bombers came; the casing and the
  // head are there when it is.
  const raid = (a, length) => {
    const line = a.querySelector(":scope > path:not(.under)");
    const dots = a.matches(".bombs") ? Math.ceil(length / dotted) : 0;
    const upTo = (i) => ({ strokeDasharray: `${`.1 ${dotted - 0.1} `.repeat(Math.round((dots * i) / 8))}0 ${2 * length}`, easing: "step-end" });
    const drawn = dots ? [0, 1, 2, 3, 4, 5, 6, 7, 8].map(upTo) : [{ strokeDasharray: `0 ${length}` }, { strokeDasharray: `${length} 0` }];
    draw(line, drawn, { duration: 600, easing: dots ? "linear" : "ease-in-out" });
    for (const e of a.querySelectorAll(":scope > .under, :scope > g")) draw(e, [{ visibility: "hidden" }, { visibility: "hidden" }], { duration: 600 });
  };
  const dotted = 5.1; // pixels from a dot to the next, as the style sheet has them
  const lengthOf = (a) => a.querySelector(":scope > path:not(.under)").getTotalLength() * a.getScreenCTM().a; // a line keeps its width, and its dashes

  // tumble has the dice of a row roll to rest, one behind the other.
  const tumble = (row) => {
    [...row.querySelectorAll("use")].forEach((die, i) => {
      const from = { transform: `translate(-14px, ${i % 2 ? 9 : -9}px) rotate(-${240 + 60 * (i % 3)}deg)` };
      const roll = { duration: 700, easing: "cubic-bezier(.15,.7,.3,1)", composite: "add" };
      for (const e of [die, die.previousElementSibling]) draw(e, [from, { transform: "translate(0) rotate(0)" }], roll);
    });
  };

  // fills are those of the lands before, by their outlines: land that changes hands goes from one to the other.
  let fills = new Map();
  const colours = () => {
    const all = new Map();
    for (const land of document.querySelectorAll("#map .plotted > .land:not(.names)")) {
      const paths = land.querySelectorAll("path");
      const fill = paths.length && getComputedStyle(paths[0]).fill;
      for (const path of paths) all.set(path.getAttribute("d"), fill);
    }
    return all;
  };

  let begins = 0; // the frame with which what changed begins to move
  document.addEventListener("watu:showing", (e) => {
    cancelAnimationFrame(begins);
    counted();
    fills = moves(e.detail) && e.detail.parts.has("map") ? colours() : new Map();
  });

  // start measures what moves, and only then has it move: so the page is laid out once.
  const start = (changes) => {
    const washing = wash(changes);
    const figures = changes.filter(
      ({ node, was }) =>
        was !== undefined && figure.test(was) && figure.test(node.nodeValue) && node.parentElement?.closest(".score, .band, .sea-head") && seen(node.parentElement),
    );
    const ways = [...elements(changes, ".ways > a")].map((a) => [a, lengthOf(a)]);
    const rows = [...elements(changes, ".sea-dice")].filter(seen);
    const lands = [...elements(changes, ".land > path, .land > a > path")].map((path) => [path, fills.get(path.getAttribute("d")), getComputedStyle(path).fill]);
    washing();
    for (const { node, was } of figures) count(node, Number(was), Number(node.nodeValue));
    for (const card of elements(changes, ".story-card")) card.animate([{ opacity: 0, transform: "translateY(-8px)" }, { opacity: 1, transform: "none" }], 200);
    for (const [a, length] of ways) raid(a, length);
    rows.forEach(tumble);
    for (const [path, was, now] of lands) if (was && was !== now) draw(path, [{ fill: was }, { fill: now }], { duration: 400 });
  };
  document.addEventListener("watu:shown", (e) => {
    const { changes } = e.detail;
    if (changes.length && moves(e.detail)) begins = requestAnimationFrame(() => start(changes));
  });

  // From when all was drawn once, in its faces, what stands below the window need not be: its place is known.
  const soon = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
  document.fonts.ready.then(() => soon(() => document.body.classList.add("drawn")));
}
