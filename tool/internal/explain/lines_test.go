package explain

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Where a goroutine has shown no stack of its own, no place is better than one
// in package sync.
func TestMine(t *testing.T) {
	sites := []exectrace.SiteTime{
		{Site: source.Place{Func: "sync.(*WaitGroup).Go.func1", File: "/go/src/sync/waitgroup.go", Line: 238}, Time: 9},
		{Site: source.Place{Func: "testing.(*B).runN", File: "/go/src/testing/benchmark.go", Line: 219}, Time: 8},
		{Site: source.Place{Func: "m.work", File: "/m/x.go", Line: 7}, Time: 1},
	}
	if got := mine(sites); got.Line != 7 {
		t.Errorf("%+v, want line 7", got)
	}
	if got := mine(sites[:2]); got != (source.Place{}) {
		t.Errorf("%+v, want none", got)
	}
}

// What no sample of the profile fell into is not said to take 0s.
func TestGrainUnsampled(t *testing.T) {
	p := healthy()
	p.wall2, p.goroutines = 9*ms, 50000
	p.trace.Idle = exectrace.Idle{Total: 8 * ms, Runnable: 8 * ms}
	seen := false
	for _, f := range p.findings(t) {
		for _, c := range f.Causes {
			if c.Slug != "grain" {
				continue
			}
			seen = true
			if s := c.Evidence[0].Text; s != "50000 goroutines start per operation; 7.995ms are switches and idle processors until goroutines that were started or woken run" {
				t.Errorf("evidence %q", s)
			}
			for _, e := range c.Evidence {
				if strings.Contains(e.Text, " 0s") {
					t.Errorf("evidence %q", e.Text)
				}
			}
		}
	}
	if !seen {
		t.Fatal("no grain")
	}
}
