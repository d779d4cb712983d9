package serve

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	pages "github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/service"
)

// A fixed source has what a test gives it, or an error for it.
type fixed struct {
	runs    []Run
	docs    map[string]*report.Doc
	trends  []Trend
	gallery *Gallery
	state   State
	err     map[string]error
}

func (fixed) Traces(context.Context) ([]Trace, error)             { return nil, nil }
func (fixed) Trace(context.Context, string) (*service.Doc, error) { return nil, errNotThere }
func (f fixed) Runs(context.Context) ([]Run, error)               { return f.runs, f.err["runs"] }
func (f fixed) Report(_ context.Context, id string) (*report.Doc, pages.Options, error) {
	d := f.docs[id]
	if d == nil {
		return nil, pages.Options{}, errors.Join(f.err["report"], fs.ErrNotExist)
	}
	return d, pages.Options{}, f.err["report "+id]
}
func (f fixed) Trends(context.Context) ([]Trend, error)   { return f.trends, f.err["trends"] }
func (f fixed) Gallery(context.Context) (*Gallery, error) { return f.gallery, f.err["gallery"] }
func (f fixed) Now() State                                { return f.state }

// asked is what a server says to a client that may ask.
func asked(t *testing.T, source Source, path string) (int, string) {
	t.Helper()
	s := New(source, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})
	r := httptest.NewRequest("GET", path, nil)
	r.Host = "127.0.0.1:80"
	r.AddCookie(&http.Cookie{Name: s.cookie, Value: s.token})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

var (
	tags   = regexp.MustCompile(`<[^>]*>`)
	blanks = regexp.MustCompile(`\s+`)
	rows   = regexp.MustCompile(`(?s)<tr[^>]*>.*?</tr>`)
	cells  = regexp.MustCompile(`(?s)<t[hd][^>]*>.*?</t[hd]>`)
)

func words(markup string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(strings.ReplaceAll(markup, "<wbr>", ""), " ")), " "))
}

// table are the rows of a page, their cells apart.
func table(page string) string {
	var all []string
	for _, row := range rows.FindAllString(page, -1) {
		var line []string
		for _, c := range cells.FindAllString(row, -1) {
			line = append(line, words(c))
		}
		all = append(all, strings.Join(line, " | "))
	}
	return strings.Join(all, "\n")
}

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.Local)

func num(x float64) *float64 { return &x }

// TestRunRows: each figure of a run stands in the column that is named for it.
func TestRunRows(t *testing.T) {
	source := fixed{runs: []Run{
		{ID: "b", When: noon.Add(time.Hour), Commit: "0123456789abcdef", Command: "payoff run", Packages: []string{"m/p", "m/q"}, Machine: "A CPU", Go: "go1.26", Verdicts: Verdicts{Pays: 1, Even: 2, Loses: 3, Open: 4}},
		{ID: "a", When: noon, Commit: "0123", Packages: []string{"m"}, Machine: "B", Go: "go1.27", Problem: "cut off"},
		{ID: "c", When: noon, Commit: "4567", Packages: []string{"m"}, Machine: "B", Go: "go1.27", Compared: true, Verdicts: Verdicts{Pays: 5, Even: 6, Loses: 7, Open: 8}},
	}}
	_, page := asked(t, source, "/")
	const want = `run | commit | packages | pays | even | loses | cannot say | measured on | left | right
2026-11-01 13:00 | 0123456789 | m/p m/q | 1 | 2 | 3 | 4 | A CPU, go1.26 |  | 
2026-11-01 12:00 cut off | 0123 | m | 0 | 0 | 0 | 0 | B, go1.27 |  | 
2026-11-01 12:00 | 4567 | m | 5 faster | 6 no difference | 7 slower | 8 | B, go1.27 |  | `
	if got := table(page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, want := range []string{`data-text="0123456789abcdef m/p m/q payoff run b"`, `<a href="/run/b">`, `name="a" value="a"`, `name="b" value="a"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "more are not shown") {
		t.Error("some are left out")
	}
	if _, page := asked(t, fixed{}, "/"); !strings.Contains(page, "No run is kept yet") {
		t.Errorf("of no run: %s", words(page))
	}
}

// TestTrendRows: a list has the last point of each trend, its page has all of them.
func TestTrendRows(t *testing.T) {
	source := fixed{trends: []Trend{
		{Package: "m", Name: "BenchmarkX/variant=new", Base: "BenchmarkX/variant=ser", Procs: 16, BaseProcs: 16, Points: []Point{
			{Run: "a", When: noon, Commit: "aaaaaaaaaaaaaaaa", Machine: "A go1.26", Ratio: 2, Low: 1.5, High: 3, NS: 1000, Verdict: "pays"},
			{Run: "b", When: noon.Add(time.Hour), Commit: "bb", Machine: "B go1.27", Ratio: 0.5, Low: 0.25, NS: 2000, Verdict: "loses"},
		}},
		{Package: "n", Name: "BenchmarkY", Base: "BenchmarkY", Procs: 9, BaseProcs: 3, Points: []Point{{Run: "c", When: noon, Verdict: "cannot say"}}},
	}}
	_, page := asked(t, source, "/trends")
	if got, want := table(page), `comparison | against | procs | package | runs | times as fast, last | verdict
X/variant=new | X/variant=ser | 16 | m | 2 | 0.5× [0.25, ∞] | loses
Y | itself at 3 | 9 | n | 1 | – | cannot say`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	key := source.trends[0].Key()
	if key != "m BenchmarkX/variant=new 16 BenchmarkX/variant=ser 16" || source.trends[1].Key() != "n BenchmarkY 9 BenchmarkY 3" {
		t.Errorf("keys %q and %q", key, source.trends[1].Key())
	}
	_, page = asked(t, source, "/trends?of="+strings.ReplaceAll(key, " ", "+"))
	if got, want := table(page), `run | commit | time/op | times as fast as the base | verdict | measured on
2026-11-01 12:00 | aaaaaaaaaa | 1.000µs | 2.00× [1.50, 3.00] | pays | A go1.26
2026-11-01 13:00 | bb | 2.000µs | 0.5× [0.25, ∞] | loses | B go1.27`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(page, "<h1>X/variant=new</h1>") || !strings.Contains(words(page), "m, 16 processors, against X/variant=ser") {
		t.Errorf("the page says %s", words(page))
	}
}

// TestMachineRows: a column for each kind of machine that shares a row with another, and
// of each the newest run at the most processors.
func TestMachineRows(t *testing.T) {
	const name, base = "BenchmarkX/variant=par", "BenchmarkX/variant=ser"
	at := func(hours int, kind, verdict string, ratio float64) Point {
		return Point{Run: "r", When: noon.Add(time.Duration(hours) * time.Hour), Machine: "the " + kind, Kind: kind, Ratio: ratio, Low: ratio / 2, High: ratio * 2, Verdict: verdict}
	}
	source := fixed{trends: []Trend{
		{Package: "m", Name: name, Base: base, Procs: 2, BaseProcs: 2, Points: []Point{at(0, "small", "pays", 2), at(1, "small", "even", 1), at(2, "large", "loses", 0.5)}},
		{Package: "m", Name: name, Base: base, Procs: 16, BaseProcs: 16, Points: []Point{at(0, "large", "pays", 8)}},
		{Package: "m", Name: name, Base: name, Procs: 16, BaseProcs: 1, Points: []Point{at(0, "large", "pays", 4), at(0, "small", "pays", 4)}},
		{Package: "m", Name: "BenchmarkY/variant=par", Base: base, Procs: 2, BaseProcs: 2, Points: []Point{at(0, "lone", "pays", 2)}},
	}}
	_, page := asked(t, source, "/machines")
	if got, want := table(page), `comparison | pays on | the small | the large | against | package
X/variant=par | 1 of 2 | even at 2 1.00× [0.5, 2.00] | pays at 16 8.00× [4.00, 16.0] | X/variant=ser | m`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(page, `/trends?of=m&#43;BenchmarkX`) && !strings.Contains(page, "/trends?of=m%20BenchmarkX") {
		t.Error("no cell leads to its trend")
	}
	if _, page := asked(t, fixed{trends: source.trends[3:]}, "/machines"); !strings.Contains(page, "payoff run -on-each any") {
		t.Errorf("of one machine: %s", words(page))
	}
}

// TestBesideRows: the left run on the left, the right one on the right; what changed
// comes first, then what one of them has alone.
func TestBesideRows(t *testing.T) {
	c := func(name, base string, kind measure.Kind, procs, baseProcs int, word judge.Word, ratio, low, high, wall float64) report.Comparison {
		x := report.Comparison{Package: "m", Name: "Benchmark" + name, BaseName: "Benchmark" + base, Base: base, Kind: kind, Procs: procs, BaseProcs: baseProcs, Verdict: word, Wall: num(wall)}
		if ratio > 0 {
			x.Ratio, x.Low = num(ratio), num(low)
		}
		if high > 0 {
			x.High = num(high)
		}
		return x
	}
	source := fixed{
		runs: []Run{{ID: "b", When: noon}, {ID: "a", When: noon.Add(time.Hour)}},
		docs: map[string]*report.Doc{
			"a": {Summary: "left says", Comparisons: []report.Comparison{
				c("Same", "ser", measure.Variant, 16, 16, judge.Pays, 2, 1.5, 3, 100), c("Alone", "ser", measure.Variant, 9, 9, judge.Pays, 4, 3, 5, 200), c("Self", "Self", measure.Scaling, 8, 2, judge.Even, 1.01, 0.99, 1.03, 300),
			}},
			"b": {Summary: "right says", Comparisons: []report.Comparison{
				c("Same", "ser", measure.Variant, 16, 16, judge.Pays, 2.1, 1.6, 0, 110), c("Self", "Self", measure.Scaling, 8, 2, judge.Loses, 0.5, 0.4, 0.6, 400), c("New", "ser", measure.Variant, 3, 3, judge.CannotSay, 0, 0, 0, 500),
			}},
		},
	}
	_, page := asked(t, source, "/beside?a=a&b=b")
	d := source.docs["a"]
	want := ` | left | right
says | left says | right says
machine | ` + d.Machine() + " | " + d.Machine() + `
comparison | against | procs | left: time/op | ratio | verdict | right: time/op | ratio | verdict
Self | itself at 2 | 8 | 300.0ns | 1.01× [0.99, 1.03] | even | 400.0ns | 0.5× [0.4, 0.6] | loses
Alone | ser | 9 | 200.0ns | 4.00× [3.00, 5.00] | pays | – | – | not compared
New | ser | 3 | – | – | not compared | 500.0ns | – | cannot say
Same | ser | 16 | 100.0ns | 2.00× [1.50, 3.00] | pays | 110.0ns | 2.10× [1.60, ∞] | pays`
	if got := table(page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(page, `<option value="a" selected>`) || !strings.Contains(page, `<option value="b" selected>`) || strings.Count(page, " selected>") != 2 || strings.Count(page, `class="differ"`) != 1 {
		t.Errorf("chosen, and marked as different: %s", page)
	}
	// The picture has what both compare.
	p := pair{Rows: some(report.Beside(source.docs["a"], source.docs["b"]))}
	got := ""
	for _, d := range p.Pictured() {
		got += fmt.Sprintf("%s left %t %v [%v %v]; ", d.Of, d.Left, d.Ratio, d.Low, d.High)
	}
	if want := "Same at 16 against ser left true 2 [1.5 3]; Same at 16 against ser left false 2.1 [1.6 0]; Self at 8 against itself at 2 left true 1.01 [0.99 1.03]; Self at 8 against itself at 2 left false 0.5 [0.4 0.6]; "; got != want {
		t.Errorf("pictured %s want %s", got, want)
	}
	var many []report.Both
	for range 60 {
		x := c("Same", "ser", measure.Variant, 1, 1, judge.Pays, 2, 1.5, 3, 100)
		many = append(many, report.Both{A: &x, B: &x})
	}
	if n := len((pair{Rows: some(many)}).Pictured()); n != 80 {
		t.Errorf("%d ratios of sixty pairs, want those of forty", n)
	}
	// Without both there is a choice, and no table.
	for _, path := range []string{"/beside", "/beside?a=a", "/beside?b=a"} {
		if code, page := asked(t, source, path); code != 200 || len(rows.FindAllString(page, -1)) != 0 || strings.Count(page, "<option") != 4 {
			t.Errorf("%s: %d %s", path, code, words(page))
		}
	}
}

// TestOtherPages: what is being measured, the gallery's columns, and the causes.
func TestOtherPages(t *testing.T) {
	if _, page := asked(t, fixed{state: State{Line: "p: round 3"}}, "/now"); !strings.Contains(page, `<p id="progress" role="status">p: round 3</p>`) {
		t.Errorf("now: %s", words(page))
	}
	if _, page := asked(t, fixed{}, "/now"); !strings.Contains(page, "nothing is being measured") {
		t.Errorf("now: %s", words(page))
	}
	_, page := asked(t, fixed{gallery: &Gallery{Summary: "it says", Problems: []string{"a problem"}, Articles: []Article{{Heading: "An article", Conclusions: []ThenNow{{"c", "says", "then", "now", "holds"}}, Figures: []ThenNow{{"d", "line", "12", "15", "x"}}}}}}, "/gallery")
	if got, want := table(page), `case | the article concludes | then | now | today it
c | says | then | now | holds
case | a line of its tables | then | now
d | line | 12 | 15`; got != want || !strings.Contains(words(page), "it says a problem An article") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, page := asked(t, fixed{}, "/gallery"); !strings.Contains(page, "No case of the gallery has been measured") {
		t.Errorf("gallery: %s", words(page))
	}
	if _, page := asked(t, fixed{}, "/causes"); !strings.Contains(page, `id="falseshare"`) {
		t.Errorf("causes: %s", words(page))
	}
}

// TestWrong: what a source does not have is not there, what goes wrong in it is the
// server's fault, and each is said, whichever page asks.
func TestWrong(t *testing.T) {
	boom := errors.New("boom")
	docs := map[string]*report.Doc{"a": {}, "b": {}}
	for _, tt := range []struct {
		path string
		err  map[string]error
		code int
		says string
	}{
		{"/", map[string]error{"runs": boom}, 500, "boom"},
		{"/beside?a=a&b=b", map[string]error{"runs": boom}, 500, "boom"},
		{"/beside?a=a&b=b", map[string]error{"report a": boom}, 500, "boom"},
		{"/beside?a=a&b=b", map[string]error{"report b": boom}, 500, "boom"},
		{"/beside?a=a&b=x", nil, 404, "file does not exist"},
		{"/beside?a=x&b=b", nil, 404, "file does not exist"},
		{"/trends", map[string]error{"trends": boom}, 500, "boom"},
		{"/trends?of=x", nil, 404, "no run that is kept compares x: not there"},
		{"/gallery", map[string]error{"gallery": boom}, 500, "boom"},
		{"/run/a", map[string]error{"report a": boom}, 500, "boom"},
		{"/run/x", nil, 404, "file does not exist"},
		{"/run/x", map[string]error{"report": errNotThere}, 404, "not there"},
	} {
		code, page := asked(t, fixed{docs: docs, err: tt.err}, tt.path)
		if code != tt.code || !strings.Contains(words(page), tt.says) || !strings.Contains(page, "<title>"+http.StatusText(tt.code)) {
			t.Errorf("%s: %d %s; want %d %s", tt.path, code, words(page), tt.code, tt.says)
		}
	}
	// No client listens any more: nothing is said.
	s := New(fixed{err: map[string]error{"runs": boom}}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	s.failed(w, httptest.NewRequest("GET", "/", nil).WithContext(ctx), boom)
	if w.Body.Len() > 0 {
		t.Errorf("said %q to no client", w.Body)
	}
}

// TestCookie: the token is given once, in a cookie that no other page has sent, and leads
// to the first page.
func TestCookie(t *testing.T) {
	s := New(fixed{}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
	r := httptest.NewRequest("GET", "/now"+strings.TrimPrefix(s.Path(), "/"), nil)
	r.Host = "localhost:8080"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	c := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || len(c) != 1 || c[0].Name != "payoff8080" || c[0].Value != s.token || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != "/" {
		t.Errorf("%d to %s with %+v", w.Code, w.Header().Get("Location"), c)
	}
	if other := New(fixed{}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}); other.token == s.token || len(s.token) < 20 {
		t.Errorf("tokens %q and %q", s.token, other.token)
	}
	// The cookie of another port or with another value is none.
	for _, c := range []*http.Cookie{nil, {Name: "payoff80", Value: s.token}, {Name: "payoff8080", Value: "x"}, {Name: "payoff8080", Value: ""}} {
		r := httptest.NewRequest("GET", "/now", nil)
		r.Host = "127.0.0.1:8080"
		if c != nil {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != http.StatusForbidden {
			t.Errorf("with %v: %d", c, w.Code)
		}
	}
}

// TestStatic: each file has its kind, and the style of the pages of runs comes first.
func TestStatic(t *testing.T) {
	s := New(fixed{}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})
	for name, kind := range map[string]string{"style.css": "text/css; charset=utf-8", "library.js": "text/javascript; charset=utf-8", "site.js": "text/javascript; charset=utf-8"} {
		r := httptest.NewRequest("GET", "/static/"+name, nil)
		r.Host = "127.0.0.1:80"
		r.AddCookie(&http.Cookie{Name: s.cookie, Value: s.token})
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != 200 || w.Header().Get("Content-Type") != kind || w.Body.String() != string(s.static[name].data) || w.Body.Len() < 100 {
			t.Errorf("%s: %d, %s, %d bytes", name, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
	}
	if css := string(s.static["style.css"].data); !strings.HasPrefix(css, pages.Style) || len(css) <= len(pages.Style) {
		t.Error("the style lacks that of runs, or its own")
	}
}

// TestShown: speeds and names as a page has them.
func TestShown(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{speed(0, 1, 2), "–"}, {speed(2, 1, 3), "2.00× [1.00, 3.00]"}, {speed(2, 1, 0), "2.00× [1.00, ∞]"},
		{cut(strings.Repeat("x", 300)), strings.Repeat("x", 300)}, {cut(strings.Repeat("x", 301)), strings.Repeat("x", 300) + "…"}, {cut("x" + strings.Repeat("é", 200)), "x" + strings.Repeat("é", 149) + "…"}, {cut("a\x1b"), `a\x1b`},
		{fmt.Sprint(some(make([]int, 3)).Left(), some(make([]int, most)).Left(), some(make([]int, most+2)).Left(), len(some(make([]int, most+2)).Rows)), fmt.Sprint(0, 0, 2, most)},
	} {
		if tt.got != tt.want {
			t.Errorf("got %.80q, want %.80q", tt.got, tt.want)
		}
	}
}

// TestPaths: a path may be broken after its slashes and is text, whatever is in it; of
// many packages the first are named.
func TestPaths(t *testing.T) {
	if got, want := paths("m/<b>/x"), "m/<wbr>&lt;b&gt;/<wbr>x"; string(got) != want {
		t.Errorf("paths: %s, want %s", got, want)
	}
	five, seven := []string{"a", "b", "c", "d", "e"}, []string{"a", "b", "c", "d", "e", "f", "g"}
	if got := strings.Join(first(five), " "); got != "a b c d e" {
		t.Errorf("five packages: %s", got)
	}
	if got := strings.Join(first(seven), " "); got != "a b c d and 3 more" || seven[4] != "e" {
		t.Errorf("seven packages: %s", got)
	}
}
