package maps

import (
	"hash"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/Workiva/go-datastructures/trie/ctrie"

	"github.com/gopayoff/payoff/internal/stress"
)

// Workiva's Ctrie says of a key that is there that it is not, and does not remove it:
// where keys have one hash, Remove gives up if another goroutine changed their list
// meanwhile. Of 100,000 keys some have the same 32 bits.
//
// The test does not fail, neither with the fault nor without: it shows the trace.
func TestWorkivaLosesRemoves(t *testing.T) {
	n := 20_000
	if stress.Long() || *histories > 0 {
		n = 5_000_000
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	m := ctrie.New(func() hash.Hash32 { return sameHash{} })
	a, b, c := []byte("a"), []byte("b"), []byte("c")
	m.Insert(c, 0)
	var stop atomic.Bool
	var done sync.WaitGroup
	done.Go(func() { // has nothing to do with a
		for !stop.Load() {
			m.Insert(b, 0)
			m.Remove(b)
		}
	})
	defer done.Wait()
	defer stop.Store(true)
	for i := range n {
		m.Insert(a, i)
		was, ok := m.Remove(a)
		if is, there := m.Lookup(a); !ok || there {
			t.Logf("after %d pairs of Insert and Remove of a by one goroutine, while another inserts and removes b:\n"+
				"Insert(a, %d)\nRemove(a) = %v, %t\nLookup(a) = %v, %t", i, i, was, ok, is, there)
			return
		}
	}
	t.Logf("not seen in %d pairs of Insert and Remove", n)
}

// TestWorkivaCollisions says how many histories are none of a map where all keys have
// one hash, and shows one.
func TestWorkivaCollisions(t *testing.T) {
	n := max(20, *histories)
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	colliding := kind{"", func() subject { return workivaSubject(func() hash.Hash32 { return sameHash{} }) }}
	if first, bad := colliding.check(rnd, n, false); bad > 0 {
		t.Logf("%d of %d histories are not those of a map; one is\n%s", bad, n, describe(first))
	} else {
		t.Logf("none of %d histories", n)
	}
}
