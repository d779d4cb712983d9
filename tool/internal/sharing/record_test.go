package sharing

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Sites of the steps, and w, by which a goroutine waits.
const (
	store = iota
	load
	atomicStore
	atomicLoad
	w
)

var ways = []recordSite{{row: "store"}, {row: "load", read: true}, {row: "atomic store", atomic: true}, {row: "atomic load", read: true, atomic: true}}

// A step is one access: of goroutine g at addr.
type step struct {
	g          uint64
	site       int
	addr, size uintptr
}

func TestReturns(t *testing.T) {
	const line = 64 * 1000
	for _, test := range []struct {
		name        string
		steps       []step
		other, same int
	}{
		{"alone", []step{{1, 0, line, 8}, {1, 0, line, 8}}, 0, 0},
		{"handed over", []step{{1, 0, line, 8}, {2, 0, line, 8}, {3, 0, line, 8}}, 0, 0},
		{"same word", []step{{1, 0, line, 8}, {2, 0, line, 8}, {1, 0, line, 8}}, 0, 1},
		{"other word", []step{{1, 0, line, 8}, {2, 0, line + 8, 8}, {1, 0, line, 8}}, 1, 0},
		{"half a word", []step{{1, 0, line, 4}, {2, 0, line + 4, 4}, {1, 0, line, 4}}, 1, 0},
		{"other line", []step{{1, 0, line, 8}, {2, 0, line + 64, 8}, {1, 0, line, 8}}, 0, 0},
		{"overlap", []step{{1, 0, line, 24}, {2, 0, line + 16, 8}, {1, 0, line, 24}}, 0, 1},
		{"across lines", []step{{1, 0, line + 60, 8}, {2, 0, line, 4}, {2, 0, line + 64, 4}, {1, 0, line + 60, 8}}, 1, 1},
		{"last byte", []step{{1, 0, line + 63, 1}, {2, 0, line + 62, 1}, {1, 0, line + 63, 1}, {2, 0, line, 64}}, 1, 1},
		// Until the line goes again each word that is used counts, not only the first.
		{"both", []step{{1, 0, line, 8}, {1, 0, line + 8, 8}, {2, 0, line, 8}, {1, 0, line + 8, 8}, {1, 0, line, 8}}, 0, 1},
		{"both, and each again", []step{{1, 0, line, 8}, {1, 0, line + 8, 8}, {2, 0, line, 16}, {1, 0, line + 8, 8}, {1, 0, line, 8}, {1, 0, line + 8, 8}}, 0, 1},
		{"what was taken is not used again", []step{{1, 0, line, 8}, {1, 0, line + 8, 8}, {2, 0, line, 8}, {1, 0, line + 8, 8}}, 1, 0},
		{"a word that was taken two stays ago", []step{{1, 0, line, 24}, {2, 0, line + 16, 8}, {1, 0, line, 8}, {2, 0, line + 8, 8}, {1, 0, line + 16, 8}}, 2, 1},
		{"a word that it got back", []step{{1, 0, line, 24}, {2, 0, line + 16, 8}, {1, 0, line + 16, 8}, {2, 0, line + 8, 8}, {1, 0, line + 16, 8}}, 2, 1},
		{"a word that was read two stays ago", []step{{1, 0, line, 24}, {2, load, line + 16, 8}, {1, 0, line, 8}, {2, load, line + 8, 8}, {1, 0, line + 16, 8}}, 2, 1},
		{"what was set up before", []step{{1, 0, line, 64}, {2, 0, line, 8}, {1, 0, line + 8, 8}, {2, 0, line + 16, 8}}, 2, 0},
		{"handed back, the word beside it first", []step{{1, 0, line, 16}, {1, w, 0, 0}, {2, 0, line, 8}, {1, 0, line + 8, 8}, {1, 0, line, 8}}, 0, 0},
		{"one return for a stay", []step{{1, 0, line, 8}, {2, 0, line + 8, 8}, {2, 0, line + 8, 8}, {1, 0, line, 8}, {1, 0, line, 8}}, 1, 0},
		{"nothing", []step{{1, 0, line, 0}, {2, 0, line, 0}, {1, 0, line, 0}}, 0, 0},
		{"three", []step{{1, 0, line, 8}, {2, 0, line + 8, 8}, {3, 0, line + 16, 8}, {1, 0, line, 8}, {2, 0, line + 8, 8}}, 2, 0},

		{"read by all", []step{{1, load, line, 8}, {2, load, line, 8}, {1, load, line, 8}, {2, load, line, 8}}, 0, 0},
		{"written and read", []step{{1, load, line, 8}, {2, store, line, 8}, {1, load, line, 8}}, 0, 1},
		{"neighbour written", []step{{1, load, line, 8}, {2, store, line + 8, 8}, {1, load, line, 8}}, 1, 0},
		{"read in between", []step{{1, store, line, 8}, {2, load, line, 8}, {1, store, line, 8}}, 0, 1},
		{"neighbour read in between", []step{{1, store, line, 8}, {2, load, line + 8, 8}, {1, store, line, 8}}, 1, 0},
		{"read after a reader", []step{{1, store, line, 8}, {2, load, line, 8}, {1, load, line, 8}}, 0, 0},
		{"both sides", []step{{1, store, line, 8}, {2, load, line + 8, 8}, {1, store, line, 8}, {2, load, line + 8, 8}}, 2, 0},
		{"a reader and a neighbour", []step{{1, store, line, 8}, {2, load, line, 8}, {3, store, line + 8, 8}, {1, store, line, 8}}, 0, 1},
		{"handed back", []step{{1, store, line, 8}, {1, w, 0, 0}, {2, store, line, 8}, {1, load, line, 8}}, 0, 0},
		{"handed back atomically", []step{{1, store, line, 8}, {1, w, 0, 0}, {2, store, line, 8}, {1, atomicLoad, line, 8}}, 0, 1},
		{"waited before", []step{{1, w, 0, 0}, {1, store, line, 8}, {2, store, line, 8}, {1, load, line, 8}}, 0, 1},
		{"waited and neighbour", []step{{1, store, line, 8}, {1, w, 0, 0}, {2, store, line + 8, 8}, {1, load, line, 8}}, 1, 0},
		{"the other waited", []step{{1, store, line, 8}, {2, w, 0, 0}, {2, store, line, 8}, {1, load, line, 8}}, 0, 1},
	} {
		r := newRecorder("", ways)
		r.open()
		for _, s := range test.steps {
			if s.site == w {
				r.waits[s.g]++
				continue
			}
			r.access(s.g, s.site, s.addr, s.size)
		}
		if r.count.other != test.other || r.count.same != test.same {
			t.Errorf("%s: %d false and %d true, want %d and %d", test.name, r.count.other, r.count.same, test.other, test.same)
		}
	}
}

// TestApart: what prevails is what would come back if each word had a line of its own,
// however many words of a line each goroutine uses.
func TestApart(t *testing.T) {
	const line, words = 64 * 1000, 16
	for _, tt := range []struct {
		name string
		word func(rng *rand.Rand, g int) int
		want string
	}{
		{"bins that both add to", func(rng *rand.Rand, _ int) int { return rng.IntN(words) }, "true"},
		{"two of them", func(rng *rand.Rand, _ int) int { return rng.IntN(2) }, "true"},
		{"bins of their own", func(rng *rand.Rand, g int) int { return words/2*g + rng.IntN(words/2) }, "false"},
		{"one word each", func(_ *rand.Rand, g int) int { return g }, "false"},
		{"seldom a common one", func(rng *rand.Rand, g int) int {
			if rng.IntN(10) == 0 {
				return 2
			}
			return g
		}, "false"},
		{"mostly a common one", func(rng *rand.Rand, g int) int {
			if rng.IntN(10) == 0 {
				return g
			}
			return 2
		}, "true"},
	} {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 14))
			packed, apart := newRecorder("", ways), newRecorder("", ways)
			packed.open()
			apart.open()
			for range 3000 {
				g := rng.IntN(2)
				word := uintptr(tt.word(rng, g))
				packed.access(uint64(1+g), atomicStore, line+4*word, 4)
				apart.access(uint64(1+g), atomicStore, line+64*word, 4)
			}
			got := "true"
			if packed.count.other > packed.count.same {
				got = "false"
			}
			if returns := packed.count.other + packed.count.same; apart.count.other != 0 || (2*apart.count.same > returns) != (tt.want == "true") {
				t.Fatalf("%s, seed %d: %d of %d returns are left with the words apart, want %s to prevail", tt.name, seed, apart.count.same, returns, tt.want)
			}
			if got != tt.want {
				t.Errorf("%s, seed %d: %d false and %d true, want %s to prevail: with the words apart %d are left", tt.name, seed, packed.count.other, packed.count.same, tt.want, apart.count.same)
			}
			pairs := 0
			for _, n := range packed.pairs {
				pairs += n
			}
			if pairs != packed.count.other+packed.count.same {
				t.Errorf("%s, seed %d: pairs of %d returns, want %d", tt.name, seed, pairs, packed.count.other+packed.count.same)
			}
		}
	}
}

// TestMutexes: as many as are used alike, whoever uses them and wherever they lie;
// those of little use hardly count.
func TestMutexes(t *testing.T) {
	for _, tt := range []struct {
		name string
		uses []int // by lock
		want int
	}{{"none", nil, 0}, {"one", []int{500}, 1}, {"32", slices.Repeat([]int{10}, 32), 32}, {"one and its like seldom", []int{900, 10, 10, 10}, 1}, {"two and a half", []int{60, 60, 20}, 3}} {
		r := newRecorder("", []recordSite{{row: "lock", lock: true}, {row: "store"}})
		r.open()
		for i, n := range tt.uses {
			for g := range n {
				r.access(uint64(1+g%2), 0, uintptr(4096+8*i), 8)
				r.access(uint64(1+g%2), 1, uintptr(8192+8*i*g), 8)
			}
		}
		if got := r.mutexes(); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestWait: a wait counts for the goroutine that waits, within a window of which
// something is recorded, and else not.
func TestWait(t *testing.T) {
	r := newRecorder("", ways)
	me := recordGoroutine()
	r.wait()
	r.open()
	r.wait()
	if n := r.waits[me]; n != 0 {
		t.Errorf("%d waits before the first access, want none", n)
	}
	r.left-- // an access was recorded
	r.wait()
	r.wait()
	if n := r.waits[me]; n != 2 {
		t.Errorf("%d waits, want 2", n)
	}
	r.close()
	r.wait()
	if n := r.waits[me]; n != 2 {
		t.Errorf("%d waits after the window, want 2", n)
	}
}

// A new window knows nobody: who wrote in the last one does not come back.
func TestWindows(t *testing.T) {
	r := newRecorder(filepath.Join(t.TempDir(), "summary"), []recordSite{{row: "site"}})
	for range 10 {
		r.open()
		r.access(1, 0, 64, 8)
		r.close()
		r.open()
		r.access(2, 0, 72, 8)
		r.close()
	}
	if r.count.other+r.count.same+r.count.switches != 0 || r.count.writes != 20 || len(r.seen) != 1 {
		t.Errorf("counts %+v and %d lines, want 20 writes of a line and no return", r.count, len(r.seen))
	}
}

// Whatever is written, what is kept is bounded, and the summary is read back.
func TestBounds(t *testing.T) {
	row := func(name string) recordSite { return recordSite{row: "\"" + name + "\"\t\"/x.go\"\t1\t2\twrite"} }
	sites := make([]recordSite, 100)
	for i := range sites {
		sites[i] = row(string(rune('a' + i%26)))
	}
	r := newRecorder(filepath.Join(t.TempDir(), "summary"), sites)
	r.open()
	for i := range 300_000 {
		g, site := uint64(1+i%20), i*7%100
		r.access(g, site, uintptr(i%100_000)*64, 1<<20)
		r.access(g, site, 0, 8)
		if i%50_000 == 0 {
			r.close()
			r.open()
		}
	}
	if len(r.seen) != recordLines || len(r.pairs) > recordPairs {
		t.Errorf("%d lines and %d pairs, want at most %d and %d", len(r.seen), len(r.pairs), recordLines, recordPairs)
	}
	r.close()
	data, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if s.Writes != 600_000 || len(s.Pairs) != recordShown || s.Lines != recordLines || s.True != r.count.same || s.Switches != r.count.switches {
		t.Errorf("%+v, want what was counted: %+v", s, r.count)
	}
	for i, p := range s.Pairs[1:] {
		if p.Count > s.Pairs[i].Count {
			t.Errorf("pair %d has %d returns after one with %d, want most first", i+1, p.Count, s.Pairs[i].Count)
		}
	}
}

// A process may be killed at any moment: the file is whole from the first
// time it is there.
func TestFlushes(t *testing.T) {
	r := newRecorder(filepath.Join(t.TempDir(), "summary"), []recordSite{{row: "\"x\"\t\"/x.go\"\t1\t2\twrite"}})
	procs := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(procs)
	r.start()
	n := new([2]int64)
	found := false
	for i := range recordBurst {
		r.touch(0, reflect.ValueOf(n).Pointer(), 8)
		data, err := os.ReadFile(r.file)
		if err != nil {
			if i >= 16 && r.state.Load() == recordOpen {
				t.Fatalf("after %d writes: %v", i+1, err)
			}
			continue
		}
		found = true
		if s, err := Parse(data); err != nil || s.Writes < i/4 && r.state.Load() == recordOpen {
			t.Fatalf("after %d writes: %+v, %v", i+1, s, err)
		}
		if r.state.Load() != recordOpen {
			break
		}
	}
	if !found {
		t.Error("no summary was written")
	}
	if _, err := os.Stat(r.file + ".tmp"); err == nil {
		t.Error("half a summary is left")
	}
}

// Real goroutines may touch at once, and no write of an open window is lost.
func TestTouchAtOnce(t *testing.T) {
	procs := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(procs)
	r := newRecorder(filepath.Join(t.TempDir(), "summary"), []recordSite{{row: "\"x\"\t\"/x.go\"\t1\t2\twrite"}})
	r.start()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 500 {
				if r.live() {
					r.touch(0, uintptr(64+8*w), 8)
				}
			}
		})
	}
	wg.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count.same > 0 || r.count.writes == 0 || r.count.writes > 2000 || len(r.seen) != 1 {
		t.Errorf("%+v on %d lines, want at most 2000 writes of a line and none of the same bytes", r.count, len(r.seen))
	}
}

func TestGoroutine(t *testing.T) {
	me := recordGoroutine()
	other := make(chan uint64)
	go func() { other <- recordGoroutine() }()
	if o := <-other; me == 0 || o == 0 || o == me || recordGoroutine() != me {
		t.Errorf("goroutines %d and %d, want two numbers that stay", me, o)
	}
}

// TestPairOf: a return is put down to the site that used the visitor's bytes, whoever
// came last, and the same two sites are one pair whichever comes back.
func TestPairOf(t *testing.T) {
	const line = 64 * 1000
	for _, tt := range []struct {
		name  string
		steps []step
		want  recordMeet
	}{
		{"a reader's bytes were written, then others", []step{{1, load, line, 8}, {2, store, line, 8}, {3, atomicStore, line + 8, 8}, {1, load, line, 8}}, recordMeet{store, load, true}},
		{"a writer's bytes were read, then others", []step{{1, store, line, 8}, {2, load, line, 8}, {3, atomicLoad, line + 8, 8}, {1, store, line, 8}}, recordMeet{store, load, true}},
		{"other bytes, the last", []step{{1, store, line, 8}, {2, load, line + 8, 8}, {3, atomicLoad, line + 16, 8}, {1, store, line, 8}}, recordMeet{store, atomicLoad, false}},
		{"the greater site comes back", []step{{1, atomicStore, line, 8}, {2, store, line, 8}, {1, atomicStore, line, 8}}, recordMeet{store, atomicStore, true}},
		{"the lesser site comes back", []step{{1, store, line, 8}, {2, atomicStore, line, 8}, {1, store, line, 8}}, recordMeet{store, atomicStore, true}},
		// It waited before its last access: what came after that was not handed back.
		{"it waited, and used it again", []step{{1, store, line, 8}, {1, w, 0, 0}, {1, store, line, 8}, {2, store, line, 8}, {1, load, line, 8}}, recordMeet{store, load, true}},
	} {
		r := newRecorder("", ways)
		r.open()
		for _, s := range tt.steps {
			if s.site == w {
				r.waits[s.g]++
				continue
			}
			r.access(s.g, s.site, s.addr, s.size)
		}
		if len(r.pairs) != 1 || r.pairs[tt.want] != 1 {
			t.Errorf("%s: %+v, want %+v once", tt.name, r.pairs, tt.want)
		}
	}
}

// TestGaps: after a window no other opens for a gap, which grows with their number; one
// that is open stays so; and what was written already is not written again.
func TestGaps(t *testing.T) {
	for windows, gap := range map[int]time.Duration{0: 5 * time.Millisecond, 31: 5 * time.Millisecond, 32: 10 * time.Millisecond, 96: 20 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			r := newRecorder(filepath.Join(t.TempDir(), "summary"), ways)
			r.windows = windows
			r.close()
			time.Sleep(gap - 1)
			synctest.Wait()
			if s := r.state.Load(); s != recordShut || r.live() || r.reopen() {
				t.Errorf("%d windows: state %d just before %v, want it shut", windows, s, gap)
			}
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			if s := r.state.Load(); s != recordReady {
				t.Errorf("%d windows: state %d after %v, want it ready", windows, s, gap)
			}
			for range 1 << 20 { // one in 1024
				if r.live() {
					break
				}
			}
			if s := r.state.Load(); s != recordOpen || r.windows != windows+1 {
				t.Errorf("%d windows: state %d, %d windows; want one more, open", windows, s, r.windows)
			}
			r.close()
			r.open()
			time.Sleep(time.Second)
			synctest.Wait()
			if s := r.state.Load(); s != recordOpen {
				t.Errorf("%d windows: state %d after the timer of the one before, want it open", windows, s)
			}
			if _, err := os.Stat(r.file); err == nil {
				t.Errorf("%d windows: a summary of nothing", windows)
			}
		})
	}
}

// TestLeft: the last access of a window closes it, reads count as writes do, and an
// access is followed over a few lines.
func TestLeft(t *testing.T) {
	procs := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(procs)
	r := newRecorder(filepath.Join(t.TempDir(), "summary"), ways)
	r.start()
	r.left, r.opened = 2, time.Now().Add(time.Hour)
	r.touch(load, 64, 1<<20)
	if r.state.Load() != recordOpen || r.left != 1 || r.accesses() != 1 || len(r.lines) != recordStretch {
		t.Errorf("%d left, %d accesses of %d lines; want 1, 1 and %d", r.left, r.accesses(), len(r.lines), recordStretch)
	}
	r.touch(store, 64, 8)
	if s := r.state.Load(); s != recordShut || r.accesses() != 2 || r.flushedAt != 2 {
		t.Errorf("state %d, %d accesses, written at %d; want it shut, 2 and 2", s, r.accesses(), r.flushedAt)
	}
	r.touch(store, 64, 8)
	if r.accesses() != 2 {
		t.Errorf("%d accesses after it was shut, want 2", r.accesses())
	}
	if err := os.Remove(r.file); err != nil {
		t.Fatal(err)
	}
	r.close()
	if _, err := os.Stat(r.file); err == nil {
		t.Error("what was written is written again")
	}
}

// TestLockCounts: of those that waited for a lock none is left, or each Unlock would
// linger.
func TestLockCounts(t *testing.T) {
	var l recordLock
	l.Lock()
	done := make(chan bool)
	go func() {
		defer close(done)
		l.Lock()
		defer l.Unlock()
	}()
	for l.waiting.Load() == 0 {
		runtime.Gosched()
	}
	l.Unlock()
	<-done
	if n := l.waiting.Load(); n != 0 || l.held.Load() {
		t.Errorf("%d wait, held: %v; want none", n, l.held.Load())
	}
}
