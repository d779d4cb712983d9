package ctrie_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/goroutine"
)

// A function of Compute is called once where no other call changes the value of its key,
// whatever it does to the rest of the map.
func TestComputeCallsOnce(t *testing.T) {
	once(t, "int", func(i int) int { return i })
	once(t, "string", func(i int) string { return fmt.Sprint(i) })
	once(t, "any", func(i int) any { return i })
	once(t, "[]int", func(i int) []int { return []int{i} })
	once(t, "func", func(i int) func() int { return func() int { return i } })
	once(t, "struct{}", func(int) struct{} { return struct{}{} })
}

func once[V any](t *testing.T, of string, value func(int) V) {
	for _, use := range []struct {
		name string
		f    func(m *ctrie.Map[string, V], n int)
	}{
		{"stores another key", func(m *ctrie.Map[string, V], n int) { m.Store("another", value(n)) }},
		{"stores, and takes a snapshot", func(m *ctrie.Map[string, V], n int) {
			m.Store(fmt.Sprint("new ", n), value(n))
			m.Snapshot()
		}},
		{"deletes, and stores", func(m *ctrie.Map[string, V], n int) {
			for i := range 5 {
				m.Delete(fmt.Sprint(i))
			}
			m.Store(fmt.Sprint("new ", n), value(n))
		}},
		{"computes another key", func(m *ctrie.Map[string, V], n int) {
			m.Compute("another", func(V, bool) (V, bool) { return value(n), true })
		}},
	} {
		for _, size := range []int{0, 1, 20, 300} {
			for _, there := range []bool{false, true} {
				var m ctrie.Map[string, V]
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
					use.f(&m, calls)
					return value(0), true
				}); !ok || calls != 1 {
					t.Errorf("%s, %d keys: f %s: Compute has a value: %t, after %d calls, want true after 1", of, size, use.name, ok, calls)
				}
			}
		}
	}
}

// A function that writes to its own key would be called for ever: it panics instead.
func TestComputeOfItself(t *testing.T) {
	if !goroutine.Known {
		t.Skip("goroutines are not known")
	}
	type pair struct{ a, b int }
	type table = ctrie.Map[string, pair]
	for name, write := range map[string]func(m *table, n int){
		"Store": func(m *table, n int) { m.Store("own", pair{n, n}) },
		"Swap":  func(m *table, n int) { m.Swap("own", pair{n, n}) },
		"CompareAndSwap": func(m *table, n int) {
			old, _ := m.Load("own")
			m.CompareAndSwap("own", old, pair{n, n})
		},
		"CompareAndDelete, Store": func(m *table, n int) {
			old, _ := m.Load("own")
			m.CompareAndDelete("own", old)
			m.Store("own", pair{n, n})
		},
		"Delete, Store":       func(m *table, n int) { m.Delete("own"); m.Store("own", pair{n, n}) },
		"Delete, LoadOrStore": func(m *table, n int) { m.Delete("own"); m.LoadOrStore("own", pair{n, n}) },
		"Clear, Store":        func(m *table, n int) { m.Clear(); m.Store("own", pair{n, n}) },
		"Compute": func(m *table, n int) {
			m.Compute("own", func(pair, bool) (pair, bool) { return pair{n, n}, true })
		},
	} {
		var m table
		m.Store("own", pair{})
		calls := 0
		func() {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.HasPrefix(s, "ctrie.Map.Compute: ") || calls != 2 {
					t.Errorf("%s: recovered %q after %d calls of f, want a panic of ctrie.Map.Compute at the second", name, s, calls)
				}
			}()
			m.Compute("own", func(old pair, _ bool) (pair, bool) {
				if calls++; calls > 100 {
					t.Fatalf("%s: f was called %d times, and no end", name, calls)
				}
				write(&m, calls)
				return pair{-calls, 0}, true
			})
		}()
		// The map goes on, for the same key and goroutine too.
		m.Store("own", pair{7, 7})
		if v, _ := m.Load("own"); v != (pair{7, 7}) {
			t.Errorf("%s: after the panic, Load = %v, want {7 7}", name, v)
		}
	}
}

// A change by another goroutine is told to f, which may end its goroutine then.
func TestComputeAgain(t *testing.T) {
	var m ctrie.Map[string, int]
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
func TestLoadOrCompute(t *testing.T) {
	var m ctrie.Map[string, int]
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
