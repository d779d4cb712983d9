package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/plant"
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
	{File: "snapmap/flat.go", Old: "	for i := range c.buckets {\n		b := &c.buckets[i]\n",
		New: "	shim_.Pause(3 * 90)\n	for i := range c.buckets {\n		f.buckets[i].meta.Load()\n		f.rows[i].values[0].Load()\n		b := &c.buckets[i]\n"},
}

// grown gives the program what is not public: more shards when it wants them, and locks.
var grown = []overlay.Change{
	{File: "snapmap/shard.go", Old: "func (m *Map[K, V]) growShards(",
		New: "func (m *Map[K, V]) MoreShards() { m.growShards(m.shards.Load()) }\n\nfunc (m *Map[K, V]) Shards() int { return len(m.shards.Load().list) }\n\nfunc (m *Map[K, V]) Resize() { m.resize() }\n\nfunc (m *Map[K, V]) Home(key K) int { return home(hash(m.hasher(), key)) }\n\n" +
			"func (m *Map[K, V]) LockOne(hash uint64, f func(shard any, now bool)) {\n\ts, sh := m.lock(hash)\n\tf(sh, m.shards.Load() == s)\n\tsh.unlock()\n}\n\n" +
			"func (m *Map[K, V]) LockAll(f func()) {\n\tm.lockAll()\n\tf()\n\tm.unlockAll()\n}\n\n" +
			"func (m *Map[K, V]) growShards("},
}

func build(t testing.TB, changes []overlay.Change, faults [][]overlay.Change, flags ...string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, out, "./snapmap/internal/scenes", "./snapmap", changes, faults, flags...); err != nil {
		t.Fatal(err)
	}
	return out
}

// run runs the program on a machine of so many processors. It has one of this machine,
// so that memory is handed out in the same order each time.
func run(program string, procs int, args ...string) (string, error) {
	return runWith(-1, program, procs, args...)
}

// runWith is run of a program with one of faults.
func runWith(fault int, program string, procs int, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1",
		"GORACE=halt_on_error=1 atexit_sleep_ms=0", fmt.Sprint(plant.Env, "=", fault))
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// machines are the three with what a wake costs and takes there, as in par's scenes.
var machines = []string{
	"-machine=ring -wake=1.5us -latency=5us",
	"-machine=chiplet -wake=3us -latency=15us",
	"-machine=mesh -wake=16us -latency=100us",
}

// field returns the value of a field that the program prints.
func field(t testing.TB, out, name string) string {
	t.Helper()
	for f := range strings.FieldsSeq(out) {
		if n, v, _ := strings.Cut(f, "="); n == name {
			return v
		}
	}
	t.Fatalf("no %s in %s", name, out)
	return ""
}

// measured runs a scene, and returns a field.
func measured(t testing.TB, program string, procs int, of, args string) float64 {
	t.Helper()
	out, err := run(program, procs, strings.Fields(args)...)
	if err != nil || strings.Contains(out, "error=") {
		t.Fatalf("%d processors, %s: %v\n%s", procs, args, err, out)
	}
	text := field(t, out, of)
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d) / 1e3
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestGain: many processors are worth something, and a view does not cost more than the
// lines it looks at.
func TestGain(t *testing.T) {
	program := build(t, slices.Concat(priced, grown), nil)
	for _, c := range []struct {
		procs int
		args  string
		of    string
		least float64
		most  float64
	}{
		{1, "-writes=100", "ops", 15, 25},
		{8, "-writes=0 -share", "ops", 500, 900},
		{8, "-writes=100 -shards=64", "ops", 40, 200},
		{8, "-writes=100 -shards=64 -views=20us", "take", 0.01, 5},
	} {
		args := machines[1] + " -time=100us " + c.args
		if v := measured(t, program, c.procs, c.of, args); v < c.least || v > c.most {
			t.Errorf("%d processors, %s: %s is %g, want %g to %g", c.procs, args, c.of, v, c.least, c.most)
		}
	}
}

// TestWords: the words that operations read and write are as protocol.md says. A Load
// writes none.
func TestWords(t *testing.T) {
	program := build(t, slices.Concat(priced, grown), nil)
	out, err := run(program, 1, "-count", "-shards=64")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Log(out)
	for _, c := range []struct {
		op            string
		reads, writes float64
	}{{"Load", 8, 0}, {"Store-again", 13, 3}, {"Len", 70, 4}} {
		_, line, _ := strings.Cut(out, "op="+c.op+" ")
		line, _, _ = strings.Cut(line, "\n")
		reads, _ := strconv.ParseFloat(field(t, line, "reads"), 64)
		writes, _ := strconv.ParseFloat(field(t, line, "writes"), 64)
		if reads > c.reads || writes > c.writes {
			t.Errorf("%s reads %g words and writes %g, want %g and %g at most", c.op, reads, writes, c.reads, c.writes)
		}
	}
}

// TestRecord writes the table of the record: the rows of the machines that are run, as in
// -run Record/ring. What memory lies where differs from process to process, and with it
// the figures, by some percent: nothing holds them to it.
func TestRecord(t *testing.T) {
	if !*update {
		t.Skip("-update writes record/simulated/snapmap.md")
	}
	program := build(t, slices.Concat(priced, grown), nil)
	file := filepath.Join("..", "..", "..", "record", "simulated", "snapmap.md")
	was, _ := os.ReadFile(file)
	rows := map[string][]string{}
	for line := range strings.Lines(string(was)) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok {
			rows[name] = append(rows[name], line)
		}
	}
	for _, m := range machines {
		name := strings.Fields(strings.TrimPrefix(m, "-machine="))[0]
		t.Run(name, func(t *testing.T) {
			var mixes, views []string
			for _, procs := range []int{1, 2, 4, 16, 64, 256} {
				// As many shards as there are once goroutines have waited for each other.
				shards := 1
				for shards < 1024 && shards < 4*procs && procs > 1 {
					shards *= 4
				}
				at := fmt.Sprintf("%s -time=100us -shards=%d ", m, shards)
				var b strings.Builder
				fmt.Fprintf(&b, "| %s | %d |", name, procs)
				for _, writes := range []int{0, 1, 10, 50, 100} {
					warm := fmt.Sprintf("-writes=%d -warm=%d", writes, 2_000_000/max(writes, 1))
					if writes < 10 {
						warm = fmt.Sprintf("-writes=%d -warm=%d -share", writes, 20_000)
					}
					for _, kind := range []string{"snapmap", "buckets", "trie"} {
						fmt.Fprintf(&b, " %.0f |", measured(t, program, procs, "ops", fmt.Sprintf("%s -map=%s %s", at, kind, warm)))
					}
				}
				mixes = append(mixes, b.String()+"\n")
				if procs == 1 {
					continue
				}
				at = fmt.Sprintf("%s -time=500us -shards=%d -writes=100", m, shards)
				alone := measured(t, program, procs-1, "ops", at)
				views = append(views, fmt.Sprintf("| %s | %d | %d | %.2f | %.2f | %.0f %% | %.0f |\n", name, procs, shards,
					measured(t, program, procs, "take", at+" -views=50us"),
					measured(t, program, procs, "take", at+" -views=50us -len"),
					100*measured(t, program, procs, "ops", at+" -views=50us")/alone,
					measured(t, program, procs, "views", at+" -views=0s -read")))
			}
			rows[name] = slices.Concat(mixes, views)
		})
	}
	var b strings.Builder
	b.WriteString(`Simulated, not measured: snapmap's own code, on a machine whose steps have prices (internal/world), beside models of the layouts of two other maps (snapmap/internal/scenes/rivals.go): buckets has a lock in each bucket of a cache line, as xsync's map; trie one in each inner node, as sync.Map. None of their code runs. 10,000 keys of type int, one goroutine a processor; what a call computes is set so that with one processor the figures are about those that were measured; snapmap has the shards that it has when it has grown. Caches are as large as they need to be, and there is no garbage to collect. Where fewer than 10 operations of 100 write, all processors have read all lines before.

` + "`go test ./snapmap/internal/scenes -run Record -update`" + `

Million operations a second, for so many writes in 100 operations:

| machine | processors | 0: snapmap | buckets | trie | 1: snapmap | buckets | trie | 10: snapmap | buckets | trie | 50: snapmap | buckets | trie | 100: snapmap | buckets | trie |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	const mixes = 6
	for _, m := range machines {
		name := strings.Fields(strings.TrimPrefix(m, "-machine="))[0]
		b.WriteString(strings.Join(rows[name][:min(mixes, len(rows[name]))], ""))
	}
	b.WriteString(`
Snapshots, while all processors but one update: µs that one takes, µs that Len takes, what the others keep of their speed with 50 µs between two snapshots, and snapshots that are also read, a second. Where views are 0, none was done in the 0.5 ms that were simulated:

| machine | processors | shards | Snapshot | Len | kept | read |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	for _, m := range machines {
		name := strings.Fields(strings.TrimPrefix(m, "-machine="))[0]
		b.WriteString(strings.Join(rows[name][min(mixes, len(rows[name])):], ""))
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) {
	to := os.Getenv("SCENES")
	if to == "" {
		t.Skip("SCENES names no file")
	}
	data, err := os.ReadFile(build(t, slices.Concat(priced, grown), nil))
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
