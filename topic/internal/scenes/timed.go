package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/topic"
)

var (
	kind     = flag.String("index", "", "instead of a scene, run for a time: topic or tree, as NATS has it")
	machine  = flag.String("machine", "ring", "ring, chiplet or mesh")
	wake     = flag.Duration("wake", 1500, "what a wake costs")
	latency  = flag.Duration("latency", 5000, "how long a thread takes to wake")
	patterns = flag.Int("patterns", 10_000, "in the index, or so")
	subjects = flag.Int("subjects", 1000, "that are looked for")
	writes   = flag.Int("writes", 0, "of 100 operations that subscribe or unsubscribe")
	photos   = flag.Duration("photos", -1, "one more goroutine takes snapshots, and waits so long after each; < 0: none")
	warm     = flag.Int("warm", 40_000, "operations, in all, before what is counted")
	last     = flag.Duration("time", 200*time.Microsecond, "that is counted")
	hot      = flag.Int("hot", 0, "print so many of the hottest cache lines")
)

// An index is one of those that are compared.
type index interface {
	// subscribe adds a subscription; what it returns ends it.
	subscribe(pattern string) (end func())
	match(subject string)
}

// real is an Index whose calls compute for about as long as those that are measured.
type real struct {
	*topic.Index[int]
	found []int
}

func (ix *real) subscribe(pattern string) func() {
	world.Work(150)
	s, err := ix.Subscribe(pattern, 1)
	if err != nil {
		panic(err)
	}
	return func() {
		world.Work(100)
		s.Unsubscribe()
	}
}

func (ix *real) match(subject string) {
	world.Work(30)
	ix.found = ix.AppendMatch(ix.found[:0], subject)
}

// name is of a field of devices: four tokens.
func name(r *rand.Rand) [4]string {
	return [4]string{
		fmt.Sprint("svc", r.IntN(20)), fmt.Sprint("region", r.IntN(8)),
		fmt.Sprint("dev", r.IntN(max(1, *patterns/160))), fmt.Sprint("evt", r.IntN(8)),
	}
}

// pattern is one for some devices. Half have no wildcard.
func pattern(r *rand.Rand) string {
	n := name(r)
	switch p := r.IntN(100); {
	case p < 55:
	case p < 63:
		n[1] = "*"
	case p < 78:
		n[3] = "*"
	case p < 92:
		n[3] = ">"
	case p < 94:
		n[2] = "*"
	default:
		n[0] = "*"
	}
	return strings.Join(n[:], ".")
}

// run prints what so many processors do.
func runTimed() {
	prices, err := world.Machine(*machine, *wake, *latency)
	if err != nil || !shim.Driven {
		fmt.Fprintln(os.Stderr, "scenes: not built for the machine, or no such machine; see the tests")
		os.Exit(2)
	}
	prices.Spin = 400 // 30 PAUSEs, which take 13 ns each, or 45
	debug.SetGCPercent(-1)
	var c counts
	w, err := world.Run(prices, shim.Procs, *seed, func() { c = timed() })
	fields := []string{fmt.Sprintf("machine=%s procs=%d index=%s writes=%d ops=%.1f", *machine, shim.Procs, *kind, *writes, float64(c.ops)/last.Seconds()/1e6)}
	if *photos >= 0 {
		fields = append(fields, fmt.Sprintf("photos=%.0f take=%v longest=%v", float64(c.photos)/last.Seconds(), c.taking/time.Duration(max(c.photos, 1)), c.longest))
	}
	if err != nil {
		fields = append(fields, fmt.Sprintf("error=%q", err))
	}
	fmt.Println(strings.Join(fields, " "))
	for _, l := range w.Hot(*hot) {
		fmt.Printf("\t%s: %d reads, %d writes, %d moves, busy %v, waited %v, peak %.2f\n", l.Where, l.Reads, l.Writes, l.Moves, l.Busy, l.Waited, l.Peak)
	}
}

// counts are what was done while it was counted.
type counts struct {
	ops, photos     int
	taking, longest time.Duration // to take a snapshot
}

// timed has a goroutine for each processor work on an index.
func timed() (c counts) {
	var shared index
	var ix *topic.Index[int]
	if *kind == "tree" {
		shared = newTree(*subjects)
	} else {
		ix = topic.New[int](topic.NATS)
	}
	of := func() index {
		if ix != nil {
			return &real{Index: ix}
		}
		return shared
	}
	r := rand.New(rand.NewPCG(*seed, math.MaxUint64))
	for m := of(); *patterns > 0; *patterns-- {
		m.subscribe(pattern(r))
		if ix == nil {
			break
		}
	}
	var names []string
	for range *subjects {
		n := name(r)
		names = append(names, strings.Join(n[:], "."))
	}
	workers := shim.Procs
	if *photos >= 0 && workers > 1 {
		workers--
	}
	// Each begins when all are awake, which takes the longer the more they are.
	begin := world.Now() + time.Duration(shim.Procs)*(*latency*3/2+5*time.Microsecond) + time.Millisecond
	const never = time.Duration(math.MaxInt64)
	from, to, warmed := never, never, 0
	var wg shim.WaitGroup
	for i := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(*seed, uint64(i)))
			m := of()
			var own []func()
			world.Work(begin - world.Now())
			n := 0
			for world.Now() < to {
				switch {
				case r.IntN(100) >= *writes:
					m.match(names[r.IntN(len(names))])
				case len(own) > 0 && r.IntN(8) < len(own):
					own[len(own)-1]()
					own = own[:len(own)-1]
				default:
					own = append(own, m.subscribe(pattern(r)))
				}
				if warmed++; warmed == *warm {
					from = world.Now() + 20*time.Microsecond
					to = from + *last
				}
				if now := world.Now(); now > from && now < to {
					n++
				}
			}
			c.ops += n
		})
	}
	if ix != nil && *photos >= 0 {
		wg.Go(func() {
			world.Work(begin - world.Now())
			for world.Now() < to {
				began := world.Now()
				ix.Snapshot()
				took := world.Now() - began
				if began > from {
					c.photos++
					c.taking += took
					c.longest = max(c.longest, took)
				}
				world.Work(*photos)
			}
		})
	}
	wg.Go(func() {})
	wg.Wait()
	return c
}
