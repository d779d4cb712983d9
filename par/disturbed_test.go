package par

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestDisturbed: the number of processors changes, the collector runs, a process
// takes a processor away, callers are bound to threads. Results stay right, and
// nothing stays behind.
func TestDisturbed(t *testing.T) {
	seed := stress.Seed(t)
	for _, stormy := range []bool{false, true} {
		stress.NoneLeft(t)
		if stormy {
			storm(t)
		} else {
			hook(t, nil, nil, nil)
		}
		stress.Hog(t)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		var over atomic.Bool
		var trouble, callers sync.WaitGroup
		trouble.Go(func() {
			for i := 0; !over.Load(); i++ {
				runtime.GOMAXPROCS(1 + i%5)
				if i%8 == 0 {
					runtime.GC()
				}
				time.Sleep(time.Millisecond)
			}
		})
		f := forms(func(*shape) {})["Serial"]
		for g := range 6 {
			callers.Go(func() {
				if g%2 == 0 {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
				}
				rnd := rand.New(rand.NewPCG(uint64(g), seed))
				for range times(60) {
					tree := randomTree(rnd, rnd.IntN(5000))
					if got, want := f.Call(tree), serialDigest(tree); got != want {
						t.Errorf("got %#x, want %#x", got, want)
						return
					}
					n := rnd.IntN(20000)
					var sum atomic.Int64
					For(n, func(lo, hi int) {
						s := 0
						for i := lo; i < hi; i++ {
							s += i
						}
						sum.Add(int64(s))
					})
					if got, want := sum.Load(), int64(n)*int64(n-1)/2; got != want && n > 0 {
						t.Errorf("sum to %d is %d, want %d", n, got, want)
						return
					}
				}
			})
		}
		stress.Within(t, 5*time.Minute, "calls, disturbed", callers.Wait)
		over.Store(true)
		trouble.Wait()
		rest(t)
	}
}

// FuzzFork: whatever the shape of the tree, and wherever a node panics or calls
// Goexit, the outcome is that of serial code.
func FuzzFork(f *testing.F) {
	f.Add(uint64(1), uint16(100), uint16(50), uint8(1), uint8(2))
	f.Add(uint64(2), uint16(3000), uint16(0), uint8(2), uint8(8))
	f.Add(uint64(3), uint16(1000), uint16(999), uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, size, at uint16, how, procs uint8) {
		storm(t)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(int(procs)%8 + 1))
		tree := randomTree(rand.New(rand.NewPCG(seed, 1)), int(size))
		visit := func(s *shape) {
			s.ran.Add(1)
			if s.id == int(at) {
				switch how % 3 {
				case 1:
					panic(errBoom)
				case 2:
					runtime.Goexit()
				}
			}
		}
		ends := how%3 != 0 && int(at) < int(size)
		for name, f := range forms(visit) {
			tree.each(func(s *shape) { s.ran.Store(0) })
			var got uint64
			value, returned := catch(func() { got = f.Call(tree) })
			switch {
			case returned == ends:
				t.Fatalf("%s form: returned %t", name, returned)
			case returned && got != serialDigest(tree):
				t.Fatalf("%s form: %#x, want %#x", name, got, serialDigest(tree))
			case ends && how%3 == 1 && value != errBoom, ends && how%3 == 2 && value != nil:
				t.Fatalf("%s form: %v came out", name, value)
			}
			tree.each(func(s *shape) {
				if n := s.ran.Load(); n > 1 || returned && n != 1 {
					t.Fatalf("%s form: node %d ran %d times", name, s.id, n)
				}
			})
		}
	})
}
