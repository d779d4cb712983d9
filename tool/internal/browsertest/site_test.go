package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSite looks at each page of the documentation's site, in the folder PAYOFF_SITE,
// in both schemes and as wide as a telephone: axe has nothing serious to say, headings
// follow each other, the page does not scroll sideways, what the keyboard is on can be
// seen, links within the site lead somewhere, and no other host is asked.
//
//	go run ./house/site -o DIR && mkdocs build --strict -f DIR/mkdocs.yml -d DIR/out
//	PAYOFF_SITE=DIR/out go test ./tool/internal/browsertest -run Site
func TestSite(t *testing.T) {
	dir := os.Getenv("PAYOFF_SITE")
	if dir == "" {
		t.Skip("mkdocs builds the site, not go: PAYOFF_SITE is to name its folder")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob(filepath.Join(dir, "*", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	causes := 0 // of one form: some stand for all
	below = slices.DeleteFunc(below, func(page string) bool {
		if filepath.Base(filepath.Dir(page)) == "cause" {
			causes++
		}
		return filepath.Base(filepath.Dir(page)) == "cause" && causes > 3
	})
	pages = slices.Concat(pages, below)
	if len(pages) < 20 {
		t.Fatalf("%d pages in %s: is that the site?", len(pages), dir)
	}
	b := Open(t, server.URL, "data:image/")
	for i, page := range pages {
		name, err := filepath.Rel(dir, page)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if name == "404.html" {
			continue // nothing but the frame
		}
		t.Run(name, func(t *testing.T) {
			for _, scheme := range []string{"light", "dark"} {
				width := []int64{400, 1280}[(i+len(scheme))%2] // each page in both, if not in every scheme
				what := fmt.Sprintf("%s, %s, %d", name, scheme, width)
				b.Visit(server.URL+"/"+name, width, scheme)
				Ask[bool](b, `localStorage.clear(), true`) // where the theme keeps the scheme that it began with
				b.Visit(server.URL+"/"+name, width, scheme)
				if shown := Ask[string](b, `document.body.dataset.mdColorScheme`); shown != map[string]string{"light": "default", "dark": "slate"}[scheme] {
					t.Fatalf("%s: the page has the scheme %s", what, shown)
				}
				for _, problem := range Ask[[]string](b, looks) {
					t.Errorf("%s: %s", what, problem)
				}
				Ask[bool](b, fewer)
				b.Accessible(what)
			}
			for _, link := range Ask[[]string](b, links) {
				file := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(link, server.URL)))
				if info, err := os.Stat(file); err == nil && info.IsDir() {
					file = filepath.Join(file, "index.html")
				}
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s links to %s, which is not there", name, link)
				}
			}
		})
	}
	b.Visit(server.URL+"/start.html", 1280, "light")
	for range 6 {
		Run(b, chromedp.KeyEvent("\t"))
		if seen := Ask[string](b, focus); seen != "" {
			t.Errorf("start.html: %s", seen)
		}
	}
	b.Well()
}

// links are those of a page to others of its site.
const links = `[...new Set([...document.links].map(a => a.href.split("#")[0]).filter(h => h.startsWith(location.origin)))]`

// fewer leaves of each table, list and kind of code what others are like: axe takes a
// minute for a page of a thousand rows.
const fewer = `document.querySelectorAll("tbody tr:nth-child(n+5), article pre:nth-of-type(n+5), nav li:nth-child(n+12)").forEach(e => e.remove()), true`

// looks is what axe does not call serious: the order of headings, landmarks, and what
// is wider than the window.
const looks = `(() => {
	const found = [];
	let last = 0;
	for (const h of document.querySelectorAll("article h1, article h2, article h3, article h4, article h5, article h6")) {
		const level = +h.tagName[1];
		if (level > last + 1) found.push("heading " + h.textContent.trim() + " is of level " + level + " after " + last);
		last = level;
	}
	if (document.querySelectorAll("article h1").length !== 1) found.push(document.querySelectorAll("article h1").length + " headings of level 1");
	if (!document.querySelector("main")) found.push("no main");
	if (!document.querySelector("header") || !document.querySelector("nav")) found.push("no header, or no nav");
	const wide = document.scrollingElement.scrollWidth - innerWidth;
	if (wide > 1) found.push("scrolls sideways by " + wide);
	for (const i of document.images) if (!i.complete || i.naturalWidth === 0) found.push("no picture " + i.src);
	return found;
})()`

// focus says what has the focus of the keyboard and does not show it.
const focus = `(() => {
	const e = document.activeElement, s = getComputedStyle(e);
	if (e === document.body) return "";
	return s.outlineStyle !== "none" || s.boxShadow !== "none" || e.tagName === "INPUT" ? "" : "the focus on " + e.outerHTML.slice(0, 100) + " cannot be seen";
})()`
