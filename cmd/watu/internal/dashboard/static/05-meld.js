// meld makes a node of this page equal to one of another page, and touches nothing that is equal already. So
// what has the focus, what is selected or scrolled, and which details are open, stays as the reader has it. What it
// did is listed in changes: a node that is new, or a text with what it said before. The other page stays as it is.
function meld(here, there, changes) {
  if (here.isEqualNode(there)) return;
  if (here.nodeType !== Node.ELEMENT_NODE) {
    changes.push({ node: here, was: here.nodeValue });
    here.nodeValue = there.nodeValue;
    return;
  }
  if (here.nodeName === "TIME" && here.dateTime === there.dateTime) return; // which says how long ago that was
  const kept = owned.get(here);
  for (const { name } of [...here.attributes]) if (name !== "open" && !kept?.has(name) && !there.hasAttribute(name)) here.removeAttribute(name);
  for (const { name, value } of there.attributes) if (name !== "open" && !kept?.has(name) && here.getAttribute(name) !== value) here.setAttribute(name, value);
  const pairs = meldPairs(here, there);
  const taken = new Set(pairs.values());
  let next = here.firstChild; // of those here, what is not in place yet
  for (const t of there.childNodes) {
    let h = pairs.get(t);
    for (let n = next; !h && n && !taken.has(n); n = n.nextSibling) if (n.nodeName === t.nodeName && n.id === t.id && sort(n, t)) h = n;
    for (; h && next && next !== h && !taken.has(next); next = meldOut(next));
    if (!h) changes.push({ node: here.insertBefore(document.importNode(t, true), next) });
    else if (h === next) next = next.nextSibling;
    else here.moveBefore ? here.moveBefore(h, next) : here.insertBefore(h, next);
    if (h) meld(h, t, changes);
  }
  while (next) next = meldOut(next);
}

// sort reports whether a drawing's group is of the sort of another: a script's attributes are not for one of another sort.
const sort = (here, there) => here.nodeName !== "g" || !owned.has(here) || here.getAttribute("class") === there.getAttribute("class");

// owned are the attributes that scripts of this page set on its elements: those stay.
const owned = new WeakMap();

// own sets an attribute that no other page's changes; null takes it away.
function own(e, name, value) {
  if (!owned.has(e)) owned.set(e, new Set());
  owned.get(e).add(name);
  if (value === null) e.removeAttribute(name);
  else if (e.getAttribute(name) !== value) e.setAttribute(name, value);
}

// meldOut removes a node, and gives the one behind it.
function meldOut(node) {
  const behind = node.nextSibling;
  node.remove();
  return behind;
}

// meldPairs finds the children there whose like is here wherever it stands: that of the same id or, if only
// one has it, of the same first link. A listed event keeps its place in a list that grows at its top.
function meldPairs(here, there) {
  const [ours, theirs] = [meldKeys(here), meldKeys(there)];
  const pairs = new Map();
  for (const [key, t] of theirs) if (t && ours.get(key)) pairs.set(t, ours.get(key));
  return pairs;
}

function meldKeys(parent) {
  const keys = new Map();
  for (const e of parent.children) {
    const link = e.id || (e.matches("a") ? e : e.querySelector("a[href]"))?.getAttribute("href");
    const key = `${e.nodeName} ${link}`;
    if (link) keys.set(key, keys.has(key) ? null : e); // what stands twice is no key
  }
  return keys;
}
