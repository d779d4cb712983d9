package maps

import (
	"flag"
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
)

// histories is how many each map is held to.
//
//	go test ./peers/maps -run Linear -v -histories 100000
var histories = flag.Int("histories", 0, "hold each map to this `number` of histories")

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
		s[in.key] = computed(v)
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
	case "ClearView":
		return out.all == s, state{}
	case "Snapshot":
		return out.all == s, s
	}
	panic(in.call)
}

// computed is what Compute makes of a value: 0, for no value, of the highest.
func computed(v int) int { return (v + 1) % 4 }

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

// refused returns of a history that a model refuses what it says of one key, where
// the model looks at each key by itself.
func refused(m porcupine.Model, history []porcupine.Operation) []porcupine.Operation {
	if m.Partition != nil {
		for _, part := range m.Partition(history) {
			if !porcupine.CheckOperations(whole, part) {
				return part
			}
		}
	}
	return history
}

// A subject is a map of which there are histories: its calls by their names. A call
// that the map lacks is nil, or left out of calls.
type subject struct {
	load          func(k int) (int, bool)
	store         func(k, v int)
	swap          func(k, v int) (int, bool)
	loadOrStore   func(k, v int) (int, bool)
	loadAndDelete func(k int) (int, bool)
	cas           func(k, old, new int) bool
	compute       func(k int) (int, bool)
	len           func() int
	clear         func()
	// clearView is a clear that returns what was there, as snapshot does.
	clearView func() func(f func(k, v int))
	// snapshot returns what tells the entries. Only taking it is part of the call.
	snapshot func() func(f func(k, v int))
}

// calls are the names of those that the subject has. Loads and snapshots are called
// more often than others.
func (s subject) calls(all bool) (names []string) {
	add := func(has bool, call ...string) {
		if has {
			names = append(names, call...)
		}
	}
	add(true, "Load", "Load", "Store")
	add(s.swap != nil, "Swap")
	add(s.loadOrStore != nil, "LoadOrStore")
	add(true, "LoadAndDelete")
	add(s.cas != nil, "CompareAndSwap")
	add(s.compute != nil, "Compute")
	if all {
		add(s.len != nil, "Len")
		add(s.clear != nil, "Clear")
		add(s.clearView != nil, "ClearView")
		add(s.snapshot != nil, "Snapshot", "Snapshot", "Snapshot")
	}
	return names
}

// do makes one call.
func (s subject) do(in input) (out output, rest func(f func(k, v int))) {
	switch in.call {
	case "Load":
		out.value, out.ok = s.load(in.key)
	case "Store":
		s.store(in.key, in.value)
	case "Swap":
		out.value, out.ok = s.swap(in.key, in.value)
	case "LoadOrStore":
		out.value, out.ok = s.loadOrStore(in.key, in.value)
	case "LoadAndDelete":
		out.value, out.ok = s.loadAndDelete(in.key)
	case "CompareAndSwap":
		out.ok = s.cas(in.key, in.old, in.value)
	case "Compute":
		out.value, out.ok = s.compute(in.key)
	case "Len":
		out.value = s.len()
	case "Clear":
		s.clear()
	case "ClearView":
		rest = s.clearView()
	case "Snapshot":
		rest = s.snapshot()
	default:
		panic(in.call)
	}
	return out, rest
}

// play returns a history. Calls and returns are stamped by a counter: clocks of two
// processors may differ.
func (s subject) play(rnd *rand.Rand, players, n int, calls []string) []porcupine.Operation {
	about := 1 + rnd.IntN(keys) // few keys are stored to and deleted more often
	yields := rnd.IntN(2) == 0
	if !yields {
		n *= 3 // or one player ends before the next begins
	}
	var clock atomic.Int64
	var ready atomic.Int32
	history := make([][]porcupine.Operation, players)
	var done sync.WaitGroup
	for p := range players {
		rnd := rand.New(rand.NewPCG(rnd.Uint64(), 0))
		done.Go(func() {
			ready.Add(1)
			for i := 0; ready.Load() < int32(players) && i < 1000; i++ {
				runtime.Gosched()
			}
			for range n {
				for yields && rnd.IntN(4) == 0 {
					runtime.Gosched()
				}
				in := input{calls[rnd.IntN(len(calls))], rnd.IntN(about), 1 + rnd.IntN(3), 1 + rnd.IntN(3)}
				called := clock.Add(1)
				out, rest := s.do(in)
				returned := clock.Add(1)
				if rest != nil {
					rest(func(k, v int) { out.all[k] = v })
				}
				history[p] = append(history[p], porcupine.Operation{ClientId: p, Input: in, Call: called, Output: out, Return: returned})
			}
		})
	}
	done.Wait()
	return slices.Concat(history...)
}

// describe prints a history in the order of its calls.
func describe(history []porcupine.Operation) string {
	history = slices.SortedFunc(slices.Values(history), func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var s strings.Builder
	for _, o := range history {
		in, out := o.Input.(input), o.Output.(output)
		fmt.Fprintf(&s, "%3d to %3d, goroutine %d: ", o.Call, o.Return, o.ClientId)
		switch in.call {
		case "Load", "LoadAndDelete", "Compute":
			fmt.Fprintf(&s, "%s(%d) = %d, %t\n", in.call, in.key, out.value, out.ok)
		case "Store":
			fmt.Fprintf(&s, "Store(%d, %d)\n", in.key, in.value)
		case "Swap", "LoadOrStore":
			fmt.Fprintf(&s, "%s(%d, %d) = %d, %t\n", in.call, in.key, in.value, out.value, out.ok)
		case "CompareAndSwap":
			fmt.Fprintf(&s, "CompareAndSwap(%d, %d, %d) = %t\n", in.key, in.old, in.value, out.ok)
		case "Len":
			fmt.Fprintf(&s, "Len() = %d\n", out.value)
		case "Clear":
			fmt.Fprintf(&s, "Clear()\n")
		case "ClearView":
			fmt.Fprintf(&s, "Clear() = %v\n", out.all)
		case "Snapshot":
			fmt.Fprintf(&s, "Snapshot() = %v\n", out.all)
		}
	}
	return s.String()
}

// check holds a map to n histories of one kind, and returns the first that no map
// would give, or what it says of one key, and how many such there are.
func (k kind) check(rnd *rand.Rand, n int, all bool) (first []porcupine.Operation, bad int) {
	model := perKey
	if all {
		model = whole
	}
	for range n {
		s := k.make()
		if s.snapshot != nil && rnd.IntN(2) == 0 {
			s.snapshot()
		}
		h := s.play(rnd, 2+rnd.IntN(3), 8, s.calls(all))
		if porcupine.CheckOperationsTimeout(model, h, 10*time.Second) != porcupine.Ok {
			bad++
			if first == nil {
				first = refused(model, h)
			}
		}
	}
	return first, bad
}

// TestLinear holds all maps to what a map would do that does one thing after the
// other: key by key, and as a whole those of which one can take a snapshot.
func TestLinear(t *testing.T) {
	n := *histories
	switch {
	case n > 0:
	case stress.Long():
		n = 3000
	default:
		n = 60
	}
	procs := []int{1, 2, 8}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
			forms := []bool{false}
			if k.make().snapshot != nil {
				forms = append(forms, true) // half of the histories are of all keys at once
			}
			for _, all := range forms {
				n, sum := n/len(forms), 0
				for i, p := range procs {
					runtime.GOMAXPROCS(p)
					part := n*(i+1)/len(procs) - n*i/len(procs)
					sum += part
					if first, bad := k.check(rnd, part, all); bad > 0 {
						t.Errorf("GOMAXPROCS=%d: %d of %d histories (of all keys at once: %t) are not those of a map; one is\n%s", p, bad, part, all, describe(first))
					}
				}
				t.Logf("%s: %d histories, of all keys at once: %t", k.name, sum, all)
			}
		})
	}
}

// A view of what was at no moment is found.
func TestWrongViewIsFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range 20_000 {
		s := snapmapSubject()
		h := s.play(rnd, 3, 8, s.calls(true))
		for i, o := range h {
			if out := o.Output.(output); o.Input.(input).call == "Snapshot" && out.all != (state{}) {
				out.all[0] = computed(out.all[0]) // what was at no moment
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
