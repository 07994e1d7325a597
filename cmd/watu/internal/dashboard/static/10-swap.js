// A page that the server draws is whole. This module asks for the same page again when the campaign
// goes on, or when the reader goes to another moment, and takes over what is marked data-live.
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
    if (answer.status === 403) location.reload(); // what stands here is no more for the reader's eyes
    if (!answer.ok) throw new Error(`${place.pathname}: ${answer.status}`);
    const text = await answer.text();
    if (mine !== asked) return false;
    const other = parser.parseFromString(text, "text/html");
    keepAs(other);
    take(other);
    return true;
  } catch (err) {
    if (mine !== asked) return false;
    throw err;
  }
}

function take(other) {
  const focused = document.activeElement;
  const box = focused?.parentElement?.closest("[tabindex]");
  const live = [...other.querySelectorAll("[data-live][id]")];
  const ids = new Set(live.map((e) => e.id)); // before they leave the other page
  for (const there of live) {
    const here = document.getElementById(there.id);
    if (!here) insert(there);
    else meld(here, there);
  }
  for (const here of document.querySelectorAll("main [data-live][id]")) if (!ids.has(here.id)) here.remove();
  if (focused && !focused.isConnected) box?.focus({ preventScroll: true }); // it fell out of its list
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
