package maptest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/goroutine"
)

// A Keyed is a map whose keys are strings, with the views that it gives.
type Keyed[V, S any] interface {
	Load(string) (V, bool)
	Store(string, V)
	Swap(string, V) (V, bool)
	LoadOrStore(string, V) (V, bool)
	CompareAndSwap(string, V, V) bool
	CompareAndDelete(string, V) bool
	Compute(string, func(V, bool) (V, bool)) (V, bool)
	LoadOrCompute(string, func() V) (V, bool)
	Delete(string)
	Clear() S
	Snapshot() S
}

// CallsOnce: a function of Compute is called once where no other call changes the value of
// its key, whatever it does to the rest of the map.
func CallsOnce[V, S any](t *testing.T, of string, value func(int) V, empty func() Keyed[V, S]) {
	for _, use := range []struct {
		name string
		f    func(m Keyed[V, S], n int)
	}{
		{"stores another key", func(m Keyed[V, S], n int) { m.Store("another", value(n)) }},
		{"stores, and takes a snapshot", func(m Keyed[V, S], n int) {
			m.Store(fmt.Sprint("new ", n), value(n))
			m.Snapshot()
		}},
		{"deletes, and stores", func(m Keyed[V, S], n int) {
			for i := range 5 {
				m.Delete(fmt.Sprint(i))
			}
			m.Store(fmt.Sprint("new ", n), value(n))
		}},
		{"computes another key", func(m Keyed[V, S], n int) {
			m.Compute("another", func(V, bool) (V, bool) { return value(n), true })
		}},
	} {
		for _, size := range []int{0, 1, 20, 300} {
			for _, there := range []bool{false, true} {
				m := empty()
				for i := range size {
					m.Store(fmt.Sprint(i), value(i))
				}
				if there {
					m.Store("own", value(-1))
				}
				calls := 0
				if _, ok := m.Compute("own", func(_ V, ok bool) (V, bool) {
					if calls++; calls > 100 {
						t.Fatalf("%s, %d keys: f %s: called %d times, and no end", of, size, use.name, calls)
					}
					if ok != there {
						t.Errorf("%s, %d keys: f %s: there is a value: %t, want %t", of, size, use.name, ok, there)
					}
					use.f(m, calls)
					return value(0), true
				}); !ok || calls != 1 {
					t.Errorf("%s, %d keys: f %s: Compute has a value: %t, after %d calls, want true after 1", of, size, use.name, ok, calls)
				}
			}
		}
	}
}

// A Pair is a value of two numbers.
type Pair struct{ a, b int }

// OfItself: a function that writes to its own key would be called for ever: it panics
// instead, in the words of the map of that name.
func OfItself[S any](t *testing.T, name string, empty func() Keyed[Pair, S]) {
	if !goroutine.Known {
		t.Skip("goroutines are not known")
	}
	for use, write := range map[string]func(m Keyed[Pair, S], n int){
		"Store": func(m Keyed[Pair, S], n int) { m.Store("own", Pair{n, n}) },
		"Swap":  func(m Keyed[Pair, S], n int) { m.Swap("own", Pair{n, n}) },
		"CompareAndSwap": func(m Keyed[Pair, S], n int) {
			old, _ := m.Load("own")
			m.CompareAndSwap("own", old, Pair{n, n})
		},
		"CompareAndDelete, Store": func(m Keyed[Pair, S], n int) {
			old, _ := m.Load("own")
			m.CompareAndDelete("own", old)
			m.Store("own", Pair{n, n})
		},
		"Delete, Store":       func(m Keyed[Pair, S], n int) { m.Delete("own"); m.Store("own", Pair{n, n}) },
		"Delete, LoadOrStore": func(m Keyed[Pair, S], n int) { m.Delete("own"); m.LoadOrStore("own", Pair{n, n}) },
		"Clear, Store":        func(m Keyed[Pair, S], n int) { m.Clear(); m.Store("own", Pair{n, n}) },
		"Compute": func(m Keyed[Pair, S], n int) {
			m.Compute("own", func(Pair, bool) (Pair, bool) { return Pair{n, n}, true })
		},
	} {
		m := empty()
		m.Store("own", Pair{})
		calls := 0
		func() {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.HasPrefix(s, name+".Compute: ") || calls != 2 {
					t.Errorf("%s: recovered %q after %d calls of f, want a panic of %s.Compute at the second", use, s, calls, name)
				}
			}()
			m.Compute("own", func(old Pair, _ bool) (Pair, bool) {
				if calls++; calls > 100 {
					t.Fatalf("%s: f was called %d times, and no end", use, calls)
				}
				write(m, calls)
				return Pair{-calls, 0}, true
			})
		}()
		// The map goes on, for the same key and goroutine too.
		m.Store("own", Pair{7, 7})
		if v, _ := m.Load("own"); v != (Pair{7, 7}) {
			t.Errorf("%s: after the panic, Load = %v, want {7 7}", use, v)
		}
	}
}

// Again: a change by another goroutine is told to f, which may end its goroutine then.
func Again[S any](t *testing.T, empty func() Keyed[int, S]) {
	m := empty()
	write := func(v int) {
		done := make(chan bool)
		go func() { m.Store("own", v); close(done) }()
		<-done
	}
	calls := 0
	v, ok := m.Compute("own", func(old int, _ bool) (int, bool) {
		if calls++; calls < 10 {
			write(calls)
		}
		return old + 100, true
	})
	if v != 109 || !ok || calls != 10 {
		t.Errorf("Compute = %d, %t after %d calls of f, want 109, true after 10", v, ok, calls)
	}
	gone := make(chan bool)
	go func() {
		defer close(gone)
		defer m.Store("own", 5) // f has ended
		n := 0
		m.Compute("own", func(int, bool) (int, bool) {
			if n++; n == 2 {
				runtime.Goexit()
			}
			write(-1)
			return 0, true
		})
	}()
	<-gone
	if v, _ := m.Load("own"); v != 5 {
		t.Errorf("after Goexit in f, Load = %d, want 5", v)
	}
}

// LoadOrCompute calls its function once at most, and what was stored first stays.
func LoadOrCompute[S any](t *testing.T, empty func() Keyed[int, S]) {
	m := empty()
	for _, c := range []struct {
		name   string
		before func()
		f      func() int
		want   int
		loaded bool
		calls  int
	}{
		{"no value", func() {}, func() int { return 1 }, 1, false, 1},
		{"a value", func() { m.Store("k", 2) }, func() int { return 1 }, 2, true, 0},
		{"a value meanwhile", func() {}, func() int { m.Store("k", 3); return 1 }, 3, true, 1},
		{"a snapshot meanwhile", func() {}, func() int { m.Store("l", 3); m.Snapshot(); return 1 }, 1, false, 1},
	} {
		m.Clear()
		c.before()
		calls := 0
		v, loaded := m.LoadOrCompute("k", func() int { calls++; return c.f() })
		if v != c.want || loaded != c.loaded || calls != c.calls {
			t.Errorf("%s: LoadOrCompute = %d, %t after %d calls of f, want %d, %t after %d", c.name, v, loaded, calls, c.want, c.loaded, c.calls)
		}
		if now, _ := m.Load("k"); now != c.want {
			t.Errorf("%s: then, Load = %d, want %d", c.name, now, c.want)
		}
	}
}
