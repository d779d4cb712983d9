package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/pool"
)

var ctx = context.Background()

func double(_ context.Context, v int) (int, error) { return 2 * v, nil }

func numbers(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

var errOdd = errors.New("odd")

// mixed doubles numbers; some fail, and some panic.
func mixed(_ context.Context, v int) (int, error) {
	switch v % 16 {
	case 3:
		return -v, errOdd
	case 7:
		panic(v)
	}
	return 2 * v, nil
}

// exits is mixed, where some also end their goroutine.
func exits(ctx context.Context, v int) (int, error) {
	if v%16 == 11 {
		runtime.Goexit()
	}
	return mixed(ctx, v)
}

// serial is what a pool does, one task after the other.
func serial(f func(context.Context, int) (int, error), ins []int) (outs []int, errs []error) {
	for _, v := range ins {
		var out int
		err := pool.ErrGoexit
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() {
				if v := recover(); v != nil {
					err = &par.Panic{Value: v}
				}
			}()
			out, err = f(ctx, v)
		}()
		<-done
		outs, errs = append(outs, out), append(errs, err)
	}
	return outs, errs
}

// same reports whether two errors of tasks are alike.
func same(a, b error) bool {
	var p, q *par.Panic
	if errors.As(a, &p) && errors.As(b, &q) {
		return p.Value == q.Value
	}
	return a == b
}

// check compares results with those of serial calls.
func check(t *testing.T, what string, got []int, err error, want []int, errs []error) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s returns %v, want %v", what, got, want)
	}
	var joined []error
	if err != nil {
		joined = err.(interface{ Unwrap() []error }).Unwrap()
	}
	for i, want := range errs {
		if want == nil {
			continue
		}
		if len(joined) == 0 {
			t.Fatalf("%s: the error of task %d is missing", what, i)
		}
		var e *pool.Error
		if !errors.As(joined[0], &e) || e.Index != i || !same(e.Err, want) {
			t.Fatalf("%s has error %v, want %v of task %d", what, joined[0], want, i)
		}
		joined = joined[1:]
	}
	if len(joined) > 0 {
		t.Fatalf("%s has one error too many: %v", what, joined[0])
	}
}

// TestTwin: each way to have tasks done gives what serial calls give.
func TestTwin(t *testing.T) {
	seed := stress.Seed(t)
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		r := rand.New(rand.NewPCG(seed, 0))
		for _, o := range []pool.Options{{}, {Min: 1, Max: 1}, {Min: 3, Max: 3}, {Queue: 1}, {Max: 2, Queue: 3}} {
			for _, n := range []int{0, 1, 2, 10, 63, 64, 65, 1000} {
				ins := numbers(n)
				for i := range ins {
					ins[i] += r.IntN(1000)
				}
				for name, f := range map[string]func(context.Context, int) (int, error){"double": double, "mixed": mixed, "exits": exits} {
					how := pool.TaskOptions{Priority: pool.Priority(r.IntN(3))}
					what := fmt.Sprintf("%s of %d with %+v, priority %d", name, n, o, how.Priority)
					want, errs := serial(f, ins)
					p := pool.New(f, o)
					b := p.Batch(ctx, how)
					for i, v := range ins {
						if err := b.Submit(v); err != nil {
							t.Fatalf("Submit(%d) = %v", i, err)
						}
					}
					got, err := b.Wait()
					check(t, "a Batch: "+what, got, err, want, errs)

					seen := make([]bool, n)
					for r := range b.Results() {
						if seen[r.Index] {
							t.Fatalf("Results returns task %d twice: %s", r.Index, what)
						}
						seen[r.Index] = true
						if r.Value != want[r.Index] || !same(r.Err, errs[r.Index]) {
							t.Fatalf("Results returns %+v, want %v, %v: %s", r, want[r.Index], errs[r.Index], what)
						}
					}
					if slices.Contains(seen, false) {
						t.Fatalf("Results leaves some out: %s", what)
					}

					if name == "exits" { // which may end the caller from here on
						p.Close()
						continue
					}
					got, err = p.SubmitAll(ctx, ins, how)
					check(t, "SubmitAll: "+what, got, err, want, errs)
					for i, v := range ins[:min(n, 20)] {
						if got, err := p.Do(ctx, v, how); got != want[i] || !same(err, errs[i]) {
							t.Fatalf("Do(%d) = %d, %v, want %d, %v: %s", v, got, err, want[i], errs[i], what)
						}
					}
					if err := p.Close(); err != nil {
						t.Fatalf("Close() = %v, want nil: nobody was not told", err)
					}
				}
			}
		}
	})
}

// TestErrors: what nobody is told of comes out of Close.
func TestErrors(t *testing.T) {
	p := pool.New(exits)
	for i := range 16 {
		if err := p.Submit(ctx, i); err != nil {
			t.Fatal(err)
		}
	}
	err := p.Close()
	var panicked *par.Panic
	if !errors.Is(err, errOdd) || !errors.Is(err, pool.ErrGoexit) || !errors.As(err, &panicked) || panicked.Value != 7 {
		t.Errorf("Close() = %v, want all three errors", err)
	} else if !strings.Contains(string(panicked.Stack), "mixed") {
		t.Errorf("the stack does not show the task:\n%s", panicked.Stack)
	}
	if err := p.Submit(ctx, 1); err != pool.ErrClosed {
		t.Errorf("Submit after Close = %v, want ErrClosed", err)
	}
	if _, err := p.Do(ctx, 1); err != pool.ErrClosed {
		t.Errorf("Do after Close = %v, want ErrClosed", err)
	}
	if _, err := p.SubmitAll(ctx, numbers(3)); err != pool.ErrClosed {
		t.Errorf("SubmitAll after Close = %v, want ErrClosed", err)
	}
	if got := p.Stats(); got.Items != 16 || got.Errors != 3 || got.Waiting+got.Workers+got.Parked != 0 {
		t.Errorf("Stats() = %v", got)
	}
	p = pool.New(func(context.Context, int) (int, error) { return 0, errOdd })
	for range 200 {
		p.Submit(ctx, 1)
	}
	if err := p.Close(); !strings.Contains(err.Error(), "and 100 errors more") {
		t.Errorf("Close() after 200 errors = %v", err)
	}
}

// TestPriority: one worker takes tasks of high priority first, and starves none.
func TestPriority(t *testing.T) {
	var order []int
	begin := make(chan bool)
	p := pool.New(func(_ context.Context, v int) (int, error) {
		if v < 0 {
			<-begin
		} else {
			order = append(order, v)
		}
		return 0, nil
	}, pool.Options{Min: 1, Max: 1})
	submit := func(v int, how pool.Priority) {
		if err := p.Submit(ctx, v, pool.TaskOptions{Priority: how}); err != nil {
			t.Fatal(err)
		}
	}
	submit(-1, pool.Normal)
	const n = 200
	for range n {
		submit(2, pool.Low)
		submit(1, pool.Normal)
		submit(0, pool.High)
	}
	close(begin)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if len(order) != 3*n {
		t.Fatalf("%d tasks were done, want %d", len(order), 3*n)
	}
	var count [3]int
	for i, v := range order {
		count[v]++
		switch {
		case v == 0 && count[0] == n && i > n*4/3+4:
			t.Errorf("the last task of high priority is the %dth", i)
		case i%16 == 15 && i < n && (count[2] < i/16 || count[1] < i/8):
			t.Errorf("of the first %d tasks, %d are high, normal and low: some starve", i+1, count)
		}
	}
}

// TestContext: a task has the context it was submitted with, also done when the pool
// stops; one whose context is done does not begin.
func TestContext(t *testing.T) {
	type key struct{}
	outer := context.WithValue(ctx, key{}, 7)
	running := make(chan bool)
	cause := errors.New("cause")
	p := pool.New(func(ctx context.Context, v int) (int, error) {
		switch v {
		case 0:
			n, _ := ctx.Value(key{}).(int)
			return n, nil
		case 1:
			running <- true
			<-ctx.Done()
			return 0, context.Cause(ctx)
		}
		return 0, errOdd
	}, pool.Options{Min: 1, Max: 1})
	if v, err := p.Do(outer, 0); v != 7 || err != nil {
		t.Errorf("Do = %d, %v, want the value of the context", v, err)
	}
	if v, err := p.Do(ctx, 0); v != 0 || err != nil {
		t.Errorf("Do = %d, %v", v, err)
	}
	first, cancel := context.WithCancelCause(outer)
	b := p.Batch(first)
	b.Submit(1)
	b.Submit(2)
	<-running
	cancel(cause)
	if _, err := b.Wait(); !errors.Is(err, cause) || errors.Is(err, errOdd) {
		t.Errorf("Wait() = %v, want the cause for both", err)
	}
	if err := p.Submit(first, 0); err != cause {
		t.Errorf("Submit under a context that is done = %v", err)
	}
	b = p.Batch(outer)
	b.Submit(1)
	b.Submit(2)
	<-running
	own := p.Batch(ctx)
	own.Submit(2)
	if err := p.Stop(); err != nil {
		t.Errorf("Stop() = %v", err)
	}
	if _, err := own.Wait(); !errors.Is(err, pool.ErrStopped) {
		t.Errorf("Wait() after Stop = %v, want ErrStopped", err)
	}
	if _, err := b.Wait(); !errors.Is(err, pool.ErrStopped) || errors.Is(err, errOdd) {
		t.Errorf("Wait() after Stop = %v, want ErrStopped for both", err)
	}
	if left := p.Stats(); left.Workers+left.Parked+left.Waiting != 0 {
		t.Errorf("after Stop: %v", left)
	}
}

// TestParent: a pool stops with its context.
func TestParent(t *testing.T) {
	stress.NoneLeft(t)
	cause := errors.New("cause")
	outer, cancel := context.WithCancelCause(ctx)
	running := make(chan bool)
	p := pool.New(func(ctx context.Context, v int) (int, error) {
		running <- true
		<-ctx.Done()
		return 0, context.Cause(ctx)
	}, pool.Options{Context: outer})
	p.Submit(ctx, 1)
	<-running
	cancel(cause)
	if err := p.Close(); !errors.Is(err, cause) {
		t.Errorf("Close() = %v, want the cause", err)
	}
}

// TestMisuse: what cannot be meant panics, and says what was wrong.
func TestMisuse(t *testing.T) {
	p := pool.New(double)
	defer p.Close()
	for what, f := range map[string]func(){
		"fn is nil":       func() { pool.New[int, int](nil) },
		"Queue < 0":       func() { pool.New(double, pool.Options{Queue: -1}) },
		"New: bounds 3":   func() { pool.New(double, pool.Options{Min: 3, Max: 2}) },
		"Resize: bounds ": func() { p.Resize(-1, 0) },
		"Timeout:-1ns":    func() { p.Do(ctx, 1, pool.TaskOptions{Timeout: -1}) },
		"Priority:3":      func() { p.Do(ctx, 1, pool.TaskOptions{Priority: 3}) },
	} {
		func() {
			defer func() {
				if v := recover(); !strings.Contains(fmt.Sprint(v), what) {
					t.Errorf("panic %v, want %q in it", v, what)
				}
			}()
			f()
		}()
	}
}

// TestAllocs: in the steady state a task allocates nothing.
func TestAllocs(t *testing.T) {
	if stress.Race {
		t.Skip("the detector allocates")
	}
	p := pool.New(double)
	defer p.Close()
	const n = 2000
	submit := func() {
		for i := range n {
			p.Submit(ctx, i)
		}
	}
	do := func() {
		for i := range n {
			p.Do(ctx, i)
		}
	}
	ins := numbers(n)
	all := func() { p.SubmitAll(ctx, ins) }
	batch := func() {
		b := p.Batch(ctx)
		for i := range n {
			b.Submit(i)
		}
		b.Wait()
	}
	other, cancel := context.WithCancel(ctx)
	defer cancel()
	if got := testing.AllocsPerRun(1000, func() { p.Submit(other, 1) }); got > 1.1 {
		t.Errorf("Submit with a context allocates %.2f times a task, want 1", got)
	}
	for name, f := range map[string]func(){"Submit": submit, "Do": do, "SubmitAll": all, "Batch": batch} {
		f()
		if got := testing.AllocsPerRun(5, f) / n; got > 0.05 {
			t.Errorf("%s allocates %.2f times a task", name, got)
		}
	}
}
