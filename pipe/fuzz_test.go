package pipe_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
)

// A graph is a pipe beside its oracle: the items that the obvious serial program has.
type graph struct {
	text  string
	p     pipe.Pipe[int]
	items []int
	// mixed: the items may come in another order.
	mixed bool
}

func each(items []int, f func(v int) []int) (out []int) {
	for _, v := range items {
		out = append(out, f(v)...)
	}
	return out
}

func sum(vs []int) (s int) {
	for i, v := range vs {
		s = s*31 + v + i
	}
	return s
}

func repeat(v int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range v & 3 {
			if !yield(v + i) {
				return
			}
		}
	}
}

// grow adds a stage.
func (g *graph) grow(r *rand.Rand) {
	k := 1 + r.IntN(5)
	kind := r.IntN(16)
	if g.mixed && (kind >= 6 && kind <= 9 || kind >= 13) {
		kind = 0 // these depend on the order
	}
	note := func(name string) { g.text += fmt.Sprintf(" %s(%d)", name, k) }
	switch kind {
	case 0, 1:
		note("map")
		f := func(v int) int { return v*k + 1 }
		g.p = pipe.Map(g.p, f)
		g.items = each(g.items, func(v int) []int { return []int{f(v)} })
	case 2:
		note("filter")
		f := func(v int) bool { return v%(k+1) != 0 }
		g.p = pipe.Filter(g.p, f)
		g.items = slices.DeleteFunc(slices.Clone(g.items), func(v int) bool { return !f(v) })
	case 3:
		note("skip")
		g.p = pipe.MapContext(g.p, func(_ context.Context, v int) (int, error) {
			if v%(k+1) == 1 {
				return 0, errOdd
			}
			return v ^ k, nil
		}).OnError(pipe.Skip)
		g.items = each(g.items, func(v int) []int {
			if v%(k+1) == 1 {
				return nil
			}
			return []int{v ^ k}
		})
	case 4:
		note("flat")
		g.p = pipe.FlatMap(g.p, repeat)
		g.items = each(g.items, func(v int) []int { return slices.Collect(repeat(v)) })
	case 5:
		note("atmost")
		g.p = pipe.Map(g.p, work).AtMost(k)
		g.items = each(g.items, func(v int) []int { return []int{work(v)} })
	case 6:
		note("batch")
		g.p = pipe.Map(pipe.Chunk(g.p, k), sum)
		var out []int
		for b := range slices.Chunk(g.items, k) {
			out = append(out, sum(b))
		}
		g.items = out
	case 7:
		step := 1 + r.IntN(5)
		note(fmt.Sprintf("window/%d", step))
		g.p = pipe.Map(pipe.Window(g.p, k, step), sum)
		var out []int
		for i := 0; i+k <= len(g.items); i += step {
			out = append(out, sum(g.items[i:i+k]))
		}
		if len(out) == 0 && len(g.items) > 0 {
			out = append(out, sum(g.items))
		}
		g.items = out
	case 8:
		note("group")
		type group = pipe.Group[int, int]
		fold := func(a, v int) int { return a*31 + v }
		g.p = pipe.Map(pipe.GroupBy(g.p, func(v int) int { return v % (k + 5) }, fold), func(g group) int { return g.Key ^ g.Value })
		var keys []int
		values := make(map[int]int)
		for _, v := range g.items {
			key := v % (k + 5)
			if _, ok := values[key]; !ok {
				keys = append(keys, key)
			}
			values[key] = fold(values[key], v)
		}
		g.items = each(keys, func(key int) []int { return []int{key ^ values[key]} })
	case 9:
		note("split") // to one branch: the order is kept
		g.p = pipe.Split(g.p, func(v int) int { return v&1 - 1 + k&1 }, func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, work) })
		g.items = each(g.items, func(v int) []int {
			if v&1-1+k&1 == 0 {
				return []int{work(v)}
			}
			return nil
		})
	case 10:
		note("broadcast")
		g.p = pipe.Broadcast(g.p,
			func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, work) },
			func(p pipe.Pipe[int]) pipe.Pipe[int] {
				return pipe.FlatMap(pipe.Filter(p, func(v int) bool { return v&1 == 0 }), repeat)
			})
		g.items = append(each(g.items, func(v int) []int { return []int{work(v)} }),
			each(g.items, func(v int) []int {
				if v&1 == 0 {
					return slices.Collect(repeat(v))
				}
				return nil
			})...)
		g.mixed = true
	case 11:
		note("unordered")
		g.p = pipe.Map(g.p, work).Unordered()
		g.items = each(g.items, func(v int) []int { return []int{work(v)} })
		g.mixed = true
	case 12:
		note("merge")
		more := numbers(k * 50)
		g.p = pipe.Merge(g.p, pipe.Map(pipe.Slice(more), work))
		g.items = append(slices.Clone(g.items), each(more, func(v int) []int { return []int{work(v)} })...)
		g.mixed = true
	case 13:
		n := r.IntN(len(g.items) + 10)
		note(fmt.Sprintf("take/%d", n))
		g.p = g.p.Take(n)
		g.items = slices.Clip(g.items[:min(n, len(g.items))])
	case 14:
		n := r.IntN(len(g.items)/2 + 10)
		note(fmt.Sprintf("skip/%d", n))
		g.p = g.p.Skip(n)
		g.items = g.items[min(n, len(g.items)):]
	case 15: // a branch may end before the other one
		n, m := r.IntN(len(g.items)+10), r.IntN(len(g.items)+10)
		note(fmt.Sprintf("takes/%d/%d", n, m))
		g.p = pipe.Broadcast(g.p,
			func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, work).Take(n) },
			func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.FlatMap(p.Take(m), repeat) })
		g.items = append(each(g.items[:min(n, len(g.items))], func(v int) []int { return []int{work(v)} }),
			each(g.items[:min(m, len(g.items))], func(v int) []int { return slices.Collect(repeat(v)) })...)
		g.mixed = true
	}
}

// check holds what has come of a graph against its oracle; all: there is no more.
func (g *graph) check(t *testing.T, what string, got []int, all bool) {
	t.Helper()
	want := g.items
	if g.mixed {
		count := make(map[int]int)
		for _, v := range want {
			count[v]++
		}
		for _, v := range got {
			if count[v]--; count[v] < 0 {
				t.Fatalf("%s: %s: %d comes once too often", g.text, what, v)
			}
		}
		if all && len(got) != len(want) {
			t.Fatalf("%s: %s: %d items, want %d", g.text, what, len(got), len(want))
		}
		return
	}
	if len(got) > len(want) || all && len(got) != len(want) {
		t.Fatalf("%s: %s: %d items, want %d", g.text, what, len(got), len(want))
	}
	for i, v := range got {
		if v != want[i] {
			t.Fatalf("%s: %s: item %d = %d, want %d", g.text, what, i, v, want[i])
		}
	}
}

// Any graph does what the serial program does: to its end, until a break, an error of
// the sink, an error or a panic of a stage.
func TestGraphs(t *testing.T) {
	stress.NoneLeft(t)
	graphs := 40
	if stress.Long() {
		graphs = 2000
	}
	modes(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		for range graphs {
			n := r.IntN(400)
			if r.IntN(4) == 0 {
				n = r.IntN(6000)
			}
			from := sources(n)
			names := []string{"slice", "range", "seq", "seq2", "chan", "queue", "lines"}
			name := names[r.IntN(len(names))]
			// What a source gives to one run is not there for the next.
			build := func(seed uint64) graph {
				g := graph{text: fmt.Sprintf("%s(%d)", name, n), p: from[name](), items: numbers(n)}
				r := rand.New(rand.NewPCG(seed, 1))
				for range 1 + r.IntN(7) {
					if g.grow(r); len(g.items) > 50000 {
						break
					}
				}
				return g
			}
			seed := r.Uint64()
			g := build(seed)
			got, err := g.p.Collect(bg)
			if err != nil {
				t.Fatalf("%s: %v", g.text, err)
			}
			g.check(t, "Collect", got, true)

			g = build(seed)
			got, err = pipe.Fold(bg, g.p, func() []int { return nil }, func(acc []int, v int) []int { return append(acc, v) },
				func(a, b []int) []int { return append(a, b...) })
			if err != nil {
				t.Fatalf("%s: Fold: %v", g.text, err)
			}
			g.check(t, "Fold", got, true)

			g = build(seed)
			stop := r.IntN(len(g.items) + 1)
			got = nil
			for v, err := range g.p.All(bg) {
				if err != nil {
					t.Fatalf("%s: %v", g.text, err)
				}
				if got = append(got, v); len(got) > stop {
					break
				}
			}
			g.check(t, "break", got, len(got) <= stop)

			g = build(seed)
			got = nil
			err = g.p.ForEach(bg, func(v int) error {
				if got = append(got, v); len(got) > stop {
					return errOdd
				}
				return nil
			})
			if (err == errOdd) != (len(g.items) > stop) {
				t.Fatalf("%s: ForEach = %v after %d items", g.text, err, len(got))
			}
			g.check(t, "ForEach", got, err == nil)

			g = build(seed)
			fail := r.IntN(len(g.items) + 1)
			seen := 0
			q := pipe.FlatMapContext(g.p, func(_ context.Context, v int) iter.Seq2[int, error] {
				return func(yield func(int, error) bool) {
					if seen++; seen > fail {
						yield(0, errOdd)
						return
					}
					yield(v, nil)
				}
			})
			got, err = q.Collect(bg)
			if (err != nil) != (len(g.items) > fail) || !g.mixed && len(got) != min(fail, len(g.items)) {
				t.Fatalf("%s: fails at %d of %d: %d items, %v", g.text, fail, len(g.items), len(got), err)
			}
			g.check(t, "error", got, err == nil)
		}
	})
}
