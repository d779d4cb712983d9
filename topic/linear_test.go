package topic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	. "github.com/gopayoff/payoff/topic"
)

// A span is from the call of an operation to its return, by a clock that is an
// atomic counter.
type span struct{ call, ret int64 }

// A life is what happened to one subscription, which only one goroutine made and
// ended. Each is the only one with its value.
type life struct {
	subject int
	on, off span // off is 0 if it was not ended
}

// A sight is what one Match yielded.
type sight struct {
	span
	subject int
	values  []int
}

// judge returns what is wrong with the sights of one subscription: each must have
// come and gone at one moment, within Subscribe and Unsubscribe, so that all sights
// agree. seen has those that have its value, unseen others of its subject.
func judge(l life, seen, unseen []sight) string {
	ended := l.off.call != 0
	for _, s := range seen {
		if s.ret < l.on.call {
			return "was seen before Subscribe"
		}
		if ended && s.call > l.off.ret {
			return "was seen after Unsubscribe"
		}
	}
	for _, u := range unseen {
		if u.call > l.on.ret && (!ended || u.ret < l.off.call) {
			return "was not seen between Subscribe and Unsubscribe"
		}
		for _, s := range seen {
			if s.ret < u.call && (!ended || u.ret < l.off.call) {
				return "was not seen any more before Unsubscribe"
			}
			if u.ret < s.call && u.call > l.on.ret {
				return "was seen again"
			}
		}
	}
	return ""
}

// TestJudge: the judge finds what is wrong.
func TestJudge(t *testing.T) {
	l := life{on: span{10, 20}, off: span{30, 40}}
	at := func(call, ret int64) []sight { return []sight{{span: span{call, ret}}} }
	for _, test := range []struct {
		seen, unseen []sight
		want         bool
	}{
		{nil, nil, true},
		{at(5, 9), nil, false},
		{at(5, 11), nil, true},
		{at(41, 50), nil, false},
		{at(39, 50), nil, true},
		{nil, at(21, 29), false},
		{nil, at(19, 29), true},
		{nil, at(21, 31), true},
		{at(11, 12), at(13, 14), false},
		{at(13, 14), at(11, 12), true},
		{at(36, 37), at(33, 34), false},
		{at(33, 34), at(36, 37), true},
	} {
		if got := judge(l, test.seen, test.unseen); (got == "") != test.want {
			t.Errorf("seen %v, unseen %v: %q", test.seen, test.unseen, got)
		}
	}
}

// TestLinearizable: each subscription comes and goes at one moment, whatever ways
// there are to find it.
func TestLinearizable(t *testing.T) {
	rounds, ops := 6, 150
	if stress.Long() {
		rounds = 60
	}
	seed := stress.Seed(t)
	for _, way := range []string{"shapes", "cache", "marks", "marks and cache", "one pattern", "one pattern and cache", "growing"} {
		t.Run(way, func(t *testing.T) {
			stress.Procs(t, func(t *testing.T) {
				for round := range rounds {
					linear(t, way, rand.New(rand.NewPCG(seed, uint64(round))), ops)
				}
			})
		})
	}
}

func linear(t *testing.T, way string, r *rand.Rand, ops int) {
	ix := New[int](NATS)
	ix.NoTrial()
	switch way {
	case "cache", "marks and cache", "one pattern and cache":
		ix.SetCache(true)
	}
	subjects := []string{"a.b.c.d", "a.b.c.e", "b.b.c.d"}
	patterns := [][]string{
		{"a.b.c.d", "a.*.c.d", "*.b.c.d", "a.>"},
		{"a.b.c.e", "a.*.c.e", "a.b.>", "*.*.c.e"},
		{"b.b.c.d", "*.*.*.d", "b.>", "b.*.*.d"},
	}
	switch way {
	case "marks", "marks and cache":
		fillShapes(t, ix, 4)
	case "one pattern", "one pattern and cache":
		for i := range patterns {
			patterns[i] = []string{"*.b.>"}
		}
	}
	var (
		clock  atomic.Int64
		values atomic.Int64
		mu     sync.Mutex
		lives  = make(map[int]*life)
		sights []sight
		wg     sync.WaitGroup
	)
	for range 2 {
		seed := r.Uint64()
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 1))
			mine := make(map[int]*life)
			type open struct {
				*Sub[int]
				*life
			}
			var subs []open
			for range ops {
				if len(subs) < 3 && r.IntN(2) == 0 || len(subs) == 0 {
					v := int(values.Add(1))
					l := &life{subject: r.IntN(len(subjects))}
					p := patterns[l.subject][r.IntN(len(patterns[l.subject]))]
					if way == "growing" && r.IntN(2) == 0 {
						// Make the stripe's slots anew, many times.
						for i := range 20 {
							s, _ := ix.Subscribe(fmt.Sprint("x.", v, ".", i), -1)
							defer s.Unsubscribe()
						}
					}
					l.on.call = clock.Add(1)
					s, err := ix.Subscribe(p, v)
					l.on.ret = clock.Add(1)
					if err != nil {
						t.Error(err)
						return
					}
					mine[v] = l
					subs = append(subs, open{s, l})
				} else {
					i := r.IntN(len(subs))
					o := subs[i]
					subs = slices.Delete(subs, i, i+1)
					o.off.call = clock.Add(1)
					o.Unsubscribe()
					o.off.ret = clock.Add(1)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for v, l := range mine {
				lives[v] = l
			}
		})
	}
	for range 2 {
		seed := r.Uint64()
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 2))
			var mine []sight
			for range ops {
				s := sight{subject: r.IntN(len(subjects))}
				s.call = clock.Add(1)
				switch {
				case r.IntN(10) == 0:
					s.values = ix.Snapshot().AppendMatch(nil, subjects[s.subject])
				default:
					s.values = ix.AppendMatch(nil, subjects[s.subject])
				}
				s.ret = clock.Add(1)
				mine = append(mine, s)
			}
			mu.Lock()
			defer mu.Unlock()
			sights = append(sights, mine...)
		})
	}
	wg.Wait()
	rules := natsRules
	// A subscription of one subject is seen from others too, which tells less.
	for v, l := range lives {
		var seen, unseen []sight
		for _, s := range sights {
			switch {
			case slices.Contains(s.values, v):
				seen = append(seen, s)
			case s.subject == l.subject:
				unseen = append(unseen, s)
			}
		}
		if why := judge(*l, seen, unseen); why != "" {
			t.Fatalf("%s: a subscription of %v for %q %s: %+v", way, rules.Dialect, subjects[l.subject], why, *l)
		}
	}
}

// fillShapes subscribes to patterns of n tokens and more of all shapes that there
// is room for, so that others are found through marks.
func fillShapes(t testing.TB, ix *Index[int], n int) {
	for size := 1; size <= n; size++ {
		for stars := range 1 << 7 {
			p := ""
			for i := range max(size, 7) {
				if p != "" {
					p += "."
				}
				if stars>>i&1 != 0 {
					p += "*"
				} else {
					p += "none"
				}
			}
			if _, err := ix.Subscribe(p, -1); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSnapshotIsOneMoment: a subscription is in a Snapshot only with all that
// were made before, unless they ended.
func TestSnapshotIsOneMoment(t *testing.T) {
	rounds := 6
	if stress.Long() {
		rounds = 100
	}
	stress.Procs(t, func(t *testing.T) {
		for round := range rounds {
			ix := New[int](NATS)
			if round%2 == 0 {
				ix.SetCache(true)
			}
			const n = 300
			var wg sync.WaitGroup
			var done atomic.Bool
			wg.Go(func() {
				defer done.Store(true)
				var subs []*Sub[int]
				for i := range n {
					p := fmt.Sprint("a.", i)
					if i%3 == 0 {
						p += ".1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.*" // by marks
					}
					s, err := ix.Subscribe(p, i)
					if err != nil {
						t.Error(err)
						return
					}
					if subs = append(subs, s); len(subs) > 20 {
						subs[0].Unsubscribe()
						subs = subs[1:]
					}
				}
			})
			for !done.Load() {
				var got []int
				for s := range ix.Snapshot().All() {
					got = append(got, s.Value())
				}
				slices.Sort(got)
				for i, v := range got {
					if v != got[0]+i {
						t.Fatalf("a snapshot has %v", got)
					}
				}
				if len(got) > 21 {
					t.Fatalf("a snapshot has %v", got)
				}
			}
			wg.Wait()
		}
	})
}
