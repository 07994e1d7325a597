// A page that the server draws is whole. This module asks for the same page again when the campaign
// goes on, or when the reader goes to another moment, and takes over what is marked data-live. Of a page that it
// knows only the lines that changed travel, and only the parts that changed are read and touched.
const parser = new DOMParser();
let asked = 0;

// place is the page that was asked for last. Without "at" it stands at the head, and follows.
let place = new URL(location.href);

// known is the page that was asked for last, as the server drew it: its entity tag, its lines, and the texts of its live parts by
// their ids. shown are the parts that stand here, each with its text and what that makes; of the page that was loaded neither is
// known until it is asked for again.
let known = { parts: new Map() };
const shown = new Map([...document.querySelectorAll("[data-live][id]")].map((e) => [e.id, {}]));

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
const begins = /<\w+(?: [\w-]+(?:="[^"]*")?)*? id="([^"]*)"(?: [\w-]+(?:="[^"]*")?)* data-live[ >]/;

// cut cuts a page before each line in which a live part begins: the texts by the ids of the parts, and under "" what comes before
// the first. The last part's text has the page's end.
function cut(lines) {
  const parts = new Map();
  let from = 0;
  let id = "";
  lines.forEach((line, i) => {
    const part = line.includes(" data-live") && begins.exec(line);
    if (!part) return;
    parts.set(id, lines.slice(from, i).join("\n"));
    [from, id] = [i, part[1]];
  });
  return parts.set(id, lines.slice(from).join("\n"));
}

// read makes the live part of a text.
function read(text) {
  const box = document.createElement("template");
  box.innerHTML = text;
  keepAs(box.content);
  return box.content.querySelector("[data-live][id]");
}

// What stands below the window takes over what came when it is nearly seen, or within two seconds: so what comes fast costs less.
const patient = "#map, #plot, #course, #here, #happened, #story-cards, .panel";
const far = new Set(); // ids of parts that are patient
const late = new Set(); // those of which something has come
let catching = 0;
const nearing = new IntersectionObserver(
  (list) => {
    for (const { target, isIntersecting } of list) isIntersecting ? far.delete(target.id) : far.add(target.id);
    if ([...late].some((id) => !far.has(id))) catchUp();
  },
  { rootMargin: "50% 0px" },
);
for (const e of document.querySelectorAll(patient)) if (e.dataset.live !== undefined) nearing.observe(e);

function catchUp() {
  catching = clearTimeout(catching);
  if (late.size) put([...late], known.how);
}
addEventListener("beforeprint", catchUp);
addEventListener("keydown", (e) => (e.ctrlKey || e.metaKey) && catchUp()); // who looks for a word, or takes all

function take(page, how) {
  if (page === known) return said("watu:shown", { parts: new Set(), changes: [], how });
  page.parts ??= cut(page.lines);
  page.how = how;
  if (page.parts.get("") !== known.parts.get("")) document.title = parser.parseFromString(page.parts.get(""), "text/html").title;
  known = page;
  late.clear();
  const now = [];
  for (const [id, text] of page.parts) if (id && shown.get(id)?.text !== text) far.has(id) ? late.add(id) : now.push(id);
  if (late.size) catching ||= setTimeout(catchUp, 2000);
  put(now, how);
}

// put has parts of the known page stand here.
function put(ids, how) {
  const went = { changes: [], how };
  const differ = [];
  for (const id of ids) {
    const [text, live] = [known.parts.get(id), read(known.parts.get(id))];
    if (!(shown.get(id)?.live ?? document.getElementById(id))?.isEqualNode(live)) differ.push(live);
    shown.set(id, { text, live });
    late.delete(id);
  }
  went.parts = new Set(differ.map((e) => e.id));
  said("watu:showing", went);
  const focused = document.activeElement;
  const box = focused?.parentElement?.closest("[tabindex]");
  for (const there of differ) {
    const here = document.getElementById(there.id);
    if (here) meld(here, there, went.changes);
    else insert(there.id, went.changes);
  }
  for (const id of shown.keys()) if (!known.parts.has(id)) leave(id);
  if (focused && !focused.isConnected) box?.focus({ preventScroll: true }); // it fell out of its list
  said("watu:shown", went);
}

// leave takes away a part that the page has no more.
function leave(id) {
  document.getElementById(id)?.remove();
  for (const list of [shown, far]) list.delete(id);
}

// said lets the other modules know: which parts differ, what was changed in them, and how that came.
const said = (what, went) => document.dispatchEvent(new CustomEvent(what, { detail: went }));

// insert puts what this page has not behind what stands before it in the other.
function insert(id, changes) {
  const there = parser.parseFromString(known.lines.join("\n"), "text/html").getElementById(id);
  const home = there.parentElement.id && document.getElementById(there.parentElement.id);
  if (!home) return;
  let before = there.previousElementSibling;
  while (before && !(before.id && home.querySelector(`:scope > [id="${CSS.escape(before.id)}"]`))) before = before.previousElementSibling;
  const anchor = before && document.getElementById(before.id);
  const node = document.importNode(shown.get(id).live, true);
  if (node.matches(patient)) nearing.observe(node);
  if (anchor) anchor.after(node);
  else home.prepend(node);
  changes.push({ node });
}
