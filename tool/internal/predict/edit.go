package predict

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// What follows are edits of graphs: what a change of the code would make of them. The
// graph itself stays as it is.

// place is the number of a place in g; -1: it is not there.
func place(g *exectrace.Graph, p source.Place) int {
	return slices.Index(g.Places, p)
}

// scale is g with what is computed up to a place taking f times as long.
func scale(g *exectrace.Graph, at int, f float64) *exectrace.Graph {
	out := *g
	out.Threads = slices.Clone(g.Threads)
	for i := range out.Threads {
		acts := slices.Clone(out.Threads[i].Acts)
		for k := range acts {
			if acts[k].Do == exectrace.DoRun && acts[k].At == at {
				acts[k].Time = int64(float64(acts[k].Time) * f)
			}
		}
		out.Threads[i].Acts = acts
	}
	return &out
}

// batch is g with a hand-off at a place for each n that it has: of the waits there, or
// that are ended there, of each goroutine the others are taken away.
func batch(g *exectrace.Graph, at, n int) *exectrace.Graph {
	chosen := make([]bool, len(g.Waits))
	for w, x := range g.Waits {
		chosen[w] = x.At == at && x.Need == 1
	}
	for _, th := range g.Threads {
		for _, a := range th.Acts {
			if (a.Do == exectrace.DoSignal || a.Do == exectrace.DoMeet) && a.At == at && g.Waits[a.N].Need == 1 {
				chosen[a.N] = true
			}
		}
	}
	gone := make([]bool, len(g.Waits))
	seen := map[int]int{} // by thread
	for w, x := range g.Waits {
		if !chosen[w] || x.Thread < 0 {
			continue
		}
		seen[x.Thread]++
		gone[w] = seen[x.Thread]%n != 0
	}
	out := *g
	out.Threads = slices.Clone(g.Threads)
	for i := range out.Threads {
		out.Threads[i].Acts = slices.DeleteFunc(slices.Clone(out.Threads[i].Acts), func(a exectrace.Act) bool {
			return (a.Do == exectrace.DoAwait || a.Do == exectrace.DoSignal || a.Do == exectrace.DoMeet) && gone[a.N]
		})
	}
	return &out
}
