package mcp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Answers are short: the whole report is a resource.
const (
	mostVerdicts = 60 // the rest is counted
	mostPlaces   = 5  // of a cause
)

// What the tools answer with, beside their texts.
type (
	listed struct {
		Packages []benchmarks `json:"packages"`
		Problems []string     `json:"problems,omitempty"`
	}
	benchmarks struct {
		Package    string      `json:"package"`
		Dir        string      `json:"dir"`
		Benchmarks []benchmark `json:"benchmarks"`
	}
	benchmark struct {
		Name string   `json:"name"`
		File string   `json:"file"`
		Line int      `json:"line"`
		Subs []string `json:"subs,omitempty" jsonschema:"sub-benchmarks that the source names; there may be others"`
	}

	measured struct {
		Summary  string    `json:"summary"`
		Run      string    `json:"run" jsonschema:"name of the recorded run, for why; the resources payoff://run/NAME and payoff://run/NAME/json are its report"`
		Verdicts []verdict `json:"verdicts" jsonschema:"what loses comes first"`
		More     int       `json:"more,omitempty" jsonschema:"verdicts that are left out here"`
		Problems []string  `json:"problems,omitempty"`
		Next     string    `json:"next,omitempty" jsonschema:"the command that a person would type next"`
	}
	verdict struct {
		Package   string     `json:"package"`
		Benchmark string     `json:"benchmark"`
		Base      string     `json:"base" jsonschema:"what it is compared with"`
		Procs     int        `json:"procs"`
		BaseProcs int        `json:"base_procs"`
		Verdict   judge.Word `json:"verdict" jsonschema:"pays, loses, even, or cannot say"`
		Speedup   *float64   `json:"speedup" jsonschema:"time of the base divided by its time: above 1 is faster"`
		Low       *float64   `json:"low" jsonschema:"end of the 95 % interval"`
		High      *float64   `json:"high" jsonschema:"end of the 95 % interval"`
		Why       string     `json:"why,omitempty"`
		Doubts    []string   `json:"doubts,omitempty" jsonschema:"why the figures may not mean what they seem to"`
		Lost      *float64   `json:"lost_ns,omitempty" jsonschema:"processor time per operation beyond that of the base"`
		Causes    []loss     `json:"causes,omitempty" jsonschema:"most first"`
		Unknown   *float64   `json:"unexplained,omitempty" jsonschema:"share of the loss that no cause claims"`
	}
	loss struct {
		Cause    string   `json:"cause" jsonschema:"slug, for explain"`
		Title    string   `json:"title"`
		Share    float64  `json:"share" jsonschema:"of the loss"`
		NS       float64  `json:"ns" jsonschema:"per operation"`
		Lines    []line   `json:"lines,omitempty" jsonschema:"where, most first"`
		Evidence []string `json:"evidence,omitempty"`
		Do       string   `json:"do"`
	}
	line struct {
		File string  `json:"file,omitempty" jsonschema:"from the folder of the server, where it lies below it"`
		Line int     `json:"line,omitempty"`
		Func string  `json:"func,omitempty"`
		NS   float64 `json:"ns" jsonschema:"per operation"`
	}

	compared struct {
		Summary  string   `json:"summary"`
		Same     bool     `json:"same,omitempty" jsonschema:"both states are the same program: nothing was measured"`
		Run      string   `json:"run,omitempty" jsonschema:"name of the recorded run"`
		Changes  []change `json:"changes,omitempty" jsonschema:"the largest loss first"`
		More     int      `json:"more,omitempty" jsonschema:"changes that are left out here"`
		Gone     []string `json:"gone,omitempty" jsonschema:"benchmarks of the old code alone"`
		Added    []string `json:"added,omitempty" jsonschema:"benchmarks of the new code alone"`
		Equal    []string `json:"equal,omitempty" jsonschema:"packages that are the same program in both: not measured"`
		Problems []string `json:"problems,omitempty"`
		Next     string   `json:"next,omitempty" jsonschema:"the command that a person would type next"`
	}
	change struct {
		Package   string            `json:"package"`
		Benchmark string            `json:"benchmark"`
		Procs     int               `json:"procs"`
		Word      report.ChangeWord `json:"word" jsonschema:"faster, slower, no difference, or cannot say"`
		More      *float64          `json:"more" jsonschema:"by how much its time grew: 0.1 is 10 % more, below 0 is less"`
		Low       *float64          `json:"low" jsonschema:"end of the 95 % interval"`
		High      *float64          `json:"high" jsonschema:"end of the 95 % interval"`
		Why       string            `json:"why,omitempty"`
	}

	tried struct {
		Summary  string        `json:"summary"`
		Outcome  report.Answer `json:"outcome,omitempty" jsonschema:"faster, slower, no difference, cannot say, or a gate failed"`
		Run      string        `json:"run,omitempty" jsonschema:"name of the recorded run"`
		Packages []judged      `json:"packages,omitempty"`
		Problems []string      `json:"problems,omitempty"`
		Next     string        `json:"next,omitempty" jsonschema:"the command that a person would type next"`
	}
	judged struct {
		Package string   `json:"package"`
		Word    string   `json:"word,omitempty" jsonschema:"what became of the edit there: kept is faster"`
		Why     string   `json:"why,omitempty"`
		Passed  []string `json:"passed,omitempty" jsonschema:"gates"`
		Gains   []gain   `json:"gains,omitempty"`
		Signs   []sign   `json:"signs,omitempty" jsonschema:"why its gain may be hollow"`
		Notes   []string `json:"notes,omitempty" jsonschema:"which results were compared, and which could not be"`
	}
	gain struct {
		Benchmark string   `json:"benchmark"`
		Procs     int      `json:"procs"`
		Speedup   *float64 `json:"speedup" jsonschema:"time without the edit divided by that with it: above 1 is faster"`
		Low       *float64 `json:"low" jsonschema:"end of the 95 % interval"`
		High      *float64 `json:"high" jsonschema:"end of the 95 % interval"`
	}
	sign struct {
		Kind string `json:"kind"`
		Why  string `json:"why"`
		File string `json:"file,omitempty"`
		Line int    `json:"line,omitempty"`
	}

	explained struct {
		Causes []Cause `json:"causes,omitempty"`
		All    []named `json:"all,omitempty"`
	}
	named struct {
		Slug  string `json:"slug"`
		Title string `json:"title"`
	}
)

// An answer about nothing but problems is one that the client has to mend.
func (m *measured) failed() bool { return len(m.Verdicts) == 0 && len(m.Problems) > 0 }
func (t *tried) failed() bool    { return t.Outcome == "" && len(t.Problems) > 0 }
func (c *compared) failed() bool { return len(c.Changes) == 0 && len(c.Problems) > 0 }
func (l *listed) failed() bool   { return len(l.Packages) == 0 && len(l.Problems) > 0 }

// answer is a report in short, with the evidence or without.
func (s *server) answer(full *report.Doc, evidence bool) *measured {
	doc := plain.All(*full)
	out := &measured{Summary: doc.Summary, Run: filepath.Base(doc.Record), Verdicts: []verdict{}, Problems: problems(doc.Problems), Next: doc.Next}
	all := slices.Clone(doc.Comparisons)
	order := []judge.Word{judge.Loses, judge.CannotSay, judge.Pays, judge.Even}
	slices.SortStableFunc(all, func(a, b report.Comparison) int {
		return cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict))
	})
	for i := range all[:min(len(all), mostVerdicts)] {
		out.Verdicts = append(out.Verdicts, s.verdict(&all[i], evidence))
	}
	out.More = len(all) - len(out.Verdicts)
	return out
}

func (s *server) verdict(c *report.Comparison, evidence bool) verdict {
	v := verdict{Package: c.Package, Benchmark: c.Name, Base: c.BaseName, Procs: c.Procs, BaseProcs: c.BaseProcs, Verdict: c.Verdict,
		Speedup: c.Ratio, Low: c.Low, High: c.High, Why: c.Why}
	for _, d := range c.Doubts {
		v.Doubts = append(v.Doubts, d.Text)
	}
	if !c.Explained {
		return v
	}
	v.Lost, v.Unknown = c.Lost, c.Unexplained
	for _, x := range c.Causes {
		l := loss{Cause: x.Slug, Title: x.Title, Share: x.Share, NS: x.NS, Do: x.Do}
		for _, e := range x.Evidence {
			if evidence {
				l.Evidence = append(l.Evidence, s.placed(e))
			}
		}
		for _, p := range x.Places[:min(len(x.Places), mostPlaces)] {
			l.Lines = append(l.Lines, line{s.near(p.File), p.Line, p.Func, p.NS})
		}
		v.Causes = append(v.Causes, l)
	}
	return v
}

// placed is what speaks for a cause, and where.
func (s *server) placed(e report.Evidence) string {
	p := e.Place
	if p.File = s.near(p.File); p.IsZero() {
		return e.Text
	}
	return p.String() + ": " + e.Text
}

// near is a file as it is named from the server's folder, where it lies below that.
func (s *server) near(file string) string {
	if rel, err := filepath.Rel(s.Root, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

func (s *server) changes(full *report.Doc) *compared {
	doc := plain.All(*full)
	out := &compared{Summary: doc.Summary, Run: filepath.Base(doc.Record), Problems: problems(doc.Problems), Next: doc.Next}
	x := doc.Compared
	if x == nil {
		return out
	}
	for _, c := range x.Changes[:min(len(x.Changes), mostVerdicts)] {
		out.Changes = append(out.Changes, change{c.Package, c.Benchmark, c.Procs, c.Word, c.More.Value, c.More.Low, c.More.High, c.Why})
	}
	out.More, out.Equal = len(x.Changes)-len(out.Changes), x.Same
	alone := func(all []report.Unmatched) (names []string) {
		for _, u := range all {
			names = append(names, u.Package+" "+u.Benchmark)
		}
		return names
	}
	out.Gone, out.Added = alone(x.Gone), alone(x.Added)
	return out
}

func (s *server) tried(full *report.Doc) *tried {
	doc := plain.All(*full)
	out := &tried{Summary: cmp.Or(doc.Cured, doc.Summary), Outcome: doc.Outcome, Run: filepath.Base(doc.Record), Problems: problems(doc.Problems), Next: doc.Next}
	for _, p := range doc.Fixes {
		for _, f := range p.Findings {
			for _, x := range f.Fixes {
				j := judged{Package: p.Package, Word: string(x.Word), Why: x.Why, Passed: x.Checks, Notes: p.Notes}
				for _, g := range x.Gains {
					j.Gains = append(j.Gains, gain{g.Name, g.Procs, g.Ratio.Value, g.Ratio.Low, g.Ratio.High})
				}
				for _, y := range x.Signs {
					j.Signs = append(j.Signs, sign{y.Name, y.Why, s.near(y.File), y.Line})
				}
				out.Packages = append(out.Packages, j)
			}
		}
	}
	return out
}

func (s *server) listed(targets []discover.Target, found []problem.Problem) *listed {
	out := &listed{Packages: []benchmarks{}, Problems: problems(found)}
	for _, t := range plain.All(targets) {
		b := benchmarks{Package: t.Package, Dir: s.near(t.Dir)}
		for _, f := range t.Funcs {
			i := strings.LastIndexByte(f.Pos, ':')
			at, _ := strconv.Atoi(f.Pos[i+1:])
			b.Benchmarks = append(b.Benchmarks, benchmark{f.Name, s.near(f.Pos[:max(i, 0)]), at, f.Subs})
		}
		out.Packages = append(out.Packages, b)
	}
	return out
}

// text is the list for a person.
func (l *listed) text() string {
	var b strings.Builder
	for _, p := range l.Packages {
		fmt.Fprintf(&b, "%s\n", p.Package)
		for _, x := range p.Benchmarks {
			fmt.Fprintf(&b, "  %s  %s:%d\n", x.Name, x.File, x.Line)
			for _, sub := range x.Subs {
				fmt.Fprintf(&b, "    %s\n", sub)
			}
		}
	}
	for _, p := range l.Problems {
		fmt.Fprintf(&b, "%s\n", p)
	}
	return b.String()
}

func problems(all []problem.Problem) (says []string) {
	for _, p := range all {
		s := plain.Clean(p.String())
		if p.Note {
			s = "note: " + s
		}
		says = append(says, s)
	}
	return says
}
