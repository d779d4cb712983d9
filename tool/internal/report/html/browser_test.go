package html

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/gopayoff/payoff/tool/internal/report"
)

var pictures = flag.String("pictures", "", "write screenshots of the pages to this `folder`")

// A browser shows pages, and keeps what goes wrong there.
type browser struct {
	ctx context.Context

	mu       sync.Mutex
	messages []string // of the console: errors and warnings
	requests []string // for anything but the page
}

// open starts a browser, or skips the test where there is none.
func open(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	found := ""
	for _, name := range []string{"chromium-headless-shell", "headless-shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		t.Skip("no Chromium here")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(found),
		chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("disable-lcd-text", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	if err := chromedp.Listen(ctx, func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventConsoleAPICalled:
			for _, x := range e.Args {
				b.messages = append(b.messages, string(x.Value))
			}
		case *runtime.EventExceptionThrown:
			b.messages = append(b.messages, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			b.messages = append(b.messages, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file://") && !strings.HasPrefix(u, "blob:") {
				b.requests = append(b.requests, u)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	call(t, b, log.Enable, cdp.Empty{})
	call(t, b, network.Enable, network.EnableParams{})
	return b
}

func call[P, R any](t *testing.T, b *browser, command cdp.Command[P, R], p P) R {
	t.Helper()
	r, err := chromedp.Call(b.ctx, command, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run[T any](t *testing.T, b *browser, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// show opens a page of that width and waits until its script is ready.
func (b *browser) show(t *testing.T, file string, width int64, scheme string) {
	t.Helper()
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	call(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600})
	run(t, b, chromedp.Navigate("file://"+file))
	run(t, b, chromedp.WaitReady(chromedp.CSS("html[data-ready=true]")))
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	return run(t, b, chromedp.Evaluate[T](expression))
}

// well fails for what the page has complained of.
func (b *browser) well(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		t.Errorf("the console says: %s", m)
	}
	for _, r := range b.requests {
		t.Errorf("the page asks for %s", r)
	}
	b.messages, b.requests = nil, nil
}

// written is the page of a report, as a file.
func written(t *testing.T, d *report.Doc, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d, o); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// docs are reports of recorded runs; a test of the command holds them to what it says
// of the runs today.
func docs(t *testing.T) map[string]*report.Doc {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	all := map[string]*report.Doc{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d := &report.Doc{}
		if err := json.Unmarshal(b, d); err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = d
	}
	return all
}

// Each picture is drawn, in any width and either scheme, and nothing goes wrong.
func TestPictures(t *testing.T) {
	b := open(t)
	for name, d := range docs(t) {
		file := written(t, d, Options{})
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				b.show(t, file, width, scheme)
				ask[bool](t, b, `dispatchEvent(new Event("beforeprint"))`)
				if n, cards := ask[int](t, b, `document.querySelectorAll("figure svg").length`), ask[int](t, b, `document.querySelectorAll(".card").length`); n < 2*cards {
					t.Errorf("%s: %d pictures on %d cards", name, n, cards)
				}
				if over := ask[int](t, b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: %d pixels wider than a screen of %d", name, over, width)
				}
				if *pictures != "" {
					shot := run(t, b, chromedp.FullScreenshot(100))
					if err := os.WriteFile(filepath.Join(*pictures, name+"-"+scheme+"-"+map[bool]string{true: "wide", false: "narrow"}[width > 600]+".png"), shot, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				b.well(t)
			}
		}
	}
}

// Who cannot see the page, or has no mouse, can use it.
func TestAccess(t *testing.T) {
	b := open(t)
	axe, err := os.ReadFile("testdata/axe.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range docs(t) {
		file := written(t, d, Options{})
		for _, scheme := range []string{"light", "dark"} {
			b.show(t, file, 1280, scheme)
			ask[bool](t, b, `dispatchEvent(new Event("beforeprint"))`)
			ask[bool](t, b, string(axe)+";true")
			found := run(t, b, chromedp.Evaluate[[]string](`axe.run({resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(" ")))`, chromedp.EvalAwaitPromise))
			for _, f := range found {
				t.Errorf("%s, %s: %s", name, scheme, f)
			}
		}
	}
}

// The filter shows the cards that are asked for, and says how many.
func TestFilter(t *testing.T) {
	b := open(t)
	d := docs(t)["gallery-sort"]
	b.show(t, written(t, d, Options{}), 1280, "light")
	all := ask[int](t, b, `document.querySelectorAll(".card").length`)
	shown := func() int { return ask[int](t, b, `document.querySelectorAll(".card:not([hidden])").length`) }
	run(t, b, chromedp.SendKeys(chromedp.CSS("#find"), "shuffled"))
	some := shown()
	if some == 0 || some == all || !strings.HasPrefix(ask[string](t, b, `document.getElementById("shown").textContent`), fmt.Sprint(some, " of ", all)) {
		t.Errorf("%d of %d cards are shown", some, all)
	}
	run(t, b, chromedp.SendKeys(chromedp.CSS("#find"), " nosuch"))
	if n := shown(); n != 0 {
		t.Errorf("%d cards have what is nowhere", n)
	}
	ask[bool](t, b, `document.getElementById("find").value = "", document.querySelector("#filter input[type=checkbox]").click(), true`)
	if n := shown(); n == 0 || n == all {
		t.Errorf("%d of %d cards are shown without one verdict", n, all)
	}
	b.well(t)
}

// Names and source are text, whatever is in them, and figures may be missing or absurd.
func TestHostile(t *testing.T) {
	const evil = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u2028\u202e<!--`${1}`"
	number := func(x float64) *float64 { return &x }
	d := docs(t)["fix-falseshare"]
	d.Summary, d.Next, d.Record, d.Environment.CPU = "summary "+evil, evil, evil, evil
	d.Warnings = append(d.Warnings, evil)
	absurd := []*float64{nil, number(0), number(1e308), number(5e-324), number(-1)}
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		c.Variant, c.Benchmark, c.Name, c.Package = c.Variant+evil, c.Benchmark+evil, c.Name+evil, d.Packages[0].Package
		c.Ratio, c.Low, c.High, c.Wall, c.Cores.Value = absurd[i%5], absurd[(i+1)%5], absurd[(i+2)%5], absurd[(i+3)%5], absurd[(i+4)%5]
		for j := range c.Causes {
			c.Causes[j].Title, c.Causes[j].Share = evil, 1e308
			c.Causes[j].Evidence = append(c.Causes[j].Evidence, report.Evidence{Text: evil})
		}
		if i%2 == 0 {
			c.Page = report.Page{}
		}
	}
	d.Comparisons[1].Variant = strings.Repeat("x", 1<<20)
	for _, f := range d.Fixes[0].Findings {
		for i := range f.Fixes {
			f.Fixes[i].Diff += evil
		}
	}
	b := open(t)
	b.show(t, written(t, d, Options{Bench: []byte(evil)}), 1280, "light")
	ask[bool](t, b, `dispatchEvent(new Event("beforeprint"))`)
	if title := ask[string](t, b, `document.title`); !strings.HasPrefix(title, "payoff: summary") {
		t.Errorf("the title is %q", title)
	}
	if n := ask[int](t, b, `document.querySelectorAll("img, script:not([id]):not(:last-of-type)").length`); n != 0 {
		t.Errorf("%d elements come from names", n)
	}
	if n := ask[int](t, b, `document.querySelectorAll("figure").length`); n == 0 {
		t.Error("no picture is drawn")
	}
	b.well(t)
}

// A report of 500 benchmarks stays small.
func TestSize(t *testing.T) {
	var w bytes.Buffer
	if err := Write(&w, large(t), Options{}); err != nil {
		t.Fatal(err)
	}
	if n := w.Len(); n > 5e6 {
		t.Errorf("%d bytes", n)
	}
}

// large is a report of 500 benchmarks.
func large(t *testing.T) *report.Doc {
	t.Helper()
	d := docs(t)["gallery-sort"]
	some := slices.Clone(d.Comparisons)
	d.Comparisons = nil
	for i := range 500 {
		for _, c := range some {
			if c.Benchmark == some[0].Benchmark && c.Package == some[0].Package {
				c.Benchmark, c.Name = fmt.Sprint(c.Benchmark, i), fmt.Sprint(c.Name, i)
				d.Comparisons = append(d.Comparisons, c)
			}
		}
	}
	return d
}
