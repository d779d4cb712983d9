package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/plant"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

var update = flag.Bool("update", false, "write the record")

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
	{File: "topic/shape.go", Old: "shapeLimit = 64", New: "shapeLimit = 1"},
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

// both is the kind with marks and caches.
const both = 3

func build(dir string, changes []overlay.Change, faults [][]overlay.Change, flags ...string) (string, error) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "scenes")
	return out, overlay.Build(root, dir, out, "./topic/internal/scenes", "./topic", changes, faults, flags...)
}

// priced are changes by which the machine knows what a Match computes that goes
// through the shapes.
var priced = []overlay.Change{
	{File: "topic/match.go", Old: "import \"math/bits\"\n", New: "import (\n\t\"math/bits\"\n\n\tshim_ \"github.com/gopayoff/payoff/internal/world/shim\"\n)\n"},
	{File: "topic/match.go", Old: "\tdollar := v.hash.dollar", New: "\tshim_.Pause(3 * 80)\n\tdollar := v.hash.dollar"},
}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) {
	to := os.Getenv("SCENES")
	if to == "" {
		t.Skip("SCENES names no file")
	}
	program, err := build(t.TempDir(), priced, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRecord writes the table of the record. What memory lies where differs from process
// to process, and with it the figures, by some percent: nothing holds them to it.
func TestRecord(t *testing.T) {
	if !*update {
		t.Skip("-update writes record/simulated/topic.md")
	}
	program, err := build(t.TempDir(), priced, nil)
	if err != nil {
		t.Fatal(err)
	}
	measured := func(procs int, name, args string) string {
		cmd := exec.Command(program, strings.Fields(args)...)
		cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1")
		out, err := cmd.CombinedOutput()
		for f := range strings.FieldsSeq(string(out)) {
			if n, v, _ := strings.Cut(f, "="); n == name && err == nil {
				return v
			}
		}
		t.Fatalf("%d processors, %s: %v\n%s", procs, args, err, out)
		return ""
	}
	var b strings.Builder
	b.WriteString(`Simulated, not measured: topic's own code, on a machine whose steps have prices (internal/world), beside a model of the lock, the counters and the cache of nats-server's subject list (topic/internal/scenes/tree.go), of which no code runs. The machine is two sockets of complexes of 8 cores. 10,000 patterns of devices, 1,000 subjects, one goroutine a processor; what a call computes is set so that with one processor the figures are about those that were measured. Caches are as large as they need to be, and there is no garbage to collect.

` + "`go test ./topic/internal/scenes -run Record -update`" + `

Million operations a second, for so many subscriptions that come or go in 100 operations, and µs that a Snapshot takes, one each 100 µs, while the others change 10 in 100:

| processors | 0: topic | tree | 1: topic | tree | 10: topic | tree | 50: topic | tree | Snapshot |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	const machine = "-machine=chiplet -wake=3us -latency=15us -time=200us"
	for _, procs := range []int{1, 2, 4, 16, 64, 256} {
		fmt.Fprintf(&b, "| %d |", procs)
		for _, writes := range []int{0, 1, 10, 50} {
			// Long enough for caches to have been tried.
			fmt.Fprintf(&b, " %s |", measured(procs, "ops", fmt.Sprint(machine, " -index=topic -warm=150000 -writes=", writes)))
			fmt.Fprintf(&b, " %s |", measured(procs, "ops", fmt.Sprint(machine, " -index=tree -warm=8000 -writes=", writes)))
		}
		if procs == 1 {
			b.WriteString(" |\n")
			continue
		}
		took := measured(procs, "take", machine+" -index=topic -warm=100000 -writes=10 -time=500us -photos=100us")
		d, err := time.ParseDuration(took)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, " %.1f |\n", float64(d)/1e3)
	}
	file := filepath.Join("..", "..", "..", "record", "simulated", "topic.md")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// faults are planted in the protocols. Orders find them, if need be with the
// detector of races.
var faults = []struct {
	name, scene string
	kind        string
	change      overlay.Change
}{
	{"a change is noted after it was made", "comes", "cached", overlay.Change{File: "topic/index.go",
		Old: "c.begin(key, marked)\n\t\tdefer c.end()",
		New: "defer func() { c.begin(key, marked); c.end() }()"}},
	{"a change is noted before it is made, and no more", "comes", "cached", overlay.Change{File: "topic/index.go",
		Old: "c.begin(key, marked)\n\t\tdefer c.end()",
		New: "c.begin(key, marked)\n\t\tc.end()"}},
	{"a result is taken for newer than a change that goes on", "goes", "cached", overlay.Change{File: "topic/cache.go",
		Old: "r.stamp.Store(c.ended.Load())",
		New: "r.stamp.Store(c.begun.Load())"}},
	{"a result is as new as what was made after its Match", "goes", "cached", overlay.Change{File: "topic/cache.go",
		Old: "\tc.slots[i].Store(r)\n}",
		New: "\tr.stamp.Store(c.ended.Load())\n\tc.slots[i].Store(r)\n}"}},
	{"a cache comes without locks", "first", "cached", overlay.Change{File: "topic/trial.go",
		Old: "if !ix.stripes[i].TryLock() {\n\t\t\treturn false\n\t\t}\n\t\tdefer ix.stripes[i].Unlock()",
		New: "_ = i"}},
	{"a guide comes without locks", "two", "plain", overlay.Change{File: "topic/index.go",
		Old: "\tix.lockAll()\n\tdefer ix.unlockAll()\n\tix.guide.Store(",
		New: "\tix.guide.Store("}},
	{"a mark comes after its subscription", "snapshot", "marked", overlay.Change{File: "topic/index.go",
		Old: "\t\tix.addMarks(pattern, 1)\n",
		New: "\t\tdefer ix.addMarks(pattern, 1)\n"}},
	{"marks go before their subscription", "snapshot", "marked", overlay.Change{File: "topic/index.go",
		Old: "\told := ix.table.lookup(p.key, s.pattern, false)\n\tix.change(st, p.key, old, nodeWithout(old, s), s.in.marked)",
		New: "\tif s.in.marked {\n\t\tst.Unlock()\n\t\tix.addMarks(s.pattern, -1)\n\t\tst.Lock()\n\t}\n\told := ix.table.lookup(p.key, s.pattern, false)\n\tix.change(st, p.key, old, nodeWithout(old, s), s.in.marked)"}},
	{"a snapshot is taken without locks", "snapshot", "plain", overlay.Change{File: "topic/snapshot.go",
		Old: "\tix.lockAll()\n\tdefer ix.unlockAll()\n",
		New: ""}},
	{"a result is believed though the cache is over", "turns", "over", overlay.Change{File: "topic/cache.go",
		Old: "if c == nil || c.over.Load() {",
		New: "if c == nil {"}},
	{"a node is there before its tag", "returns", "plain", overlay.Change{File: "topic/table.go",
		Old: "\t\ts.tags[g].Store(w&^(0xff<<(8*i)) | tagOf(key)&(0xff<<(8*i)))\n\t\ts.nodes[g<<3+i].Store(n)\n",
		New: "\t\ts.nodes[g<<3+i].Store(n)\n\t\ts.tags[g].Store(w&^(0xff<<(8*i)) | tagOf(key)&(0xff<<(8*i)))\n"}},
	{"two end a subscription", "turns", "plain", overlay.Change{File: "topic/index.go",
		Old: "\t\tst.Unlock()\n\t\treturn false\n",
		New: "\t\tst.Unlock()\n\t\treturn true\n"}},
}

// run runs a scene of a program with a fault, or none where that is -1. The program has
// one processor, so that memory is handed out in the same order each time.
func run(program string, fault int, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GORACE=halt_on_error=1 atexit_sleep_ms=0", fmt.Sprint(plant.Env, "=", fault))
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// TestScenes: whatever the order of their steps, subscriptions come and go at one
// moment each. Scenes find each of faults. The short form has one program, in which there
// are marks and caches.
func TestScenes(t *testing.T) {
	these, args, flags := kinds[both:both+1], []string{"-delays=1", "-walks=100", "-runs=2000"}, []string(nil)
	if stress.Long() {
		these, args, flags = kinds, []string{"-delays=2", "-walks=1000", "-runs=4000"}, []string{"-race"}
	}
	var planted [][]overlay.Change
	for _, f := range faults {
		planted = append(planted, []overlay.Change{f.change})
	}
	for _, kind := range these {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			program, err := build(t.TempDir(), kind.changes, planted, flags...)
			if err != nil {
				t.Fatal(err)
			}
			for scene := range scenes {
				t.Run(scene, func(t *testing.T) {
					t.Parallel()
					out, err := run(program, -1, append(args, "-scene", scene)...)
					if err != nil {
						t.Errorf("%v\n%s", err, out)
					}
					t.Log(out)
				})
			}
			for i, f := range faults {
				if f.kind != kind.name && (stress.Long() || f.kind == "over") {
					continue
				}
				t.Run(f.name, func(t *testing.T) {
					t.Parallel()
					out, err := run(program, i, "-scene", f.scene, "-delays=2", "-walks=2000")
					if err == nil {
						t.Errorf("nothing was found:\n%s", out)
					}
					t.Log(strings.Join(strings.SplitN(out, "\n", 3)[:2], ": "))
				})
			}
		})
	}
}
