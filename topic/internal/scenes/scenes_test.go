package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

func TestMain(m *testing.M) { orders.Main(m) }

// small are changes that make the rare common: two locks, so that there are few
// steps, a small cache that is there at once, and room for few shapes.
var small = []overlay.Change{
	{File: "topic/table.go", Old: "leastStripes = 32", New: "leastStripes = 2"},
	{File: "topic/table.go", Old: "mostStripes  = 256", New: "mostStripes  = 2"},
	{File: "topic/cache.go", Old: "ringSize  = 64", New: "ringSize  = 4"},
	{File: "topic/cache.go", Old: "cacheSize = 2048", New: "cacheSize = 4"},
}

var cached = []overlay.Change{
	{File: "topic/trial.go", Old: "firstRest = 256", New: "firstRest = 1"},
	{File: "topic/cache.go", Old: "rand.Uint32()%64 == 0", New: "true"},
}

var marked = []overlay.Change{
	{File: "topic/shape.go", Old: "shapeLimit = 256", New: "shapeLimit = 1"},
}

// over are changes by which a cache is tried at the second miss, is over if there was a
// change before the next Match, and stays in the guide.
var over = []overlay.Change{
	{File: "topic/trial.go", Old: "lookEvery = 64", New: "lookEvery = 2"},
	{File: "topic/trial.go", Old: "lookAt    = 64", New: "lookAt    = 1"},
	{File: "topic/trial.go", Old: "strikes   = 3", New: "strikes   = 1"},
	{File: "topic/cache.go", Old: "rand.Uint32()%16 == 0", New: "true"},
	{File: "topic/trial.go", Old: "\t\tt.ix.setCache(c, false)\n\t}\n}\n\n// setCache", New: "\t}\n}\n\n// setCache"},
}

// kinds are what a program is built with.
var kinds = []struct {
	name    string
	changes []overlay.Change
}{
	{"plain", small},
	{"cached", slices.Concat(small, cached)},
	{"marked", slices.Concat(small, marked)},
	{"both", slices.Concat(small, cached, marked)},
	{"over", slices.Concat(small, cached, over)},
}

// priced are changes by which the machine knows what a Match computes that goes
// through the shapes.
var priced = []overlay.Change{
	{File: "topic/match.go", Old: "import \"math/bits\"\n", New: "import (\n\t\"math/bits\"\n\n\tshim_ \"github.com/gopayoff/payoff/internal/world/shim\"\n)\n"},
	{File: "topic/match.go", Old: "\tdollar := v.hash.dollar", New: "\tshim_.Pause(3 * 80)\n\tdollar := v.hash.dollar"},
}

// played is the program where time passes.
var played = &orders.Program{Package: "./topic", Changes: priced}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) { played.Leave(t) }

// TestRecord writes the table of the record.
func TestRecord(t *testing.T) {
	file := orders.Record(t, "topic.md")
	measured := func(procs int, name, args string) float64 {
		return played.Play(t, procs, orders.None, args).Number(name)
	}
	var b strings.Builder
	b.WriteString(`Simulated, not measured: topic's own code, on a machine whose steps have prices (internal/world), beside a model of the lock, the counters and the cache of nats-server's subject list (topic/internal/scenes/tree.go), of which no code runs. The machine is two sockets of complexes of 8 cores. 10,000 patterns of devices, 1,000 subjects, one goroutine a processor; what a call computes is set so that with one processor the figures are about those that were measured. Caches are as large as they need to be, and there is no garbage to collect.

` + "`go test ./topic/internal/scenes -run Record -update`" + `

Million operations a second, for so many subscriptions that come or go in 100 operations, and µs that a Snapshot takes, one each 100 µs, while the others change 10 in 100:

| processors | 0: topic | tree | 1: topic | tree | 10: topic | tree | 50: topic | tree | Snapshot |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	machine := orders.Machines[1].Flags + " -time=200us"
	for _, procs := range []int{1, 2, 4, 16, 64, 256} {
		fmt.Fprintf(&b, "| %d |", procs)
		for _, writes := range []int{0, 1, 10, 50} {
			// Long enough for caches to have been tried.
			fmt.Fprintf(&b, " %.1f |", measured(procs, "ops", fmt.Sprint(machine, " -index=topic -warm=150000 -writes=", writes)))
			fmt.Fprintf(&b, " %.1f |", measured(procs, "ops", fmt.Sprint(machine, " -index=tree -warm=8000 -writes=", writes)))
		}
		if procs == 1 {
			b.WriteString(" |\n")
			continue
		}
		took := measured(procs, "take", machine+" -index=topic -warm=100000 -writes=10 -time=500us -photos=100us")
		fmt.Fprintf(&b, " %.1f |\n", took)
	}
	orders.Write(t, file, b.String())
}

// faults are planted in the protocols, by the kind that they are found in. Orders find
// them, if need be with the detector of races.
var faults = map[string][]orders.Fault{
	"cached": {
		{Name: "a change is noted after it was made", Order: "comes", Change: overlay.Change{File: "topic/index.go",
			Old: "c.begin(key, marked)\n\t\tdefer c.end()",
			New: "defer func() { c.begin(key, marked); c.end() }()"}},
		{Name: "a change is noted before it is made, and no more", Order: "comes", Change: overlay.Change{File: "topic/index.go",
			Old: "c.begin(key, marked)\n\t\tdefer c.end()",
			New: "c.begin(key, marked)\n\t\tc.end()"}},
		{Name: "a result is taken for newer than a change that goes on", Order: "goes", Change: overlay.Change{File: "topic/cache.go",
			Old: "r.stamp.Store(c.ended.Load())",
			New: "r.stamp.Store(c.begun.Load())"}},
		{Name: "a result is as new as what was made after its Match", Order: "goes", Change: overlay.Change{File: "topic/cache.go",
			Old: "\tc.slots[i].Store(r)\n}",
			New: "\tr.stamp.Store(c.ended.Load())\n\tc.slots[i].Store(r)\n}"}},
		{Name: "a cache comes without locks", Order: "first", Change: overlay.Change{File: "topic/trial.go",
			Old: "if !ix.stripes[i].TryLock() {\n\t\t\treturn false\n\t\t}\n\t\tdefer ix.stripes[i].Unlock()",
			New: "_ = i"}},
	},
	"plain": {
		{Name: "a guide comes without locks", Order: "two", Change: overlay.Change{File: "topic/index.go",
			Old: "\tix.lockAll()\n\tdefer ix.unlockAll()\n\tix.guide.Store(",
			New: "\tix.guide.Store("}},
		{Name: "a snapshot is taken without locks", Order: "snapshot", Change: overlay.Change{File: "topic/snapshot.go",
			Old: "\tix.lockAll()\n\tdefer ix.unlockAll()\n",
			New: ""}},
		{Name: "a node is there before its tag", Order: "returns", Change: overlay.Change{File: "topic/table.go",
			Old: "\t\ts.tags[g].Store(w&^(0xff<<(8*i)) | tagOf(key)&(0xff<<(8*i)))\n\t\ts.nodes[g<<3+i].Store(n)\n",
			New: "\t\ts.nodes[g<<3+i].Store(n)\n\t\ts.tags[g].Store(w&^(0xff<<(8*i)) | tagOf(key)&(0xff<<(8*i)))\n"}},
		{Name: "two end a subscription", Order: "turns", Change: overlay.Change{File: "topic/index.go",
			Old: "\t\tst.Unlock()\n\t\treturn false\n",
			New: "\t\tst.Unlock()\n\t\treturn true\n"}},
	},
	"marked": {
		{Name: "a mark comes after its subscription", Order: "snapshot", Change: overlay.Change{File: "topic/index.go",
			Old: "\t\tix.addMarks(pattern, 1)\n",
			New: "\t\tdefer ix.addMarks(pattern, 1)\n"}},
		{Name: "marks go before their subscription", Order: "snapshot", Change: overlay.Change{File: "topic/index.go",
			Old: "\told := ix.table.lookup(p.key, s.pattern, false)\n\tix.change(st, p.key, old, nodeWithout(old, s), s.in.marked)",
			New: "\tif s.in.marked {\n\t\tst.Unlock()\n\t\tix.addMarks(s.pattern, -1)\n\t\tst.Lock()\n\t}\n\told := ix.table.lookup(p.key, s.pattern, false)\n\tix.change(st, p.key, old, nodeWithout(old, s), s.in.marked)"}},
	},
	"over": {
		{Name: "a result is believed though the cache is over", Order: "turns", Change: overlay.Change{File: "topic/cache.go",
			Old: "if c == nil || c.over.Load() {",
			New: "if c == nil {"}},
	},
}

// TestScenes: whatever the order of their steps, subscriptions come and go at one
// moment each. Scenes find each of faults. The short form has one program, in which there
// are marks and caches.
func TestScenes(t *testing.T) {
	for _, kind := range kinds {
		of := faults[kind.name]
		switch {
		case stress.Long():
		case kind.name != "both":
			continue
		default:
			of = slices.Concat(faults["plain"], faults["cached"], faults["marked"])
		}
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			orders.Run(t, orders.Tests{
				Program: &orders.Program{Package: "./topic", Changes: kind.changes},
				Faults:  of,
				Short:   orders.Depth{Delays: 1, Walks: 100, Most: 2000},
				Long:    orders.Depth{Delays: 2, Walks: 1000, Most: 4000},
				Find:    orders.Depth{Delays: 2, Walks: 2000, Most: 20000},
			}, scenes)
		})
	}
}
