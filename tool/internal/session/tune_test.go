package session

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/probe"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// A reached host ends the process of BenchmarkA at some processor counts where the code has
// a mark in what uses the constant.
type reached struct {
	fake
	at    []int
	marks map[string]bool // by binary
}

func (h *reached) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	b, err := h.fake.Build(ctx, s)
	h.marks[b.ID] = slices.ContainsFunc(slices.Collect(maps.Keys(s.Change)), func(file string) bool { return strings.Contains(file, "payoff_reach") })
	return b, err
}

func (h *reached) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	if h.marks[j.Binary] && slices.Contains(j.Args, "-test.bench=^BenchmarkA$") && slices.Contains(h.at, j.Procs) {
		return host.Outcome{Exit: 97, Events: []probe.Event{{Kind: probe.Begin, Name: "BenchmarkA"}}}, nil
	}
	return h.fake.Run(ctx, j)
}

// TestTuneCells: the benchmarks are measured that reach the constant, at whichever processor
// count, and at each of them; what could not be built or recorded is said.
func TestTuneCells(t *testing.T) {
	dir := tree(t)
	file := filepath.Join(dir, "a", "a.go")
	if err := os.WriteFile(file, []byte("package a\n\nconst N = 8\n\nfunc Work() int { return N }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	n := 0
	tuned := func(at []int, change func(*fake, *Plan)) (tune.Saved, error) {
		t.Helper()
		n++
		h := &reached{fake: fake{cores: 2}, at: at, marks: map[string]bool{}}
		x := h.plan(dir, Plan{Tune: &Tune{Values: 3}})
		x.Base, x.Packages, x.Procs, x.Layouts, x.Budget, x.Record = "", []string{"./a"}, []int{1, 2, 3}, 1, time.Minute, filepath.Join(dir, "out", string(rune('a'+n)))
		ask, err := tune.ParseAsk("N=4,8,16")
		if err != nil {
			t.Fatal(err)
		}
		x.Tune.Asks = []tune.Ask{ask}
		if change != nil {
			change(&h.fake, &x)
		}
		s := &tuning{Tune: *x.Tune, session: &session{plan: x, began: time.Now(), hosts: func(*local.Compiler) host.Host { return h }, tell: func(Event) {}}}
		err = s.carryOut(t.Context())
		if saved, err := tune.Load(x.Record); err == nil && len(saved.Records) != len(s.saved.Records) {
			t.Errorf("the record has %d constants, want %d", len(saved.Records), len(s.saved.Records))
		}
		return s.saved, err
	}
	cells := func(saved tune.Saved) (all []string) {
		for _, c := range saved.Records[0].Cells {
			all = append(all, measure.Cell{Bench: c.Bench, Procs: c.Procs}.String())
		}
		return all
	}
	for _, at := range [][]int{{1}, {3}} {
		saved, err := tuned(at, nil)
		if err != nil || len(saved.Records) != 1 {
			t.Fatal(err)
		}
		if got, want := cells(saved), []string{"BenchmarkA-1", "BenchmarkA-2", "BenchmarkA-3"}; !slices.Equal(got, want) || !slices.Equal(saved.Records[0].Unreached, []string{"BenchmarkB"}) {
			t.Errorf("reached at %v: cells %q, unreached %q, want %q", at, got, saved.Records[0].Unreached, want)
		}
		if r := saved.Records[0]; r.Unknown != "" || r.Cut != "" || len(r.Trials) != 3 || len(r.Samples) == 0 || saved.Elapsed == 0 || r.Budget != time.Minute || len(saved.Changes) > 0 {
			t.Errorf("reached at %v: %d trials, %d samples, unknown %q, cut %q, %v", at, len(r.Trials), len(r.Samples), r.Unknown, r.Cut, saved.Elapsed)
		}
	}
	saved, err := tuned(nil, nil)
	if err != nil || len(saved.Records) != 1 || len(saved.Records[0].Cells) > 0 || saved.Records[0].Cut != "no benchmark of example.com/m/a reaches it" || len(saved.Records[0].Unreached) != 2 {
		t.Errorf("nothing reaches it: %v, %+v", err, saved.Records)
	}
	saved, err = tuned([]int{1}, func(f *fake, _ *Plan) { f.fault = "undefined: mistake" })
	if err != nil || len(saved.Problems) != 1 || !strings.Contains(saved.Problems[0].Reason, "undefined: mistake") {
		t.Errorf("code that does not compile: %v, problems %v", err, saved.Problems)
	}
	for _, at := range [][]int{{1}, nil} { // while it is measured, and at its end alone
		_, err = tuned(at, func(f *fake, x *Plan) {
			f.ran = func() { inTheWay(t, filepath.Join(x.Record, "tune.json")) }
		})
		if err == nil || !strings.Contains(err.Error(), "tune.json") {
			t.Errorf("reached at %v, a record that cannot be written: %v", at, err)
		}
	}
	if _, err := tuned([]int{1}, func(_ *fake, x *Plan) { x.Tune.Asks = append(x.Tune.Asks, x.Tune.Asks[0]) }); err == nil || !strings.Contains(err.Error(), "N is named twice") {
		t.Errorf("named twice: %v", err)
	}
}
