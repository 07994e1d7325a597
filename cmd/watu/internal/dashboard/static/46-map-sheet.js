// A space of the map that is touched or focused has its figures shown below the map, from the map's own titles and the tables of its
// figures.
{
  const $ = (id) => document.getElementById(id);
  let chosen = ""; // the name of the space

  const says = (key) => $("map-sheet").dataset[key]; // what the page says in its language
  const behind = () => new RegExp(`(, ${says("capital")}|: )`); // of the title of a space: what stands behind its name

  // spaces are the shapes by their names, and what else their titles say.
  const spaces = () => {
    const all = new Map();
    for (const path of document.querySelectorAll("#map .plotted :is(.sea, .land) path")) {
      const [name, ...rest] = path.querySelector("title").textContent.split(behind());
      all.set(name, { path, says: rest.join("").replace(/^, |^: /, "").replace(/, #\d+$/, "") });
    }
    return all;
  };

  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  // rows are those of the tables of figures that are about a space.
  const rows = (name) => {
    const found = [];
    for (const table of document.querySelectorAll("#map-figures table")) {
      const heads = [...table.rows[0].cells].map((c) => c.textContent);
      for (const row of [...table.rows].slice(1)) {
        const at = [...row.cells].findIndex((c) => c.textContent === name);
        if (at >= 0) found.push({ title: table.closest(".scroll").previousElementSibling.textContent, heads, row, at });
      }
    }
    return found;
  };

  const tell = (name) => {
    const about = $("map-about");
    if (!about) return;
    chosen = name;
    const all = spaces();
    for (const e of document.querySelectorAll("#map .chosen")) e.classList.remove("chosen");
    about.replaceChildren();
    $("map-space").value = name;
    const space = all.get(name);
    if (!space) return;
    space.path.classList.add("chosen");
    about.append(make("h3", name));
    if (space.says) about.append(make("p", space.says[0].toUpperCase() + space.says.slice(1) + "."));
    let last = "";
    const found = rows(name);
    for (const { title, heads, row, at } of found) {
      if (title !== last) about.append(make("h4", (last = title)));
      const list = make("dl", "");
      [...row.cells].forEach((cell, i) => {
        if (i === at || !cell.textContent) return;
        const pair = make("div", "");
        const value = make("dd", "");
        value.append(...[...cell.childNodes].map((n) => n.cloneNode(true)));
        pair.append(make("dt", heads[i]), value);
        list.append(pair);
      });
      about.append(list);
    }
    history(about, name, found.length);
  };

  // marked is the page's mark of what was recorded of a space; undefined where nothing was.
  const marked = (name) =>
    [...document.querySelectorAll("#map-figures a[data-mark]")].find((a) => decodeURIComponent(a.pathname.split("/spaces/")[1]) === name)?.dataset.mark;

  // lately are the lines of a space's own page: what the board says of it, and the latest that was recorded.
  const lately = async (url) => {
    const answer = await fetch(url, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = parser.parseFromString(await answer.text(), "text/html");
    return { about: [...page.querySelectorAll("#space-about > *")], lines: [...page.querySelectorAll("#space-history > :is(.when, .event-line)")].slice(0, 9) };
  };

  // history puts what was recorded of a space below its figures: the latest lines of its own page, and the way to it. It is
  // asked for again only where there is something new in it.
  let kept = { of: "", page: null };
  const history = async (about, name, known) => {
    const url = new URL(document.getElementById("map-sheet").dataset.spaces + encodeURIComponent(name), location.href);
    for (const key of ["at", "as", "lang"]) if (place.searchParams.has(key)) url.searchParams.set(key, place.searchParams.get(key));
    const box = make("div", "");
    about.append(box);
    const mark = marked(name);
    const of = [name, mark, place.searchParams.get("as"), place.searchParams.has("at")].join("\n");
    try {
      if (kept.of !== of) kept = { of, page: lately(url) };
      const { about, lines } = await kept.page;
      if (!box.isConnected) return;
      box.append(...about.map((e) => document.importNode(e, true)));
      if (!lines.length) return known || box.append(make("p", says("nothing")));
      const all = Object.assign(make("a", says("all")), { href: url });
      box.append(make("h4", says("history")), ...lines.map((l) => (l.matches(".when") ? make("p", l.textContent) : document.importNode(l, true))), all);
    } catch {
      if (kept.of === of) kept.of = ""; // the figures above stand, and the next time it is asked for again
    }
  };
  document.addEventListener("watu:showing", (e) => e.detail.parts.has("disputes") && (kept.of = ""));

  const nameOf = (e) => {
    const path = e.target.closest?.("#map .plotted :is(.sea, .land) :is(path, a)");
    return path?.querySelector("title").textContent.split(behind())[0];
  };

  const settle = () => {
    const list = $("map-space");
    if (!list || !document.querySelector("#map .plotted")) return;
    if (list.length === 1) for (const name of [...spaces().keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }))) list.append(make("option", name));
    $("map-sheet").hidden = false;
    if (chosen) tell(chosen);
  };

  document.addEventListener("click", (e) => {
    const name = nameOf(e) ?? e.target.closest?.("#map-about [data-called]")?.dataset.called;
    if (!name || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault(); // its link is in the sheet
    tell(name);
  });
  document.addEventListener("focusin", (e) => {
    const name = nameOf(e);
    if (name && name !== chosen) tell(name);
  });
  document.addEventListener("change", (e) => e.target.id === "map-space" && tell(e.target.value));
  document.addEventListener("keydown", (e) => e.key === "Escape" && chosen && tell(""));
  document.addEventListener("watu:shown", (e) => (e.detail.parts.has("map") || (chosen && !kept.of)) && settle());
  (window.requestIdleCallback ?? setTimeout)(settle); // the page is seen before
}
