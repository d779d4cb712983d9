package verify_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// A world is a simulated machine with the code of a package and of candidates.
type world struct {
	profile noise.Profile
	seed    uint64
	often   float64 // how often others disturb a sample
	layouts float64 // standard deviation of what a layout does to code; 0: there is one layout
	single  bool    // all the same there is one layout
	// speed is how many times as fast code is at a cell as the untouched serial
	// benchmark at one processor, 0 where it hangs; arm "" is untouched.
	speed func(arm, bench string, procs int) float64
	tests func(arm string, race bool) (host.Outcome, error)
	hangs string                                // arm whose tests hang on one processor
	fails func(arm string, s host.Source) error // to compile
	ran   func(what string)                     // before each process and build

	noise  *noise.Source
	rng    *rand.Rand
	moved  map[string]float64
	others float64
	now    time.Time
	builds int
}

const file = "/m/x.go"

// armOf is the ID of the candidate with a change.
func armOf(change overlay.Overlay) string { return string(change[file]) }

func change(id string) overlay.Overlay { return overlay.Overlay{file: []byte(id)} }

func (w *world) event(what string) {
	if w.ran != nil {
		w.ran(what)
	}
}

func (w *world) process(_ context.Context, p sim.Process) (sim.Figures, error) {
	const serial = 1e5 // ns
	arm := armOf(p.Change)
	w.event("measure " + arm)
	speed := w.speed(arm, p.Bench, p.Procs)
	if speed == 0 {
		w.now = w.now.Add(p.Timeout)
		return sim.Figures{Hangs: true}, nil
	}
	wall := serial * w.noise.Next() / speed
	if w.layouts > 0 {
		key := fmt.Sprint(arm, p.Bench, p.Layout)
		if _, ok := w.moved[key]; !ok {
			w.moved[key] = math.Exp(w.layouts * w.rng.NormFloat64())
		}
		wall *= w.moved[key]
	}
	w.others *= 0.5
	if w.rng.Float64() < w.often {
		w.others += 0.3 * w.rng.ExpFloat64()
	}
	wall *= 1 + w.others*float64(p.Procs)
	w.now = w.now.Add(time.Duration(wall*float64(p.N)) + 5*time.Millisecond)
	return sim.Figures{Wall: wall, CPU: wall, Others: w.others * (0.7 + 0.6*w.rng.Float64())}, nil
}

func (w *world) host() *sim.Host {
	w.noise = noise.New(w.profile, w.seed)
	w.rng = rand.New(rand.NewPCG(w.seed, 0x76))
	w.moved = map[string]float64{}
	w.now = time.Unix(0, 0)
	w.others = 0
	h := &sim.Host{Process: w.process,
		Compile: func(s host.Source) error {
			w.event("build " + armOf(s.Change))
			w.builds++
			if s.Layout == 0 {
				w.now = w.now.Add(time.Second)
			}
			if w.fails != nil {
				return w.fails(armOf(s.Change), s)
			}
			return nil
		},
		Tests: func(_ context.Context, s host.Source, j host.Job) (host.Outcome, error) {
			w.event("test " + armOf(s.Change))
			w.now = w.now.Add(500 * time.Millisecond)
			if arm := armOf(s.Change); arm != "" && arm == w.hangs && j.Procs == 1 {
				return host.Outcome{Exit: -1, Late: true}, nil
			}
			if w.tests != nil {
				return w.tests(armOf(s.Change), s.Race)
			}
			return host.Outcome{Output: []byte("PASS\n")}, nil
		},
		Link: func(int) error {
			w.now = w.now.Add(300 * time.Millisecond)
			return nil
		},
	}
	if w.layouts == 0 || w.single {
		h.Link = nil
	}
	return h
}

func (w *world) lab() verify.Lab {
	return verify.Lab{Host: w.host(), Target: discover.Target{Package: "sim", Dir: "/m"}, Now: func() time.Time { return w.now },
		Vet: func(ctx context.Context, c overlay.Overlay, _ []string) ([]string, error) {
			w.event("vet " + armOf(c))
			return nil, context.Cause(ctx)
		}}
}

const (
	serialBench = "BenchmarkX/variant=serial"
	hotBench    = "BenchmarkX/variant=hot"
	otherBench  = "BenchmarkX/variant=other"
	farBench    = "BenchmarkFar"
)

// series is a run of one family, in which hot is to be made faster, and of a
// benchmark that nothing touches.
func series(procs ...int) *measure.Series {
	names := []string{serialBench, hotBench, otherBench, farBench}
	s := &measure.Series{Package: "sim", Procs: procs, Families: discover.Families(names, discover.Hints{})}
	for _, n := range names {
		s.Listed = append(s.Listed, measure.Listed{Name: n, PerOp: 1e5})
	}
	return s
}

func cells(bench string, procs ...int) (all []measure.Cell) {
	for _, p := range procs {
		all = append(all, measure.Cell{Bench: bench, Procs: p})
	}
	return all
}

// candidate speeds up hot at one and two processors.
func candidate(id, claim string) verify.Candidate {
	return verify.Candidate{Edit: edit.Edit{ID: id, Name: "local"}, Claim: claim, Func: claim, Cells: cells(hotBench, 1, 2), Change: change(id)}
}

// options are those of a run with n candidates of one claim, named c0 and so on.
func options(seed uint64, n int) verify.Options {
	o := verify.Options{Series: series(1, 2), Seed: seed, Controls: []string{farBench}, Budget: 3 * time.Minute}
	for i := range n {
		o.Candidates = append(o.Candidates, candidate(fmt.Sprintf("c%d", i), "f"))
	}
	return o
}

// try runs candidates and returns what was proven, by ID.
func try(t *testing.T, w *world, o verify.Options) (*verify.Record, map[string]verify.Proof) {
	t.Helper()
	rec, err := verify.Run(t.Context(), w.lab(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rec, proofs(rec)
}

func proofs(rec *verify.Record) map[string]verify.Proof {
	by := map[string]verify.Proof{}
	for _, p := range verify.Judge(rec) {
		by[p.Candidate] = p
	}
	return by
}

func same(string, string, int) float64 { return 1 }

// faster is a machine on which candidates are faster at their cells.
func faster(by map[string]float64) func(arm, bench string, procs int) float64 {
	return func(arm, bench string, _ int) float64 {
		if f, ok := by[arm]; ok && bench == hotBench {
			return f
		}
		return 1
	}
}
