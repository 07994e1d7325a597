// Sharing: the address of a page is handed to whatever the browser shares with, or else copied. A browser that can do
// neither goes there, and shows the address.
{
  const dress = () => document.querySelectorAll("a.share").forEach((a) => a.setAttribute("role", "button"));
  const say = (link, text) => {
    const name = link.textContent;
    if (name === text) return;
    document.getElementById("shared").textContent = link.textContent = text;
    setTimeout(() => {
      document.getElementById("shared").textContent = "";
      link.textContent = name;
    }, 2000);
  };
  const share = async (link) => {
    const url = document.getElementById("canonical").href;
    const what = { title: document.title, url };
    try {
      if (navigator.canShare?.(what)) return await navigator.share(what);
      await navigator.clipboard.writeText(url);
      say(link, "Copied");
    } catch (err) {
      if (err.name !== "AbortError") location.assign(link.href);
    }
  };
  document.addEventListener("click", (e) => {
    const link = e.target.closest?.("a.share");
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    share(link);
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== " " || !e.target.matches?.("a.share")) return;
    e.preventDefault();
    e.stopPropagation();
    share(e.target);
  }, true);
  document.addEventListener("watu:shown", dress);
  dress();
}
