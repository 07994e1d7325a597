// Following: a page at the head looks again when its campaign has gone on. One that stands at a moment
// shows how many events came after it, and no more.
{
  const pulse = document.getElementById("pulse");
  const stream = document.body.dataset.stream;
  const jitter = (ms) => ms * (1 + Math.random());
  let source = null;
  let timer = 0; // of the next look
  let looking = false;
  let missed = 0; // looks in a row that failed

  const say = (text, on) => {
    if (on && document.querySelector("#head .over")) [text, on] = ["final", false]; // it is followed all the same
    const said = pulse?.dataset[text];
    if (pulse && pulse.textContent !== said) pulse.textContent = said;
    pulse?.classList.toggle("on", on);
  };

  // tell says the newest event to who hears the page, and no more often than he can follow.
  const newest = document.getElementById("newest");
  let unsaid = "";
  let speaking = 0;
  const tell = (text) => {
    unsaid = text;
    if (!newest || speaking || !text) return;
    newest.textContent = text;
    unsaid = "";
    speaking = setTimeout(() => {
      speaking = 0;
      tell(unsaid);
    }, 5000);
  };

  // look asks for the page again; events that come meanwhile are for one look more.
  const look = async () => {
    if (looking) return later(100);
    timer = 0;
    looking = true;
    try {
      await show(place, { moving: !place.searchParams.has("at") });
      missed = 0;
      if (source?.readyState === EventSource.OPEN) say("open", true);
    } catch {
      missed++;
      say("lost", false);
      later(Math.min(1000 * 2 ** missed, 30000));
    }
    looking = false;
  };
  const later = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(look, jitter(ms));
  };
  const soon = () => timer || later(100);

  // behind counts what a page that stands has behind it.
  const behind = (newest) => {
    const moment = document.getElementById("moment");
    const ahead = document.getElementById("ahead-of");
    if (!ahead || newest < Number(moment.dataset.of)) return;
    moment.dataset.of = newest + 1;
    const n = newest - Number(moment.dataset.event);
    document.getElementById("of").textContent = newest + 1;
    ahead.textContent = n === 1 ? ahead.dataset.one : ahead.dataset.more.replace("2", n);
    document.dispatchEvent(new CustomEvent("watu:grown"));
  };

  const recorded = (message) => {
    const event = JSON.parse(message.data);
    if (place.searchParams.has("at")) return behind(event.index);
    tell(event.text);
    soon();
  };

  // connect listens while somebody looks: a browser has few connections for all its tabs.
  const connect = () => {
    if (source || (document.hidden && !tells())) return;
    source = new EventSource(stream);
    source.addEventListener("open", () => {
      say("open", true);
      soon(); // what happened since the page was drawn
    });
    source.addEventListener("event", recorded);
    source.addEventListener("error", () => {
      say("lost", false);
      if (source?.readyState !== EventSource.CLOSED) return; // it tries again by itself
      leave();
      later(5000); // without a stream it looks now and then
      setTimeout(connect, jitter(5000));
    });
  };
  const leave = () => {
    source?.close();
    source = null;
  };

  if (stream) {
    connect();
    if (document.querySelector("#desk[data-asked]")) setInterval(soon, 5000); // what a side asks the umpire for is no event
    document.addEventListener("visibilitychange", () => (document.hidden && !tells() ? leave() : connect()));
    addEventListener("pagehide", leave);
    addEventListener("pageshow", (e) => e.persisted && connect());
  }
}
