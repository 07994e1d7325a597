// A page that the server draws is whole. This module asks for the same page again when the campaign
// goes on, or when the reader goes to another moment, and takes over what is marked data-live. Of a page that it
// knows only the lines that changed travel, and only the parts that changed are touched.
const parser = new DOMParser();
let asked = 0;

// place is the page that was asked for last. Without "at" it stands at the head, and follows.
let place = new URL(location.href);

// known is the page that is shown, as the server drew it: its entity tag, its lines, the pieces that they make, and its
// live parts by their ids. Of the page that was loaded only these are known, until it is asked for again.
let known = { pieces: new Map(), live: new Map([...document.querySelectorAll("[data-live][id]")].map((e) => [e.id, e.cloneNode(true)])) };

// show puts what a page marks data-live into this one, all of it or nothing. It gives false if
// another was asked for meanwhile, and throws if the page does not come.
export async function show(url, how = {}) {
  const mine = ++asked;
  place = new URL(url, location.href);
  try {
    const page = await load(place, known);
    while (pressed) await pressed;
    if (mine !== asked) return false;
    take(page, how);
    return true;
  } catch (err) {
    if (mine !== asked) return false;
    throw err;
  }
}

// turnTo shows a page that was loaded before.
export function turnTo(url, page, how) {
  asked++;
  place = url;
  take(page, how);
}

// load gives a page: of one that is known what changed comes, unless the server has forgotten it.
async function load(url, from) {
  const headers = { Accept: "text/html" };
  if (from.tag) Object.assign(headers, { "A-IM": "watu-lines", "If-None-Match": from.tag });
  const answer = await fetch(url, { headers });
  if (answer.status === 304) return from;
  if (answer.status === 403) location.reload(); // what stands here is no more for the reader's eyes
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  const lines = (await answer.text()).split("\n");
  return { tag: answer.headers.get("ETag"), lines: answer.status === 226 ? patched(from.lines, lines) : lines };
}

// patched makes lines of others by the orders in a patch's first line: "12+40" are forty of the old lines, "3" are
// the next three of the patch.
function patched(old, [orders, ...fresh]) {
  const lines = [];
  let next = 0;
  for (const order of orders.split(" ")) {
    const [from, count] = order.split("+").map(Number);
    const some = count ? old.slice(from, from + count) : fresh.slice(next, (next += from));
    lines.push(...some);
  }
  return lines;
}

// begins is where a part that is live begins: its tag, in which values stand in quotes. No text of a page has a "<".
const begins = /<\w+(?: [\w-]+(?:="[^"]*")?)* data-live[ >]/;

// cut cuts a page before each line in which a live part begins. The last part's piece has the page's end.
function cut(lines) {
  const pieces = [];
  let from = 0;
  lines.forEach((line, i) => {
    if (!line.includes(" data-live") || !begins.test(line)) return;
    pieces.push(lines.slice(from, i).join("\n"));
    from = i;
  });
  return [...pieces, lines.slice(from).join("\n")];
}

// read gives the live part of a piece, and the title where it has one.
function read(piece) {
  const box = document.createElement("template");
  box.innerHTML = piece;
  keepAs(box.content);
  return { live: box.content.querySelector("[data-live][id]"), title: box.content.querySelector("title")?.textContent };
}

function take(page, how) {
  const went = { parts: new Set(), changes: [], how };
  if (page === known) return said("watu:shown", went);
  page.pieces = new Map(cut(page.lines).map((text) => [text, known.pieces.get(text) ?? read(text)]));
  const pieces = [...page.pieces.values()];
  page.live = new Map(pieces.filter((p) => p.live).map((p) => [p.live.id, p.live]));
  const differ = [...page.live.values()].filter((e) => known.live.get(e.id) !== e && !known.live.get(e.id)?.isEqualNode(e));
  went.parts = new Set(differ.map((e) => e.id));
  said("watu:showing", went);
  const focused = document.activeElement;
  const box = focused?.parentElement?.closest("[tabindex]");
  for (const there of differ) {
    const here = document.getElementById(there.id);
    if (here) meld(here, there, went.changes);
    else insert(there.id, page, went.changes);
  }
  for (const here of document.querySelectorAll("main [data-live][id]")) if (!page.live.has(here.id)) here.remove();
  if (focused && !focused.isConnected) box?.focus({ preventScroll: true }); // it fell out of its list
  if (document.title !== pieces[0].title) document.title = pieces[0].title;
  known = page;
  said("watu:shown", went);
}

// said lets the other modules know: which parts differ, what was changed in them, and how that came.
const said = (what, went) => document.dispatchEvent(new CustomEvent(what, { detail: went }));

// insert puts what this page has not behind what stands before it in the other.
function insert(id, page, changes) {
  const there = parser.parseFromString(page.lines.join("\n"), "text/html").getElementById(id);
  const home = there.parentElement.id && document.getElementById(there.parentElement.id);
  if (!home) return;
  let before = there.previousElementSibling;
  while (before && !(before.id && home.querySelector(`:scope > [id="${CSS.escape(before.id)}"]`))) before = before.previousElementSibling;
  const anchor = before && document.getElementById(before.id);
  const node = document.importNode(page.live.get(id), true);
  if (anchor) anchor.after(node);
  else home.prepend(node);
  changes.push({ node });
}
