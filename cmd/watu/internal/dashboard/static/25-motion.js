// Motion: what a page takes over while it follows is seen to change. Whoever wants no motion sees the new values at once,
// and so does who goes to a moment himself. Nothing that is read depends on it, and it leaves nothing behind.
{
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const moves = (went) => went.how?.moving && !still.matches && !document.hidden;
  const most = 24; // washes at a time: a page that changes everywhere need not flash

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

  // wash marks what changed: the style sheet has the mark fade.
  const wash = (changes) => {
    const targets = new Set();
    for (const { node, was } of changes) {
      if (!node.isConnected || (was !== undefined && !node.nodeValue.trim())) continue;
      const around = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
      const target = around?.closest(washed);
      if (target && !around.closest(calm)) targets.add(target);
    }
    for (const e of [...targets].filter(seen).slice(0, most)) own(e, "data-washed", "");
  };
  document.addEventListener("animationend", (e) => e.animationName === "washed" && own(e.target, "data-washed", null));

  // count has a figure of the score go to its new value, a step at a time.
  const counting = new Map(); // texts, with the frame that is next
  const count = (text, from, to) => {
    cancelAnimationFrame(counting.get(text));
    const began = performance.now();
    const step = (now) => {
      const t = Math.min(Math.max(now - began, 0) / 400, 1);
      const value = String(Math.round(from + (to - from) * t));
      if (text.nodeValue !== value) text.nodeValue = value;
      if (t < 1 && text.isConnected) counting.set(text, requestAnimationFrame(step));
      else counting.delete(text);
    };
    text.nodeValue = String(from);
    counting.set(text, requestAnimationFrame(step));
  };
  const figure = /^\s*\d{1,6}\s*$/;

  const fade = [{ opacity: 0 }, { opacity: 1 }];

  // raid draws an arrow from the boat to the land, and its head when it is there.
  const raid = (a) => {
    if (a.matches(".bombs")) return a.animate(fade, 600);
    for (const path of a.querySelectorAll(":scope > path")) {
      const length = path.getTotalLength() * path.getScreenCTM().a; // a line keeps its width, and its dashes
      path.animate([{ strokeDasharray: `0 ${length}` }, { strokeDasharray: `${length} 0` }], { duration: 600, easing: "ease-in-out" });
    }
    for (const tip of a.querySelectorAll(":scope > g")) tip.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], 600);
  };

  // tumble has the dice of a row roll to rest, one behind the other.
  const tumble = (row) => {
    [...row.querySelectorAll("use")].forEach((die, i) => {
      const from = { transform: `translate(-14px, ${i % 2 ? 9 : -9}px) rotate(-${240 + 60 * (i % 3)}deg)` };
      const roll = { duration: 700, easing: "cubic-bezier(.15,.7,.3,1)", composite: "add" };
      for (const e of [die, die.previousElementSibling]) e.animate([from, { transform: "translate(0) rotate(0)" }], roll);
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

  document.addEventListener("watu:showing", (e) => {
    fills = moves(e.detail) && e.detail.parts.has("map") ? colours() : new Map();
  });

  document.addEventListener("watu:shown", (e) => {
    const { changes } = e.detail;
    if (!changes.length || !moves(e.detail)) return;
    wash(changes);
    for (const { node, was } of changes) {
      if (was === undefined || !figure.test(was) || !figure.test(node.nodeValue) || !node.parentElement?.closest(".score, .band, .sea-head")) continue;
      if (seen(node.parentElement)) count(node, Number(was), Number(node.nodeValue));
    }
    for (const card of elements(changes, ".story-card")) card.animate([{ opacity: 0, transform: "translateY(-8px)" }, { opacity: 1, transform: "none" }], 200);
    for (const a of elements(changes, ".ways > a")) raid(a);
    for (const a of elements(changes, ".plates > a, .boats > a")) a.animate(fade, 400);
    for (const row of elements(changes, ".sea-dice")) if (seen(row)) tumble(row);
    for (const path of elements(changes, ".land > path, .land > a > path")) {
      const [was, now] = [fills.get(path.getAttribute("d")), getComputedStyle(path).fill];
      if (was && was !== now) path.animate([{ fill: was }, { fill: now }], 400);
    }
  });
}
