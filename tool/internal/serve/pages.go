package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/change"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// A content is what a page shows, of the kind that the template has.
type content struct {
	Title string
	Kind  string
	Data  any
}

// most is how many rows a page has: a browser is no pager. What is left out is said.
const most = 1000

var functions = template.FuncMap{
	"clean":  cut,
	"day":    func(t time.Time) string { return t.Local().Format("2006-01-02 15:04") },
	"plural": figure.Plural,
	"paths":  paths,
	"first":  first,
	"name":   func(s string) template.HTML { return paths(strings.TrimPrefix(s, "Benchmark")) },
	"join":   func(s []string) string { return cut(strings.Join(s, " ")) },
	"short":  func(commit string) string { return commit[:min(len(commit), 10)] },
	"speed":  speed,
	"ns":     func(ns float64) string { return figure.Time(ns) },
	"brief":  func(name string) string { return cut(strings.TrimPrefix(name, "Benchmark")) },
	"last":   func(ps []Point) Point { return ps[len(ps)-1] },
	"wall":   func(c *report.Comparison) string { return figure.Time(report.Number(c.Wall)) },
	"class": func(verdict string) string {
		switch verdict {
		case "pays", "loses", "even":
			return verdict
		}
		return "cannot-say"
	},
	"verdict": func(c *report.Comparison) string { return string(c.Verdict) },
	"ratio": func(c *report.Comparison) string {
		if c.Ratio == nil || c.Low == nil {
			return "–"
		}
		return speed(*c.Ratio, *c.Low, report.Upper(c.Low, c.High))
	},
	"against": against,
	"nav": func() [][2]string {
		return [][2]string{{"runs", "/"}, {"traces", "/traces"}, {"trends", "/trends"}, {"machines", "/machines"}, {"now", "/now"}, {"gallery", "/gallery"}, {"causes", "/causes"}}
	},
}

// cut is a name as a page shows it.
func cut(s string) string {
	const most = 300
	if s = plain.Clean(s); len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// paths is text that may be broken after its slashes, where words are as long as paths.
func paths(s string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(cut(s)), "/", "/<wbr>"))
}

// first are the first of many names, and how many more there are.
func first(all []string) []string {
	const some = 4
	if len(all) <= some+1 {
		return all
	}
	return append(slices.Clone(all[:some]), fmt.Sprintf("and %d more", len(all)-some))
}

func speed(value, low, high float64) string {
	switch {
	case value == 0:
		return "–"
	case high == 0:
		return fmt.Sprintf("%s× [%s, ∞]", figure.Ratio(value), figure.Ratio(low))
	}
	return fmt.Sprintf("%s× [%s, %s]", figure.Ratio(value), figure.Ratio(low), figure.Ratio(high))
}

// against is what a comparison's base is.
func against(c *report.Comparison) string {
	if c.Kind == measure.Scaling {
		return fmt.Sprint("itself at ", c.BaseProcs)
	}
	return cut(c.Base)
}

// A list is some of more rows.
type list[T any] struct {
	Rows []T
	All  int
}

func some[T any](rows []T) list[T] { return list[T]{rows[:min(len(rows), most)], len(rows)} }

// Left is how many rows are not shown.
func (l list[T]) Left() int { return l.All - len(l.Rows) }

func (s *Server) runs(r *http.Request) (*content, error) {
	runs, err := s.source.Runs(r.Context())
	if err != nil {
		return nil, err
	}
	return &content{Title: "Runs", Kind: "runs", Data: some(runs)}, nil
}

func (s *Server) traces(r *http.Request) (*content, error) {
	all, err := s.source.Traces(r.Context())
	if err != nil {
		return nil, err
	}
	return &content{Title: "Programs that run", Kind: "traces", Data: some(all)}, nil
}

func (s *Server) trends(r *http.Request) (*content, error) {
	all, err := s.source.Trends(r.Context())
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	key := q.Get("of")
	if key == "" {
		return &content{Title: "Trends", Kind: "trends", Data: some(all)}, nil
	}
	i := slices.IndexFunc(all, func(t Trend) bool { return t.Key() == key })
	if i < 0 {
		return nil, fmt.Errorf("no run that is kept compares %s: %w", cut(key), errNotThere)
	}
	all[i].change()
	return &content{Title: cut(strings.TrimPrefix(all[i].Name, "Benchmark")), Kind: "trend", Data: all[i]}, nil
}

// change finds where the level changes among the runs of each kind of machine.
func (t *Trend) change() {
	of := map[string][]int{}
	for i, p := range t.Points {
		if p.Ratio > 0 {
			of[p.Kind] = append(of[p.Kind], i)
		}
	}
	for _, points := range of {
		var logs []float64
		for _, i := range points {
			logs = append(logs, math.Log(t.Points[i].Ratio))
		}
		for _, k := range change.Points(logs) {
			t.Changes = append(t.Changes, points[k])
		}
	}
	slices.Sort(t.Changes)
}

// Against is what the base is.
func (t Trend) Against() string {
	if t.Base == t.Name {
		return fmt.Sprint("itself at ", t.BaseProcs)
	}
	return cut(strings.TrimPrefix(t.Base, "Benchmark"))
}

// Key names the trend in an address.
func (t Trend) Key() string {
	return fmt.Sprintf("%s %s %d %s %d", t.Package, t.Name, t.Procs, t.Base, t.BaseProcs)
}

func (s *Server) now(*http.Request) (*content, error) {
	return &content{Title: "Now", Kind: "now", Data: s.source.Now().Line}, nil
}

func (s *Server) gallery(r *http.Request) (*content, error) {
	p, err := s.source.Gallery(r.Context())
	if err != nil {
		return nil, err
	}
	return &content{Title: "Gallery", Kind: "gallery", Data: p}, nil
}

func (s *Server) causes(*http.Request) (*content, error) {
	return &content{Title: "Causes", Kind: "causes", Data: catalog.All()}, nil
}

// A pair is two runs beside each other.
type pair struct {
	A, B  half
	Rows  list[report.Both]
	Names []Run // to choose from
}

type half struct {
	ID  string
	Doc *report.Doc
}

func (s *Server) beside(r *http.Request) (*content, error) {
	runs, err := s.source.Runs(r.Context())
	if err != nil {
		return nil, err
	}
	p := pair{Names: runs[:min(len(runs), most)]}
	q := r.URL.Query()
	p.A.ID, p.B.ID = q.Get("a"), q.Get("b")
	if p.A.ID == "" || p.B.ID == "" {
		return &content{Title: "Two runs", Kind: "beside", Data: p}, nil
	}
	for _, h := range []*half{&p.A, &p.B} {
		if h.Doc, _, err = s.source.Report(r.Context(), h.ID); err != nil {
			return nil, err
		}
	}
	rows := report.Beside(p.A.Doc, p.B.Doc)
	slices.SortStableFunc(rows, func(x, y report.Both) int { return cmp.Compare(rank(x), rank(y)) })
	p.Rows = some(rows)
	return &content{Title: "Two runs", Kind: "beside", Data: p}, nil
}

// rank has what changed first, then what one run alone has.
func rank(b report.Both) int {
	switch {
	case b.Differ():
		return 0
	case b.A == nil || b.B == nil:
		return 1
	}
	return 2
}

// A dot is a ratio of one of two runs.
type dot struct {
	Of    string  `json:"of"`
	Left  bool    `json:"left"`
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"` // 0: nobody knows
}

// Pictured are the ratios that a picture has room for: of what both compare.
func (p pair) Pictured() (dots []dot) {
	const room = 40
	for _, row := range p.Rows.Rows {
		if row.A == nil || row.B == nil || len(dots) == 2*room {
			continue
		}
		for _, c := range []*report.Comparison{row.A, row.B} {
			if c.Ratio != nil && c.Low != nil {
				high := report.Upper(c.Low, c.High)
				if math.IsInf(high, 0) {
					high = 0
				}
				dots = append(dots, dot{fmt.Sprintf("%s at %d against %s", cut(strings.TrimPrefix(c.Name, "Benchmark")), c.Procs, against(c)), c == row.A, *c.Ratio, *c.Low, high})
			}
		}
	}
	return dots
}
