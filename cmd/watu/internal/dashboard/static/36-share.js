// Sharing: the public address of a page is handed to whatever the browser shares with, or else copied. A browser that
// can do neither shows it, to be copied. A post for a forum has a button that copies it.
{
  const link = document.getElementById("share");
  const canonical = document.getElementById("canonical");
  const dress = () => {
    const { pathname, search } = new URL(canonical.href);
    link.setAttribute("role", "button");
    link.setAttribute("href", pathname + search);
  };
  // say has a link or a button say for a while that it is done, to the ears too.
  const say = (of, heard) => {
    const name = of.textContent;
    if (name === of.dataset.copied) return;
    heard.textContent = of.textContent = of.dataset.copied;
    setTimeout(() => {
      heard.textContent = "";
      of.textContent = name;
    }, 2000);
  };
  const share = async (e) => {
    e.preventDefault();
    e.stopPropagation(); // a space plays and pauses elsewhere
    const what = { title: document.title, url: canonical.href };
    try {
      if (navigator.canShare?.(what)) return await navigator.share(what);
      await navigator.clipboard.writeText(what.url);
      say(link, document.getElementById("shared"));
    } catch (err) {
      if (err.name !== "AbortError") prompt(link.textContent, what.url);
    }
  };
  if (link && canonical) {
    link.addEventListener("click", (e) => e.ctrlKey || e.metaKey || e.shiftKey || share(e));
    link.addEventListener("keydown", (e) => e.key === " " && share(e));
    document.addEventListener("watu:shown", dress);
    dress();
  }
  // A post for a forum is copied; where the browser does not, it is selected.
  const copy = async (button) => {
    const post = document.getElementById(button.dataset.of);
    post.select();
    try {
      await navigator.clipboard.writeText(post.value);
      say(button, button.closest(".forum").querySelector("[role=status]"));
    } catch { post.focus(); }
  };
  const offer = () => document.querySelectorAll(".copy").forEach((b) => own(b, "hidden", null));
  document.addEventListener("click", (e) => e.target.closest(".copy") && copy(e.target.closest(".copy")));
  document.addEventListener("watu:shown", offer);
  offer();
}
