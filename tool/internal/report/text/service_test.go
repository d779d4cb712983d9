package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/service"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// aService is a report of a program that runs.
func aService() *service.Doc {
	at := func(line int) source.Place {
		return source.Place{File: "/src/shop/cart.go", Line: line, Func: "example.com/shop.(*Cart).Add"}
	}
	return &service.Doc{
		Schema: 1, Payoff: "v0.1.0", Summary: []string{"Goroutines queue for one lock at cart.go:31: 38% of the time of 2 processors in 3.000s; without it at most 1.80 times the operations", "example.com/shop.(*Cart).Add: 6401 per second, p50 2.556ms, p99 16.16ms", "Processors: 56% work, 6% concurrency and memory, 38% idle though there was something to do, under 1% idle for lack of it"},
		Inputs: []service.Input{{Name: "trace.out", Kind: service.Trace, Bytes: 3e6}, {Name: "cut.out", Kind: service.Trace, Bytes: 1e6, Broken: "trace is damaged"}},
		Procs:  2, Window: 3e9, Windows: 3, Counted: exectrace.Requests, InFlight: 14.2,
		Account: []service.Item{{What: "work for operations", Kind: service.Work, NS: 3.36e9, Share: .56}, {What: "collection", Kind: service.Overhead, NS: .36e9, Share: .06}, {What: "idle: others wait for a lock", Kind: service.Idle, NS: 2.27e9, Share: .379}, {What: "idle: nothing was asked for", Kind: service.Free, NS: 6e6, Share: .001}},
		Operations: []service.Operation{
			{Name: "example.com/shop.(*Cart).Add", Place: at(20), N: 19203, Rate: 6401, Mean: 2.1e6, P50: 2.556e6, P90: 5e6, P99: 16.16e6, Max: 23.71e6, Ran: 156e3,
				Parts: []service.Part{{What: exectrace.PartLock, NS: 1.6e6}, {What: exectrace.PartReady, NS: .3e6}, {What: exectrace.PartRuns, NS: .15e6}, {What: exectrace.PartOther, NS: 1e3}},
				Path:  []service.Leg{{What: exectrace.PartRuns, NS: .2e6, N: 1, At: at(31)}, {What: exectrace.PartLock, NS: 2.3e6, N: 2, At: at(31), By: at(37), For: &service.Meanwhile{Start: "example.com/shop.(*Cart).sweep", What: exectrace.PartRuns, At: at(37)}}, {What: exectrace.PartReady, NS: 5e4, N: 1}},
				Slow: &service.Slow{N: 192, Mean: 17.5e6, Fast: 1.3e6, More: []service.Part{{What: exectrace.PartLock, NS: 15.7e6}}, Waits: []service.Waited{{Kind: "mutex", At: at(31), By: at(37), N: 190, Mean: 15e6}, {Kind: "select", N: 2, Mean: 1e6}},
					Path: []service.Leg{{What: exectrace.PartLock, NS: 15e6, N: 1, At: at(31), By: at(37), For: &service.Meanwhile{Start: "example.com/shop.(*Cart).sweep", What: exectrace.PartTimer, At: at(35)}}, {What: exectrace.PartRuns, NS: 1e6, N: 1}}}},
			{Name: "example.com/shop.health", N: 3, Rate: 1, Mean: 1e5, P50: 1e5, P99: 1e5, Max: 1e5, Ran: 1e4, Parts: []service.Part{{What: exectrace.PartRuns, NS: 1e5}}},
		},
		Causes: []service.Cause{{Slug: "lock", Title: "Goroutines queue for one lock", NS: 2.28e9, Share: .38, Low: .29, High: .44, AtMost: 1.8, Evidence: []service.Evidence{{Text: "goroutines block on locks 0.786 times per operation, 2.061ms each", Place: at(31)}, {Text: "84% of the idle processor time passes while a goroutine waits for a lock"}}, Lines: []service.Line{{Place: at(31), Share: .37}}, Price: "each wait costs 90µs", Do: "Hold it for the update alone"}},
		Holds:  []service.Held{{Wait: at(31), Give: at(37), N: 15155, NS: 31.24e9, From: "trace"}, {Give: at(90), N: 70, NS: 5e9, From: "mutex"}},
		Leaks:  []service.Leak{{N: 12, Waits: at(77), Began: at(70), Call: "runtime.chansend1"}},
		Lines:  []service.Line{{Place: at(33), Share: .5}},
		Unseen: []service.Unseen{{What: "free locks", Next: "payoff trace -bench op_test.go"}}, Missing: []string{"what cut.out has after its first 0.4s"}, Overhead: "the program was traced for 3s of its life", Next: "payoff explain lock",
	}
}

// TestWidthService: the report of a program that runs, in terminals and in files.
func TestWidthService(t *testing.T) {
	for name, o := range map[string]text.Options{"70": {Width: 70}, "120": {Width: 120, Bars: text.Unicode}, "all": {All: true}} {
		var b strings.Builder
		if err := text.Service(&b, aService(), o); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := runewidth.StringWidth(strings.TrimSuffix(line, "\n")); o.Width > 0 && n > o.Width {
				t.Errorf("%s: a line of %d: %s", name, n, line)
			}
		}
		golden(t, "service-"+name+".txt", b.String())
	}
	old, now := aService(), aService()
	now.Operations, now.Causes = now.Operations[:1], nil
	now.Operations[0].P50 /= 2
	var b strings.Builder
	if err := text.Services(&b, service.Compare(old, now, "old.json", "new.json"), text.Options{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "services.txt", b.String())
	none := fmt.Errorf("no space")
	if err := text.Service(refusing{none}, aService(), text.Options{}); err != none {
		t.Errorf("a full disk: %v, want %v", err, none)
	}
}

type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }
