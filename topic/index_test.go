package topic_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/gopayoff/payoff/internal/stress"
	. "github.com/gopayoff/payoff/topic"
)

func mustSubscribe[T any](t testing.TB, ix *Index[T], pattern string, v T) *Sub[T] {
	t.Helper()
	s, err := ix.Subscribe(pattern, v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustSubscribeGroup[T any](t testing.TB, ix *Index[T], pattern, group string, v T) *Sub[T] {
	t.Helper()
	s, err := ix.SubscribeGroup(pattern, group, v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGroups: each member has the same chance, whichever of the group's patterns
// it came by.
func TestGroups(t *testing.T) {
	for _, d := range dialects {
		ix := New[int](d.Dialect)
		p := func(s string) string { return strings.NewReplacer(".", d.sep, "*", d.star, ">", d.tail).Replace(s) }
		mustSubscribe(t, ix, p("a.b"), 0)
		for i := 1; i <= 3; i++ {
			mustSubscribeGroup(t, ix, p("a.b"), "g", i)
		}
		mustSubscribeGroup(t, ix, p("a.*"), "g", 4)
		mustSubscribeGroup(t, ix, p("a.>"), "h", 5)
		const n = 4000
		var times [6]int
		for range n {
			for v := range ix.Match(p("a.b")) {
				times[v]++
			}
		}
		want := [6]int{n, n / 4, n / 4, n / 4, n / 4, n}
		if d.Dialect == MQTT {
			want = [6]int{n, n / 3, n / 3, n / 3, n, n} // a group is of one pattern
		}
		for i := range times {
			if diff := times[i] - want[i]; diff < -n/20 || diff > n/20 || want[i] == n && diff != 0 {
				t.Errorf("%v: %d was yielded %d times of %d, want about %d", d.Dialect, i, times[i], n, want[i])
			}
		}
	}
}

// TestMatchEnds: a loop over Match may end at any value.
func TestMatchEnds(t *testing.T) {
	ix := New[int](NATS)
	for i := range 100 {
		mustSubscribe(t, ix, "a.b", i)
	}
	mustSubscribe(t, ix, "a.*", 100)
	mustSubscribe(t, ix, "a.>", 101)
	mustSubscribeGroup(t, ix, "a.*", "g", 102)
	mustSubscribeGroup(t, ix, "*.b", "h", 103)
	mustSubscribeGroup(t, ix, "a.b.>", "h", 104)
	for _, cached := range []bool{false, true} {
		ix.SetCache(cached)
		for n := range 105 {
			got := 0
			for range ix.Match("a.b") {
				if got++; got == n {
					break
				}
			}
			if got != max(1, min(n, 104)) && n > 0 {
				t.Fatalf("%d values came, want %d", got, n)
			}
		}
	}
}

// TestManyOfOnePattern: subscribers of one pattern come and go in any order.
func TestManyOfOnePattern(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 1))
	n := 3000
	if stress.Long() {
		n = 100_000
	}
	for _, group := range []string{"", "g"} {
		ix := New[int](NATS)
		var subs []*Sub[int]
		for i := range n {
			var s *Sub[int]
			if group == "" {
				s = mustSubscribe(t, ix, "a.*", i)
			} else {
				s = mustSubscribeGroup(t, ix, "a.*", group, i)
			}
			subs = append(subs, s)
		}
		r.Shuffle(n, func(i, j int) { subs[i], subs[j] = subs[j], subs[i] })
		for len(subs) > 0 {
			if l := len(subs); l&(l-1) == 0 || l%1000 == 0 || l < 70 {
				var got, want []int
				for s := range ix.All() {
					got = append(got, s.Value())
				}
				for _, s := range subs {
					want = append(want, s.Value())
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("of %d: All has %d", len(want), len(got))
				}
				if group == "" {
					got = ix.AppendMatch(got[:0], "a.x")
					slices.Sort(got)
					if !slices.Equal(got, want) {
						t.Fatalf("of %d: AppendMatch has %d", len(want), len(got))
					}
				}
			}
			if !subs[0].Unsubscribe() {
				t.Fatal("Unsubscribe reports false")
			}
			subs = subs[1:]
		}
		if ix.Has("a.x") || ix.Nodes() != 0 {
			t.Fatal("something is left")
		}
	}
}

// TestShapesAreLimited: patterns are found whether there is room for their shapes or
// not, and shapes that are not in use make room.
func TestShapesAreLimited(t *testing.T) {
	ix := New[int](NATS)
	var subs []*Sub[int]
	pattern := func(stars int) string {
		p := make([]string, 7)
		for i := range p {
			p[i] = "x"
			if stars>>i&1 != 0 {
				p[i] = "*"
			}
		}
		return strings.Join(p, ".")
	}
	for stars := range 1 << 7 {
		subs = append(subs, mustSubscribe(t, ix, pattern(stars), stars))
	}
	if n, marks := ix.Shapes(); n != 64 || !marks {
		t.Fatalf("%d shapes, marks: %t; want 64 and true", n, marks)
	}
	if n := ix.Count("x.x.x.x.x.x.x"); n != 1<<7 {
		t.Fatalf("%d match, want %d", n, 1<<7)
	}
	for _, s := range subs[:120] {
		s.Unsubscribe()
	}
	s := mustSubscribe(t, ix, pattern(64), 3)
	if n, _ := ix.Shapes(); n != 1 {
		t.Errorf("%d shapes, want 1: none of the others is in use", n)
	}
	if n := ix.Count("x.x.x.x.x.x.x"); n != 9 {
		t.Errorf("%d match, want 9", n)
	}
	for _, s := range append(subs[120:], s) {
		s.Unsubscribe()
	}
	mustSubscribe(t, ix, "a", 1)
	if n, marks := ix.Shapes(); n != 1 || marks || ix.Nodes() != 1 {
		t.Errorf("%d shapes, marks: %t, %d nodes; want 1, false and 1", n, marks, ix.Nodes())
	}
}

// TestShapeLimit: there is room for as many shapes as the documentation says, and marks
// come with the next.
func TestShapeLimit(t *testing.T) {
	defer LimitShapes(ShapeLimit)()
	ix := New[int](NATS)
	for stars := range 257 {
		p := strings.Split("x.x.x.x.x.x.x.x.x", ".")
		for i := range p {
			if stars>>i&1 != 0 {
				p[i] = "*"
			}
		}
		if _, marks := ix.Shapes(); marks {
			t.Fatalf("marks come with shape %d, want 257", stars)
		}
		mustSubscribe(t, ix, strings.Join(p, "."), stars)
	}
	if n, marks := ix.Shapes(); n != 256 || !marks || ix.Count("x.x.x.x.x.x.x.x.x") != 257 {
		t.Errorf("%d shapes, marks: %t, %d match; want 256, true and 257", n, marks, ix.Count("x.x.x.x.x.x.x.x.x"))
	}
}

// TestShapeComesAfterMarks: a pattern that is found through marks is found once
// when there is room for its shape, and as long as one of its subscriptions
// needs the marks.
func TestShapeComesAfterMarks(t *testing.T) {
	for _, cached := range []bool{false, true} {
		ix := New[int](NATS)
		ix.SetCache(cached)
		fillShapes(t, ix, 1)
		var others []*Sub[int]
		for s := range ix.All() {
			others = append(others, s)
		}
		const subject = "a.b.c.d.e.f.g"
		first := mustSubscribe(t, ix, "a.*.*.*.*.*.*", 1)
		for _, s := range others {
			s.Unsubscribe()
		}
		second := mustSubscribe(t, ix, "a.*.*.*.*.*.*", 2)
		if n, marks := ix.Shapes(); n != 1 || !marks {
			t.Fatalf("%d shapes, marks: %t; want 1 and true", n, marks)
		}
		for range 3 {
			if n := ix.Count(subject); n != 2 {
				t.Fatalf("%d match, want 2", n)
			}
		}
		second.Unsubscribe()
		mustSubscribe(t, ix, "x", 3) // drops the shape
		for range 3 {
			if n := ix.Count(subject); n != 1 {
				t.Fatalf("%d match, want 1", n)
			}
		}
		first.Unsubscribe()
		if ix.Has(subject) || ix.Nodes() != 1 {
			t.Fatalf("%d nodes, want 1", ix.Nodes())
		}
	}
}

// TestAllocations: a Match allocates nothing.
func TestAllocations(t *testing.T) {
	ix := New[int](NATS)
	ix.NoTrial()
	for i, p := range []string{"a.b.c", "a.*.c", "a.b.*", "*.b.c", "a.>", "a.b.>", "a.b.c", "a.b.c"} {
		mustSubscribe(t, ix, p, i)
	}
	for i := range 70 {
		mustSubscribe(t, ix, "a.*.*", i)
	}
	mustSubscribeGroup(t, ix, "a.b.c", "g", 1)
	mustSubscribeGroup(t, ix, "a.*.c", "g", 2)
	long := "a.b.c" + strings.Repeat(".d", 20)
	mustSubscribe(t, ix, strings.Repeat("*.", 20)+">", 1)
	photo := ix.Snapshot()
	dst := make([]int, 0, 200)
	for _, cached := range []bool{false, true} {
		ix.SetCache(cached)
		for _, subject := range []string{"a.b.c", "none", long, "a..b"} {
			for range 3 {
				ix.Count(subject) // twice until the result is kept
			}
			for what, f := range map[string]func(){
				"AppendMatch":          func() { dst = ix.AppendMatch(dst[:0], subject) },
				"Has":                  func() { ix.Has(subject) },
				"Count":                func() { ix.Count(subject) },
				"Snapshot.AppendMatch": func() { dst = photo.AppendMatch(dst[:0], subject) },
				"Match": func() {
					for v := range ix.Match(subject) {
						dst[0] = v
					}
				},
				"Snapshot.Match": func() {
					for v := range photo.Match(subject) {
						dst[0] = v
					}
				},
			} {
				dst = dst[:1]
				if n := testing.AllocsPerRun(50, f); n != 0 {
					t.Errorf("%s(%q), cache: %t: %v allocations", what, subject, cached, n)
				}
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { mustSubscribe(t, ix, "x.y", 1).Unsubscribe() }); n > 1 {
		t.Errorf("Subscribe and Unsubscribe: %v allocations, want 1", n)
	}
}

// TestChurn: what goes leaves nothing behind.
func TestChurn(t *testing.T) {
	ops := 100_000
	if stress.Long() {
		ops = 10_000_000
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	ix := New[int](NATS)
	ix.SetCache(true)
	before := heap()
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 1))
			var subs []*Sub[int]
			for i := range ops / 2 {
				size := 2000
				if i/20000%2 == 1 {
					size = 10
				}
				if len(subs) < size && r.IntN(3) > 0 {
					p := fmt.Sprintf("a.%d.%d", r.IntN(1000), r.IntN(1000))
					if r.IntN(8) == 0 {
						p += strings.Repeat(".x", 14) + ".*"
					}
					s, err := ix.Subscribe(p, i)
					if err != nil {
						t.Error(err)
						return
					}
					subs = append(subs, s)
				} else if len(subs) > 0 {
					j := r.IntN(len(subs))
					subs[j].Unsubscribe()
					subs[j] = subs[len(subs)-1]
					subs = subs[:len(subs)-1]
				}
				if i%8 == 0 {
					ix.Has(fmt.Sprintf("a.%d.%d", r.IntN(30), r.IntN(30)))
				}
				if i%5000 == 0 {
					ix.Snapshot()
				}
			}
			for _, s := range subs {
				s.Unsubscribe()
			}
		})
	}
	wg.Wait()
	if n, slots := ix.Nodes(), ix.Slots(); n != 0 || slots > ix.MinSlots() || ix.Len() != 0 {
		t.Errorf("%d nodes in %d slots, and Len() = %d", n, slots, ix.Len())
	}
	// Results that were kept are let go by changes to come.
	for range 130 {
		mustSubscribe(t, ix, "a.1.2", 1).Unsubscribe() // no new shape: that would make a new cache
	}
	if n := ix.Results(); n != 0 {
		t.Errorf("%d results are kept", n)
	}
	if after := heap(); after > before+64<<10 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	runtime.KeepAlive(ix)
}

// TestLetsGo: a value is not kept once its subscription is gone and others came and
// went.
func TestLetsGo(t *testing.T) {
	type big struct{ _ [1 << 16]byte }
	for _, cached := range []bool{false, true} {
		ix := New[*big](NATS)
		ix.SetCache(cached)
		gone := make(chan bool)
		func() {
			v := new(big)
			runtime.AddCleanup(v, func(c chan bool) { close(c) }, gone)
			s := mustSubscribe(t, ix, "a.*", v)
			w := mustSubscribe(t, ix, "a.*", nil)
			for range 3 {
				ix.Has("a.b")
			}
			s.Unsubscribe()
			w.Unsubscribe()
		}()
		for range 2 * 64 {
			mustSubscribe(t, ix, "x.*", nil).Unsubscribe()
		}
		stress.Within(t, 10e9, "the value is let go", func() {
			for {
				runtime.GC()
				select {
				case <-gone:
					return
				default:
				}
			}
		})
		runtime.KeepAlive(ix)
	}
}

// TestZeroIndex: an Index that New did not make says so.
func TestZeroIndex(t *testing.T) {
	defer func() {
		if r := recover(); r == nil {
			t.Error("New of no dialect does not panic")
		}
	}()
	New[int](7)
}

// TestMemory: a subscription takes no more than the package's comment says.
func TestMemory(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("for 64 bits")
	}
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	n := 30_000
	if stress.Long() {
		n = 1_000_000
	}
	patterns := make([]string, n)
	for i := range patterns {
		patterns[i] = fmt.Sprint("a.", i/100, ".*.", i%100)
	}
	for _, test := range []struct {
		what  string
		of    int // patterns
		limit int
	}{{"patterns of their own", n, 70}, {"100 of a pattern", n / 100, 75}, {"one pattern", 1, 70}} {
		runtime.GC()
		before := heap()
		ix := New[int](NATS)
		for i := range n {
			mustSubscribe(t, ix, patterns[i%test.of], i)
		}
		each := (heap() - before) / n
		t.Logf("%s: %d bytes each", test.what, each)
		if each > test.limit {
			t.Errorf("%s: %d bytes for each subscription, want %d at most", test.what, each, test.limit)
		}
		runtime.KeepAlive(ix)
	}
	before := heap()
	ix := New[int](NATS)
	size := heap() - before
	t.Logf("an empty Index takes %d bytes", size)
	if size > 8<<10 {
		t.Errorf("an empty Index takes %d bytes", size)
	}
	runtime.KeepAlive(ix)
	runtime.KeepAlive(patterns)
}

// TestLastLetsGo: nor is that of the last of many, of a pattern or of a branch.
func TestLastLetsGo(t *testing.T) {
	for _, n := range []int{1, 2, 32, 33, 64, 65, 97, 1025, 1057} {
		ix := New[*[64]byte](NATS)
		for range n - 1 {
			ix.Subscribe("a.b", nil)
		}
		value := new([64]byte)
		kept := weak.Make(value)
		sub, _ := ix.Subscribe("a.b", value)
		sub.Unsubscribe()
		value, sub = nil, nil
		runtime.GC()
		if kept.Value() != nil {
			t.Errorf("the value of the last of %d is kept", n)
		}
		runtime.KeepAlive(ix)
	}
}

// TestMatchInParts: what a subject matches comes whole and once, whatever number of
// patterns, of subscribers of each and of groups it is.
func TestMatchInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 3))
	ix := New[int](NATS)
	ix.NoTrial()
	var want []int
	groups := map[string]bool{}
	for mask := range 64 { // all patterns of six tokens that the subject matches
		tokens := strings.Split("a.b.c.d.e.f", ".")
		for i := range tokens {
			if mask>>i&1 != 0 {
				tokens[i] = "*"
			}
		}
		pattern := strings.Join(tokens, ".")
		for range []int{0, 0, 1, 2, 31, 32, 33, 70}[r.IntN(8)] {
			v := len(want)
			mustSubscribe(t, ix, pattern, v)
			want = append(want, v)
		}
		for range r.IntN(3) {
			g := fmt.Sprint("g", r.IntN(20))
			groups[g] = true
			mustSubscribeGroup(t, ix, pattern, g, -1)
		}
	}
	for range groups {
		want = append(want, -1)
	}
	slices.Sort(want)
	for _, cached := range []bool{false, true} {
		ix.SetCache(cached)
		for range 3 { // until the result is kept
			for _, all := range []iter.Seq[int]{ix.Match("a.b.c.d.e.f"), ix.Snapshot().Match("a.b.c.d.e.f")} {
				if got := slices.Sorted(all); !slices.Equal(got, want) {
					t.Fatalf("cache: %t: Match has %d values, want %d:\n%v\n%v", cached, len(got), len(want), got, want)
				}
				end, n := r.IntN(len(want)), 0
				for range all {
					if n++; n > end {
						break
					}
				}
				if n != end+1 {
					t.Fatalf("cache: %t: %d values came, want %d", cached, n, end+1)
				}
			}
		}
	}
}
