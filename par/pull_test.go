package par

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/outcome"
)

// pulled returns the first value of a sequence.
func pulled[V any](seq iter.Seq[V]) V {
	next, stop := iter.Pull(seq)
	defer stop()
	v, _ := next()
	return v
}

// A body may fork inside iter.Pull: its goroutine waits meanwhile, though it has not
// the identity of the one that forks.
func TestForkInPull(t *testing.T) {
	for _, mode := range []force.Mode{force.Auto, force.Spread, force.Serial} {
		t.Run(fmt.Sprint(mode), func(t *testing.T) {
			defer force.Set(force.Set(mode))
			body := func(t *Task[int, int], n int) int {
				if n < 2 {
					return 1
				}
				if n%3 == 0 { // both fork, in turns
					next, stop := iter.Pull(func(yield func(int) bool) {
						a, b := t.Join(n-2, n-3)
						if yield(a) {
							yield(b)
						}
					})
					defer stop()
					a, _ := next()
					c, d := t.Join(n-3, n-4)
					b, _ := next()
					return a + b + c + d
				}
				return pulled(func(yield func(int) bool) {
					deep(n%5*30, func() {
						a, b := t.Join(n-1, n-2)
						yield(a + b)
					})
				})
			}
			var plain func(n int) int
			plain = func(n int) int {
				switch {
				case n < 2:
					return 1
				case n%3 == 0:
					return plain(n-2) + 2*plain(n-3) + plain(n-4)
				}
				return plain(n-1) + plain(n-2)
			}
			f := New(body)
			for _, n := range []int{1, 5, 15, 18} {
				if got, want := f.Call(n), plain(n); got != want {
					t.Errorf("Call(%d) = %d, want %d", n, got, want)
				}
			}
		})
	}
}

// What forks inside iter.Pull has a Task of its own: its frames would not be the last
// ones where the sequence yields in the middle. A panic that another goroutine raised
// goes on to the Task of the body.
func TestForkInPullApart(t *testing.T) {
	if !goroutine.Known {
		t.Skip("goroutines are not known")
	}
	defer force.Set(force.Set(force.Auto))
	own, out := 0, new(outcome.Outcome)
	var top *Task[int, int]
	New(func(task *Task[int, int], n int) int {
		if n == 0 {
			if task != top {
				own++
			}
			return 0
		}
		top = task
		pulled(func(yield func(int) bool) {
			for range 100_000 {
				task.Join(0, 0)
			}
			yield(0)
		})
		panicked(func() {
			task.pulled(func(t *Task[int, int]) (int, int) {
				t.carried = out
				panic("")
			})
		})
		if task.carried != out {
			t.Errorf("after a panic, the Task carries %p, want %p", task.carried, out)
		}
		task.carried = nil
		return 0
	}).Call(1)
	if own == 0 {
		t.Error("100,000 forks in iter.Pull used the body's Task")
	}
}

// deep calls f with so many frames of the stack between.
func deep(frames int, f func()) {
	if frames == 0 {
		f()
		return
	}
	deep(frames-1, f)
}

// Errors and panics come out of what is pulled, and only functions that may use a
// Task are let in.
func TestForkInPullFails(t *testing.T) {
	defer force.Set(force.Set(force.Auto))
	bad := errors.New("bad")
	f := NewContext(func(t *TaskContext[int, int], n int) (int, error) {
		if n == 3 {
			return 0, bad
		}
		if n < 2 {
			return 1, nil
		}
		r := pulled(func(yield func(fallible[int]) bool) {
			a, b, err := t.Join(n-1, n-2)
			yield(fallible[int]{a + b, err})
		})
		return r.r, r.err
	})
	for _, n := range []int{2, 3, 12} {
		got, err := f.Call(context.Background(), n)
		if want := n > 2; (err == bad) != want || !want && got != 2 {
			t.Errorf("Call(%d) = %d, %v", n, got, err)
		}
	}
	p := New(func(t *Task[int, int], n int) int {
		if n < 2 {
			panic(bad)
		}
		return pulled(func(yield func(int) bool) {
			a, b := t.Join(n-1, n-2)
			yield(a + b)
		})
	})
	func() {
		defer func() {
			if v, ok := recover().(*Panic); !ok || v.Value != bad {
				t.Errorf("recovered %v, want a *Panic of %v", v, bad)
			}
		}()
		p.Call(12)
	}()
	if !goroutine.Known {
		return
	}
	defer force.Set(force.Set(force.Spread)) // where no other function gets the Task
	var kept *Task[int, int]
	text := ""
	New(func(t *Task[int, int], n int) int {
		if kept == nil {
			kept = t
		}
		return 1
	}).Call(1)
	pulled(func(yield func(int) bool) {
		text = panicked(func() {
			for range 1000 {
				kept.Fork(1, 1)
			}
		})
		yield(1)
	})
	if !strings.Contains(text, "after its body had returned") {
		t.Errorf("a Task that was kept, in iter.Pull: %q", text)
	}
}
