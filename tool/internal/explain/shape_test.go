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
