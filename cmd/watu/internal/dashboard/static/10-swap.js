// A page that the server draws is whole. This module asks for the same page again when the campaign
// goes on, or when the reader goes to another moment, and swaps what is marked data-live.
const parser = new DOMParser();
let asked = 0;

// show puts what a page marks data-live into this one.
export async function show(url) {
  const mine = ++asked;
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (!answer.ok || mine !== asked) return false; // a later one is on its way
  const other = parser.parseFromString(await answer.text(), "text/html");
  for (const there of other.querySelectorAll("[data-live][id]")) {
    const here = document.getElementById(there.id);
    if (here && here.outerHTML !== there.outerHTML) swap(here, there);
  }
  document.title = other.title;
  document.dispatchEvent(new CustomEvent("watu:shown"));
  return true;
}

// swap keeps what the reader has opened, and where he is.
function swap(here, there) {
  const open = new Set([...here.querySelectorAll("details[open][id]")].map((d) => d.id));
  const focus = here.contains(document.activeElement) ? document.activeElement.id : "";
  here.replaceWith(document.adoptNode(there));
  for (const d of there.querySelectorAll("details[id]")) if (open.has(d.id)) d.open = true;
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}
