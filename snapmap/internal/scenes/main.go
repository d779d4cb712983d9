// Scenes runs package snapmap on a machine that is simulated, beside the layouts of
// other maps, and prints what came of it. It is built by its tests; see package world.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/snapmap"
)

var (
	kind   = flag.String("map", "snapmap", "snapmap, buckets or trie")
	keys   = flag.Int("keys", 10_000, "in the map")
	writes = flag.Int("writes", 0, "of 100 operations")
	shards = flag.Int("shards", 1, "of the map, before the processors come")
	views  = flag.Duration("views", -1, "one more goroutine takes views, and waits so long after each; < 0: none")
	read   = flag.Bool("read", false, "it reads all entries of each view")
	lens   = flag.Bool("len", false, "it asks for Len instead")
	beside = flag.Int("beside", 0, "goroutines that compute beside, for each processor")
	warm   = flag.Int("warm", 20_000, "operations, in all, before what is counted")
	share  = flag.Bool("share", false, "all processors have read all lines before")
	last   = flag.Duration("time", 200*time.Microsecond, "that is counted")
	count  = flag.Bool("count", false, "instead, count the words that each operation reads and writes")
)

// A table is a map of those that are compared.
type table interface {
	Load(key int) (value int, ok bool)
	Store(key, value int)
}

func newTable() table {
	switch *kind {
	case "snapmap":
		return &words8{}
	case "buckets":
		return newBuckets(*keys)
	case "trie":
		return newTrie(*keys)
	}
	panic("no such map")
}

// words8 is a Map whose calls compute for as long as those that are measured.
type words8 struct{ snapmap.Map[int, int] }

func (m *words8) Load(key int) (int, bool) {
	world.Work(6)
	return m.Map.Load(key)
}

func (m *words8) Store(key, value int) {
	world.Work(25)
	m.Map.Store(key, value)
}

func main() { stage.Main(stage.Program{Scenes: scenes, Procs: 3, Timed: play}) }

// play is what so many processors do.
func play(m *stage.Machine) {
	m.Prices.Spin = 400 // 30 PAUSEs, which take 13 ns each, or 45
	debug.SetGCPercent(-1)
	if *count {
		countWords(m)
		return
	}
	var c counts
	m.Run(func() { c = timed(m.Seed, m.Latency) })
	m.Add("map", *kind)
	m.Add("writes", *writes)
	m.Add("ops", fmt.Sprintf("%.1f", float64(c.ops)/last.Seconds()/1e6))
	if *views >= 0 {
		m.Add("views", fmt.Sprintf("%.0f", float64(c.views)/last.Seconds()))
		m.Add("take", c.taking/time.Duration(max(c.views, 1)))
		m.Add("longest", c.longest)
	}
}

// counts are what was done while it was counted.
type counts struct {
	ops, views      int
	taking, longest time.Duration // to take a view
}

// timed has a goroutine for each processor work on a map.
func timed(seed uint64, latency time.Duration) (c counts) {
	m := newTable()
	for k := range *keys {
		m.Store(k, k)
	}
	for g, ok := m.(interface {
		MoreShards()
		Shards() int
	}); ok && g.Shards() < *shards; {
		g.MoreShards()
	}
	for k := range *keys {
		m.Load(k) // so that the machine knows the line
	}
	if *share {
		world.Share()
	}
	workers := shim.Procs
	if *views >= 0 && workers > 1 {
		workers--
	}
	// Each begins when all are awake, which takes the longer the more they are.
	begin := world.Now() + time.Duration(shim.Procs*(*beside+1))*(latency*3/2+5*time.Microsecond) + time.Millisecond
	const never = time.Duration(math.MaxInt64)
	from, to, warmed := never, never, 0
	var wg shim.WaitGroup
	for i := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			world.Work(begin - world.Now())
			for n := 0; ; {
				if warmed++; warmed == *warm {
					from = world.Now() + 20*time.Microsecond
					to = from + *last
				}
				key := r.IntN(*keys)
				if r.IntN(100) < *writes {
					m.Store(key, n)
				} else {
					m.Load(key)
				}
				switch now := world.Now(); {
				case now > to:
					c.ops += n
					return
				case now > from:
					n++
				}
			}
		})
	}
	if m, ok := m.(*words8); ok && *views >= 0 {
		wg.Go(func() {
			world.Work(begin - world.Now())
			for {
				began := world.Now()
				var v snapmap.View[int, int]
				if *lens {
					m.Len()
				} else {
					v = m.Snapshot()
				}
				took := world.Now() - began
				if *read {
					for range v.All() {
					}
				}
				if world.Now() > to {
					return
				}
				if began > from {
					c.views++
					c.taking += took
					c.longest = max(c.longest, took)
				}
				world.Work(*views)
			}
		})
	}
	for range *beside * shim.Procs {
		wg.Go(func() {
			for world.Now() < to {
				world.Work(100 * time.Microsecond)
			}
		})
	}
	wg.Go(func() {})
	wg.Wait()
	return c
}
