// What a reader with another sense, or another screen, would stumble over: a list of sentences.
(() => {
  const faults = [];
  const named = (e) => {
    const path = [];
    for (let x = e; x && x !== document.body; x = x.parentElement) path.unshift(x.id ? "#" + x.id : x.localName);
    return path.slice(-4).join(" > ") + ` "${(e.textContent || "").trim().slice(0, 40)}"`;
  };
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const hidden = (e) => e.closest("[aria-hidden=true], [role=presentation], [role=none]");
  const label = (e) =>
    e.getAttribute("aria-label")?.trim() ||
    (e.getAttribute("aria-labelledby") || "").split(/\s+/).map((id) => document.getElementById(id)?.textContent.trim()).join("");
  const all = (selector) => [...document.querySelectorAll(selector)];

  if (!document.documentElement.lang) faults.push("the page does not say its language");
  if (!document.title.trim()) faults.push("the page has no title");
  if (all("main").length !== 1) faults.push(`${all("main").length} landmarks main`);
  const ids = new Set();
  for (const e of all("[id]")) {
    if (ids.has(e.id)) faults.push(`the id ${e.id} stands twice`);
    ids.add(e.id);
  }
  for (const e of all("[aria-labelledby], [aria-describedby], [aria-controls], label[for]")) {
    const refers = ["aria-labelledby", "aria-describedby", "aria-controls", "for"].map((a) => e.getAttribute(a) || "").join(" ");
    for (const id of refers.split(/\s+/)) if (id && !ids.has(id)) faults.push(`${named(e)} refers to no element ${id}`);
  }
  for (const e of all("img")) if (!e.hasAttribute("alt")) faults.push(`an image without words: ${named(e)}`);
  for (const e of all("svg")) {
    if (e.parentElement.closest("svg") || hidden(e)) continue;
    const name = label(e) || [...e.children].find((c) => c.localName === "title")?.textContent.trim();
    if (!name) faults.push(`a picture without a name: ${named(e)}`);
  }
  for (const e of all("input:not([type=hidden]), select, textarea")) {
    if (!label(e) && ![...(e.labels || [])].some((l) => l.textContent.trim()) && !/^(submit|button)$/.test(e.type)) faults.push(`a field without a label: ${named(e)} ${e.id}`);
  }
  for (const e of all("button, a[href], summary")) {
    const text = e.textContent.trim() || label(e) || e.querySelector("img[alt]")?.alt || e.title;
    if (!text) faults.push(`nothing says what ${named(e)} does`);
  }
  let level = 0;
  for (const e of all("h1, h2, h3, h4, h5, h6")) {
    const mine = Number(e.localName[1]);
    if (mine > level + 1) faults.push(`a heading of level ${mine} follows one of level ${level}: ${named(e)}`);
    level = mine;
  }
  if (all("h1").length !== 1) faults.push(`${all("h1").length} headings of the first level`);
  for (const e of all("table")) if (shown(e) && !e.querySelector("th")) faults.push(`a table without heads: ${named(e)}`);
  for (const e of all("[data-live]")) {
    if (!e.id) faults.push(`${named(e)} is live and has no id`);
    if (e.parentElement.closest("[data-live]")) faults.push(`${named(e)} is live in something that is live`);
  }
  for (const e of all("[style], style, script:not([src])")) faults.push(`the policy forbids ${e.localName} here: ${named(e)}`);
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) {
    const boxed = (e) => { for (let x = e.parentElement; x && x !== document.body; x = x.parentElement) if (getComputedStyle(x).overflowX !== "visible") return true; };
    const wide = all("body *").filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !boxed(e)).slice(0, 4);
    faults.push(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}: ${wide.map(named).join("; ")}`);
  }
  return faults;
})()
