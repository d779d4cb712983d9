// Scenes runs package pipe on a machine that is simulated, and prints what came of
// it. It is built by its tests; see package world.
package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/pipe"
)

var (
	items = flag.Int("items", 100_000, "of a run")
	elem  = flag.Duration("elem", 1000, "work of an item")
	sink  = flag.Duration("sink", 2, "work of the sink for an item")
	runs  = flag.Int("runs", 5, "one after the other")
)

// Helpers join items that are short; those that are long have a staff.
const short, long = 40 * time.Microsecond, 200 * time.Microsecond

func main() {
	staffed := []time.Duration{long}
	stage.Main(stage.Program{
		Scenes: scenes, Procs: 3,
		Looks: []time.Duration{short, long}, LooksOf: map[string][]time.Duration{"atmost": staffed, "lent": staffed},
		Timed: gain,
	})
}

// gain is runs beside the loop.
func gain(m *stage.Machine) {
	var first, mid time.Duration
	m.Run(func() { first, mid = timed() })
	m.Add("items", *items)
	m.Add("elem", *elem)
	m.Add("first", first)
	m.Add("took", mid)
	m.Add("gain", float64(time.Duration(*items)*(*elem+*sink))/float64(mid))
}

// timed makes runs one after the other, and returns what the first took, and the
// median of all.
func timed() (first, mid time.Duration) {
	p := pipe.Map(pipe.Range(*items), func(i int) int {
		world.Work(*elem)
		return i
	})
	var took []time.Duration
	for range *runs {
		from, next := world.Now(), 0
		err := p.ForEach(context.Background(), func(i int) error {
			if i != next {
				panic("wrong order")
			}
			next++
			world.Work(*sink)
			return nil
		})
		if err != nil || next != *items {
			panic(fmt.Sprint("items are missing: ", err))
		}
		took = append(took, world.Now()-from)
		world.Sleep(2 * time.Millisecond)
	}
	first = took[0]
	slices.Sort(took)
	return first, took[len(took)/2]
}
