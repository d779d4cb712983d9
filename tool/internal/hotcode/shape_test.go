package hotcode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
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

func (l *lock) Named() {
	if held := l.name; held != "" {
		println(held)
	}
	for !l.word.CompareAndSwap(free, held) { // spin
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
	for _, s := range new(Files).shapes(set) {
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
	if got := new(Files).shapes(set); len(got) != 0 {
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
	set.Shapes = new(Files).shapes(set)
	for i, line := range lines {
		got := set.Shaped(evidence.Look, source.Place{File: file, Line: i + 1})
		if want := strings.HasSuffix(line, "// look"); got != want {
			t.Errorf("line %d %q: looks: %v, want %v", i+1, line, got, want)
		}
	}
}

// shaped says which lines of a source have a shape other than the comment at their end
// says, or look where they should not.
func shaped(t *testing.T, src string, want func(set *evidence.Set, at source.Place, said string) (got string)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	set := &evidence.Set{CPU: &cpuprof.Digest{}}
	lines := strings.Split(src, "\n")
	for i := range lines {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: source.Place{File: file, Line: i + 1}, Share: 0.02})
	}
	set.Shapes = new(Files).shapes(set)
	for i, line := range lines {
		_, said, _ := strings.Cut(line, "// ")
		if got := want(set, source.Place{File: file, Line: i + 1}, said); got != said {
			t.Errorf("line %d %q: %q", i+1, line, got)
		}
	}
}

// Each line ends in a comment with its shape, or has none.
func TestShapesApart(t *testing.T) {
	shaped(t, `package p

func ofPackage(l *lock) {
	for !l.word.CompareAndSwap(free, held) { // spin
	} // spin
	for i := 0; ; i++ { // spin
		if l.word.CompareAndSwap(0, 1) { // spin
			break // spin
		} // spin
	} // spin
	for i := 0; i < 10; i++ {
		l.word.CompareAndSwap(0, 1)
	}
	for i := 0; i < 10; {
		l.word.CompareAndSwap(0, 1)
	}
	for ; l.open; l.tries++ {
		l.word.CompareAndSwap(0, 1)
	}
	for {
		go func() { l.word.CompareAndSwap(0, 1) }()
	}
}

func ofItself(l *lock) {
	held := 1
	for !l.word.CompareAndSwap(0, held) { // retry
	} // retry
}

func ofSeveral(l *lock) {
	free, held := 0, 1
	for !l.word.CompareAndSwap(free, 1) { // retry
	} // retry
	for !l.word.CompareAndSwap(0, held) { // retry
	} // retry
}

func ofCaller(l *lock, free, held int32) {
	for !l.word.CompareAndSwap(free, 1) { // retry
	} // retry
	for !l.word.CompareAndSwap(0, held) { // retry
	} // retry
}

func ofVar(l *lock) {
	var free, held int32
	for !l.word.CompareAndSwap(free, 1) { // retry
	} // retry
	for !l.word.CompareAndSwap(0, held) { // retry
	} // retry
}

func ofRange(l *lock) {
	for free, held := range l.words {
		for !l.word.CompareAndSwap(free, 1) { // retry
		} // retry
		for !l.word.CompareAndSwap(0, held) { // retry
		} // retry
	}
}

func setElsewhere(l *lock) {
	held = 2
	for !l.word.CompareAndSwap(0, held) { // spin
	} // spin
	other := func() int { return 3 }
	other()
}

func made(l *lock) {
	for !l.word.CompareAndSwap(0, l.next()) { // retry
	} // retry
	for l.word.Swap(next()) {
	}
}

func nested(l, m *lock) {
	for { // retry
		old := l.word.Load() // retry
		for !m.word.CompareAndSwap(0, 1) { // spin
		} // spin
		if l.word.CompareAndSwap(old, old+1) { // retry
			break // retry
		} // retry
	} // retry
	for !m.word.CompareAndSwap(0, 1) { // spin
		for { // retry
			old := l.word.Load() // retry
			if l.word.CompareAndSwap(old, old+1) { // retry
				break // retry
			} // retry
		} // retry
	} // spin
}

func maps(m *sync.Map, w *window) {
	for !m.CompareAndSwap(key, 0, 1) {
	}
	for m.Swap(key, 1) {
	}
	m.Store(key, 1)
	w.Add(1, 2)
	n := w.Add(1, 2)
	w.AddAll()
	Add(1)
}

func words(q *queue, c *counter) {
	atomic.AddInt64(&q.slots[3].turn, 1) // publish
	atomic.AddInt64(&(q.tail), 1) // publish
	atomic.AddInt64(&q.puts, 1) // sum
	atomic.StoreInt64(&q.puts, 1) // publish
	c.n.Add(1) // sum
	c.hits[i].Add(1) // publish
	_ = atomic.AddInt64(&q.puts, 1) // claim
	atomic.Pointer[node].Store(x) // publish
	c.of[int].Add(1) // sum
	f().Add(1) // sum
}

func asks(q *queue, c *counter) {
	if atomic.LoadInt64(&q.turn) == 1 {
	}
	for q.slots[q.tail.Load()] {
	}
	x := q.slots[atomic.LoadInt64(&c.hits[0])]
	q.puts.Load()
	if c.n.Get() {
	}
	if Load(c.m) {
	}
}
`, func(set *evidence.Set, at source.Place, said string) (got string) {
		for _, s := range set.Shapes {
			if s.OnLine(at) && s.Kind != evidence.Look {
				got += string(s.Kind)
			}
		}
		return got
	})
}

// Each line that looks ends in a comment that says so.
func TestLooksApart(t *testing.T) {
	shaped(t, `package p

func posts(done *atomic.Bool) {
	for ; !done.Load(); work() {
	}
	for ; !done.Load(); n++ { // look
	} // look
	for <-ready && !done.Load() {
	}
	for n := 0; !done.Load(); n += 2 { // look
	} // look
	for n := 0; !done.Load(); n += m {
	}
	for n := 0; !done.Load(); n = 2 { // look
	} // look
	for n := 0; !done.Load(); n = n + 2 {
	}
	for !done.Load() {
		n, m = 1, 2
	}
}

func values(done *atomic.Bool, words []atomic.Int64) {
	for _, w := range words {
		if done.Load() {
			break
		}
	}
	for range words { // look
		if done.Load() { // look
			break
		} // look
	} // look
	for !done.Load() {
		for _, w := range words {
		}
	}
	for !done.Load() { // look
		for range words { // look
		} // look
	} // look
	for !done.Load() {
		for range words {
			work()
		}
	}
	for !done.Load() {
		for i := work(); i < 3; i++ {
		}
	}
	for !done.Load() {
		for i := 0; work(); i++ {
		}
	}
	for !done.Load() {
		for i := 0; i < 3; work() {
		}
	}
	for !done.Load() {
		for i := 0; i < 3; i++ {
			work()
		}
	}
}

func branches(done *atomic.Bool) {
	for {
		if x := work(); done.Load() {
			return
		}
	}
	for { // look
		if done.Load() { // look
			goto end
		} // look
	} // look
	for {
		if done.Load() {
			break
		} else {
			work()
		}
	}
	for {
		if done.Load() {
			break
		} else if other.Load() {
			runtime.Gosched()
		}
	}
	for !done.Load() {
		if n > 3 {
			work()
		}
	}
	for !done.Load() { // look
		if n > 3 { // look
			n = 0 // look
		} // look
	} // look
	for !done.Load() {
		{
			work()
		}
	}
	for !done.Load() {
		switch {
		}
	}
	for !done.Load() {
		func() {}()
	}
	for !done.Load() { // look
		int(3) // look
		_ = len(words) // look
	} // look
	for !done.Load() {
		done.Store(true)
	}
	for !done.Load() {
		words.n++
	}
	for {
	}
	for {
		if n == 3 {
			break
		}
	}
}

func leaves(done *atomic.Bool) int {
	for { // look
		if !done.Load() { // look
			runtime.Gosched() // look
			continue // look
		} // look
		work()
		return 1
	} // look
	for { // look
		if !done.Load() { // look
			continue // look
		} // look
		break
	} // look
	for { // look
		if !done.Load() { // look
			continue // look
		} // look
		if n > 1 {
			n = 0
		}
		work()
		break
	} // look
	for {
		if !done.Load() {
			continue
		} else {
			work()
		}
		work()
		break
	}
	for {
		if !done.Load() {
			work()
		}
		work()
		break
	}
	for {
		work()
		break
	}
}

func swaps(done *atomic.Bool, word *atomic.Int64) {
	for { // look
		old := word.Load() // look
		if done.Load() && word.CompareAndSwap(old, old+1) { // look
			break
		} // look
	} // look
	for {
		if word.CompareAndSwap(0, 1) {
			break
		}
	}
	for {
		if atomic.CompareAndSwapInt64(&word, 0, 1) || atomic.LoadInt64(&word) == 3 {
			break
		}
	}
	for { // look
		old := atomic.LoadInt64(&word) // look
		if atomic.CompareAndSwapInt64(&word, old, old+1) || atomic.LoadInt64(&other) == 3 { // look
			break
		} // look
	} // look
	for !Load(done) {
	}
	for !done.Load(1) {
	}
	for !word.CompareAndSwap(0) {
	}
	for atomic.LoadInt64(word) == 0 { // look
	} // look
}
`, func(set *evidence.Set, at source.Place, said string) string {
		if set.Shaped(evidence.Look, at) {
			return "look"
		}
		return ""
	})
}

// Lines with less than two per cent of the time have no shape, those with less than
// one in selects none that is counted.
func TestHotEnough(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	const src = `package p

func f() {
	n.Add(1)
	select {
	case <-a:
	default:
		select {
		case <-a:
		case <-b:
		}
		selects.Select(nil)
		reflect.Cases(nil)
		Select(nil)
		v := reflect.Select(nil)
	}
}
`
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(line int) source.Place { return source.Place{File: file, Line: line} }
	for _, share := range []float64{0.0199, 0.02} {
		set := &evidence.Set{CPU: &cpuprof.Digest{Lines: []cpuprof.Line{{Place: at(4), Share: share}}}}
		if got := len(new(Files).shapes(set)); got != map[bool]int{true: 1}[share >= 0.02] {
			t.Errorf("%d shapes of a line with %v of the time", got, share)
		}
	}
	for line, want := range map[int]int{4: -1, 5: 1, 6: 1, 8: 2, 11: 2, 12: 1, 13: 1, 14: 1, 15: 0, 16: 1, 17: -1} {
		for _, share := range []float64{0.0099, 0.01} {
			set := &evidence.Set{CPU: &cpuprof.Digest{Lines: []cpuprof.Line{{Place: at(line), Share: 1, By: shares{stack.Select: share}}}}}
			got := -1
			if all := new(Files).selects(set); len(all) > 0 {
				got = all[0].Cases
			}
			if share < 0.01 && got != -1 || share >= 0.01 && got != want {
				t.Errorf("line %d with %v of the time in selects: %d cases, want %d", line, share, got, want)
			}
		}
	}
}
