// Sharing: the address of a page is handed to whatever the browser shares with, or else copied. A browser that can do
// neither goes there, and shows the address.
{
  const link = document.getElementById("share");
  const canonical = document.getElementById("canonical");
  const dress = () => {
    const { pathname, search } = new URL(canonical.href);
    link.setAttribute("role", "button");
    link.setAttribute("href", pathname + search);
  };
  const say = (text) => {
    const name = link.textContent;
    if (name === text) return;
    document.getElementById("shared").textContent = link.textContent = text;
    setTimeout(() => {
      document.getElementById("shared").textContent = "";
      link.textContent = name;
    }, 2000);
  };
  const share = async (e) => {
    e.preventDefault();
    e.stopPropagation(); // a space plays and pauses elsewhere
    const what = { title: document.title, url: canonical.href };
    try {
      if (navigator.canShare?.(what)) return await navigator.share(what);
      await navigator.clipboard.writeText(what.url);
      say(link.dataset.copied);
    } catch (err) {
      if (err.name !== "AbortError") location.assign(link.href);
    }
  };
  if (link && canonical) {
    link.addEventListener("click", (e) => e.ctrlKey || e.metaKey || e.shiftKey || share(e));
    link.addEventListener("keydown", (e) => e.key === " " && share(e));
    document.addEventListener("watu:shown", dress);
    dress();
  }
}
