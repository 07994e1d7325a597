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
	const cell = (c) => element("td", String(c), typeof c === "number" ? "number" : "");
	return element("table", [
		element("thead", element("tr", columns.map((c) => element("th", c)))),
		element("tbody", rows.map((r) => element("tr", r.map(cell)))),
	]);
}

function section(heading, ...content) {
	return content.length ? [element("h2", heading), ...content] : [];
}

function list(texts) {
	return texts.length ? [element("ul", texts.map((t) => element("li", t)))] : [];
}

// choosers groups the rolls by who could have chosen their dice, and lists each of them below.
function choosers(rolls) {
	const all = new Map();
	for (const r of rolls) all.set(r.who, [...(all.get(r.who) ?? []), r]);
	const why = (same) => same.every((r) => r.why === same[0].why) ? same[0].why : "see each roll";
	if (!rolls.length) return [];
	return [
		table(["Who", "Rolls", "Why"], [...all].map(([who, same]) => [who, same.length, why(same)])),
		element("details", [
			element("summary", "Each roll"),
			table(["Event", "Who", "Why"], rolls.map((r) => ["#" + r.event + (r.void ? " (void)" : ""), r.who, r.why])),
		]),
	];
}

function about(a) {
	const facts = [
		["Campaign", `${a.campaign} (${a.id})`],
		["Rules", `${a.system} edition ${a.edition}`],
		["Events", String(a.events)],
		["Written for", a.for],
		["Head", a.head],
	];
	if (a.signed_by) facts.push(["Signed by", `${a.signed_by.split("+")[0]}, whose key has the fingerprint ${a.fingerprint}`]);
	return table(["", ""], facts).lastChild;
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
		...section("Witnesses", ...list((a.witnesses ?? []).map((w) => `${w.name}, whose ${w.earlier ? "earlier key" : "key"} has the fingerprint ${w.fingerprint}`))),
		...section("Checked", table(["What", "Number", "Wrong"], a.checks.map((c) => [c.what, c.count, c.wrong || ""]))),
		...section("Not checked", ...list(a.unchecked.filter((u) => !u.stated).map(unchecked))),
		...section("Stated, and proved by nothing in a record", ...list(a.unchecked.filter((u) => u.stated).map((u) => `${u.what}: ${u.why}`))),
	);
}

let asked = 0;

// check verifies the file that is chosen, once the page says so.
async function check() {
	const chosen = file.files[0];
	if (!chosen) return;
	const mine = ++asked;
	delete report.dataset.checked;
	report.replaceChildren(element("p", "Checking. A long campaign takes a minute."));
	const bytes = new Uint8Array(await chosen.arrayBuffer());
	await new Promise((done) => setTimeout(done, 50));
	if (mine !== asked) return; // another was chosen meanwhile
	let answer;
	try {
		answer = JSON.parse(watuVerify(bytes, head.value));
	} catch (wrong) {
		report.replaceChildren(element("p", `This file makes the program fail: do not trust it. (${wrong})`));
		return;
	}
	show(answer);
	report.dataset.checked = chosen.name;
}

async function start() {
	const packed = Uint8Array.from(atob(document.getElementById("program").textContent), (c) => c.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	const go = new Go();
	const { instance } = await WebAssembly.instantiate(await new Response(stream).arrayBuffer(), go.importObject);
	go.run(instance);
	file.disabled = false;
	file.addEventListener("change", check);
	head.addEventListener("change", check);
	report.replaceChildren();
	report.dataset.ready = "yes";
}

start().catch((e) => report.replaceChildren(element("p", "This browser cannot run the program: " + e.message, "verdict bad")));
