package subject

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

var variants = []struct {
	name string
	make func() Matcher
	run  func(n int, f func(i int)) // what stands for goroutines
}{
	{"serial", NewSerial, inTurn},
	{"locked", NewLocked, atOnce},
	{"ctrie", NewCtrie, atOnce},
	{"topic", NewTopic, atOnce},
}

// inTurn calls f for each of n in this goroutine.
func inTurn(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// atOnce calls f for each of n in a goroutine of its own, and waits for all.
func atOnce(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// fits reports whether a subject matches a pattern, token by token.
func fits(pattern, subject string) bool {
	p, s := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, token := range p {
		switch {
		case i == len(s):
			return false
		case token == ">":
			return true
		case token != "*" && token != s[i]:
			return false
		}
	}
	return len(p) == len(s)
}

// subject returns one of 40,960 subjects of four tokens.
func subject(r *rand.Rand) []string {
	return []string{
		fmt.Sprint("service", r.IntN(20)), fmt.Sprint("region", r.IntN(8)),
		fmt.Sprint("device", r.IntN(64)), fmt.Sprint("event", r.IntN(4)),
	}
}

// pattern returns a pattern, half of the time without a wildcard. Of 10,000 a subject
// matches about one.
func pattern(r *rand.Rand) string {
	p := subject(r)
	switch r.IntN(20) {
	case 0:
		p[0] = "*"
	case 1, 2:
		p[1] = "*"
	case 3, 4, 5:
		p[3] = "*"
	case 6, 7, 8:
		p[3] = ">"
	case 9:
		p = append(p, ">")
	}
	return strings.Join(p, ".")
}

// Any sequence of calls has the answers that a list of patterns has, which looks at all
// of them.
func TestVariants(t *testing.T) {
	type entry struct {
		pattern string
		value   int
		subs    []Subscription // of each variant
	}
	tokens := []string{"a", "b", "c"}
	random := func(r *rand.Rand, wild bool) string {
		s := make([]string, 1+r.IntN(4))
		for i := range s {
			s[i] = tokens[r.IntN(3)]
			switch {
			case wild && r.IntN(4) == 0:
				s[i] = "*"
			case wild && i == len(s)-1 && r.IntN(4) == 0:
				s[i] = ">"
			}
		}
		return strings.Join(s, ".")
	}
	for _, n := range []int{0, 1, 2, 7, 60} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		var all []Matcher
		for _, v := range variants {
			all = append(all, v.make())
		}
		var list []entry
		check := func() {
			s := random(r, false)
			var want []int
			for _, e := range list {
				if fits(e.pattern, s) {
					want = append(want, e.value)
				}
			}
			slices.Sort(want)
			for i, m := range all {
				got := m.AppendMatch(nil, s)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, n=%d: AppendMatch(%q) = %v, want %v of %v", variants[i].name, n, s, got, want, list)
				}
			}
		}
		end := func(i int) {
			for j, s := range list[i].subs {
				if !s.Unsubscribe() || s.Unsubscribe() {
					t.Fatalf("%s: Unsubscribe of %q is not true once", variants[j].name, list[i].pattern)
				}
			}
			list[i] = list[len(list)-1]
			list = list[:len(list)-1]
		}
		for step := range 2000 {
			check()
			switch {
			case len(list) < n && r.IntN(2) == 0:
				e := entry{pattern: random(r, true), value: step}
				for _, m := range all {
					e.subs = append(e.subs, m.Subscribe(e.pattern, e.value))
				}
				list = append(list, e)
			case len(list) > 0 && r.IntN(2) == 0:
				end(r.IntN(len(list)))
			}
		}
		for len(list) > 0 {
			end(0)
		}
		for range 20 {
			check()
		}
		if root := all[0].(*trie).root; !root.empty() {
			t.Errorf("n=%d: the trie keeps nodes", n)
		}
		if b := &all[2].(*forest).root; b.below.Len() != 0 || b.stars.Load() != 0 || b.tails.Load() != 0 {
			t.Errorf("n=%d: %d branches are kept", n, b.below.Len())
		}
	}
}

// A load is what one op works with. It is made before the clock starts.
type load struct {
	patterns []string // that are there all the time
	own      []string // that come and go meanwhile
	subjects []string
}

func newLoad(n int) *load {
	r := rand.New(rand.NewPCG(1, 2))
	l := &load{make([]string, n), make([]string, 1024), make([]string, 8192)}
	for i := range l.patterns {
		l.patterns[i] = pattern(r)
	}
	for i := range l.own {
		l.own[i] = pattern(r)
	}
	for i := range l.subjects {
		l.subjects[i] = strings.Join(subject(r), ".")
	}
	return l
}

// fill subscribes to the patterns. The values are above 0, which those have that come
// and go: so what matches add up to does not depend on who is first.
func (l *load) fill(m Matcher) Matcher {
	for i, p := range l.patterns {
		m.Subscribe(p, i+1)
	}
	return m
}

// work does ops operations, of which matches in a hundred match, the others subscribe
// and unsubscribe in turn. It begins at offset i of the load, and returns the sum of
// the values that were found.
func (l *load) work(m Matcher, i, ops, matches int) (sum int) {
	var found []int
	var last Subscription
	writes := 0
	for k := range ops {
		// The writes are spread evenly.
		if (k+1)*(100-matches)/100 > writes {
			writes++
			if last == nil {
				last = m.Subscribe(l.own[(i+k)%len(l.own)], 0)
			} else {
				last.Unsubscribe()
				last = nil
			}
			continue
		}
		found = m.AppendMatch(found[:0], l.subjects[(i+k)%len(l.subjects)])
		for _, v := range found {
			sum += v
		}
	}
	if last != nil {
		last.Unsubscribe()
	}
	return sum
}

// share does op number i, divided among some goroutines, and returns the sum.
func (l *load) share(m Matcher, run func(n int, f func(i int)), i, ops, goroutines, matches int) (sum int) {
	sums := make([]int, goroutines)
	run(goroutines, func(g int) {
		from, to := ops*g/goroutines, ops*(g+1)/goroutines
		sums[g] = l.work(m, i*ops+from, to-from, matches)
	})
	for _, s := range sums {
		sum += s
	}
	return sum
}

// However many goroutines share the work, all variants find the same.
func TestGoroutines(t *testing.T) {
	for _, n := range []int{0, 1, 500} {
		l := newLoad(n)
		for _, goroutines := range []int{1, 2, 3, 8, 17} {
			for _, matches := range []int{90, 50} {
				var want int
				for i, v := range variants {
					got := l.share(l.fill(v.make()), v.run, 1, 1500, goroutines, matches)
					if i == 0 {
						want = got
					}
					if got != want || n == 500 && got == 0 {
						t.Errorf("%s, n=%d, %d goroutines: the sum is %d, want %d", v.name, n, goroutines, got, want)
					}
				}
			}
		}
	}
}

// A subscription is found as long as it is there, whatever others do beside it: the
// same, half of the time, so that what one begins to need another has just given up.
func TestStays(t *testing.T) {
	pairs := []struct{ pattern, subject string }{
		{"a.b.c", "a.b.c"}, {"a.*.c", "a.x.c"}, {"a.>", "a.b"}, {"x.y.z", "x.y.z"},
		{"x.*", "x.y"}, {"*.b.c", "y.b.c"}, {">", "z"}, {"x.y.>", "x.y.z"},
	}
	for _, v := range variants {
		m := v.make()
		m.Subscribe("a.*.c", 1)
		v.run(16, func(g int) {
			p := pairs[g/2]
			for i := range 2000 {
				s := m.Subscribe(p.pattern, 10+g)
				if found := m.AppendMatch(nil, p.subject); !slices.Contains(found, 10+g) {
					t.Errorf("%s, round %d: %q is subscribed to, and %q finds %v", v.name, i, p.pattern, p.subject, found)
					return
				}
				s.Unsubscribe()
				if found := m.AppendMatch(nil, p.subject); slices.Contains(found, 10+g) {
					t.Errorf("%s, round %d: %q is not subscribed to, and %q finds %v", v.name, i, p.pattern, p.subject, found)
					return
				}
				if found := m.AppendMatch(nil, "a.b.c"); !slices.Contains(found, 1) {
					t.Errorf("%s, round %d: of those who stay, %v are found", v.name, i, found)
					return
				}
			}
		})
		if found := m.AppendMatch(nil, "a.b.c"); !slices.Equal(found, []int{1}) {
			t.Errorf("%s: in the end %v are found", v.name, found)
		}
	}
}

// One op is 2000 operations among 10,000 subscriptions.
func BenchmarkSubject(b *testing.B) {
	const subs, ops = 10_000, 2000
	for _, matches := range []int{90, 50} {
		for _, goroutines := range []int{1, 2, 4, 8, 16} {
			for _, v := range variants {
				b.Run(fmt.Sprintf("variant=%s/mix=%d/goroutines=%d", v.name, matches, goroutines), func(b *testing.B) {
					l := newLoad(subs)
					m := l.fill(v.make())
					runtime.GC() // what is left of making the load is not of the op
					i := 0
					for b.Loop() {
						l.share(m, v.run, i, ops, goroutines, matches)
						i++
					}
				})
			}
		}
	}
}
