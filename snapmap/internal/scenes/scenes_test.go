package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

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

// played is the program where time passes.
var played = &orders.Program{Package: "./snapmap", Changes: slices.Concat(priced, grown)}

func TestMain(m *testing.M) { orders.Main(m) }

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) { played.Leave(t) }

// measured plays, and returns a field.
func measured(t testing.TB, procs int, of, args string) float64 {
	t.Helper()
	return played.Play(t, procs, orders.None, args).Number(of)
}

// TestGain: many processors are worth something, and a view does not cost more than the
// lines it looks at.
func TestGain(t *testing.T) {
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
		args := orders.Machines[1].Flags + " -time=100us " + c.args
		if v := measured(t, c.procs, c.of, args); v < c.least || v > c.most {
			t.Errorf("%d processors, %s: %s is %g, want %g to %g", c.procs, args, c.of, v, c.least, c.most)
		}
	}
}

// TestWords: the words that operations read and write are as protocol.md says. A Load
// writes none.
func TestWords(t *testing.T) {
	out, err := played.Run(t, 1, orders.None, "-count", "-shards=64")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Log(out)
	for _, c := range []struct {
		op            string
		reads, writes float64
	}{{"Load", 8, 0}, {"Store-again", 13, 3}, {"Len", 70, 4}} {
		_, line, _ := strings.Cut(out, "op="+c.op+" ")
		var reads, writes float64
		if _, err := fmt.Sscanf(line, "reads=%g writes=%g", &reads, &writes); err != nil || reads > c.reads || writes > c.writes {
			t.Errorf("%s reads %g words and writes %g, want %g and %g at most", c.op, reads, writes, c.reads, c.writes)
		}
	}
}

// TestRecord writes the table of the record: the rows of the machines that are run, as in
// -run Record/ring.
func TestRecord(t *testing.T) {
	file := orders.Record(t, "snapmap.md")
	was, _ := os.ReadFile(file)
	rows := map[string][]string{}
	for line := range strings.Lines(string(was)) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok {
			rows[name] = append(rows[name], line)
		}
	}
	for _, m := range orders.Machines {
		name := m.Name
		t.Run(name, func(t *testing.T) {
			var mixes, views []string
			for _, procs := range []int{1, 2, 4, 16, 64, 256} {
				// As many shards as there are once goroutines have waited for each other.
				shards := 1
				for shards < 1024 && shards < 4*procs && procs > 1 {
					shards *= 4
				}
				at := fmt.Sprintf("%s -time=100us -shards=%d ", m.Flags, shards)
				var b strings.Builder
				fmt.Fprintf(&b, "| %s | %d |", name, procs)
				for _, writes := range []int{0, 1, 10, 50, 100} {
					warm := fmt.Sprintf("-writes=%d -warm=%d", writes, 2_000_000/max(writes, 1))
					if writes < 10 {
						warm = fmt.Sprintf("-writes=%d -warm=%d -share", writes, 20_000)
					}
					for _, kind := range []string{"snapmap", "buckets", "trie"} {
						fmt.Fprintf(&b, " %.0f |", measured(t, procs, "ops", fmt.Sprintf("%s -map=%s %s", at, kind, warm)))
					}
				}
				mixes = append(mixes, b.String()+"\n")
				if procs == 1 {
					continue
				}
				at = fmt.Sprintf("%s -time=500us -shards=%d -writes=100", m.Flags, shards)
				alone := measured(t, procs-1, "ops", at)
				views = append(views, fmt.Sprintf("| %s | %d | %d | %.2f | %.2f | %.0f %% | %.0f |\n", name, procs, shards,
					measured(t, procs, "take", at+" -views=50us"),
					measured(t, procs, "take", at+" -views=50us -len"),
					100*measured(t, procs, "ops", at+" -views=50us")/alone,
					measured(t, procs, "views", at+" -views=0s -read")))
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
	for _, m := range orders.Machines {
		b.WriteString(strings.Join(rows[m.Name][:min(mixes, len(rows[m.Name]))], ""))
	}
	b.WriteString(`
Snapshots, while all processors but one update: µs that one takes, µs that Len takes, what the others keep of their speed with 50 µs between two snapshots, and snapshots that are also read, a second. Where views are 0, none was done in the 0.5 ms that were simulated:

| machine | processors | shards | Snapshot | Len | kept | read |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	for _, m := range orders.Machines {
		b.WriteString(strings.Join(rows[m.Name][min(mixes, len(rows[m.Name])):], ""))
	}
	orders.Write(t, file, b.String())
}
