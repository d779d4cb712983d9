package prescribe

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/explain"
)

// Where nothing can be offered, the places are told with what was considered there.
func TestUnedited(t *testing.T) {
	dir := write(t, module)
	for _, tt := range []struct {
		name     string
		findings []explain.Finding
		only     []string
		want     []string
	}{
		{"no check has a form there", []explain.Finding{lost(t, dir, "BenchmarkOne", 100, "work", "m.go: func slow")}, nil,
			[]string{"no edit for m.go:3 (90 % of what BenchmarkOne loses at GOMAXPROCS=2: work): no check finds a form there that it can change"}},
		{"a check that is not asked for", []explain.Finding{lost(t, dir, "BenchmarkOne", 100, "work", "m.go: return slow(x)\n}\n\nfunc Two")}, []string{"other"},
			[]string{"no edit for m.go:12 (90 % of what BenchmarkOne loses at GOMAXPROCS=2: work): slow is about it, and -only leaves it out, and it refuses inline: it is not short"}},
		{"of another module", []explain.Finding{lost(t, dir, "BenchmarkOne", 100, "work", "m.go: func slow", "other/o.go: return slow(x) }")}, nil,
			[]string{"no edit for m.go:3 (45 % of what BenchmarkOne loses at GOMAXPROCS=2: work): no check finds a form there that it can change",
				"no edit for o.go:11 (45 % of what BenchmarkOne loses at GOMAXPROCS=2: work): package example.com/other is outside of the main module"}},
		{"a few of many", []explain.Finding{lost(t, dir, "BenchmarkOne", 100, "work", "m.go: func slow", "m.go: func fast(", "m.go: func fast10", "m.go: func fast20")}, nil,
			[]string{"no edit for m.go:3 (22 %", "no edit for m.go:5 (22 %", "no edit for m.go:7 (22 %"}},
		{"what has an edit is none of them", []explain.Finding{lost(t, dir, "BenchmarkOne", 100, "work", "m.go: return slow(x)\n}\n\nfunc Two")}, nil, nil},
		{"too little is lost there", []explain.Finding{func() explain.Finding {
			f := lost(t, dir, "BenchmarkOne", 100, "work", "m.go: return slow(x)\n}\n\nfunc Two", "m.go: func slow")
			f.Losses[1].NS, f.Page.New.Set.CPU.Lines[1].Share = 9, 0.19
			return f
		}()}, nil, nil},
	} {
		p := prescribe(t, dir, Options{Findings: tt.findings, Only: tt.only})
		if !slices.EqualFunc(p.Left, tt.want, strings.HasPrefix) {
			t.Errorf("%s: left\n%s\nwant\n%s", tt.name, strings.Join(p.Left, "\n"), strings.Join(tt.want, "\n"))
		}
	}
	f := lost(t, dir, "BenchmarkOne", 100, "imbalance", "m.go: func slow")
	f.Losses, f.Page.New.Set.CPU.Lines[0].Share = nil, 0.1
	p := prescribe(t, dir, Options{Findings: []explain.Finding{f}})
	if want := []string{"no edit for BenchmarkOne: what it loses at GOMAXPROCS=2 is placed at no line (imbalance)"}; !slices.Equal(p.Left, want) {
		t.Errorf("no place: left %q, want %q", p.Left, want)
	}
}
