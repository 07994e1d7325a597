// Who looks with less than his tokens allow, as=public, goes on so: the links within the campaign keep it.
// Else a click would show to everybody who watches what he alone may see.
function keepAs(page) {
  const as = new URL(location.href).searchParams.get("as");
  if (as === null) return;
  const home = location.pathname.split("/", 3).join("/");
  for (const link of page.querySelectorAll('a[href^="/campaigns/"]:not(.share)')) {
    const url = new URL(link.getAttribute("href"), location.href);
    if (url.searchParams.has("as") || !`${url.pathname}/`.startsWith(`${home}/`)) continue;
    url.searchParams.set("as", as);
    link.setAttribute("href", url.pathname + url.search + url.hash);
  }
}
keepAs(document);
