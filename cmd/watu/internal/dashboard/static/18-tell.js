// Whoever asks for it by the button gets a notification of the browser when it is his move while he looks elsewhere. The
// page goes on to follow then though nobody sees it.
const tells = () => {
  try {
    return globalThis.Notification?.permission === "granted" && localStorage.getItem("watu-tell") === "yes";
  } catch {
    return false; // the browser keeps nothing for this site
  }
};
{
  const button = document.getElementById("tell");
  const name = button?.textContent;
  const dress = () => {
    button.hidden = Notification.permission === "denied";
    button.textContent = tells() ? button.dataset.more : name;
  };
  if (button && "Notification" in globalThis) {
    dress();
    button.addEventListener("click", async () => {
      try {
        if (tells()) localStorage.removeItem("watu-tell");
        else if ((await Notification.requestPermission()) === "granted") localStorage.setItem("watu-tell", "yes");
      } finally {
        dress();
      }
    });
    let last = document.getElementById("move")?.dataset.yours;
    document.addEventListener("watu:shown", () => {
      const move = document.getElementById("move");
      const now = move?.dataset.yours;
      if (now && now !== last && document.hidden && tells()) {
        try {
          const notice = new Notification(document.title, { body: move.querySelector(".asked").textContent, tag: location.pathname + now });
          notice.onclick = () => focus();
        } catch {
          // a browser that shows them in another way alone
        }
      }
      last = now;
    });
  }
}
