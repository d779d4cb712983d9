package html

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/service"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// TestService: the page of a program that runs has all that the report has, runs no
// script, and takes names for text whatever is in them.
func TestService(t *testing.T) {
	const evil = `"><script>alert(1)</script>`
	at := source.Place{File: "a" + evil + ".go", Line: 7, Func: "f"}
	d := &service.Doc{Summary: []string{"A lock" + evil, "second"}, Procs: 2, Window: 1e9, Overhead: "traced for 1s" + evil, Next: "payoff explain lock",
		Inputs:  []service.Input{{Name: "trace" + evil, Kind: service.Trace, Bytes: 9, Broken: "cut off"}},
		Account: []service.Item{{What: "work" + evil, Kind: service.Work, NS: 15e8, Share: .75}, {What: "nobody asked", Kind: service.Free, NS: 5e8, Share: .25}},
		Operations: []service.Operation{{Name: "get" + evil, N: 7, Rate: 7, Mean: 1e6, P50: 9e5, P99: 2e6, Max: 3e6, Parts: []service.Part{{What: exectrace.PartLock, NS: 8e5}, {What: exectrace.PartRuns, NS: 2e5}},
			Path: []service.Leg{{What: exectrace.PartLock, NS: 8e5, N: 2, At: at, By: at, For: &service.Meanwhile{Start: "sweep" + evil, What: exectrace.PartTimer, At: at}}, {What: exectrace.PartRuns, NS: 2e5, N: 1}},
			Slow: &service.Slow{N: 5, Mean: 2e6, Fast: 1e6, More: []service.Part{{What: exectrace.PartLock, NS: 1e6}}, Waits: []service.Waited{{Kind: "mutex", At: at, By: at, N: 5, Mean: 1e6}}}}},
		Causes: []service.Cause{{Slug: "lock", Title: "A lock" + evil, Share: .5, Low: .4, High: .6, AtMost: 2, Evidence: []service.Evidence{{Text: "waits" + evil, Place: at}}, Lines: []service.Line{{Place: at, Share: .5}}, Price: "dear", Do: "less"}},
		Holds:  []service.Held{{Wait: at, Give: at, N: 3, NS: 1e6, From: "trace"}}, Leaks: []service.Leak{{N: 4, Waits: at, Began: at, Call: "runtime.chanrecv1"}},
		Lines: []service.Line{{Place: at, Share: .3}}, Flame: []cpuprof.Frame{{Depth: 0, Func: "main.main" + evil, Share: 1}, {Depth: 1, Func: "main.f", Share: .5}, {Depth: 1, Func: "main.g", Share: .25}},
		Timeline: &exectrace.Timeline{Slot: 1e6, Running: []float64{2, 1}, System: []float64{0, .5}, Ready: []float64{3, 0}, Alone: []float64{0, 1}, Who: []int{-1, -1}},
		Unseen:   []service.Unseen{{What: "free locks", Next: "payoff trace -bench"}}, Missing: []string{"a profile" + evil}}
	var b strings.Builder
	if err := Service(&b, d, "/traces"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<script") {
		t.Error("the page has a script")
	}
	for _, want := range []string{"second", "2 processors", "75 %", "nobody asked", "[40 %, 60 %]", "at most 2.00 times the operations", "waits", "dear", "less", "p50", "lock 80 %", "1.000ms more on lock", "5 wait at", "(2 times), while sweep", "waits: timer at", "main.f: 50 %", "begun at", "runtime.chanrecv1", "free locks", "a profile", "traced for 1s", "payoff explain lock", "cut off", `<a href="/traces">all traces</a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// What is called stands beneath its caller, one beside the other.
	x := regexp.MustCompile(`<rect x="([0-9.]+)" y="18.0"`).FindAllStringSubmatch(page, -1)
	if len(x) != 2 || x[0][1] != "0.0" || x[1][1] != "480.0" {
		t.Errorf("callees begin at %v, want 0.0 and 480.0", x)
	}
	if err := Service(&b, &service.Doc{}, ""); err != nil {
		t.Errorf("an empty report: %v", err)
	}
}
