package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gopayoff/payoff/tool/internal/browsertest"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/service"
)

var pictures = flag.String("pictures", "", "write screenshots of the pages to this `folder`")

// A kept is a source of runs that were made up around a recorded one.
type kept struct {
	doc  *report.Doc
	evil string // in every name
	n    int

	mu    sync.Mutex
	state State
}

func newKept(t *testing.T) *kept {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "report", "html", "testdata", "gallery-sort.json"))
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{doc: &report.Doc{}, n: 12}
	if err := json.Unmarshal(data, k.doc); err != nil {
		t.Fatal(err)
	}
	return k
}

var began = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func (k *kept) Runs(context.Context) (all []Run, err error) {
	for i := k.n - 1; i >= 0; i-- {
		r := Run{ID: fmt.Sprintf("%03d", i), When: began.Add(time.Duration(i) * time.Hour), Commit: fmt.Sprintf("%08x%032x", uint32(i+1)*2654435761, i) + k.evil, Command: "payoff run ./..." + k.evil, Packages: []string{"example.com/m/p" + k.evil},
			Machine: "AMD EPYC, 2 processors" + k.evil, Go: "go1.26.8" + k.evil, Verdicts: Verdicts{3, 2, 1, i}}
		if i == 3 {
			r.Problem = "the last block of samples is damaged" + k.evil
		}
		all = append(all, r)
	}
	return all, nil
}

func (k *kept) Report(_ context.Context, id string) (*report.Doc, html.Options, error) {
	if id == "broken" {
		return nil, html.Options{}, errors.New("run.json: unexpected end of JSON input" + k.evil)
	}
	if len(id) != 3 {
		return nil, html.Options{}, fmt.Errorf("run %s: %w", id, errNotThere)
	}
	return k.doc, html.Options{Bench: []byte("BenchmarkSort 1 2 ns/op\n")}, nil
}

func (k *kept) Trends(context.Context) ([]Trend, error) {
	t := Trend{Package: "example.com/m/p" + k.evil, Name: "BenchmarkSort/variant=par" + k.evil, Base: "BenchmarkSort/variant=serial", Procs: 2, BaseProcs: 2}
	runs, _ := k.Runs(context.Background())
	for i := range runs {
		r := runs[len(runs)-1-i]
		p := Point{Run: r.ID, When: r.When, Commit: r.Commit, Machine: r.Machine, Kind: "2", Ratio: 1.5 + float64(i%3)/50, NS: 1000, Verdict: "pays"}
		if i >= 6 {
			p.Ratio /= 2
			p.Verdict = "loses"
		}
		if p.Low, p.High = p.Ratio*0.95, p.Ratio*1.05; i == 2 {
			p.High = 0
		}
		t.Points = append(t.Points, p)
	}
	return []Trend{t, {Package: "p", Name: "BenchmarkOne", Base: "BenchmarkOne", Procs: 2, BaseProcs: 1, Points: []Point{{Run: "000", When: began, Verdict: "cannot say"}}},
		{Package: t.Package, Name: t.Name, Base: t.Base, Procs: 16, BaseProcs: 16, Points: []Point{{Run: "000", When: began, Machine: "ARM Neoverse-V2 (linux/arm64, 16 processors), go1.26.8" + k.evil, Kind: "16", Ratio: 8, Low: 7.5, High: 8.25, Verdict: "pays"}}}}, nil
}

func (k *kept) Gallery(context.Context) (*Gallery, error) {
	return &Gallery{Summary: "2 conclusions: 1 holds" + k.evil, Articles: []Article{{Heading: "An article (2024)", Conclusions: []ThenNow{{"sort", "Sorting in halves pays.", "pays, 1.9×", "pays, 1.6×", "holds"}}, Figures: []ThenNow{{Case: "sort", Says: "BenchmarkSort-8" + k.evil, Then: "12 ns", Now: "15 ns"}}}}}, nil
}

func (k *kept) Traces(context.Context) ([]Trace, error) {
	return []Trace{{"20261127-101112.000", "Goroutines queue for one lock" + k.evil}}, nil
}

func (k *kept) Trace(_ context.Context, id string) (*service.Doc, error) {
	if id != "20261127-101112.000" {
		return nil, fmt.Errorf("trace %s: %w", id, errNotThere)
	}
	return &service.Doc{Schema: 1, Summary: []string{"Goroutines queue for one lock" + k.evil}, Procs: 2, Window: 1e9, Causes: []service.Cause{{Slug: "lock", Title: "A lock" + k.evil, AtMost: 2, Do: "less"}}}, nil
}

func (k *kept) Now() State {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state
}

func (k *kept) set(s State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.state = s
}

// started is a server and its address, until the test ends.
func started(t *testing.T, source Source) (s *Server, base string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = New(source, l.Addr())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return s, "http://" + l.Addr().String()
}

// Only who has the token, at the server's own name, is answered.
func TestWho(t *testing.T) {
	s, base := started(t, newKept(t))
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(base, "http://"))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	known := &http.Client{Jar: jar}
	if r, err := known.Get(base + s.Path()); err != nil || r.StatusCode != http.StatusOK || r.Request.URL.Path != "/" || r.Request.URL.RawQuery != "" {
		t.Fatal(r, err)
	} else {
		r.Body.Close()
	}
	for _, c := range []struct {
		what, method, path, host string
		client                   *http.Client
		want                     int
	}{
		{"with the cookie", "GET", "/", "", known, 200},
		{"head", "HEAD", "/trends", "", known, 200},
		{"without", "GET", "/", "", &http.Client{}, 403},
		{"without, what is static", "GET", "/static/site.js", "", &http.Client{}, 403},
		{"without, events", "GET", "/events", "", &http.Client{}, 403},
		{"another token", "GET", "/?token=x", "", known, 403},
		{"no token", "GET", "/?token=", "", &http.Client{}, 403},
		{"a name that leads here", "GET", "/", "evil.example:" + port, known, 403},
		{"its name without a port", "GET", "/", "127.0.0.1", known, 403},
		{"localhost", "GET", s.Path(), "localhost:" + port, &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, 303},
		{"to change something", "POST", "/", "", known, 405},
		{"to delete something", "DELETE", "/run/001", "", known, 405},
		{"a run", "GET", "/run/001", "", known, 200},
		{"no run", "GET", "/run/nosuch", "", known, 404},
		{"up", "GET", "/run/..%2f..%2fetc", "", known, 404},
		{"static, up", "GET", "/static/..%2fserve.go", "", known, 404},
		{"a damaged run", "GET", "/run/broken", "", known, 500},
		{"no trend", "GET", "/trends?of=x", "", known, 404},
		{"two runs", "GET", "/beside?a=001&b=002", "", known, 200},
		{"two runs, one of which is not there", "GET", "/beside?a=001&b=2", "", known, 404},
		{"nothing", "GET", "/nosuch", "", known, 404},
	} {
		req, err := http.NewRequest(c.method, base+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = c.host
		r, err := c.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != c.want {
			t.Errorf("%s: %s %s: %d, want %d", c.what, c.method, c.path, r.StatusCode, c.want)
		}
		for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Security-Policy": "frame-ancestors 'none'"} {
			if !strings.Contains(r.Header.Get(header), want) {
				t.Errorf("%s: %s is %q", c.what, header, r.Header.Get(header))
			}
		}
	}
}

// Who has the token is led to the first page, wherever the request names, and never to
// another site; nor does a path lead there that is cleaned.
func TestRedirects(t *testing.T) {
	s := New(newKept(t), &net.TCPAddr{IP: net.ParseIP("127.0.0.1"), Port: 80})
	for _, path := range []string{"/", "//evil.example/", "//evil.example/..", "/\\evil.example", "/\\\\evil.example/", "/%2fevil.example/", "/%5cevil.example/", "/run/..//evil.example/", "/./\\evil.example/", "///evil.example/", "/%09/evil.example/"} {
		for _, query := range []string{"", s.Path()[1:]} {
			r := httptest.NewRequest("GET", "/", nil)
			u, err := url.ParseRequestURI(path + query) // as a server does
			if err != nil {
				t.Fatal(err)
			}
			r.URL, r.Host = u, "127.0.0.1:80"
			r.AddCookie(&http.Cookie{Name: s.cookie, Value: s.token})
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			to := w.Header().Get("Location")
			if query != "" && (w.Code != http.StatusSeeOther || to != "/") {
				t.Errorf("%s with the token: %d to %q, want %d to /", path, w.Code, to, http.StatusSeeOther)
			}
			if strings.ContainsAny(to, "\\\t") || len(to) > 1 && (to[0] != '/' || to[1] == '/') {
				t.Errorf("%s%s: led to %q, which a browser may take for another site", path, query, to)
			}
		}
	}
}

// A server that was asked for on other addresses takes their names, and the token.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		at, host string
		ok       bool
	}{
		{"127.0.0.1", "127.0.0.1:80", true}, {"127.0.0.1", "127.0.0.1:81", false}, {"::1", "[::1]:80", true}, {"::1", "localhost:80", true},
		{"10.1.2.3", "10.1.2.3:80", true}, {"10.1.2.3", "localhost:80", false}, {"0.0.0.0", "box.example:80", true},
	} {
		s := New(newKept(t), &net.TCPAddr{IP: net.ParseIP(c.at), Port: 80})
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", s.Path(), nil)
		r.Host = c.host
		s.ServeHTTP(w, r)
		if ok := w.Code == http.StatusSeeOther; ok != c.ok {
			t.Errorf("at %s, asked for %s: %d", c.at, c.host, w.Code)
		}
	}
}

// An open page is told how far a measurement is, and of other runs, once each.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kept{state: State{Line: "p: round 1 of\nat most 9", Runs: "a"}}
		s := &Server{source: k}
		ctx, cancel := context.WithCancel(t.Context())
		w := &stream{ResponseRecorder: httptest.NewRecorder()}
		done := make(chan bool)
		go func() {
			s.events(w, httptest.NewRequest("GET", "/events", nil).WithContext(ctx))
			close(done)
		}()
		for _, next := range []State{{"p: round 1 of\nat most 9", "a"}, {"p: round 2", "a"}, {"p: round 2", "b"}, {"", "b"}} {
			k.set(next)
			time.Sleep(2 * look)
		}
		cancel()
		<-done
		var got []string
		for lines := bufio.NewScanner(w.Body); lines.Scan(); {
			if lines.Text() != "" {
				got = append(got, lines.Text())
			}
		}
		want := "event: progress|data: p: round 1 of at most 9|event: progress|data: p: round 2|event: runs|data:|event: progress|data: "
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("told\n%s, want\n%s", s, want)
		}
	})
}

// A stream is a recorder that takes deadlines.
type stream struct{ *httptest.ResponseRecorder }

func (stream) SetWriteDeadline(time.Time) error { return nil }

// Every page is drawn in any width and either scheme, asks nobody else for anything,
// and can be used without eyes and mouse.
func TestPages(t *testing.T) {
	k := newKept(t)
	s, base := started(t, k)
	b := browsertest.Open(t, base+"/")
	b.Show(base+s.Path(), 1280, "light")
	for name, path := range map[string]string{"runs": "/", "run": "/run/005", "beside": "/beside?a=001&b=005", "traces": "/traces", "trace": "/trace/20261127-101112.000", "machines": "/machines", "trends": "/trends", "trend": "/trends?of=example.com/m/p+BenchmarkSort/variant=par+2+BenchmarkSort/variant=serial+2",
		"now": "/now", "gallery": "/gallery", "causes": "/causes", "choose": "/beside"} {
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				b.Show(base+path, width, scheme)
				if over := browsertest.Ask[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: %d pixels wider than a screen of %d", name, over, width)
				}
				if width > 600 {
					b.Accessible(name + ", " + scheme)
				}
				if *pictures != "" {
					file := filepath.Join(*pictures, fmt.Sprintf("%s-%s-%d.png", name, scheme, width))
					if err := os.WriteFile(file, b.Picture(), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				b.Well()
			}
		}
	}
}

// The list finds runs, and shows two beside each other; a page of a run leads back.
func TestUse(t *testing.T) {
	k := newKept(t)
	s, base := started(t, k)
	b := browsertest.Open(t, base+"/")
	b.Show(base+s.Path(), 1280, "light")
	browsertest.Run(b, chromedp.SendKeys(chromedp.CSS("#find"), "000b"))
	if got := browsertest.Ask[string](b, `document.getElementById("shown").textContent`); got != "1 of 12" {
		t.Errorf("shown: %q", got)
	}
	browsertest.Ask[bool](b, `document.querySelector("input[name=a][value='002']").checked = true, document.querySelector("input[name=b][value='007']").checked = true, document.querySelector("form button").click(), true`)
	browsertest.Run(b, chromedp.WaitReady(chromedp.CSS("select[name=a]")))
	if got := browsertest.Ask[string](b, `document.querySelector("select[name=a]").value + " " + document.querySelector("select[name=b]").value`); got != "002 007" {
		t.Errorf("beside: %q", got)
	}
	b.Show(base+"/trends?of=example.com/m/p+BenchmarkSort/variant=par+2+BenchmarkSort/variant=serial+2", 1280, "light")
	if n := browsertest.Ask[int](b, `document.querySelectorAll("#trend svg circle").length`); n != k.n {
		t.Errorf("%d points of %d runs are drawn", n, k.n)
	}
	if n := browsertest.Ask[int](b, `document.querySelectorAll("#trend svg line[stroke-dasharray], #trend svg g[stroke-dasharray] line").length`); n != 1 {
		t.Errorf("%d changes of one are marked", n)
	}
	b.Show(base+"/run/005", 1280, "light")
	if got := browsertest.Ask[string](b, `document.querySelector("nav a").getAttribute("href")`); got != "/" {
		t.Errorf("a run's page leads to %q", got)
	}
	b.Show(base+"/now", 1280, "light")
	k.set(State{Line: "example.com/m/p: round 3 of at most 9", Runs: "x"})
	browsertest.Run(b, chromedp.Evaluate[bool](`new Promise(done => { const p = document.getElementById("progress"), see = () => p.textContent.includes("round 3") ? done(true) : setTimeout(see, 50); see(); })`, chromedp.EvalAwaitPromise))
	b.Well()
}

// Names are text, whatever is in them.
func TestHostile(t *testing.T) {
	k := newKept(t)
	k.evil = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u2028\u202e<!--`${1}`" + strings.Repeat("x", 1<<20)
	k.n = 4
	for i := range k.doc.Comparisons {
		k.doc.Comparisons[i].Name += k.evil[:100]
	}
	s, base := started(t, k)
	b := browsertest.Open(t, base+"/")
	b.Show(base+s.Path(), 1280, "light")
	for _, path := range []string{"/", "/traces", "/trace/20261127-101112.000", "/beside?a=001&b=002", "/trends", "/machines", "/gallery"} {
		b.Show(base+path, 1280, "light")
		if title := browsertest.Ask[string](b, `document.title`); !strings.HasSuffix(title, "· payoff") && !strings.HasPrefix(title, "payoff: ") {
			t.Errorf("%s: the title is %q", path, title)
		}
		if n := browsertest.Ask[int](b, `document.querySelectorAll("img").length`); n != 0 {
			t.Errorf("%s: %d elements come from names", path, n)
		}
		b.Well()
	}
}

// Runs of different machines have levels of their own.
func TestChange(t *testing.T) {
	var x Trend
	for i := range 40 {
		p := Point{Kind: "fast", Ratio: 2 + float64(i%5)/100}
		if i%2 == 1 {
			p = Point{Kind: "slow", Ratio: 1 + float64(i%5)/100}
		}
		if i >= 30 && i%2 == 1 {
			p.Ratio /= 2
		}
		if i == 7 {
			p.Ratio = 0 // not known
		}
		x.Points = append(x.Points, p)
	}
	x.change()
	if len(x.Changes) != 1 || x.Changes[0] != 31 {
		t.Errorf("%v", x.Changes)
	}
}

// What there is too much of is cut, and the page says so.
func TestMany(t *testing.T) {
	k := newKept(t)
	k.n = most + 5
	s, base := started(t, k)
	jar, _ := cookiejar.New(nil)
	r, err := (&http.Client{Jar: jar}).Get(base + s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var b strings.Builder
	if _, err := bufio.NewReader(r.Body).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<tr data-text"); n != most || !strings.Contains(b.String(), "5 more are not shown") {
		t.Errorf("%d rows of %d", n, k.n)
	}
}
