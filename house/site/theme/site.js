// What axe finds serious in the theme: a dialog without a name, and code and tables that
// scroll out of the keyboard's reach. The theme wraps tables, and takes the index of
// code away, when it likes.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
const reach = () => {
  for (const e of document.querySelectorAll(".md-typeset pre code, .md-typeset__scrollwrap"))
    if (e.scrollWidth > e.clientWidth && e.tabIndex < 0) e.tabIndex = 0;
};
reach();
addEventListener("load", reach);
addEventListener("resize", reach);
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["tabindex"] });
