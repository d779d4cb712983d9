package topic

import (
	"hash/maphash"
	"runtime"
	"testing"
)

// A change and the keeping of a result take three steps each. TestSteps goes
// through all orders of these, asks after each step, and holds the
// answers to it that the subscription comes, or goes, at one moment.
func TestSteps(t *testing.T) {
	const subject = "a.b"
	for _, comes := range []bool{true, false} {
		for order := range 1 << 6 {
			ix := New[int](NATS)
			ix.trial.rest.Store(-1)
			if _, err := ix.Subscribe("a.*", 1); err != nil {
				t.Fatal(err)
			}
			s, err := ix.Subscribe("*.b", 2)
			if err != nil {
				t.Fatal(err)
			}
			if comes {
				s.Unsubscribe()
			}
			ix.setCache(nil, true)
			c := ix.guide.Load().cache
			hash := maphash.String(subjects, subject)
			v := ix.view()

			p := ix.hash.parse("*.b")
			st := &ix.stripes[ix.table.stripe(p.key)]
			change := []func(){
				func() { st.Lock(); c.begin(p.key, false) },
				func() {
					old := ix.table.lookup(p.key, "*.b", false)
					node := &Sub[int]{pattern: "*.b", value: 2, in: ix.plain}
					if !comes {
						node = nil
					}
					ix.table.put(st, p.key, old, node, ix.keyOf)
				},
				func() { c.end(); st.Unlock() },
			}
			var r *result[int]
			keep := []func(){
				func() { r = c.draft(hash) },
				func() { v.fill(r, subject) },
				func() { c.put(r) },
			}
			ask := func() bool {
				// Not by Count, which would keep a result by itself.
				n := 0
				if r, holds := c.get(hash, subject); holds {
					n = len(r.values)
				} else {
					v.each(subject, func(*Sub[int]) bool { n++; return true })
				}
				return n == 2 == comes // whether it has come, or gone
			}
			steps, done := "", ask()
			if done {
				t.Fatalf("done before the first step")
			}
			for i := range 6 {
				if order>>i&1 == 0 && len(change) > 0 || len(keep) == 0 {
					if len(change) == 0 {
						break
					}
					change[0]()
					change = change[1:]
					steps += "c"
				} else {
					keep[0]()
					keep = keep[1:]
					steps += "k"
				}
				now := ask()
				if done && !now {
					t.Fatalf("comes: %t, steps %s: it had happened before the last step, and has not after it", comes, steps)
				}
				if done = now; len(change) == 0 && !now {
					t.Fatalf("comes: %t, steps %s: it has not happened", comes, steps)
				}
			}
		}
	}
}

// A cache that does not pay is over though others hold locks all the time, and goes when
// they do not.
func TestCacheIsOver(t *testing.T) {
	ix := New[int](NATS)
	ix.setCache(nil, true)
	c := ix.guide.Load().cache
	poor := func() {
		for range strikes {
			c.seen.Store(1)
			ix.trial.note(c, 1, -1)
		}
	}
	ix.stripes[1].Lock()
	poor()
	if !c.over.Load() || ix.guide.Load().cache != c {
		t.Fatalf("after %d poor looks the cache is over: %t, want true", strikes, c.over.Load())
	}
	if ix.trial.rest.Load() != longRest {
		t.Errorf("%d samples until the next trial, want %d", ix.trial.rest.Load(), longRest)
	}
	rest := func(n int) {
		for range n {
			ix.trial.rested(ix.guide.Load().cache)
		}
	}
	rest(tryAgain)
	ix.stripes[1].Unlock()
	if ix.guide.Load().cache != c {
		t.Errorf("the cache is gone though a part was locked")
	}
	rest(tryAgain)
	if ix.guide.Load().cache != nil {
		t.Errorf("the cache is still there")
	}
	rest(longRest - 2*tryAgain)
	if now := ix.guide.Load().cache; now == nil || now == c {
		t.Errorf("there is no other cache when it is time")
	}
}

// Changes count against a cache, the more the more processors there are.
func TestChangesCount(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	ix := New[int](NATS)
	ix.setCache(nil, true)
	c := ix.guide.Load().cache
	look := func(changes, saved int) {
		c.seen.Store(0)
		for c.seen.Load() == 0 {
			c.missed(c.begun.Load())
		}
		for range changes {
			c.begin(1, false)
			c.end()
		}
		c.seen.Store(1)
		ix.trial.note(c, 1, saved)
	}
	for _, v := range []struct {
		changes, saved int
		pays           bool
	}{{0, 1, true}, {1, 7*lineCost + 1, true}, {1, 7 * lineCost, false}, {3, 3*7*lineCost + 1, true}, {3, 2 * 7 * lineCost, false}} {
		c.poor.Store(0)
		look(v.changes, v.saved)
		if pays := c.poor.Load() == 0; pays != v.pays {
			t.Errorf("%d changes, %d probes saved: the cache pays: %t, want %t", v.changes, v.saved, pays, v.pays)
		}
	}
}

// A result that holds is not believed once the ring was overwritten, be it
// while it was read.
func TestRing(t *testing.T) {
	c := newCache[int]()
	r := &result[int]{keys: make([]uint64, 8), probes: 1 << 20}
	const other, mine = 3 << 16, 5
	word, bits := place(mine, len(r.keys))
	r.keys[word] |= bits
	change := func(key uint64) { c.begin(key, false); c.end() }
	for n := range 3 * ringSize {
		c.begun.Store(uint64(n))
		c.ended.Store(uint64(n))
		r.stamp.Store(uint64(n))
		if !c.holds(r) {
			t.Fatalf("after %d changes, a new result does not hold", n)
		}
		for range ringSize - 1 {
			change(other)
		}
		r.stamp.Store(uint64(n))
		if !c.holds(r) {
			t.Fatalf("after %d changes of others, a result does not hold", ringSize-1)
		}
		r.stamp.Store(uint64(n))
		change(other)
		if c.holds(r) {
			t.Fatalf("after %d changes, a result holds", ringSize)
		}
	}
	for at := range ringSize - 1 {
		r.stamp.Store(c.begun.Load())
		for i := range ringSize - 1 {
			key := uint64(other)
			if i == at {
				key = mine
			}
			change(key)
		}
		if c.holds(r) {
			t.Fatalf("after change %d, which concerns it, a result holds", at)
		}
	}
}
