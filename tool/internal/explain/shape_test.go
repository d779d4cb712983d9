package explain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Lines say what they do with a shared word. Each line that has a shape ends in
// a comment with it.
func TestShapes(t *testing.T) {
	const src = `package p

const held, free = 1, 0

func (l *lock) Lock() {
	for !l.word.CompareAndSwap(free, held) { // spin
		runtime.Gosched() // spin
	}
}

func (l *lock) Test() {
	for {
		if l.word.Load() == 0 && atomic.CompareAndSwapInt32(&l.word, 0, 1) { // spin
			return
		}
	}
}

func swap(l *lock) {
	for l.word.Swap(true) { // spin
	}
}

func once(l *lock) bool { return l.word.CompareAndSwap(0, 1) }

func most(x *atomic.Int64, v int64) {
	for {
		old := x.Load() // retry
		if v <= old || x.CompareAndSwap(old, v) { // retry
			return
		}
	}
}

func next(q *queue) int {
	i := q.next.Add(1) // claim
	return q.items[i]
}

func allow(l *limiter) bool { return atomic.AddInt64(&l.n, -1) >= 0 } // claim

func count(c *counter, k int) {
	for range k {
		c.n.Add(1) // sum
		atomic.AddUint64(&c.m, 2) // sum
	}
	c.seen.Store(true) // publish
}

func (q *ring) put(v int) {
	for q.tail.Load()-q.head.Load() == size {
	}
	q.tail.Add(1) // publish
	q.puts.Add(1) // sum
}

func (q *ring) total() int64 { return q.puts.Load() }
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(src, "\n")
	set := &evidence.Set{CPU: &cpuprof.Digest{}}
	for i := range lines {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: source.Place{File: file, Line: i + 1}, Share: 0.5})
	}
	got := map[int]evidence.ShapeKind{}
	for _, s := range shapes(set) {
		if s.Kind == evidence.Look {
			continue // see TestLooks
		}
		got[s.Line] = s.Kind
	}
	for i, line := range lines {
		_, want, _ := strings.Cut(line, "// ")
		kind := got[i+1]
		if kind == evidence.Spin && want == "" || kind == evidence.Retry && want == "" {
			continue // the rest of the loop
		}
		if string(kind) != want {
			t.Errorf("line %d %q: %q, want %q", i+1, line, kind, want)
		}
	}
	set.CPU.Lines = []cpuprof.Line{{Place: source.Place{File: filepath.Join(t.TempDir(), "gone.go"), Line: 1}, Share: 1}}
	if got := shapes(set); len(got) != 0 {
		t.Errorf("%v of a file that is gone", got)
	}
}

// A line that looks ends in a comment that says so.
func TestLooks(t *testing.T) {
	const src = `package p

func wait(done *atomic.Bool) {
	for !done.Load() { // look
	} // look
	for atomic.LoadInt32(&word) == 0 { // look
		runtime.Gosched() // look
	} // look
	for range 100 { // look
		if done.Load() { // look
			break
		} // look
	} // look
	for pause := 1; !done.Load(); pause <<= 1 { // look
		for range pause { // look
		} // look
	} // look
}

func (r *ring) put(v int) {
	for looks := 1; ; looks++ { // look
		p := r.put.Load() // look
		s := &r.slots[p&r.mask] // look
		if s.turn.Load() == p && r.put.CompareAndSwap(p, p+1) { // look
			s.value = v
			s.turn.Store(p + 1)
			return
		} // look
		if looks == r.looks { // look
			runtime.Gosched() // look
			looks = 0 // look
		} // look
	} // look
}

func (r *ring) get() int {
	for { // look
		turn := r.turn.Load() // look
		if turn != r.next { // look
			continue // look
		} // look
		v := r.value
		r.turn.Store(r.next + 1)
		return v
	} // look
}

func (l *lock) Lock() {
	for !l.word.CompareAndSwap(0, 1) { // a lock
		for l.word.Load() == 1 {
		}
	}
}

func most(x *atomic.Int64, v int64) {
	for { // another one has succeeded
		old := x.Load()
		if v <= old || x.CompareAndSwap(old, v) {
			return
		}
		runtime.Gosched()
	}
}

func sums(xs []atomic.Int64, stop *atomic.Bool) int64 {
	total := int64(0)
	for i := range xs { // adds up
		total += xs[i].Load()
	}
	for !stop.Load() { // computes
		total = total*3 + 1
	}
	for !stop.Load() {
		work()
	}
	for !stop.Load() {
		total = <-results
	}
	for !stop.Load() {
		counts[0]++
	}
	for !stop.Load() {
		time.Sleep(time.Millisecond)
	}
	for i := 0; i < 100; i++ { // nothing decides
		last := xs[0].Load()
		_ = last
	}
	return total
}

func find(table []atomic.Int64, list *node, key int64) {
	for i := hash(key); ; i++ { // another word each time
		at := i & mask
		if table[at].Load() == key {
			return
		}
	}
	for i := range table {
		if table[i].Load() == key {
			return
		}
	}
	for n := list; ; {
		next := n.next.Load()
		if next == nil {
			return
		}
		n = next
	}
}
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(src, "\n")
	set := &evidence.Set{CPU: &cpuprof.Digest{}}
	for i := range lines {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: source.Place{File: file, Line: i + 1}, Share: 0.5})
	}
	set.Shapes = shapes(set)
	for i, line := range lines {
		got := set.Shaped(evidence.Look, source.Place{File: file, Line: i + 1})
		if want := strings.HasSuffix(line, "// look"); got != want {
			t.Errorf("line %d %q: looks: %v, want %v", i+1, line, got, want)
		}
	}
}
