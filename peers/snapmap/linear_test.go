package snapmap_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// keys is how many keys the histories are about.
const keys = 3

// state is the value of each key; 0: none.
type state [keys]int

type input struct {
	call       string
	key        int
	value, old int
}

type output struct {
	value int
	ok    bool
	all   state
}

// step is what a map does.
func step(s state, in input, out output) (bool, state) {
	v := s[in.key]
	was := v != 0
	switch in.call {
	case "Load":
		return out.value == v && out.ok == was, s
	case "Store":
		s[in.key] = in.value
		return true, s
	case "Swap":
		s[in.key] = in.value
		return out.value == v && out.ok == was, s
	case "LoadOrStore":
		if !was {
			s[in.key] = in.value
		}
		return out.value == s[in.key] && out.ok == was, s
	case "LoadAndDelete":
		s[in.key] = 0
		return out.value == v && out.ok == was, s
	case "CompareAndSwap":
		if v == in.old {
			s[in.key] = in.value
		}
		return out.ok == (v == in.old), s
	case "Compute":
		s[in.key] = (v + 1) % 4
		return out.value == s[in.key] && out.ok == (s[in.key] != 0), s
	case "Len":
		n := 0
		for _, v := range s {
			if v != 0 {
				n++
			}
		}
		return out.value == n, s
	case "Clear":
		return true, state{}
	case "Snapshot":
		return out.all == s, s
	}
	panic(in.call)
}

// whole is the model of histories in which some calls are about all keys.
var whole = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(s, in, out any) (bool, any) { return step(s.(state), in.(input), out.(output)) },
}

// perKey is that of histories in which none is.
var perKey = porcupine.Model{
	Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
		for k := range keys {
			parts = append(parts, slices.DeleteFunc(slices.Clone(history), func(o porcupine.Operation) bool { return o.Input.(input).key != k }))
		}
		return parts
	},
	Init: whole.Init,
	Step: whole.Step,
}

// play returns a history of m. Calls and returns are stamped by a counter: clocks of
// two processors may differ.
func play(m *snapmap.Map[int, int], rnd *rand.Rand, players, n int, calls []string) []porcupine.Operation {
	var clock atomic.Int64
	var ready atomic.Int32
	histories := make([][]porcupine.Operation, players)
	var done sync.WaitGroup
	for p := range players {
		rnd := rand.New(rand.NewPCG(rnd.Uint64(), 0))
		done.Go(func() {
			ready.Add(1)
			for i := 0; ready.Load() < int32(players) && i < 1000; i++ {
				runtime.Gosched()
			}
			for range n {
				for rnd.IntN(4) == 0 {
					runtime.Gosched()
				}
				in := input{calls[rnd.IntN(len(calls))], rnd.IntN(keys), 1 + rnd.IntN(3), 1 + rnd.IntN(3)}
				var out output
				var view snapmap.View[int, int]
				called := clock.Add(1)
				switch in.call {
				case "Load":
					out.value, out.ok = m.Load(in.key)
				case "Store":
					m.Store(in.key, in.value)
				case "Swap":
					out.value, out.ok = m.Swap(in.key, in.value)
				case "LoadOrStore":
					out.value, out.ok = m.LoadOrStore(in.key, in.value)
				case "LoadAndDelete":
					out.value, out.ok = m.LoadAndDelete(in.key)
				case "CompareAndSwap":
					out.ok = m.CompareAndSwap(in.key, in.old, in.value)
				case "Compute":
					out.value, out.ok = m.Compute(in.key, func(v int, _ bool) (int, bool) { return v + 1, v < 3 })
				case "Len":
					out.value = m.Len()
				case "Clear":
					m.Clear()
				case "Snapshot":
					view = m.Snapshot()
				}
				returned := clock.Add(1)
				for k, v := range view.All() {
					out.all[k] = v
				}
				histories[p] = append(histories[p], porcupine.Operation{ClientId: p, Input: in, Call: called, Output: out, Return: returned})
			}
		})
	}
	done.Wait()
	return slices.Concat(histories...)
}

func describe(history []porcupine.Operation) string {
	var s strings.Builder
	for _, o := range history {
		fmt.Fprintf(&s, "%d: [%d, %d] %+v → %+v\n", o.ClientId, o.Call, o.Return, o.Input, o.Output)
	}
	return s.String()
}

// one are the calls that are about one key, all those that are about more, too.
var (
	one = []string{"Load", "Load", "Store", "Swap", "LoadOrStore", "LoadAndDelete", "CompareAndSwap", "Compute"}
	all = append([]string{"Len", "Clear", "Snapshot", "Snapshot", "Snapshot"}, one...)
)

func TestLinearizable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	rounds := 100
	if stress.Long() {
		rounds = 17_000 // 102,000 in all
	}
	stress.Procs(t, func(t *testing.T) {
		for name, kind := range map[string]struct {
			model porcupine.Model
			calls []string
		}{"key": {perKey, one}, "whole": {whole, all}} {
			t.Run(name, func(t *testing.T) {
				for range rounds {
					m := new(snapmap.Map[int, int])
					if rnd.IntN(2) == 0 {
						m.Snapshot()
					}
					h := play(m, rnd, 2+rnd.IntN(3), 8, kind.calls)
					if r := porcupine.CheckOperationsTimeout(kind.model, h, 10*time.Second); r != porcupine.Ok {
						t.Fatalf("%v:\n%s", r, describe(h))
					}
				}
			})
		}
	})
}

// A view of what was at no moment is found.
func TestWrongViewIsFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range 20_000 {
		h := play(new(snapmap.Map[int, int]), rnd, 3, 8, all)
		for i, o := range h {
			if o.Input.(input).call == "Snapshot" && o.Output.(output).all != (state{}) {
				out := o.Output.(output)
				out.all[0]++ // what was at no moment
				if out.all[0] > 3 {
					out.all[0] = 0
				}
				h[i].Output = out
				break
			}
		}
		if porcupine.CheckOperationsTimeout(whole, h, 10*time.Second) == porcupine.Illegal {
			return
		}
	}
	t.Error("a view of what was never there passes")
}
