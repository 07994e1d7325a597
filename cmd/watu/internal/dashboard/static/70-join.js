// A player who signs in his browser: the link of an invitation makes a key that no script can read out, and the page
// signs with it what he enters, and cosigns what it sees of the record. What the host says is held against what was entered and what was seen, as package
// seatfile does; the bytes are those of package events/envelope.

const joinAt = document.getElementById("join");
const joinTypes = { command: "application/vnd.watu.command+json", inquiry: "application/vnd.watu.inquiry+json" };
const joinBytes = (text) => new TextEncoder().encode(text);
const joinBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const joinUnbase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// joinStore keeps seats in this browser's IndexedDB, each by its campaign and name.
function joinStore(mode, act) {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open("watu", 1);
    open.onupgradeneeded = () => open.result.createObjectStore("seats", { keyPath: "id" });
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
      const t = open.result.transaction("seats", mode), r = act(t.objectStore("seats"));
      t.oncomplete = () => { open.result.close(); resolve(r.result); };
      t.onerror = t.onabort = () => reject(t.error);
    };
  });
}
const joinKeep = (seat) => joinStore("readwrite", (s) => s.put(seat));

// joinAlone does something with a seat as it is now, while no other page of this browser does.
const joinAlone = (seat, act) => navigator.locks.request("watu " + seat.id, async () => {
  Object.assign(seat, await joinStore("readonly", (s) => s.get(seat.id)));
  return act();
});

// joinAsk asks the host, and gives the answer or throws its problem.
async function joinAsk(seat, path, body) {
  const answer = await fetch(`/api/v1/campaigns/${seat.campaign}${path && "/" + path}`, body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const said = await answer.json();
  if (answer.ok) return said;
  throw Object.assign(new Error(said.detail ?? answer.statusText), { answered: answer.status < 500 });
}

// joinJSON gives a value in the form of the log: keys sorted, < > & and the separators of lines escaped.
function joinJSON(v) {
  const sorted = (x) => Array.isArray(x) ? x.map(sorted) : x === null || typeof x !== "object" ? x :
    Object.fromEntries(Object.keys(x).sort().map((k) => [k, sorted(x[k])]));
  return JSON.stringify(sorted(v)).replace(/[<>&\u2028\u2029]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}
const joinText = (s) => JSON.stringify(s).replace(/[\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16));

// joinSign gives the text of an envelope (DSSE).
async function joinSign(seat, type, payload) {
  const body = joinBytes(payload), head = joinBytes(`DSSEv1 ${type.length} ${type} ${body.length} `);
  const signed = new Uint8Array([...head, ...body]);
  const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", seat.key, signed));
  return `{"payloadType":"${type}","payload":"${joinBase64(body)}","signatures":[{"keyid":"${seat.fingerprint}",` +
    `"sig":"${joinBase64(signature)}"}]}`;
}

const joinUntil = () => new Date(Date.now() + 3600000).toISOString().replace(/\.\d+/, "");

// joinCommand is the payload of a command; head is the checkpoint that was seen.
function joinCommand(seat, id, head, request, question = "", commitments = []) {
  return `{"campaign":"${seat.campaign}","seat":${joinText(seat.seat)},"command":${joinText(id)},` +
    `"seen":{"events":${head.events},"root":"${head.root}"},` + (question && `"question":"${question}",`) +
    `"not_after":"${joinUntil()}","request":${request}` + (commitments.length ? `,"commitments":[` +
    commitments.map((c) => `{"slot":${joinText(c.slot)},"hash":"${c.hash}"}`).join() + "]" : "") + "}";
}

const joinNode = async (a, b) => proofHex(await proofHash(new Uint8Array([1, ...proofUnhex(a), ...proofUnhex(b)])));

// joinProved checks a proof of RFC 6962: of extension from one root to another, or of inclusion where from is a leaf.
async function joinProved(at, last, from, root, path, extends_) {
  let fn = at, sn = last, fr = from, sr = from;
  if (extends_) {
    if (at === last) return path.length === 0 && from === root;
    while (fn % 2) { fn = (fn - 1) / 2; sn = Math.floor(sn / 2); }
    if (fn) [fr, ...path] = path;
    sr = fr;
  }
  for (const c of path) {
    if (!sn) return false;
    if (fn % 2 || fn === sn) {
      fr = await joinNode(c, fr);
      sr = await joinNode(c, sr);
      while (fn && !(fn % 2)) { fn /= 2; sn = Math.floor(sn / 2); }
    } else sr = await joinNode(sr, c);
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && sr === root && (!extends_ || fr === from);
}

// joinSince gives the events behind a checkpoint up to a later one, which holds them. What proves that the earlier one
// holds its last event are the roots of all before it: with the leaves behind it they make up the later root.
async function joinSince(seat, before, head) {
  const last = before.events - 1, bytes = (await joinAsk(seat, `events/${last}/proof`)).events;
  const leaf = (await proofRead(bytes.find((e) => e.index === last).bytes)).hash, edge = [], list = [];
  const path = (await joinAsk(seat, `events/${last}/inclusion?events=${before.events}`)).proof;
  if (!await joinProved(last, last, leaf, before.root, path, false)) throw new Error(joinOthers);
  for (let size = 1, left = last; left; size *= 2, left = Math.floor(left / 2)) {
    if (left % 2) edge.unshift({ size, hash: path[edge.length] });
  }
  const add = async (hash) => {
    let size = 1;
    for (; edge.at(-1)?.size === size; size *= 2) hash = await joinNode(edge.pop().hash, hash);
    edge.push({ size, hash });
  };
  await add(leaf);
  while (before.events + list.length < head.events) {
    const page = (await joinAsk(seat, `record?from=${before.events + list.length}`)).events;
    if (!page.length) throw new Error(joinOthers);
    for (const stored of page.slice(0, head.events - before.events - list.length)) {
      list.push(await proofRead(stored));
      await add(list.at(-1).hash);
    }
  }
  let root = edge.pop().hash;
  while (edge.length) root = await joinNode(edge.pop().hash, root);
  if (root !== head.root) throw new Error(joinOthers);
  return list;
}
const joinOthers = "the host's events are not those of its checkpoint: nothing was signed";

// joinLapsed refuses a head in which a roll lapsed, behind the one seen before, for whose round the host took the
// cosignature of this seat.
async function joinLapsed(seat, before, head) {
  const { declared, round, note } = seat.taken;
  const lapse = (await joinSince(seat, before, head)).find((e) => e.type === "roll_lapsed" &&
    e.payload.number(1) === declared && e.payload.number(2) === round);
  if (!lapse) return;
  await joinKeep(Object.assign(seat, { fork: note + "\n" + head.note }));
  throw new Error(`the host's record says by #${lapse.index} that a roll was not cosigned in time. You did, and the ` +
    "host took it. Nothing is signed any more. Your note and the host's:\n" + seat.fork);
}

// joinCosign gives the line by which the seat cosigns a checkpoint, at the time of the clock here (C2SP tlog-cosignature).
async function joinCosign(seat, text) {
  const at = Math.floor(Date.now() / 1000), [name, hash] = seat.text.split("+");
  const signed = joinBytes(`cosignature/v1\ntime ${at}\n${text}\n`);
  const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", seat.key, signed));
  return `\u2014 ${name} ${joinBase64([...proofUnhex(hash), ...proofNumber(at), ...signature])}\n`;
}

// joinSee gives the newest checkpoint, which the ledger's key has to have signed and which extends the last one seen. It
// is cosigned, and kept.
async function joinSee(seat) {
  if (seat.fork) {
    throw new Error("this host's record is not what it showed: nothing is signed any more. Both notes:\n" + seat.fork);
  }
  const said = await joinAsk(seat, "checkpoint"), [text, ...lines] = said.note.split("\n\n");
  const [name, , key] = seat.ledger.match(/^([^+]*)\+([^+]*)\+(.*)$/).slice(1);
  const by = await crypto.subtle.importKey("raw", joinUnbase64(key).slice(1), "Ed25519", false, ["verify"]);
  const line = lines.join("\n").split("\n").find((l) => l.startsWith(`\u2014 ${name} `)) ?? "";
  const signature = joinUnbase64(line.split(" ")[2] ?? "").slice(4), stated = text.split("\n");
  if (!await crypto.subtle.verify("Ed25519", by, signature, joinBytes(text + "\n")) ||
    stated[0] !== "watu/" + seat.campaign) {
    throw new Error("the host's checkpoint does not verify with the key that came with the invitation");
  }
  const head = { events: Number(stated[1]), root: proofHex(joinUnbase64(stated[2])), note: said.note };
  const before = seat.head;
  if (before?.cosigned && before.events === head.events && before.root === head.root) return before;
  if (before && (before.events !== head.events || before.root !== head.root)) {
    const grown = head.events >= before.events && (await joinAsk(seat,
      `extension?from=${before.events}&to=${head.events}`)).proof;
    if (!grown || !await joinProved(before.events - 1, head.events - 1, before.root, head.root, grown, true)) {
      if (grown) await joinKeep(Object.assign(seat, { fork: before.note + "\n" + head.note }));
      throw new Error(`the host's record of ${head.events} events does not extend the one of ${before.events} events ` +
        "that you saw. Both notes, which it signed:\n" + before.note + "\n" + head.note);
    }
    if (seat.taken) await joinLapsed(seat, before, head);
  }
  head.note = text + "\n\n" + line + "\n" + await joinCosign(seat, text);
  head.cosigned = true;
  await joinKeep(Object.assign(seat, { head }));
  return head;
}

// joinLook sees the newest checkpoint, and hands it in as it was cosigned, once. One that comes too late for a roll is
// refused: the roll lapses. One that the host takes for a roll is kept: no head is cosigned then in which that lapsed.
async function joinLook(seat) {
  const head = await joinSee(seat);
  if (seat.told === head.note) return head;
  try {
    const { roll } = await joinAsk(seat, "cosigned", { note: head.note });
    const again = roll && seat.taken?.declared === roll.declared && seat.taken.round === roll.round;
    if (!again && roll?.cosigned.some((c) => c.witness === seat.seat)) {
      seat.taken = { declared: roll.declared, round: roll.round, note: head.note };
    }
  } catch (e) {
    if (!e.answered) throw e;
  }
  await joinKeep(Object.assign(seat, { told: head.note }));
  return head;
}

// joinWords gives the words of the event that is answered, from its bytes.
function joinWords(event) {
  const p = event.payload;
  if (event.type !== "choice_asked") return `#${event.index} (${event.type.replaceAll("_", " ")})`;
  return `#${event.index}, question to ${p.text(2)}: ${p.text(1)} (${p.texts(3).join(", ")})`;
}

// joinMake makes the key of a seat, and brings it to the host.
async function joinMake(link) {
  const id = link.campaign + "/" + link.seat;
  let seat = await joinStore("readonly", (s) => s.get(id));
  if (seat?.joined) throw new Error(`this browser has the key of ${link.seat} already`);
  if (!seat) {
    const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    const raw = new Uint8Array([4, ...new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))]);
    const name = joinBase64(joinBytes(link.seat)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") + "@" +
      link.campaign;
    const hash = proofHex(await proofHash(new Uint8Array([...joinBytes(name + "\n"), ...raw]))).slice(0, 8);
    const text = `${name}+${hash}+${joinBase64(raw)}`;
    const fingerprint = proofHex(await proofHash(joinBytes(text))).slice(0, 16).match(/..../g).join("-");
    seat = { id, campaign: link.campaign, seat: link.seat, ledger: link.ledger, key: pair.privateKey, text, fingerprint };
    await joinKeep(seat);
  }
  const head = await joinSee(seat);
  const request = joinRequest("key", { key: seat.text });
  const envelope = await joinSign(seat, joinTypes.command, joinCommand(seat, "key/" + seat.fingerprint, head, request));
  const done = await joinAsk(seat, "keys", { code: link.code, envelope });
  if (done.problem) throw new Error(done.problem.message);
  await joinKeep(Object.assign(seat, { joined: true }));
  return seat;
}

// joinRequest is a request in its one form.
const joinRequest = (verb, entry) => `{"verb":${joinText(verb)},"entry":${joinJSON(entry)}}`;

// joinOpened puts facts back in the places of their slots, each once.
function joinOpened(v, facts) {
  if (Array.isArray(v)) return v.map((x) => joinOpened(x, facts));
  if (v === null || typeof v !== "object") return v;
  if (typeof v.sealed === "string" && Object.keys(v).length === 1 && v.sealed in facts) {
    const fact = facts[v.sealed];
    try { return JSON.parse(fact); } catch { return fact; }
  }
  return Object.fromEntries(Object.keys(v).sort().map((k) => [k, joinOpened(v[k], facts)]));
}

// joinULID gives the 16 bytes of a ULID.
function joinULID(text) {
  let n = 0n;
  for (const c of text) n = n * 32n + BigInt("0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(c));
  return proofUnhex(n.toString(16).padStart(32, "0"));
}

// joinSeal commits to a fact.
async function joinSeal(seat, epoch, id, slot, fact) {
  const salt = crypto.getRandomValues(new Uint8Array(32)), number = proofNumber(epoch);
  const parts = [joinBytes("watu/commitment/v1"), joinULID(seat.campaign), number, joinBytes(id), joinBytes(slot), salt,
    joinBytes(fact)];
  const hash = proofHex(await proofHash(new Uint8Array(parts.flatMap((p) => [...proofLength(p.length), ...p]))));
  return { slot, hash, opening: { index: 0, slot, salt: proofHex(salt), fact } };
}

// joinSend sends what was signed, and forgets it once it is answered.
async function joinSend(seat) {
  const answered = () => joinKeep(Object.assign(seat, { pending: undefined }));
  try {
    const done = await joinAsk(seat, "signed", seat.pending);
    await answered();
    if (done.problem) throw new Error(done.problem.message);
    return done;
  } catch (e) {
    if (e.answered) await answered();
    throw e;
  }
}

// joinEnter signs an entry and sends it. Show gets the words of the question that it answers, before it is signed.
async function joinEnter(seat, entry, show) {
  const verbs = Object.keys(entry);
  if (verbs.length !== 1) throw new Error('an entry is {"VERB": …}, with one verb');
  if (seat.pending) await joinSend(seat);
  const [verb] = verbs, head = await joinLook(seat), turn = (await joinAsk(seat, "")).turn;
  const id = (turn && turn + "/") + "e-" + proofHex(crypto.getRandomValues(new Uint8Array(8)));
  const inquiry = `{"campaign":"${seat.campaign}","seat":${joinText(seat.seat)},"command":${joinText(id)},` +
    `"not_after":"${joinUntil()}","request":${joinRequest(verb, entry)}}`;
  const form = await joinAsk(seat, "forms", { envelope: await joinSign(seat, joinTypes.inquiry, inquiry) });
  const facts = form.sealed ?? {};
  if (form.command !== id || form.request.verb !== verb ||
    joinJSON(joinOpened(form.request.entry, facts)) !== joinJSON(entry)) {
    throw new Error("the host would have you sign another entry: nothing was signed");
  }
  if (form.question) {
    const proof = await joinAsk(seat, `events/${form.asked}/proof`);
    const path = (await joinAsk(seat, `events/${form.asked}/inclusion?events=${head.events}`)).proof;
    const asked = await proofRead(proof.events.find((e) => e.index === form.asked).bytes), leaf = asked.hash;
    if (leaf !== form.question || !await joinProved(form.asked, head.events - 1, leaf, head.root, path, false)) {
      throw new Error("the host does not prove which question you answer: nothing was signed");
    }
    if (!await show(`${joinWords(asked)} Your answer: ${joinJSON(entry)}`)) throw new Error("nothing was signed");
  }
  const sealed = [];
  for (const slot of Object.keys(facts).sort()) sealed.push(await joinSeal(seat, form.epoch, id, slot, facts[slot]));
  const payload = joinCommand(seat, id, head, joinRequest(verb, form.request.entry), form.question, sealed);
  seat.pending = { envelope: await joinSign(seat, joinTypes.command, payload), openings: sealed.map((s) => s.opening) };
  await joinKeep(seat);
  return joinSend(seat);
}

// joinRead reads an entry.
function joinRead(text) {
  try { return JSON.parse(text); } catch {
    throw new Error('this is no JSON: names and words stand in double quotes, as in {"collect income": "Japan"}');
  }
}

// joinPage runs the page.
async function joinPage() {
  const link = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  history.replaceState(null, "", location.pathname); // the code stays in no address
  const says = joinAt.querySelector("[role=status]"), make = joinAt.querySelector("#make");
  const say = (text) => { says.textContent = text; };
  const act = (button, do_) => button.addEventListener("click", async () => {
    button.disabled = true;
    say("");
    try { await do_(); } catch (e) { say(e.message); }
    button.disabled = false;
  });
  const asks = joinAt.querySelector("#asks");
  const show = (words) => new Promise((done) => { // the words of what is answered, and whether it is to be signed
    asks.querySelector("p").textContent = words;
    asks.hidden = false;
    const end = (yes) => () => { asks.hidden = true; done(yes); };
    asks.querySelector("#yes").onclick = end(true);
    asks.querySelector("#no").onclick = end(false);
    asks.querySelector("#yes").focus();
  });
  const stands = async (seat) => { // says where the campaign stands, and what an entry of its system looks like
    const c = await joinAsk(seat, ""), side = c.seats.find((s) => s.name === seat.seat)?.sides[0] ?? "";
    const link = joinAt.querySelector("#where a"), example = joinAt.dataset[c.system]?.replace("SIDE", side);
    link.href = "/campaigns/" + c.name;
    link.textContent = c.name;
    joinAt.querySelector("#where span").textContent = [":", c.turn || c.title, c.phase].filter(Boolean).join(" ");
    joinAt.querySelector("#example").textContent = example ? ", such as " + example : "";
  };
  const watch = async (seat) => { // cosigns what comes, as long as the page is open
    const seen = joinAt.querySelector("#seen");
    let shown;
    for (let failed = 0; ; await new Promise((done) => setTimeout(done, Math.min(2000 * 2 ** failed, 60000)))) {
      try {
        const head = await joinAlone(seat, () => joinLook(seat));
        seen.textContent = `Seen and cosigned: ${head.events} events, root ${proofShort(head.root)}`;
        if (shown !== head.events) await stands(seat);
        shown = head.events;
        failed = 0;
      } catch (e) {
        seen.textContent = e.message;
        if (seat.fork) return;
        failed++;
      }
    }
  };
  const play = async (seat) => {
    await stands(seat).catch((e) => say(e.message)); // before the buttons below it are in sight
    joinAt.querySelector("#prints").textContent = `Seat ${seat.seat}. Its key: ${seat.fingerprint}. ` +
      `Compare it with the umpire and the other players by voice.`;
    joinAt.querySelector("#enter").hidden = false;
    make.hidden = true;
    act(joinAt.querySelector("#sign"), async () => {
      const entry = joinRead(joinAt.querySelector("#entry").value);
      const done = await joinAlone(seat, () => joinEnter(seat, entry, show));
      say(done.entries.flatMap((e) => [...(e.warnings ?? []).map((w) => "Warning: " + w),
        ...e.happened.map((h) => `#${h.index} ${h.text}`)]).join("\n") || done.entries[0].state);
    });
    watch(seat);
  };
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) {
    say("A browser keeps keys for secure pages alone: open the link over HTTPS, or use watu join.");
    return;
  }
  const held = await joinStore("readonly", (s) => s.getAll());
  const mine = held.find((s) => s.joined && (!link.seat || s.id === link.campaign + "/" + link.seat));
  if (mine) { await play(mine); return; }
  if (!link.code || !link.ledger) { say("Open the link that the umpire sent you."); return; }
  make.hidden = false;
  act(make, async () => { await play(await joinMake(link)); say("You sign for " + link.seat + " from here on."); });
}

if (joinAt) await joinPage();
