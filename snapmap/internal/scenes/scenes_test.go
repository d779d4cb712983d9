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

	"github.com/gopayoff/payoff/internal/world/overlay"
)

var update = flag.Bool("update", false, "write the record")

// priced are changes by which the machine knows what it does not see: the waits of who
// wants a lock, which are loads of a word nobody else knows; and copies of pages, of
// which each line comes from another processor if that has written it.
var priced = []overlay.Change{
	{File: "snapmap/lock.go", Old: "func pause(i int) {\n", New: "func pause(i int, _ ...struct{}) {\n"}, // another than that of the overlay
	{File: "snapmap/lock.go", Old: "	var x atomic.Uint32\n	for range shortWait {\n		x.Load()\n	}\n", New: "	shim_.Pause(2 * shortWait)\n"},
	{File: "internal/wait/backoff.go", Old: "	var x atomic.Uint32\n	for range n {\n		x.Load()\n	}\n", New: "	shim_.Pause(n)\n"},
	{File: "snapmap/page.go", Old: "	copy(c.buckets[:], p.buckets[:])\n",
		New: "	for i := range p.buckets {\n		p.buckets[i].meta.Load()\n	}\n	shim_.Pause(3 * 60)\n	copy(c.buckets[:], p.buckets[:])\n"},
}

// grown lets the program have so many shards from the start.
var grown = []overlay.Change{
	{File: "snapmap/shard.go", Old: "// growShards makes more shards:",
		New: "func (m *Map[K, V]) Grow() { m.growShards(m.shards.Load()) }\n\nfunc (m *Map[K, V]) Shards() int { return len(m.shards.Load().list) }\n\n// growShards makes more shards:"},
}

// timers are in a package that snapmap uses, but not in what it uses of that.
var timers = []overlay.Change{
	{File: "internal/wait/stack.go", Old: "t.t = time.AfterFunc(d, f)", New: "panic(\"no timers\")"},
}

func build(t testing.TB, changes []overlay.Change, flags ...string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, out, "./snapmap/internal/scenes", "./snapmap", slices.Concat(timers, changes), flags...); err != nil {
		t.Fatal(err)
	}
	return out
}

// run runs the program on a machine of so many processors. It has one of this machine,
// so that memory is handed out in the same order each time.
func run(program string, procs int, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1",
		"GORACE=halt_on_error=1 atexit_sleep_ms=0")
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) {
	to := os.Getenv("SCENES")
	if to == "" {
		t.Skip("SCENES names no file")
	}
	data, err := os.ReadFile(build(t, slices.Concat(priced, grown)))
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
