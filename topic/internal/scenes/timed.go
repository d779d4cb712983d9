package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/topic"
)

var (
	kind     = flag.String("index", "topic", "topic, or tree, as NATS has it")
	patterns = flag.Int("patterns", 10_000, "in the index, or so")
	subjects = flag.Int("subjects", 1000, "that are looked for")
	writes   = flag.Int("writes", 0, "of 100 operations that subscribe or unsubscribe")
	photos   = flag.Duration("photos", -1, "one more goroutine takes snapshots, and waits so long after each; < 0: none")
	warm     = flag.Int("warm", 40_000, "operations, in all, before what is counted")
	last     = flag.Duration("time", 200*time.Microsecond, "that is counted")
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

// runTimed is what so many processors do.
func runTimed(m *stage.Machine) {
	m.Prices.Spin = 400 // 30 PAUSEs, which take 13 ns each, or 45
	debug.SetGCPercent(-1)
	var c counts
	m.Run(func() { c = timed(m.Seed, m.Latency) })
	m.Add("index", *kind)
	m.Add("writes", *writes)
	m.Add("ops", fmt.Sprintf("%.1f", float64(c.ops)/last.Seconds()/1e6))
	if *photos >= 0 {
		m.Add("photos", fmt.Sprintf("%.0f", float64(c.photos)/last.Seconds()))
		m.Add("take", c.taking/time.Duration(max(c.photos, 1)))
		m.Add("longest", c.longest)
	}
}

// counts are what was done while it was counted.
type counts struct {
	ops, photos     int
	taking, longest time.Duration // to take a snapshot
}

// timed has a goroutine for each processor work on an index.
func timed(seed uint64, latency time.Duration) (c counts) {
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
	r := rand.New(rand.NewPCG(seed, math.MaxUint64))
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
	begin := world.Now() + time.Duration(shim.Procs)*(latency*3/2+5*time.Microsecond) + time.Millisecond
	const never = time.Duration(math.MaxInt64)
	from, to, warmed := never, never, 0
	var wg shim.WaitGroup
	for i := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
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
