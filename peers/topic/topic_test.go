package topic

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// A full is an index with its subscriptions.
type full struct {
	*input
	client func() client
}

// The last index that was made: benchmarks of one size come one after the other, and
// are run several times each.
var last struct {
	variant, set string
	n            int
	full
}

var inputs = map[string]*input{}

func inputOf(set string, n int) *input {
	key := fmt.Sprint(set, n)
	if inputs[key] == nil {
		clear(inputs)
		inputs[key] = newInput(set, n)
	}
	return inputs[key]
}

// filled returns an index with n subscriptions. Each variant is filled in the same
// order with the same.
func filled(v variant, set string, n int) full {
	if last.variant == v.name && last.set == set && last.n == n {
		return last.full
	}
	last.full = full{}
	in := inputOf(set, n)
	runtime.GC()
	index := v.index()
	c := index()
	for i, p := range in.patterns {
		c.subscribe(p, &in.items[i])
	}
	runtime.GC()
	last.variant, last.set, last.n, last.full = v.name, set, n, full{in, index}
	return last.full
}

var (
	sets       = []string{"devices", "many"}
	sizes      = []int{1000, 100_000, 1_000_000}
	mixes      = []int{100, 99, 90, 50} // percent of the operations that match
	goroutines = []int{1, 2, 4, 8, 16}
)

// BenchmarkMatch: an operation is a match, or one of the rest a subscribe or an
// unsubscribe of a pattern of the goroutine's own.
func BenchmarkMatch(b *testing.B) {
	for _, set := range sets {
		for _, n := range sizes {
			for _, v := range variants {
				if v.most > 0 && n > v.most {
					continue
				}
				for _, subjects := range []string{"hot", "uni"} {
					for _, mix := range mixes {
						for _, g := range goroutines {
							b.Run(fmt.Sprintf("variant=%s/set=%s/subs=%d/subjects=%s/mix=%d/goroutines=%d", v.name, set, n, subjects, mix, g), func(b *testing.B) {
								f := filled(v, set, n)
								run(b, f, f.subjects[:subjectCounts[subjects]], mix, g)
							})
						}
					}
				}
			}
		}
	}
}

// run divides b.N operations among goroutines.
func run(b *testing.B, f full, subjects []string, mix, goroutines int) {
	players := make([]player, goroutines)
	for i := range players {
		players[i] = player{c: f.client(), Rand: rand.NewPCG(uint64(i), 3), subjects: subjects, own: f.own, mix: mix}
	}
	var left sync.WaitGroup
	b.ResetTimer()
	for i := range players {
		n := b.N / goroutines
		if i == 0 {
			n += b.N % goroutines
		}
		left.Go(func() { players[i].play(n) })
	}
	left.Wait()
	b.StopTimer()
	for i := range players {
		players[i].leave()
	}
}

// sink keeps results from being dropped.
var sink atomic.Int64

// A player is a goroutine that matches, and comes and goes with subscriptions of its
// own.
type player struct {
	c             client
	Rand          *rand.PCG
	subjects, own []string
	mix           int

	subs [64]subscription
	n    int // of subs
}

func (p *player) play(ops int) {
	found, sum := 0, int64(0)
	for range ops {
		x := p.Rand.Uint64()
		if int(x>>32%100) >= p.mix {
			p.change(x)
			continue
		}
		n, s := p.c.match(p.subjects[x>>8%uint64(len(p.subjects))])
		found += n
		sum += s
	}
	sink.Add(int64(found) + sum)
}

func (p *player) change(x uint64) {
	if p.n == 0 || p.n < len(p.subs) && x&1 == 0 {
		// A value of its own for each: gsl has each value once for a pattern.
		p.subs[p.n] = p.c.subscribe(p.own[x>>8%uint64(len(p.own))], new(item))
		p.n++
		return
	}
	p.n--
	p.c.unsubscribe(p.subs[p.n])
}

func (p *player) leave() {
	for ; p.n > 0; p.n-- {
		p.c.unsubscribe(p.subs[p.n-1])
	}
}

// BenchmarkMemory: B/sub is what a subscription takes besides the text of its
// pattern, which all variants share with the caller.
func BenchmarkMemory(b *testing.B) {
	for _, set := range sets {
		for _, n := range sizes {
			for _, v := range variants {
				if v.most > 0 {
					continue
				}
				b.Run(fmt.Sprintf("variant=%s/set=%s/subs=%d", v.name, set, n), func(b *testing.B) {
					in := inputOf(set, n)
					for b.Loop() {
						last.full = full{}
						before := heap()
						c := v.index()()
						for i, p := range in.patterns {
							c.subscribe(p, &in.items[i])
						}
						b.ReportMetric(float64(heap()-before)/float64(n), "B/sub")
						runtime.KeepAlive(c)
					}
				})
			}
		}
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Every variant finds the same, when it is new, while others come and go, and after
// that.
func TestSame(t *testing.T) {
	n, asked := 1000, 500
	if stress.Long() {
		n, asked = 20_000, 20_000
	}
	for _, set := range sets {
		in := newInput(set, n)
		type answer struct {
			n   int
			sum int64
		}
		var want []answer
		for i, v := range variants {
			c := v.index()()
			for j, p := range in.patterns {
				c.subscribe(p, &in.items[j])
			}
			var got []answer
			ask := func() {
				for range 2 { // once more where there is a cache
					for _, s := range in.subjects[:asked] {
						n, sum := c.match(s)
						got = append(got, answer{n, sum})
					}
				}
			}
			ask()
			p := player{c: c, Rand: rand.NewPCG(1, 2), subjects: in.subjects[:asked], own: in.own, mix: 90}
			p.play(2000)
			ask()
			p.leave()
			ask()
			if i == 0 {
				want = got
				continue
			}
			for j := range want {
				if got[j] != want[j] {
					t.Fatalf("%s, %s: %q matches %+v, want %+v as %s has", set, v.name, in.subjects[j%asked], got[j], want[j], variants[0].name)
				}
			}
		}
		found := 0
		for _, a := range want {
			found += a.n
		}
		if found == 0 {
			t.Errorf("%s: no subject matches anything", set)
		}
	}
}

// Clients of one index see what others subscribe.
func TestClients(t *testing.T) {
	for _, v := range variants {
		client := v.index()
		a, b := client(), client()
		it := &item{7}
		for range 3 {
			if n, _ := b.match("a.b"); n != 0 {
				t.Errorf("%s: %d subscriptions, want none", v.name, n)
			}
			s := a.subscribe("a.*", it)
			for range 2 {
				if n, sum := b.match("a.b"); n != 1 || sum != 7 {
					t.Errorf("%s: %d subscriptions with the sum %d, want 1 with 7", v.name, n, sum)
				}
			}
			a.unsubscribe(s)
		}
	}
}
