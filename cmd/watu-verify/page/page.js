"use strict";
const report = document.getElementById("report");
const file = document.getElementById("file");
const head = document.getElementById("head");

// element makes an element; what stands in it is text, never markup.
function element(name, content = "", kind = "") {
	const e = document.createElement(name);
	e.append(...[content].flat());
	if (kind) e.className = kind;
	return e;
}

function table(columns, rows) {
	const cell = (c) => element("td", typeof c === "number" ? String(c) : c, typeof c === "number" ? "number" : "");
	return element("table", [
		element("thead", element("tr", columns.map((c) => element("th", c)))),
		element("tbody", rows.map((r) => element("tr", r.map(cell)))),
	]);
}

function section(heading, ...content) {
	return content.length ? [element("h2", heading), ...content] : [];
}

// list shows the first of many texts.
function list(texts) {
	const most = 200, rest = texts.length - most;
	const shown = texts.slice(0, most).map((t) => element("li", t));
	if (rest > 0) shown.push(element("li", `and ${rest} more`));
	return shown.length ? [element("ul", shown)] : [];
}

// key names a key by what people compare of it.
function key(name, which, fingerprint) {
	return [`${name}, whose ${which} has the fingerprint `, element("code", fingerprint, "fingerprint")];
}

// choosers groups the rolls by who could have chosen their dice, and lists each of them below, once somebody looks.
function choosers(rolls) {
	if (!rolls.length) return [];
	const all = Map.groupBy(rolls, (r) => r.who);
	const why = (same) => same.every((r) => r.why === same[0].why) ? same[0].why : "see each roll";
	const each = element("details", element("summary", "Each roll"));
	each.addEventListener("toggle", () => each.append(
		table(["Event", "Who", "Why"], rolls.map((r) => ["#" + r.event + (r.void ? " (void)" : ""), r.who, r.why]))), { once: true });
	return [table(["Who", "Rolls", "Why"], [...all].map(([who, same]) => [who, same.length, why(same)])), each];
}

function about(a) {
	const facts = [
		["Campaign", `${a.campaign} (${a.id})`],
		["Rules", `${a.system} edition ${a.edition}`],
		["Events", String(a.events)],
		["Written for", a.for],
		["Head", element("code", a.head)],
	];
	if (a.signed_by) facts.push(["Signed by", key(a.signed_by.split("+")[0], "key", a.fingerprint)]);
	for (const c of a.cosigners ?? []) {
		const at = new Date(c.time * 1000); // any number, by a clock that anybody may set
		const when = isNaN(at) ? `${c.time} seconds after 1970` : at.toISOString();
		facts.push(["Cosigned by", key(`${c.name}, ${when} by its own clock`, "key", c.fingerprint)]);
	}
	return element("tbody", facts.map(([what, is]) => element("tr", [element("th", what), element("td", is)])));
}

function show(a) {
	if (a.problem) {
		report.replaceChildren(element("p", a.damaged ? "The file is damaged." : "Nothing was checked.", "verdict bad"),
			element("p", a.problem));
		return;
	}
	const unchecked = (u) => `${u.what} (${u.count}): ${u.why}` + (u.events ? ": " + u.events.map((i) => "#" + i).join(", ") : "");
	report.replaceChildren(
		element("p", a.verdict, a.verified ? "verdict good" : "verdict bad"),
		element("table", about(a)),
		...section("Wrong", ...list(a.wrong ?? [])),
		...section("Who could have chosen the dice", ...choosers(a.rolls ?? [])),
		...section("Witnesses", ...list((a.witnesses ?? []).map((w) => key(w.name, w.earlier ? "earlier key" : "key", w.fingerprint)))),
		...section("Seats that sign", ...list((a.keys ?? []).map((k) => key(`${k.seat}, keyed in #${k.event} by ${k.by}`, "key", k.fingerprint)))),
		...section("Checked", table(["What", "Number", "Wrong"], a.checks.map((c) => [c.what, c.count, c.wrong || ""]))),
		...section("Not checked", ...list(a.unchecked.filter((u) => !u.stated).map(unchecked))),
		...section("Stated, and proved by nothing in a record", ...list(a.unchecked.filter((u) => u.stated).map((u) => `${u.what}: ${u.why}`))),
	);
}

const steps = ["Reading the file", "Checking hashes, signatures and dice", "Hearing every command again"];
const code = URL.createObjectURL(new Blob([document.getElementById("worker").textContent]));
let module, worker;

// check has a worker verify the file that is chosen, and shows how far it is. A check that is under way ends.
function check() {
	const chosen = file.files[0];
	worker?.terminate();
	if (!chosen) return;
	delete report.dataset.checked;
	report.ariaBusy = "true";
	const bar = element("progress");
	const step = element("p", steps[0] + "…");
	report.replaceChildren(step, bar);
	const ended = (show) => {
		worker.terminate();
		show();
		report.ariaBusy = "false";
		report.dataset.checked = chosen.name;
	};
	const failed = (why) => ended(() => report.replaceChildren(
		element("p", "The program failed on this file: do not trust it.", "verdict bad"), element("p", why)));
	worker = new Worker(code);
	worker.onerror = (e) => failed(e.message || "The browser ended it.");
	worker.onmessage = ({ data: m }) => {
		if (m.answer) return ended(() => show(m.answer));
		if (m.failed) return failed(m.failed);
		bar.max = m.total;
		bar.value = m.done;
		step.textContent = steps[m.step] + (m.step ? `: event ${m.done} of ${m.total}` : "…");
	};
	worker.postMessage({ module, file: chosen, head: head.value });
}

// bytes reads what main.go writes: five digits of base 85 for four bytes, of which the last are none.
function bytes(text, n) {
	const view = new DataView(new ArrayBuffer(text.length / 5 * 4));
	for (let i = 0, four = 0; i < text.length; i++) {
		const c = text.charCodeAt(i);
		four = 85 * four + c - (c < 60 ? 39 : 41);
		if (i % 5 === 4) {
			view.setUint32((i - 4) / 5 * 4, four);
			four = 0;
		}
	}
	return new Uint8Array(view.buffer, 0, n);
}

async function start() {
	const program = document.getElementById("program");
	const packed = bytes(program.textContent, Number(program.dataset.bytes));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
	program.remove();
	file.disabled = false;
	file.addEventListener("change", check);
	head.addEventListener("change", check);
	report.replaceChildren();
	report.dataset.ready = "yes";
}

start().catch((e) => report.replaceChildren(element("p", "This browser cannot run the program: " + e.message, "verdict bad")));
