package par

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// A shape is a random binary tree; its nodes are numbered in the order in which
// serial code comes to them.
type shape struct {
	left, right *shape
	id          int
	ran         atomic.Int32
}

// grow returns a tree of n nodes whose halves may be of very different sizes.
func grow(rnd *rand.Rand, n int, id *int) *shape {
	if n == 0 {
		return nil
	}
	s := &shape{id: *id}
	*id++
	left := rnd.IntN(n)
	switch rnd.IntN(4) {
	case 0:
		left = min(left, 1)
	case 1:
		left = (n - 1) / 2
	}
	s.left = grow(rnd, left, id)
	s.right = grow(rnd, n-1-left, id)
	return s
}

func randomTree(rnd *rand.Rand, n int) *shape { return grow(rnd, n, new(int)) }

// each calls f for all nodes.
func (s *shape) each(f func(s *shape)) {
	if s != nil {
		f(s)
		s.left.each(f)
		s.right.each(f)
	}
}

// digest is neither commutative nor symmetric.
func digest(id int, l, r uint64) uint64 {
	return (l*0x9E3779B97F4A7C15^uint64(id))*0xBF58476D1CE4E5B9 + r<<1 + 1
}

func serialDigest(s *shape) uint64 {
	if s == nil {
		return 7
	}
	return digest(s.id, serialDigest(s.left), serialDigest(s.right))
}

// forms are the two ways to write a body; visit is called at each node.
func forms(visit func(s *shape)) map[string]*Func[*shape, uint64] {
	var serial func(t *Task[*shape, uint64], s *shape) uint64
	serial = func(t *Task[*shape, uint64], s *shape) uint64 {
		if s == nil {
			return 7
		}
		visit(s)
		if t.Serial() {
			return digest(s.id, serial(t, s.left), serial(t, s.right))
		}
		l, r := t.Fork(s.left, s.right)
		return digest(s.id, l, r)
	}
	join := func(t *Task[*shape, uint64], s *shape) uint64 {
		if s == nil {
			return 7
		}
		visit(s)
		l, r := t.Join(s.left, s.right)
		return digest(s.id, l, r)
	}
	return map[string]*Func[*shape, uint64]{"Serial": New(serial), "Join": New(join)}
}

func times(n int) int {
	if !stress.Long() {
		return max(1, n/10)
	}
	return n
}

func TestForkOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	modes(t, func(t *testing.T) {
		for name, f := range forms(func(s *shape) { s.ran.Add(1) }) {
			for range times(200) {
				n := rnd.IntN(1 << rnd.IntN(15))
				tree := randomTree(rnd, n)
				want := serialDigest(tree)
				if got := f.Call(tree); got != want {
					t.Fatalf("%s form, %d nodes: %#x, want %#x", name, n, got, want)
				}
				tree.each(func(s *shape) {
					if ran := s.ran.Load(); ran != 1 {
						t.Fatalf("%s form, %d nodes: node %d ran %d times", name, n, s.id, ran)
					}
				})
			}
		}
	})
}

// TestForkSteals: the storm is what it is said to be.
func TestForkSteals(t *testing.T) {
	storm(t)
	var slow atomic.Int64
	f := forms(func(s *shape) {
		if s.id%64 == 0 {
			time.Sleep(time.Microsecond)
		}
		slow.Add(1)
	})["Join"]
	for try := 0; booked(t, &help.Sched.Counts.Steals) < 10; try++ {
		if try == 1000 {
			t.Fatalf("%d halves were taken by helpers in 1000 calls", booked(t, &help.Sched.Counts.Steals))
		}
		f.Call(randomTree(rand.New(rand.NewPCG(1, 2)), 1000))
	}
}

var errBoom = errors.New("boom")

// TestForkPanic: one node panics. The value comes out, no node runs twice, none
// runs after Call has returned, and the Func goes on to work.
func TestForkPanic(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	modes(t, func(t *testing.T) {
		for _, how := range []string{"panic", "Goexit"} {
			var bad atomic.Int64
			var over atomic.Bool
			var late atomic.Int64
			for name, f := range forms(func(s *shape) {
				if over.Load() {
					late.Add(1)
				}
				s.ran.Add(1)
				if int64(s.id) == bad.Load() {
					if how == "panic" {
						panic(errBoom)
					}
					runtime.Goexit()
				}
			}) {
				for range times(100) {
					n := 1 + rnd.IntN(1<<rnd.IntN(12))
					tree := randomTree(rnd, n)
					bad.Store(int64(rnd.IntN(n)))
					over.Store(false)
					got, returned := catch(func() { f.Call(tree) })
					over.Store(true)
					switch {
					case returned:
						t.Fatalf("%s form, %s at %d of %d: Call returned", name, how, bad.Load(), n)
					case how == "panic" && got != errBoom, how == "Goexit" && got != nil:
						t.Fatalf("%s form, %s at %d of %d: %v came out", name, how, bad.Load(), n, got)
					}
					tree.each(func(s *shape) {
						if ran := s.ran.Load(); ran > 1 {
							t.Fatalf("%s form, %s: node %d ran %d times", name, how, s.id, ran)
						}
					})
					bad.Store(-1)
					over.Store(false)
					if got, want := f.Call(tree), serialDigest(tree); got != want {
						t.Fatalf("%s form after %s: %#x, want %#x", name, how, got, want)
					}
				}
			}
			if n := late.Load(); n != 0 {
				t.Errorf("%s: %d nodes ran after Call had ended", how, n)
			}
		}
	})
}

// catch runs f in a goroutine and returns how it ended: value is of a panic.
func catch(f func()) (value any, returned bool) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if !returned {
				value = raw(recover())
			}
		}()
		f()
		returned = true
	}()
	<-done
	return value, returned
}

// TestForkRecover: bodies recover the panics of their own halves, and go on to
// fork.
func TestForkRecover(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	bad := func(s *shape) bool { return s.id%5 == 3 }
	guards := func(s *shape) bool { return s.id%3 == 0 }
	var serial func(s *shape) uint64
	serial = func(s *shape) (sum uint64) {
		if s == nil {
			return 1
		}
		if bad(s) {
			panic(errBoom)
		}
		if guards(s) {
			defer func() {
				if v := recover(); v == errBoom {
					sum = 3
				}
			}()
		}
		l := serial(s.left)
		r := serial(s.right)
		return digest(s.id, l, r)
	}
	var body func(t *Task[*shape, uint64], s *shape) uint64
	body = func(t *Task[*shape, uint64], s *shape) (sum uint64) {
		if s == nil {
			return 1
		}
		if bad(s) {
			panic(errBoom)
		}
		if guards(s) {
			defer func() {
				if v := recover(); v == errBoom { // not a *Panic, whoever ran the half
					// The Task is still good for forks.
					l, r := t.Join(nil, nil)
					sum = l + r + 1
				}
			}()
		}
		if t.Serial() {
			return digest(s.id, body(t, s.left), body(t, s.right))
		}
		l, r := t.Fork(s.left, s.right)
		return digest(s.id, l, r)
	}
	f := New(body)
	modes(t, func(t *testing.T) {
		for range times(200) {
			tree := randomTree(rnd, rnd.IntN(3000))
			want, wantOK := try(func() uint64 { return serial(tree) })
			got, ok := try(func() uint64 { return f.Call(tree) })
			if got != want || ok != wantOK {
				t.Fatalf("got %#x, %t, want %#x, %t", got, ok, want, wantOK)
			}
		}
	})
}

func try(f func() uint64) (sum uint64, ok bool) {
	defer func() { recover() }()
	return f(), true
}

// TestForkLocks: bodies hold a lock while they join, which bodies of other parts
// of the tree take too. Serial code does not deadlock, for a half never takes the
// locks its ancestors hold. Nor must a goroutine that waits for a half, with the
// lock, begin anything else than parts of that half.
func TestForkLocks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	var locks [4]sync.Mutex
	body := func(t *Task[*shape, uint64], s *shape) uint64 {
		if s == nil {
			return 7
		}
		if s.ran.Load() == 1 { // locks; nothing below it does
			mu := &locks[s.id%len(locks)]
			mu.Lock()
			defer mu.Unlock()
		}
		if s.id%8 == 0 { // time for helpers to take something
			runtime.Gosched()
			help.Pause(2000)
		}
		l, r := t.Join(s.left, s.right)
		return digest(s.id, l, r)
	}
	f := New(body)
	modes(t, func(t *testing.T) {
		stress.Within(t, 5*time.Minute, "bodies that lock", func() {
			for range times(100) {
				tree := randomTree(rnd, 2000)
				var mark func(s *shape)
				mark = func(s *shape) {
					if s == nil {
						return
					}
					if rnd.IntN(16) == 0 {
						s.ran.Store(1)
						return
					}
					mark(s.left)
					mark(s.right)
				}
				mark(tree)
				if got, want := f.Call(tree), serialDigest(tree); got != want {
					t.Fatalf("got %#x, want %#x", got, want)
				}
			}
		})
	})
}

// TestForkNested: bodies call other functions, loops and themselves.
func TestForkNested(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	inner := forms(func(*shape) {})["Serial"]
	var outer *Func[*shape, uint64]
	outer = New(func(t *Task[*shape, uint64], s *shape) uint64 {
		if s == nil {
			return 7
		}
		switch s.id % 97 {
		case 1:
			return inner.Call(s)
		case 2:
			return outer.Call(s.left) ^ uint64(s.id)
		case 3:
			var l, r uint64
			Do(func() { l = inner.Call(s.left) }, func() { r = inner.Call(s.right) })
			return digest(s.id, l, r)
		case 4:
			var sums [64]uint64
			For(len(sums), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					sums[i] = inner.Call(s.left)
				}
			})
			for _, sum := range sums {
				if sum != sums[0] {
					panic("sums differ")
				}
			}
			return sums[0]
		}
		l, r := t.Join(s.left, s.right)
		return digest(s.id, l, r)
	})
	var serial func(s *shape) uint64
	serial = func(s *shape) uint64 {
		if s == nil {
			return 7
		}
		switch s.id % 97 {
		case 1:
			return serialDigest(s)
		case 2:
			return serial(s.left) ^ uint64(s.id)
		case 3:
			return serialDigest(s)
		case 4:
			return serialDigest(s.left)
		}
		return digest(s.id, serial(s.left), serial(s.right))
	}
	modes(t, func(t *testing.T) {
		for range times(50) {
			tree := randomTree(rnd, 1500)
			if got, want := outer.Call(tree), serial(tree); got != want {
				t.Fatalf("got %#x, want %#x", got, want)
			}
		}
	})
}

// TestForkAtOnce: many goroutines call one Func.
func TestForkAtOnce(t *testing.T) {
	seed := stress.Seed(t)
	modes(t, func(t *testing.T) {
		f := forms(func(*shape) {})["Join"]
		var wg sync.WaitGroup
		for g := range 64 {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(g), seed))
				for range times(20) {
					tree := randomTree(rnd, rnd.IntN(2000))
					if got, want := f.Call(tree), serialDigest(tree); got != want {
						t.Errorf("got %#x, want %#x", got, want)
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestForkKeeps: Tasks, which are used again and again, keep no arguments and
// results alive.
func TestForkKeeps(t *testing.T) {
	type big struct {
		n int
		_ [1 << 10]byte
	}
	storm(t)
	var weaks []weak.Pointer[big]
	var mu sync.Mutex
	f := New(func(t *Task[*big, *big], b *big) *big {
		mu.Lock()
		weaks = append(weaks, weak.Make(b))
		mu.Unlock()
		if b.n <= 1 {
			return b
		}
		l, r := t.Join(&big{n: b.n / 2}, &big{n: b.n - b.n/2})
		return &big{n: l.n + r.n}
	})
	for range 20 {
		f.Call(&big{n: 100})
	}
	rest(t)
	runtime.GC()
	for i, w := range weaks {
		if w.Value() != nil {
			t.Fatalf("argument %d of %d is still there", i, len(weaks))
		}
	}
	runtime.KeepAlive(f) // and its Tasks, which would go with it
}

// TestForkWide: arguments and results of many words, with pointers, arrive whole.
func TestForkWide(t *testing.T) {
	type wide struct {
		text  [3]string
		pad   [9]uint64
		shape *shape
	}
	f := New(func(t *Task[wide, []string], w wide) []string {
		if w.shape == nil {
			return w.text[:1]
		}
		l, r := t.Join(
			wide{text: [3]string{w.text[1] + "l", w.text[0], w.text[2]}, shape: w.shape.left, pad: w.pad},
			wide{text: [3]string{w.text[2] + "r", w.text[1], w.text[0]}, shape: w.shape.right, pad: w.pad})
		return append(l[:len(l):len(l)], r...)
	})
	var serial func(w wide) []string
	serial = func(w wide) []string {
		if w.shape == nil {
			return w.text[:1]
		}
		l := serial(wide{text: [3]string{w.text[1] + "l", w.text[0], w.text[2]}, shape: w.shape.left})
		r := serial(wide{text: [3]string{w.text[2] + "r", w.text[1], w.text[0]}, shape: w.shape.right})
		return append(l[:len(l):len(l)], r...)
	}
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	modes(t, func(t *testing.T) {
		for range times(50) {
			w := wide{text: [3]string{"a", "b", "c"}, shape: randomTree(rnd, 500)}
			if got, want := f.Call(w), serial(w); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}

func TestNewNil(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got != "par.New: f is nil" {
			t.Errorf("New(nil) panicked with %q", got)
		}
	}()
	New[int, int](nil)
}
