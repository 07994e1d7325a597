// A page that the server draws is whole. This module asks for the same page again when the campaign
// goes on, or when the reader goes to another moment, and swaps what is marked data-live.
const parser = new DOMParser();
let asked = 0;

// place is the page that was asked for last. Without "at" it stands at the head, and follows.
let place = new URL(location.href);

// show puts what a page marks data-live into this one, all of it or nothing. It gives false if
// another was asked for meanwhile, and throws if the page does not come.
export async function show(url) {
  const mine = ++asked;
  place = new URL(url, location.href);
  try {
    const answer = await fetch(place, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(`${place.pathname}: ${answer.status}`);
    const text = await answer.text();
    if (mine !== asked) return false;
    take(parser.parseFromString(text, "text/html"));
    return true;
  } catch (err) {
    if (mine !== asked) return false;
    throw err;
  }
}

function take(other) {
  const live = [...other.querySelectorAll("[data-live][id]")];
  const ids = new Set(live.map((e) => e.id)); // before they leave the other page
  for (const there of live) {
    const here = document.getElementById(there.id);
    if (!here) insert(there);
    else if (here.outerHTML !== there.outerHTML) swap(here, there);
  }
  for (const here of document.querySelectorAll("main [data-live][id]")) if (!ids.has(here.id)) here.remove();
  document.title = other.title;
  document.dispatchEvent(new CustomEvent("watu:shown"));
}

// insert puts what this page has not behind what stands before it in the other.
function insert(there) {
  const home = there.parentElement.id && document.getElementById(there.parentElement.id);
  if (!home) return;
  let before = there.previousElementSibling;
  while (before && !(before.id && home.querySelector(`:scope > [id="${CSS.escape(before.id)}"]`))) before = before.previousElementSibling;
  const anchor = before && document.getElementById(before.id);
  const node = document.adoptNode(there);
  if (anchor) anchor.after(node);
  else home.prepend(node);
}

// swap keeps what the reader has opened, how far he has scrolled, and where he is.
function swap(here, there) {
  const boxes = [here, ...here.querySelectorAll("[id]")];
  const open = new Set(boxes.filter((b) => b.open).map((b) => b.id));
  const scrolled = boxes.filter((b) => b.id && (b.scrollLeft || b.scrollTop)).map((b) => [b.id, b.scrollLeft, b.scrollTop]);
  const focus = here.contains(document.activeElement) ? document.activeElement.id : "";
  here.replaceWith(document.adoptNode(there));
  for (const d of there.querySelectorAll("details[id]")) if (open.has(d.id)) d.open = true;
  for (const [id, x, y] of scrolled) document.getElementById(id)?.scrollTo({ left: x, top: y, behavior: "instant" });
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}
