// At a desk the text of a turn is checked while it is typed, as the button does it: nothing is recorded, and no
// dice fall. What is wrong stands beside its line, and its link leads there.
{
  const text = document.querySelector("#turn #text");
  const found = document.getElementById("findings");
  const wide = matchMedia("(min-width: 64rem)");
  const high = 18; // of a line
  let asks = new AbortController(), timer = 0, checked = text?.value;
  const sheet = new CSSStyleSheet(); // of where things stand
  const lineOf = (e) => Number(e.dataset.line) - 1;

  // place puts what was found at the height of its line, each below the one before, where there is room beside the text.
  const place = () => {
    const list = [...found.querySelectorAll(".finding")];
    const wrong = list.find((e) => !e.matches(".warns") && lineOf(e) >= 0) ?? list.find((e) => lineOf(e) >= 0);
    text.classList.toggle("marked", Boolean(wrong));
    if (list.some((e) => !e.matches(".warns"))) text.setAttribute("aria-invalid", "true");
    else text.removeAttribute("aria-invalid");
    const rules = wrong ? [`#text { --at: ${lineOf(wrong)} }`] : [];
    sheet.replaceSync("");
    let free = 0;
    for (const [i, e] of list.entries()) {
      const top = wide.matches ? Math.max(free, Math.min(8 + lineOf(e) * high - text.scrollTop, text.clientHeight - e.offsetHeight)) : free;
      rules.push(`#findings > :nth-child(${i + 1}) { margin-top: ${top - free}px }`);
      free = top + e.offsetHeight + 4;
    }
    sheet.replaceSync(rules.join("\n"));
  };
  const check = async () => {
    if (text.value === checked) return;
    checked = text.value;
    asks.abort();
    asks = new AbortController();
    if (!text.value.trim()) {
      found.replaceChildren();
      place();
      return;
    }
    const form = new URLSearchParams({ do: "check", text: text.value });
    try {
      const answer = await fetch(text.form.action, { method: "POST", body: form, signal: asks.signal });
      if (!answer.ok) return; // too many ask: the next key asks again
      const there = parser.parseFromString(await answer.text(), "text/html").getElementById("findings");
      if (there && there.innerHTML !== found.innerHTML) found.replaceChildren(...there.childNodes);
      place();
    } catch (err) {
      if (err.name !== "AbortError") checked = undefined;
    }
  };
  // What was typed survives leaving by a link, in this tab and until its reader logs out. A page that comes with a text
  // of its own, or says what became of one, is right.
  const key = `watu desk ${location.pathname} ${new URLSearchParams(location.search).get("as") ?? ""}`;
  document.addEventListener("submit", (e) => {
    if (e.target.getAttribute("action") === "/logout") sessionStorage.clear();
  });
  if (text && found && document.getElementById("picks")) {
    const own = text.value || document.getElementById("became") || document.getElementById("given") || document.getElementById("entry");
    const keep = () => {
      if (text.value.trim()) sessionStorage.setItem(key, text.value);
      else sessionStorage.removeItem(key);
    };
    if (!own) text.value = sessionStorage.getItem(key) ?? "";
    keep();
    checked = text.value;
    text.addEventListener("input", keep);
    text.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(check, 400);
    });
    text.addEventListener("scroll", place);
    wide.addEventListener("change", place);
    found.addEventListener("click", (e) => {
      const at = e.target.closest(".at")?.closest(".finding");
      if (!at) return;
      e.preventDefault();
      const lines = text.value.split("\n"), from = lines.slice(0, lineOf(at)).join("\n").length + (lineOf(at) ? 1 : 0);
      text.focus();
      text.setSelectionRange(from, from + lines[lineOf(at)].length);
      text.scrollTop = (lineOf(at) - 3) * high;
    });
    document.adoptedStyleSheets.push(sheet);
    place();
    if (!found.children.length) { // a form was opened or sent meanwhile
      checked = undefined;
      check();
    }
  }
}

// Of the readings of all options those stand to be chosen that are of the option beside them.
for (const readings of document.querySelectorAll("select:has(optgroup)")) {
  const option = readings.closest("fieldset")?.querySelector('[name$="/option"]');
  const narrow = () => {
    for (const g of readings.querySelectorAll("optgroup")) g.hidden = g.disabled = Boolean(option.value) && g.label !== option.value;
    if (readings.selectedOptions[0]?.closest("optgroup")?.disabled) readings.value = "";
  };
  option?.addEventListener("input", narrow);
  if (option) narrow();
}
{
  // What came since the page was drawn is said: the open form and most lists are of then, and what is typed stays.
  const moved = document.getElementById("moved");
  const drawn = document.getElementById("stand")?.dataset.events;
  if (moved) document.addEventListener("watu:shown", () => (moved.hidden = document.getElementById("stand").dataset.events === drawn));
}
