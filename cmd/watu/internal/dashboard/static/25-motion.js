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
      setTimeout(() => list.forEach((e) => own(e, "data-washed", null)), 1100); // it is unseen by then, and has not ended
    };
  };

  // All else that moves does so by its opacity and its place alone: a browser neither lays out nor draws for that.
  const from = (e, keyframe, ms, easing = "ease-out") => e.animate([keyframe, { opacity: 1, transform: "none" }], { duration: ms, easing });

  // tumble has the dice of a row roll to rest, one behind the other.
  const tumble = (row) => [...row.querySelectorAll(":scope > g")].forEach((die, i) => from(die, { opacity: 0, transform: `translate(-14px, ${i % 2 ? 9 : -9}px) rotate(-${240 + 60 * (i % 3)}deg)` }, 700, "cubic-bezier(.15,.7,.3,1)"));

  // fills are those of the lands before, by their outlines: land that changes hands shows its new one by and by.
  let fills = new Map();
  const colours = () => new Map([...document.querySelectorAll("#map .land:not(.names) path")].map((path) => [path.getAttribute("d"), path.closest("g").classList[1]]));

  let begins = 0; // the frame with which what changed begins to move
  document.addEventListener("watu:showing", (e) => {
    cancelAnimationFrame(begins);
    fills = moves(e.detail) && e.detail.parts.has("map") ? colours() : new Map();
  });

  // start measures what moves, and only then has it move: so the page is laid out once.
  const start = (changes) => {
    const washing = wash(changes);
    const figures = new Set(changes.map(({ node, was }) => was !== undefined && node.parentElement?.closest(".side .figure")).filter((e) => e && seen(e)));
    const rows = [...elements(changes, ".sea-dice")].filter(seen);
    const lands = [...elements(changes, ".land > path, .land > a > path")].filter((path) => {
      const was = fills.get(path.getAttribute("d"));
      return was && was !== path.closest("g").classList[1];
    });
    washing();
    for (const e of figures) from(e, { opacity: 0, transform: "translateY(8px)" }, 300);
    for (const card of elements(changes, ".story-card")) from(card, { opacity: 0, transform: "translateY(-8px)" }, 200);
    for (const way of elements(changes, ".ways > a")) from(way, { opacity: 0 }, 600);
    rows.forEach(tumble);
    for (const path of lands) from(path, { opacity: 0 }, 400);
  };
  document.addEventListener("watu:shown", (e) => {
    const { changes } = e.detail;
    if (changes.length && moves(e.detail)) begins = requestAnimationFrame(() => start(changes));
  });

  // From when all was drawn once, in its faces, what stands below the window need not be: its place is known.
  const soon = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
  const loaded = new Promise((done) => document.readyState === "complete" ? done() : addEventListener("load", done));
  loaded.then(() => document.fonts.ready).then(() => soon(() => document.body.classList.add("drawn")));
}
