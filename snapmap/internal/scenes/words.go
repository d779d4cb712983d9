package main

import (
	"fmt"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/snapmap"
)

// operations are those whose words are counted, each on a Map of 10,000 keys and its key.
var operations = []struct {
	name string
	do   func(m *snapmap.Map[int, int], key int)
}{
	{"nothing", func(*snapmap.Map[int, int], int) {}},
	{"Load", func(m *snapmap.Map[int, int], key int) { m.Load(key) }},
	{"Load-of-none", func(m *snapmap.Map[int, int], key int) { m.Load(-key - 1) }},
	{"Store-again", func(m *snapmap.Map[int, int], key int) { m.Store(key, 2) }},
	{"Delete-and-Store", func(m *snapmap.Map[int, int], key int) { m.Delete(key); m.Store(key, 2) }},
	{"Compute", func(m *snapmap.Map[int, int], key int) {
		m.Compute(key, func(old int, _ bool) (int, bool) { return old + 1, true })
	}},
	{"Len", func(m *snapmap.Map[int, int], _ int) { m.Len() }},
	{"Snapshot-and-Store", func(m *snapmap.Map[int, int], key int) { m.Snapshot(); m.Store(key, 2) }},
}

// countWords prints how many words an operation reads and writes by sync/atomic.
func countWords(m *stage.Machine) {
	const keys, times = 10_000, 500
	var reads, writes uint64 // of nothing
	for i, op := range operations {
		w, err := world.Run(m.Prices, 1, m.Seed, func() {
			var m snapmap.Map[int, int]
			for k := range keys {
				m.Store(k, 1)
			}
			for g := any(&m).(interface {
				MoreShards()
				Shards() int
			}); g.Shards() < *shards; {
				g.MoreShards()
			}
			for k := range keys {
				m.Store(k, 1)
			}
			for k := range times {
				op.do(&m, k*7)
			}
		})
		if err != nil {
			panic(err)
		}
		r, t := w.Touched()
		if i == 0 {
			reads, writes = r, t
			continue
		}
		fmt.Printf("op=%s reads=%.1f writes=%.1f\n", op.name, float64(r-reads)/times, float64(t-writes)/times)
	}
}
