package par

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// failAt is the error of a node.
type failAt int

func (f failAt) Error() string { return fmt.Sprintf("node %d", int(f)) }

// contextForms are the ways to write a body that may fail.
func contextForms(visit func(s *shape) error) map[string]func(context.Context, *shape) (uint64, error) {
	var serial func(t *TaskContext[*shape, uint64], s *shape) (uint64, error)
	serial = func(t *TaskContext[*shape, uint64], s *shape) (uint64, error) {
		if s == nil {
			return 7, nil
		}
		if err := visit(s); err != nil {
			return 1, err
		}
		if !t.Serial() {
			l, r, err := t.Fork(s.left, s.right)
			return digest(s.id, l, r), err
		}
		l, err := serial(t, s.left)
		if err != nil {
			return 2, err
		}
		r, err := serial(t, s.right)
		return digest(s.id, l, r), err
	}
	join := func(t *TaskContext[*shape, uint64], s *shape) (uint64, error) {
		if s == nil {
			return 7, nil
		}
		if err := visit(s); err != nil {
			return 1, err
		}
		l, r, err := t.Join(s.left, s.right)
		return digest(s.id, l, r), err
	}
	return map[string]func(context.Context, *shape) (uint64, error){
		"Serial":      NewContext(serial).Call,
		"Join":        NewContext(join).Call,
		"CallContext": func(ctx context.Context, s *shape) (uint64, error) { return CallContext(ctx, serial, s) },
	}
}

// TestForkContextOracle: of several nodes that fail, the error is that of the one
// that serial code comes to first; no node runs twice.
func TestForkContextOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	modes(t, func(t *testing.T) {
		bad := make(map[int]bool)
		for name, call := range contextForms(func(s *shape) error {
			s.ran.Add(1)
			if bad[s.id] {
				return failAt(s.id)
			}
			return nil
		}) {
			for range times(150) {
				n := rnd.IntN(1 << rnd.IntN(14))
				tree := randomTree(rnd, n)
				clear(bad)
				first := n
				for range rnd.IntN(4) {
					id := rnd.IntN(n + 1)
					bad[id] = true
					first = min(first, id)
				}
				got, err := call(context.Background(), tree)
				switch {
				case first < n && err != failAt(first):
					t.Fatalf("%s form, %d nodes, the first that fails is %d: %v", name, n, first, err)
				case first == n && (err != nil || got != serialDigest(tree)):
					t.Fatalf("%s form, %d nodes: %#x, %v, want %#x", name, n, got, err, serialDigest(tree))
				}
				tree.each(func(s *shape) {
					if ran := s.ran.Load(); ran > 1 || s.id <= first && ran != 1 {
						t.Fatalf("%s form, %d nodes, the first that fails is %d: node %d ran %d times", name, n, first, s.id, ran)
					}
				})
			}
		}
	})
}

// TestForkContextDone: once its context is done, a call ends within some beats, with
// the cause; none begins.
func TestForkContextDone(t *testing.T) {
	cause := errors.New("cause")
	modes(t, func(t *testing.T) {
		var cancel context.CancelCauseFunc
		var mu sync.Mutex
		visits := 0
		for name, call := range contextForms(func(s *shape) error {
			mu.Lock()
			defer mu.Unlock()
			if visits++; visits == 1000 {
				cancel(cause)
			}
			help.Pause(100)
			return nil
		}) {
			var ctx context.Context
			ctx, cancel = context.WithCancelCause(context.Background())
			defer cancel(nil)
			visits = 0
			tree := randomTree(rand.New(rand.NewPCG(1, 2)), 500_000)
			if _, err := call(ctx, tree); err != cause || visits > 400_000 {
				t.Errorf("%s form: %v after %d nodes", name, err, visits)
			}
			visits = 0
			if _, err := call(ctx, tree); err != cause || visits > 0 {
				t.Errorf("%s form, done at the call: %v, %d nodes", name, err, visits)
			}
		}
	})
}

// TestForkContextDrops: a half is stopped where the other one has failed, which in
// serial code comes first.
func TestForkContextDrops(t *testing.T) {
	stress.NoneLeft(t)
	storm(t)
	for try := 0; ; try++ {
		if try == 50 {
			t.Fatal("no half that was begun has been dropped in 50 calls")
		}
		began := make(chan bool)
		var leaves atomic.Int64
		call := contextForms(func(s *shape) error {
			switch s.id {
			case 1: // the first half fails when the other has begun
				for range 1000 {
					select {
					case <-began:
						return errBoom
					default:
						runtime.Gosched()
					}
				}
				return errBoom
			case 2:
				close(began)
			}
			if s.id >= 2 {
				leaves.Add(1)
				help.Pause(300)
			}
			return nil
		})["Join"]
		second := randomTree(rand.New(rand.NewPCG(1, 2)), 100_000)
		second.each(func(s *shape) { s.id += 2 })
		root := &shape{left: &shape{id: 1}, right: second}
		if _, err := call(context.Background(), root); err != errBoom {
			t.Fatalf("%v came out", err)
		}
		if n := leaves.Load(); n > 0 && n < 100_000 {
			return
		}
	}
}

// sumOf is generic, and calls itself anew from its own body.
func sumOf[T ~int | ~float64](t *Task[[]T, T], x []T) T {
	switch len(x) {
	case 0:
		return 0
	case 1:
		return x[0]
	case 100:
		return Call(sumOf[T], x[:50]) + Call(sumOf[T], x[50:])
	}
	a, b := t.Join(x[:len(x)/2], x[len(x)/2:])
	return a + b
}

type myInt int

// TestCall: each instantiation has a Func of its own, closures of one literal do
// what they capture, and so do helpers.
func TestCall(t *testing.T) {
	modes(t, func(t *testing.T) {
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				n := 5000 + g
				ints, mine, floats := make([]int, n), make([]myInt, n), make([]float64, n)
				for i := range n {
					ints[i], mine[i], floats[i] = i, myInt(2*i), float64(3*i)
				}
				sum := n * (n - 1) / 2
				for range times(30) {
					if a, b, c := Call(sumOf[int], ints), Call(sumOf[myInt], mine), Call(sumOf[float64], floats); a != sum || b != myInt(2*sum) || c != float64(3*sum) {
						t.Errorf("sums to %d: %v, %v, %v", n, a, b, c)
						return
					}
					// One literal, another g each time.
					var count func(t *Task[int, int], n int) int
					count = func(t *Task[int, int], n int) int {
						if n <= 1 {
							return n * g
						}
						if t.Serial() {
							return count(t, n/2) + count(t, n-n/2)
						}
						a, b := t.Fork(n/2, n-n/2)
						return a + b
					}
					if got := Call(count, n); got != n*g {
						t.Errorf("%d leaves of %d: %d", n, g, got)
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestCallTable: the table grows, and tells types of one code apart.
func TestCallTable(t *testing.T) {
	for i := range uintptr(1000) {
		key := 16 + i*16 // no function's
		a, b := funcOf[int, int8](key, nil), funcOf[int, int16](key, nil)
		if a != funcOf[int, int8](key, nil) || b != funcOf[int, int16](key, nil) {
			t.Fatalf("the %d'th is not found again", i)
		}
	}
}

// panicked returns what f panics with, as text.
func panicked(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// TestTaskMisuse: who uses a Task that is not its own is told, in its own goroutine;
// the call goes on.
func TestTaskMisuse(t *testing.T) {
	if !goroutine.Known {
		t.Skip("goroutines cannot be told apart here")
	}
	if stress.Race {
		defer force.Set(force.Set(force.Spread)) // where nobody else gets the Task
	}
	var body func(t *Task[int, int], n int) int
	body = func(t *Task[int, int], n int) int {
		if n <= 1 {
			return n
		}
		if t.Serial() {
			return body(t, n/2) + body(t, n-n/2)
		}
		a, b := t.Fork(n/2, n-n/2)
		return a + b
	}
	for _, n := range []int{0, 1, 1000, 100_000} {
		var kept *Task[int, int]
		var elsewhere string
		var again atomic.Bool
		f := New(func(t *Task[int, int], m int) int {
			if again.Swap(true) {
				return body(t, m)
			}
			kept = t
			done := make(chan bool)
			go func() {
				defer close(done)
				elsewhere = panicked(func() { body(t, 100_000) })
			}()
			<-done
			return body(t, m)
		})
		if got := f.Call(n); got != n {
			t.Errorf("%d leaves, want %d", got, n)
		}
		if !strings.Contains(elsewhere, "in a goroutine other than") {
			t.Errorf("in another goroutine: %q", elsewhere)
		}
		if text := panicked(func() { body(kept, 100_000) }); !strings.Contains(text, "after its body had returned") {
			t.Errorf("after the call: %q", text)
		}
		// While another call has the Task, if one gets it.
		if got := f.Call(n); got != n {
			t.Errorf("%d leaves, want %d", got, n)
		}
	}
	var zero Func[int, int]
	if text := panicked(func() { zero.Call(1) }); !strings.Contains(text, "make one with par.New") {
		t.Errorf("zero Func: %q", text)
	}
	var zeroContext FuncContext[int, int]
	if text := panicked(func() { zeroContext.Call(context.Background(), 1) }); !strings.Contains(text, "make one with par.New") {
		t.Errorf("zero FuncContext: %q", text)
	}
	for want, f := range map[string]func(){
		"par.New: f is nil":         func() { New[int, int](nil) },
		"par.NewContext: f is nil":  func() { NewContext[int, int](nil) },
		"par.Call: f is nil":        func() { Call[int, int](nil, 1) },
		"par.CallContext: f is nil": func() { CallContext[int, int](context.Background(), nil, 1) },
	} {
		if got := panicked(f); got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}
