// Checking an event in the reader's own browser. What is checked is taken from the bytes that are
// hashed here, and from nothing that the server says of them: events.proto gives the fields, the
// package comment of rules/chance the way from a link to its dice.

const proofLongest = 1 << 20; // links of a chain
const proofFile = "Ask the umpire for the campaign's file, and check it with watu-verify, a program or a page";

// checkProof gives the verdict on a proof, and the steps to it. Shown is the hash that the page shows.
export async function checkProof(proof, shown) {
  const steps = [];
  let part = false; // something that only watu-verify can check decides
  const step = (good, text, full = "") => { steps.push({ good, text, full }); return good; };
  if (!globalThis.crypto?.subtle) {
    step(null, `This page came over plain HTTP from another machine, and a browser computes hashes for secure pages alone. Open it over HTTPS or on the machine that serves it. ${proofFile}.`);
    return { verdict: "cannot", steps };
  }
  try {
    part = await proofOfEvent(proof, shown, step) === "part";
  } catch (e) {
    step(false, "The bytes do not read: " + e.message);
  }
  return { verdict: steps.some((s) => s.good === false) ? "fails" : part ? "part" : "holds", steps };
}

// proofOfEvent checks the hash, then the order of the events, then the roll.
async function proofOfEvent(proof, shown, step) {
  const given = new Map();
  for (const p of proof.events) {
    const e = await proofRead(p.bytes);
    given.set(e.index, e);
  }
  const event = given.get(proof.index);
  if (!event) return step(false, `Event #${proof.index} is not among the bytes given.`);
  step(event.hash === shown, `SHA-256 of a zero byte and the ${event.size} bytes of #${event.index} is ${proofShort(event.hash)}; ` +
    (event.hash === shown ? "so does the page say." : `the page says ${proofShort(shown)}.`), event.hash);
  proofOfOrder(given, event, step);
  for (const o of event.openings) await proofOpened(proof, o, step);
  const declared = proofDeclared(event, given);
  if (event.type === "draw_declared" || event.type === "cards_drawn") {
    step(null, `The link that decides a draw stays sealed while the campaign is played, for it would open every draw before it. When the umpire has given it out, watu-verify checks it in the campaign's file.`);
  }
  if (declared !== null) return proofOfRoll(proof, given, event, declared, step);
}

// proofOfOrder checks that each event names the one before it by its hash.
function proofOfOrder(given, event, step) {
  const list = [...given.values()].sort((a, b) => a.index - b.index);
  for (const e of list) {
    if (e.campaign !== event.campaign) step(false, `#${e.index} is of another campaign.`);
  }
  const tied = [];
  for (let i = 1; i < list.length; i++) {
    const [before, after] = [list[i - 1], list[i]];
    if (after.index !== before.index + 1) {
      step(null, `The events between #${before.index} and #${after.index} are not here, so this page cannot say that these two are of one record. ${proofFile}.`);
      continue;
    }
    if (after.previous !== before.hash) step(false, `#${after.index} names ${proofShort(after.previous)} as the hash of #${before.index}, which is ${proofShort(before.hash)}.`, after.previous);
    else tied.push(after.index);
  }
  if (tied.length) step(true, `Each names the one before it by its hash: ${tied.map((i) => `#${i} names #${i - 1}`).join(", ")}.`);
  else if (!given.has(event.index + 1)) step(null, "No event follows yet that would name this hash.");
}

// proofOpened holds a fact that the event tells against the commitment that was made to it.
async function proofOpened(proof, opening, step) {
  const [index, slot, fact] = [opening.number(1), opening.text(2), opening.text(4)];
  let made = null;
  for (const p of proof.committed ?? []) {
    const e = await proofRead(p.bytes);
    if (e.index === index) made = e;
  }
  const commitment = made?.commitments.find((c) => c.text(1) === slot);
  if (!commitment) return step(false, `What #${index} committed to as ${slot} is not given.`);
  const text = new TextEncoder();
  const parts = [text.encode("watu/commitment/v1"), proofUnhex(made.campaign), proofNumber(made.epoch), text.encode(made.command), text.encode(slot), opening.bytes(3), text.encode(fact)];
  const hash = proofHex(await proofHash(Uint8Array.from(parts.flatMap((p) => [...proofLength(p.length), ...p]))));
  const same = hash === commitment.hex(2);
  step(same, `The commitment of #${index} as ${slot}, made with the salt now told to ${fact}, ${same ? "is" : "is not"} ${proofShort(commitment.hex(2))}, as the record has it (#${index} has the hash ${proofShort(made.hash)}, which its own page shows). The host fixed the chain then, and could have picked it.`, hash);
}

// proofDeclared is the index of the declaration of an event's roll, as the bytes have it; null for none.
function proofDeclared(event, given) {
  const p = event.payload;
  let index = null;
  if (event.type === "roll_declared") index = event.index;
  if (["dice_rolled", "dice_typed", "dice_denied"].includes(event.type)) index = p.number(1);
  const named = p.number({ result_adjudicated: 10, facility_damaged: 12, submarines_hunted: 4, economic_attack_made: 9 }[event.type] ?? 0);
  if (named) index = named;
  if (index === null) return null;
  return given.get(index)?.corrects || index; // the dice answered what was corrected
}

// proofOfRoll throws the dice again from the link revealed.
async function proofOfRoll(proof, given, event, declared, step) {
  const d = given.get(declared);
  if (d?.type !== "roll_declared") return step(false, `The declaration #${declared} is not among the bytes given.`);
  const rolled = [...given.values()].filter((e) => e.type === "dice_rolled" && e.payload.number(1) === declared && !e.corrects);
  rolled.sort((a, b) => a.index - b.index);
  const throws = d.payload.messages(3).map((t) => ({
    name: t.text(1), dice: t.signed(3), sides: t.signed(4), low: t.number(8) ? 0 : 1,
  }));
  step(null, `#${declared} declared, before any die was known: ${throws.map((t) => `${t.dice}d${t.sides} for ${t.name}`).join(", ")}.`);
  if (d.payload.text(7) === "attested") return proofAttested(rolled, step);
  if (d.payload.text(7) === "beacon") {
    await proofByRound(given, d, throws, rolled, step);
    if (event.type === "result_adjudicated") proofReadings(event, throws, rolled, step);
    return "part";
  }
  if (d.payload.text(7) === "contested") {
    await proofByLinks(d, throws, rolled, step);
    if (event.type === "result_adjudicated") proofReadings(event, throws, rolled, step);
    return "part";
  }
  if (!rolled.length) return step(null, "The dice are not thrown yet.");
  const sources = d.payload.messages(6);
  if (sources.length !== 1) return step(false, `The declaration names ${sources.length} chains; this page knows rolls of one.`);
  const [chain, position] = [sources[0].text(1), sources[0].number(2)];
  const link = proofLink(rolled, chain, position, step);
  const stated = link && await proofAnchored(proof, d, chain, position, link, step);
  if (!stated) return;
  await proofThrown(d, throws, rolled, link, proofNumbered(stated, d, position), step);
  if (event.type === "result_adjudicated") proofReadings(event, throws, rolled, step);
}

function proofAttested(rolled, step) {
  if (!rolled.length) return step(null, "The dice are a table's: one seat types them in, another has yet to confirm them.");
  const p = rolled[0].payload;
  step(null, `The dice were thrown at a table: ${p.text(5)} typed them in and ${p.text(6)} confirmed them. These two vouch for them, and no chain does.`);
}

// proofByRound throws the dice again from the signature of the round. That it is the beacon's signature, and that
// witnesses saw the declaration before the round came, is beyond this page.
async function proofByRound(given, d, throws, rolled, step) {
  const first = given.get(d.payload.number(9)) ?? d;
  const came = [...given.values()].find((e) => e.type === "dice_rolled" && e.payload.number(1) === first.index && e.payload.number(7));
  if (!came) return step(null, `The dice come with a round of public randomness: round ${first.payload.number(8)} was named first. Nobody knows them yet.`);
  const [round, signature, note] = [came.payload.number(7), came.payload.text(8), came.payload.text(9)];
  if (rolled.some((e) => e.payload.messages(4).length)) return step(null, `These dice are a link's, and not the round's that was named. ${proofFile}.`);
  step(null, `Round ${round} decides, whose signature #${came.index} has: ${proofShort(signature)}. This page does NOT check that it is the beacon's.`, signature);
  step(null, `Witnesses cosigned this checkpoint, with the declaration. This page does NOT check their keys and times. ${proofFile}.`, note);
  const randomness = await proofHash(proofUnhex(signature));
  await proofDice(throws, rolled, await proofSeed(randomness, "the SHA-256 of that signature", d, first, step), step);
}

// proofSeed is the seed of a roll that a round decides, or two links.
async function proofSeed(randomness, under, d, first, step) {
  const ordinal = d.payload.signed(10);
  const seed = await proofParts(randomness, ["watu/dice/v2", proofUnhex(d.campaign), proofUnhex(first.hash), proofNumber(ordinal)]);
  step(null, `The seed is HMAC-SHA256 under ${under} of watu/dice/v2, the campaign, the hash of #${first.index} and ${ordinal}, each behind its length: ${proofShort(proofHex(seed))}.`, proofHex(seed));
  return seed;
}

// proofParts is HMAC-SHA256 over parts, a text or bytes each, behind their lengths.
function proofParts(key, parts) {
  return proofMAC(key, parts.map((p) => typeof p === "string" ? new TextEncoder().encode(p) : p).flatMap((p) => [...proofLength(p.length), ...p]));
}

// proofByLinks throws the dice again from the links of the host and of a player. That each leads to its anchor, and that
// the player signed his for this roll, is beyond this page.
async function proofByLinks(d, throws, rolled, step) {
  const first = d.payload.number(9);
  if (first) return step(null, `The two links of the roll #${first} decide these dice too. ${proofFile}.`);
  if (!rolled.length) return step(null, "The dice come with the link of a player who does not roll. Nobody knows them yet.");
  if (rolled[0].payload.text(5)) return step(null, "The umpire ruled these dice: the link that was to decide did not come in time.");
  const [declared, links] = [d.payload.messages(6), rolled.map((e) => e.payload.messages(4))];
  const named = (list) => list.map((l) => `number ${l.number(2)} of chain ${l.text(1)}`).join(" and ");
  const same = links[0].length === 2 && links.every((l) => named(l) === named(declared) && l.every((x, i) => x.hex(3) === links[0][i]?.hex(3)));
  step(same, same ? `The dice reveal the links that were declared: ${named(declared)}.` : `The dice do not reveal the links that were declared: ${named(declared)}.`);
  if (!same) return;
  step(null, `This page does NOT check that they lead to their anchors, and that the player signed his for this roll. ${proofFile}.`);
  const [host, seat] = links[0].map((l) => proofUnhex(l.hex(3)));
  const randomness = await proofParts(host, ["watu/contested/v1", seat]);
  await proofDice(throws, rolled, await proofSeed(randomness, "the HMAC-SHA256, under the host's link, of watu/contested/v1 and the other link,", d, d, step), step);
}

// proofLink is the link that the dice reveal: the one declared, the same for each throw.
function proofLink(rolled, chain, position, step) {
  let link = "";
  for (const e of rolled) {
    const l = e.payload.messages(4);
    if (l.length !== 1 || l[0].text(1) !== chain || l[0].number(2) !== position || (link && link !== l[0].hex(3))) {
      step(false, `#${e.index} does not reveal the link that was declared, number ${position} of chain ${chain}.`);
      return null;
    }
    link = l[0].hex(3);
  }
  step(true, `The dice reveal the link that was declared, number ${position} of chain ${chain}: ${proofShort(link)}.`, link);
  return link;
}

// proofNumbered says which number enters the seeds of an epoch, as its first event states.
function proofNumbered(stated, declaration, position) {
  return stated.payload.text(3) === "position" ? { label: "watu/chain-dice/v2", number: position, says: `position ${position}` } :
    { label: "watu/dice/v1", number: declaration.index, says: `index ${declaration.index}` };
}

// proofAnchored hashes the link up to the one revealed before it, and on to the anchor. It gives the event that states that.
async function proofAnchored(proof, declaration, chain, position, link, step) {
  const stated = proof.stated && await proofRead(proof.stated.bytes);
  const anchor = stated?.type === "epoch_begun" && stated.payload.messages(2).find((c) => c.text(1) === chain);
  if (!anchor || stated.campaign !== declaration.campaign || stated.epoch !== declaration.epoch || stated.index >= declaration.index) {
    step(false, `What states the anchor of chain ${chain} is not given.`);
    return null;
  }
  if (position < 1 || position > anchor.number(3) || position > proofLongest) {
    step(false, `The chain has ${anchor.number(3)} links, and this is number ${position}.`);
    return null;
  }
  let earlier = null;
  if (proof.earlier) {
    const e = await proofRead(proof.earlier.bytes);
    const l = e.type === "dice_rolled" && e.payload.messages(4).find((k) => k.text(1) === chain);
    if (l && e.campaign === declaration.campaign && e.epoch === declaration.epoch && l.number(2) < position) earlier = { at: e.index, position: l.number(2), link: l.hex(3) };
    else return step(false, `#${e.index} reveals no earlier link of chain ${chain}.`);
  }
  let a = proofUnhex(link);
  for (let k = 1; k <= position; k++) {
    a = await proofHash(a);
    if (earlier && k === position - earlier.position) {
      const same = proofHex(a) === earlier.link;
      step(same, `Hashed ${proofTimes(k)} it ${same ? "gives" : "does not give"} link ${earlier.position}, which #${earlier.at} revealed.`, proofHex(a));
    }
  }
  const same = proofHex(a) === anchor.hex(2);
  step(same, `Hashed ${proofTimes(position)} it ${same ? "gives" : "does not give"} the anchor that #${stated.index} stated before any die: ${proofShort(anchor.hex(2))} (#${stated.index} has the hash ${proofShort(stated.hash)}, which its own page shows).`, proofHex(a));
  return same ? stated : null;
}

// proofThrown goes from the link to the seed, from that to the stream of bytes, and from those to the dice.
async function proofThrown(declaration, throws, rolled, link, numbered, step) {
  const seed = await proofParts(proofUnhex(link), [numbered.label, proofUnhex(declaration.campaign), proofNumber(declaration.epoch), proofNumber(numbered.number)]);
  step(null, `The seed is HMAC-SHA256 under the link of ${numbered.label}, the campaign, epoch ${declaration.epoch} and ${numbered.says}, each behind its length: ${proofShort(proofHex(seed))}.`, proofHex(seed));
  await proofDice(throws, rolled, seed, step);
}

// proofDice throws the dice again from their seed.
async function proofDice(throws, rolled, seed, step) {
  const next = proofStream(seed);
  for (const [i, t] of throws.entries()) {
    if (t.sides < 2 || t.sides > 256 || t.dice < 0 || t.dice > 1000) return step(false, `${t.name}: ${t.dice}d${t.sides} cannot be thrown.`);
    const limit = Math.floor(256 / t.sides) * t.sides;
    const [fell, taken] = [[], []];
    while (fell.length < t.dice) {
      const b = await next();
      taken.push(b < limit ? proofHex([b]) : `(${proofHex([b])} is thrown away: ${b} is not below ${limit})`);
      if (b < limit) fell.push(b % t.sides + t.low);
    }
    const e = rolled[i];
    if (!e) { step(false, `${t.name}: its dice are not among the bytes given.`); continue; }
    const recorded = e.payload.list(3);
    const same = recorded.join() === fell.join() && e.payload.text(2) === t.name;
    step(same, `${t.name}: the bytes ${taken.join(" ")} give ${fell.join(", ")}; ` +
      (same ? `so says #${e.index}.` : `#${e.index} says ${recorded.join(", ")} for ${e.payload.text(2)}.`));
  }
  if (rolled.length > throws.length) step(false, "More dice are recorded than were declared.");
}

// proofReadings holds the dice that a result was read from against those that fell.
function proofReadings(event, throws, rolled, step) {
  const fell = new Map(throws.map((t, i) => [t.name, rolled[i]?.payload.list(3).join()]));
  for (const r of event.payload.messages(8)) {
    const read = r.list(5).join();
    if (!read || !fell.has(r.text(1))) continue;
    if (fell.get(r.text(1)) !== read) step(false, `The result reads ${r.text(1)} from ${read}, and ${fell.get(r.text(1))} fell.`);
  }
}

// proofStream gives the bytes of HMAC-SHA256(seed, counter), block by block.
function proofStream(seed) {
  let [counter, block, used] = [0, [], 0];
  return async () => {
    if (used === block.length) [block, used] = [await proofMAC(seed, proofNumber(counter++)), 0];
    return block[used++];
  };
}

async function proofHash(bytes) { return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)); }

async function proofMAC(key, bytes) {
  const k = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", k, Uint8Array.from(bytes)));
}

function proofNumber(n) {
  const b = new Uint8Array(8);
  new DataView(b.buffer).setBigUint64(0, BigInt(n));
  return b;
}

function proofLength(n) {
  const b = new Uint8Array(4);
  new DataView(b.buffer).setUint32(0, n);
  return b;
}

function proofHex(bytes) { return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join(""); }
function proofUnhex(text) { return Uint8Array.from(text.match(/../g) ?? [], (p) => parseInt(p, 16)); }
function proofShort(hex) { return hex ? hex.slice(0, 12) + "…" : "none"; }
function proofTimes(n) { return n === 1 ? "once" : `${n} times`; }

// proofRead reads an event's bytes, and hashes them: RFC 6962, section 2.1.
async function proofRead(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const e = proofMessage(bytes);
  return {
    size: bytes.length, hash: proofHex(await proofHash(Uint8Array.of(0, ...bytes))),
    campaign: e.hex(1), index: e.number(2), type: e.text(4), epoch: e.number(11),
    payload: proofMessage(e.bytes(15)), corrects: e.number(20), previous: e.hex(21),
    command: e.text(10), commitments: e.messages(17), openings: e.messages(18),
  };
}

// proofMessage reads a message of the protobuf wire format.
function proofMessage(b) {
  const fields = new Map();
  const r = { b, at: 0 };
  while (r.at < b.length) {
    const tag = proofVarint(r);
    const [field, kind] = [Math.floor(tag / 8), tag % 8];
    let value;
    if (kind === 0) value = proofVarint(r);
    else if (kind === 2) {
      const n = proofVarint(r);
      if (r.at + n > b.length) throw new Error("a field runs over the end");
      value = b.subarray(r.at, r.at += n);
    } else throw new Error(`field ${field} is of a kind that no event has`);
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  const one = (f, otherwise) => fields.get(f)?.[0] ?? otherwise;
  const bytes = (f) => one(f, new Uint8Array());
  return {
    bytes, number: (f) => one(f, 0), signed: (f) => proofZigzag(one(f, 0)),
    text: (f) => new TextDecoder().decode(bytes(f)), hex: (f) => proofHex(bytes(f)),
    messages: (f) => (fields.get(f) ?? []).map(proofMessage),
    texts: (f) => (fields.get(f) ?? []).map((b) => new TextDecoder().decode(b)),
    list: (f) => {
      const [packed, list] = [{ b: bytes(f), at: 0 }, []];
      while (packed.at < packed.b.length) list.push(proofZigzag(proofVarint(packed)));
      return list;
    },
  };
}

// proofVarint reads a whole number. One beyond 2^53 is of no field that is read here.
function proofVarint(r) {
  for (let n = 0, factor = 1; ; factor *= 128) {
    if (r.at >= r.b.length || factor > 2 ** 63) throw new Error("a number has no end");
    const b = r.b[r.at++];
    n += (b & 127) * factor;
    if (b < 128) return n;
  }
}

function proofZigzag(n) { return n % 2 ? -(n + 1) / 2 : n / 2; }

// proofShow draws the verdict and the steps to it.
function proofShow(at, { verdict, steps }) {
  const said = {
    holds: "It holds: this browser came to the same.",
    part: "What this browser can check holds. watu-verify checks the rest.",
    fails: "It does not hold. Keep this page, and ask the umpire for the record.",
    cannot: "It cannot be checked here.",
  };
  const make = (tag, text, name = "") => Object.assign(document.createElement(tag), { textContent: text, className: name });
  const list = make("ol", "", "steps");
  for (const s of steps) {
    const item = make("li", "", s.good === null ? "note" : s.good ? "good" : "bad");
    item.append(make("span", s.good === null ? "" : s.good ? "✓" : "✗", "tick"));
    const body = make("div", s.text);
    item.append(body);
    if (s.full) {
      const full = make("details", "");
      full.append(make("summary", "in full"), make("code", s.full, "hash"));
      body.append(" ", full);
    }
    list.append(item);
  }
  at.replaceChildren(make("p", said[verdict], "verdict"), list);
  at.dataset.verdict = verdict;
}

const proofButton = document.getElementById("verify");
if (proofButton) {
  proofButton.hidden = false;
  proofButton.addEventListener("click", async () => {
    const at = document.getElementById("verified");
    proofButton.disabled = true;
    try {
      const answer = await fetch(proofButton.dataset.proof, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
      proofShow(at, await checkProof(await answer.json(), proofButton.dataset.hash));
    } catch (e) {
      proofShow(at, { verdict: "cannot", steps: [{ good: null, text: "The bytes could not be fetched: " + e.message, full: "" }] });
    }
    proofButton.disabled = false;
  });
}
