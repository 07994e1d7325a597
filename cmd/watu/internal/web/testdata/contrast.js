// The visible texts whose colour stands out from what lies behind by less than 4.5 to 1, as sentences;
// the first line counts all that were looked at.
(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  // behind is what lies behind an element of HTML; null where the page is transparent.
  const behind = (e) => {
    const layers = [];
    for (let x = e; x; x = x.parentElement) {
      const c = rgba(getComputedStyle(x).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    if (!layers.length || layers.at(-1)[3] < 1) return null;
    return layers.reduceRight((below, top) => over(top, below));
  };
  // under is what a text of a picture is written on: its halo, the shape below its middle, the page.
  const under = (e) => {
    const s = getComputedStyle(e);
    if (s.stroke !== "none" && s.paintOrder.startsWith("stroke") && parseFloat(s.strokeWidth) > 1) return rgba(s.stroke);
    const box = e.getBoundingClientRect();
    for (const x of document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)) {
      if (x === e || x.closest("text")) continue;
      if (!(x instanceof SVGElement) || x.localName === "svg") break;
      const style = getComputedStyle(x), fill = style.fill;
      if (fill === "none" || fill.startsWith("url")) continue;
      const c = rgba(fill), back = behind(e.closest("svg").parentElement);
      const a = c[3] * parseFloat(style.fillOpacity) * parseFloat(style.opacity);
      return back ? over([c[0], c[1], c[2], a], back) : a === 1 ? c : null;
    }
    return behind(e.closest("svg"));
  };
  const faults = [], seen = new Set();
  let count = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement, text = n.data.trim();
    if (!text || /^(script|style|noscript|title|desc|option)$/.test(e.localName) || e.closest(":disabled")) continue;
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const svg = e.closest("svg");
    const style = getComputedStyle(e), ground = svg ? under(e) : behind(e);
    if (!ground) continue;
    const colour = rgba(svg ? style.fill : style.color);
    let alpha = colour[3];
    for (let x = e; x; x = x.parentElement) alpha *= parseFloat(getComputedStyle(x).opacity);
    const r = ratio(over([colour[0], colour[1], colour[2], alpha], ground), ground);
    count++;
    if (r >= 4.5) continue;
    const said = `${r.toFixed(2)} to 1: ${e.localName}.${e.getAttribute("class") || ""} in ${e.closest("[id]")?.id || "the page"}: rgb(${colour}) on rgb(${ground.map(Math.round)})`;
    if (!seen.has(said)) faults.push(`${said} "${text.slice(0, 30)}"`);
    seen.add(said);
  }
  return [String(count), ...faults];
})()
