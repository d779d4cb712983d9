package html

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gopayoff/payoff/tool/internal/browsertest"
	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
)

var pictures = flag.String("pictures", "", "write screenshots of the pages to this `folder`")

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

// strips are samples for all that a report compares.
func strips(d *report.Doc) (all []report.Strip) {
	seen := map[string]bool{}
	for i, c := range d.Comparisons {
		for _, name := range []string{c.Name, c.BaseName} {
			if key := fmt.Sprint(c.Package, name, c.Procs); !seen[key] {
				seen[key] = true
				x := report.Strip{Package: c.Package, Name: name, Procs: c.Procs}
				for round := range 40 {
					x.Points = append(x.Points, report.Dot{Round: round, NS: 1000 * float64(i+1) * (1 + float64(round*7919%13)/100), Dropped: round%17 == 5})
				}
				all = append(all, x)
			}
		}
	}
	return all
}

// pictured gives what is explained the stacks and the timeline that older records do not
// have.
func pictured(d *report.Doc) *report.Doc {
	var groups []*report.Group
	for _, p := range d.Packages {
		based, alone := d.Groups(p.Package)
		groups = slices.Concat(groups, based, alone)
	}
	for _, g := range groups {
		c := g.Evident()
		if c == nil {
			continue
		}
		for j := range c.Page.Lines {
			c.Page.Lines[j].Text = "sums[w] += x // " + strings.Repeat("as it is written ", j)
		}
		c.Page.Flame = []cpuprof.Frame{{Func: "testing.(*B).runN", Share: 0.55}, {Depth: 1, Func: "example.com/m.BenchmarkSum.func1", Share: 0.55}, {Depth: 2, Func: "example.com/m.Sum", Share: 0.5},
			{Depth: 3, Func: "example.com/m.(*Tree[go.shape.int]).add", Share: 0.35}, {Depth: 3, Func: "runtime.newproc", Share: 0.1}, {Func: "runtime.mcall", Share: 0.3}, {Depth: 1, Func: "runtime.park_m", Share: 0.3},
			{Depth: 2, Func: "runtime.schedule", Share: 0.29}, {Depth: 3, Func: "runtime.findRunnable", Share: 0.2}, {Func: "example.com/m.Sum.func1", Share: 0.1}}
		t := report.Timeline{From: 2e6, Slot: 31250, Sites: []source.Place{{File: "sum.go", Line: 17, Func: "m.Sum"}, {Func: "runtime.gcStart"}}}
		for i := range 96 {
			system, alone, who := 0., 0., -1
			switch {
			case i%32 < 9:
				alone, who = 1, 0
			case i%32 > 28:
				alone, who = 0.7, 1
			case i%7 == 0:
				system = 0.5
			}
			idle := float64(c.Procs-1) * alone
			t.Alone, t.System, t.Idle, t.Who = append(t.Alone, alone), append(t.System, system), append(t.Idle, idle), append(t.Who, who)
			t.Together, t.Ready = append(t.Together, float64(c.Procs)-alone-system-idle), append(t.Ready, 0.5)
		}
		c.Page.Trace.Timeline = t
	}
	return d
}

// sized makes a report one of several sizes.
func sized(d *report.Doc) *report.Doc {
	for _, n := range []float64{100, 1000, 10000} {
		ratio := n / 2000
		d.Comparisons = append(d.Comparisons, report.Comparison{Package: d.Packages[0].Package, Benchmark: fmt.Sprint("Sized/n=", n), Group: "Sized", Variant: "par", Base: "serial", Name: fmt.Sprintf("BenchmarkSized/variant=par/n=%v", n), BaseName: fmt.Sprintf("BenchmarkSized/variant=serial/n=%v", n),
			Kind: measure.Variant, Procs: 2, BaseProcs: 2, Verdict: judge.Pays, Pairs: 9, Ratio: &ratio, Low: &ratio, High: &ratio, Params: map[string]float64{"n": n}})
	}
	return d
}

// Each picture is drawn, in any width and either scheme, and nothing goes wrong.
func TestPictures(t *testing.T) {
	b := browsertest.Open(t)
	for name, d := range docs(t) {
		file := written(t, pictured(sized(d)), Options{Strips: strips(d)})
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				b.Show("file://"+file, width, scheme)
				// A printer waits for nothing: the frames have their size at once.
				if share := browsertest.Ask[float64](b, `dispatchEvent(new Event("beforeprint")), (r => r[1].getBBox().width / r[0].getBBox().width)([...document.querySelectorAll("svg.d3-flame-graph")].at(-1).querySelectorAll("rect"))`); share < 0.57 || share > 0.59 {
					t.Errorf("%s: the first frame has %.2f of all, want 0.55 of 0.95", name, share)
				}
				if n, cards := browsertest.Ask[int](b, `document.querySelectorAll("figure svg").length`), browsertest.Ask[int](b, `document.querySelectorAll(".card").length`); n < 3*cards {
					t.Errorf("%s: %d pictures on %d cards", name, n, cards)
				}
				if drawn := browsertest.Ask[bool](b, `!document.getElementById("sizes").hidden && document.querySelectorAll("#sizes svg circle").length === 3`); !drawn {
					t.Errorf("%s: the sizes are not drawn", name)
				}
				if marks := browsertest.Ask[int](b, `[...document.querySelectorAll("figcaption")].filter(f => f.textContent.startsWith("Samples,")).length`); marks == 0 {
					t.Errorf("%s: no samples are drawn", name)
				}
				for _, part := range []string{".source code", "svg.d3-flame-graph g.frame rect", ".swatch"} {
					if n := browsertest.Ask[int](b, `document.querySelectorAll("`+part+`").length`); n == 0 {
						t.Errorf("%s: no %s", name, part)
					}
				}
				if caller := browsertest.Ask[string](b, `d3.select("[name='runtime.findRunnable']").datum().ancestors().map(d => d.data.name).join(" ")`); caller != "runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall all" {
					t.Errorf("%s: called by %s", name, caller)
				}
				if label := browsertest.Ask[string](b, `document.querySelectorAll(".d3-flame-graph-label")[1].textContent`); label != "testing.(*B).runN" {
					t.Errorf("%s: the first frame is called %q", name, label)
				}
				if over := browsertest.Ask[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: %d pixels wider than a screen of %d", name, over, width)
				}
				if *pictures != "" {
					shot := b.Picture()
					if err := os.WriteFile(filepath.Join(*pictures, name+"-"+scheme+"-"+map[bool]string{true: "wide", false: "narrow"}[width > 600]+".png"), shot, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				b.Well()
			}
		}
	}
}

// Who cannot see the page, or has no mouse, can use it.
func TestAccess(t *testing.T) {
	b := browsertest.Open(t)
	for name, d := range docs(t) {
		file := written(t, pictured(d), Options{})
		for _, scheme := range []string{"light", "dark"} {
			b.Show("file://"+file, 1280, scheme)
			browsertest.Ask[bool](b, `dispatchEvent(new Event("beforeprint"))`)
			b.Accessible(name + ", " + scheme)
		}
	}
}

// Of two states of the code the page says faster and slower, as the text does, what
// breaks a rule, and what only one of them has.
func TestCompared(t *testing.T) {
	d := docs(t)["gallery-sort"]
	d.Summary = "v2 against v1"
	d.Compared = &report.Compared{Gone: []report.Unmatched{{Package: "m", Benchmark: "BenchmarkGone" + strings.Repeat("e", 1<<20)}}, Gate: &report.Gate{Failed: []string{"loses:10%: m Sort"}}}
	b := browsertest.Open(t)
	b.Show("file://"+written(t, d, Options{}), 1280, "light")
	text := browsertest.Ask[string](b, `document.body.innerText`)
	for _, want := range []string{"fails: loses:10%: m Sort", "not in the new code any more: m BenchmarkGoneeee", "slower", "faster"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{"pays", "loses\n", "new, with nothing to compare with"} {
		if strings.Contains(text, not) {
			t.Errorf("the page has %q", not)
		}
	}
	if len(text) > 1<<20 {
		t.Errorf("a name fills the page: %d bytes", len(text))
	}
	b.Well()
}

// The filter shows the cards that are asked for, and says how many.
func TestFilter(t *testing.T) {
	b := browsertest.Open(t)
	d := docs(t)["gallery-sort"]
	b.Show("file://"+written(t, d, Options{}), 1280, "light")
	all := browsertest.Ask[int](b, `document.querySelectorAll(".card").length`)
	shown := func() int { return browsertest.Ask[int](b, `document.querySelectorAll(".card:not([hidden])").length`) }
	browsertest.Run(b, chromedp.SendKeys(chromedp.CSS("#find"), "shuffled"))
	some := shown()
	if some == 0 || some == all || !strings.HasPrefix(browsertest.Ask[string](b, `document.getElementById("shown").textContent`), fmt.Sprint(some, " of ", all)) {
		t.Errorf("%d of %d cards are shown", some, all)
	}
	browsertest.Run(b, chromedp.SendKeys(chromedp.CSS("#find"), " nosuch"))
	if n := shown(); n != 0 {
		t.Errorf("%d cards have what is nowhere", n)
	}
	browsertest.Ask[bool](b, `document.getElementById("find").value = "", document.querySelector("#filter input[type=checkbox]").click(), true`)
	if n := shown(); n == 0 || n == all {
		t.Errorf("%d of %d cards are shown without one verdict", n, all)
	}
	b.Well()
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
	c := &pictured(d).Comparisons[slices.IndexFunc(d.Comparisons, func(c report.Comparison) bool { return c.Page.Flame != nil && c.Procs == 2 })]
	c.Page.Flame[1].Func, c.Page.Flame[3].Func, c.Page.Flame[3].Share = evil, strings.Repeat("y", 1<<20), 1e308
	c.Page.Lines[0].Text = evil
	line := &c.Page.Trace.Timeline
	line.Sites[0].File, line.Alone[0], line.Idle[1], line.Who[2] = evil, 1e308, 1e-320, 0
	d.Comparisons[1].Variant = strings.Repeat("x", 1<<20)
	for _, f := range d.Fixes[0].Findings {
		for i := range f.Fixes {
			f.Fixes[i].Diff += evil
		}
	}
	b := browsertest.Open(t)
	b.Show("file://"+written(t, d, Options{Bench: []byte(evil)}), 1280, "light")
	browsertest.Ask[bool](b, `dispatchEvent(new Event("beforeprint"))`)
	if title := browsertest.Ask[string](b, `document.title`); !strings.HasPrefix(title, "payoff: summary") {
		t.Errorf("the title is %q", title)
	}
	if n := browsertest.Ask[int](b, `document.querySelectorAll("img, script:not([id]):not(:last-of-type)").length`); n != 0 {
		t.Errorf("%d elements come from names", n)
	}
	if n := browsertest.Ask[int](b, `document.querySelectorAll("figure").length`); n == 0 {
		t.Error("no picture is drawn")
	}
	if n := browsertest.Ask[int](b, `document.querySelectorAll(".d3-flame-graph .frame, .swatch").length`); n == 0 {
		t.Error("no stacks and no timeline are drawn")
	}
	if n := browsertest.Ask[int](b, `Math.max(...[...document.querySelectorAll("[name], .d3-flame-graph title")].map(e => (e.getAttribute("name") || e.textContent).length))`); n > 2*most {
		t.Errorf("a frame has a name of %d characters", n)
	}
	b.Well()
}

// A report of 500 benchmarks stays small.
func TestSize(t *testing.T) {
	var w bytes.Buffer
	d, o := large(t)
	if err := Write(&w, d, o); err != nil {
		t.Fatal(err)
	}
	n := w.Len()
	t.Logf("%d bytes", n)
	if n > 5.5e6 { // of which 0.4 MB are the table of all at a glance
		t.Errorf("%d bytes", n)
	}
}

// TestRecordLoad measures how large the page of 500 benchmarks is, and how long it takes
// until it can be used:
//
//	PAYOFF_RECORD=$PWD/record/DATE-CPU go test ./tool/internal/report/html -run RecordLoad
func TestRecordLoad(t *testing.T) {
	dir := os.Getenv("PAYOFF_RECORD")
	if dir == "" {
		t.Skip("measures: set PAYOFF_RECORD to the folder of the record")
	}
	b := browsertest.Open(t)
	d, o := large(t)
	file := written(t, d, o)
	about, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	var times []float64
	for range 9 {
		b.Show("file://"+file, 1280, "light")
		times = append(times, browsertest.Ask[float64](b, `performance.getEntriesByName("ready")[0].startTime`))
	}
	slices.Sort(times)
	line := fmt.Sprintf("500 benchmarks, %d comparisons: %.2f MB, ready after %.0f ms in the median of %d loads (%.0f to %.0f)\n",
		len(d.Comparisons), float64(about.Size())/1e6, times[len(times)/2], len(times), times[0], times[len(times)-1])
	if err := os.WriteFile(filepath.Join(dir, "page-load.txt"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log(line)
}

// large is a report of 500 benchmarks with all that its page has.
func large(t *testing.T) (*report.Doc, Options) {
	t.Helper()
	o := Options{}
	for i := range 500 { // as many samples as a page has
		x := report.Strip{Package: "example.com/some/module", Name: fmt.Sprint("BenchmarkSome/variant=some/n=", i), Procs: 2}
		for round := range 60 {
			x.Points = append(x.Points, report.Dot{Round: round, NS: 1e6 + 1e3*float64((i*7919+round*104729)%101)})
		}
		o.Strips = append(o.Strips, x)
	}
	d := pictured(docs(t)["gallery-sort"])
	some := slices.Clone(d.Comparisons)
	d.Comparisons = nil
	for i := range 500 {
		for _, c := range some {
			if c.Benchmark == some[0].Benchmark && c.Package == some[0].Package {
				c.Benchmark, c.Name = fmt.Sprint(c.Benchmark, i), fmt.Sprint(c.Name, i)
				if c.Page.Flame != nil {
					c.Page.Flame = nil
					for j := range 100 { // as many as there can be
						c.Page.Flame = append(c.Page.Flame, cpuprof.Frame{Depth: j % 20, Func: fmt.Sprint("example.com/some/module.(*Type).method", j), Share: float64((i*7919+j*104729)%10000) / 1e4})
					}
				}
				d.Comparisons = append(d.Comparisons, c)
			}
		}
	}
	return d, o
}
