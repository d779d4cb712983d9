package recycle

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/gopayoff/payoff/internal/stress"
)

// tries is how often a test puts something before it expects to get it back:
// with -race, sync.Pool drops one of four at random.
const tries = 100

type node struct {
	id   int
	next *node
}

func TestPoolRecyclesZeroed(t *testing.T) {
	var p Pool[node]
	for range tries {
		v := p.Get()
		if *v != (node{}) {
			t.Fatalf("Get() = &%v, want a zero value", *v)
		}
		*v = node{1, v}
		p.Put(v)
		if got := p.Get(); got == v {
			if *got != (node{}) {
				t.Errorf("Get() after Put = &%v, want a zero value", *got)
			}
			return
		}
	}
	t.Errorf("none of %d values came back", tries)
}

// What was put once comes back once.
func TestOnce(t *testing.T) {
	var pool Pool[node]
	poolFunc := NewPoolFunc(nil, func(*node) {})
	var slices Slices[node]
	for range tries {
		pool.Put(new(node))
		if v, w := pool.Get(), pool.Get(); v == w {
			t.Fatal("Pool: two Gets return the same value")
		}
		poolFunc.Put(new(node))
		if v, w := poolFunc.Get(), poolFunc.Get(); v == w {
			t.Fatal("PoolFunc: two Gets return the same value")
		}
		slices.Put(make([]node, 8))
		if v, w := slices.Get(8)[:1], slices.Get(8)[:1]; &v[0] == &w[0] {
			t.Fatal("Slices: two Gets return the same array")
		}
	}
}

// A pool must not keep alive what the values in it pointed to, however long it
// keeps the values.
func TestPoolsKeepNothingAlive(t *testing.T) {
	var pool Pool[node]
	poolFunc := NewPoolFunc(nil, func(v *node) { v.next = nil })
	for name, put := range map[string]func(*node){"Pool": pool.Put, "PoolFunc": poolFunc.Put} {
		v := &node{next: new(node)}
		w := weak.Make(v.next)
		put(v)
		runtime.GC()
		if w.Value() != nil {
			t.Errorf("%s: what the value pointed to is alive after Put", name)
		}
		runtime.KeepAlive(v)
	}
}

func TestPoolsAfterCollections(t *testing.T) {
	var pool Pool[node]
	poolFunc := NewPoolFunc(func() *node { return new(node) }, func(v *node) { *v = node{} })
	var slices Slices[*node]
	for range 5 {
		for range 10 {
			v, w, s := pool.Get(), poolFunc.Get(), slices.Get(100)
			if *v != (node{}) || *w != (node{}) || len(s) != 0 || cap(s) < 100 {
				t.Fatalf("Get() = %v, %v and a slice of %d/%d after a collection", *v, *w, len(s), cap(s))
			}
			v.id, w.id = 1, 2
			pool.Put(v)
			poolFunc.Put(w)
			slices.Put(append(s, v))
		}
		runtime.GC()
	}
}

func TestPoolFunc(t *testing.T) {
	made, reset := 0, 0
	p := NewPoolFunc(
		func() *bytes.Buffer { made++; return bytes.NewBufferString("new") },
		func(b *bytes.Buffer) { reset++; b.Reset() })
	b := p.Get()
	if got := b.String(); made != 1 || got != "new" {
		t.Fatalf("Get() = a buffer with %q, having made %d, want one with \"new\"", got, made)
	}
	b.WriteString("er")
	p.Put(b)
	if reset != 1 || b.Len() != 0 {
		t.Errorf("Put reset %d times and left %d bytes, want 1 and 0", reset, b.Len())
	}
}

const noValue = "recycle.PoolFunc.Get: no value: make the PoolFunc with recycle.NewPoolFunc, and let construct return one"

func TestMisusePanics(t *testing.T) {
	tooMany := math.MaxInt32
	tooMany++
	tests := []struct {
		want string
		f    func()
	}{
		{"recycle.NewPoolFunc: reset is nil: values are emptied before they are kept (for zeroing, use a recycle.Pool)", func() { NewPoolFunc[int](nil, nil) }},
		{"recycle.PoolFunc.Put: v is nil: put what Get returned", func() { NewPoolFunc(nil, func(*int) {}).Put(nil) }},
		{"recycle.PoolFunc.Put: zero PoolFunc: make it with recycle.NewPoolFunc", func() { new(PoolFunc[int]).Put(new(int)) }},
		{noValue, func() { new(PoolFunc[int]).Get() }},
		{noValue, func() { NewPoolFunc(func() *int { return nil }, func(*int) {}).Get() }},
		{zeroFreeList, func() { new(FreeList[int]).Get() }},
		{zeroFreeList, func() { new(FreeList[int]).Put(1) }},
		{"runtime error: invalid memory address or nil pointer dereference", func() { new(Pool[int]).Put(nil) }},
		{"recycle.Slices.Get: n < 0", func() { new(Slices[int]).Get(-1) }},
		{"recycle.Slices.Grow: n < 0", func() { new(Slices[int]).Grow(nil, -1) }},
		{"recycle.Slices.Grow: len(s)+n overflows", func() { new(Slices[int]).Grow(make([]int, 1), math.MaxInt) }},
		{"recycle.NewFreeList: capacity < 1", func() { NewFreeList[int](0) }},
		{"recycle.NewFreeList: capacity > 1<<31-1", func() { NewFreeList[struct{}](tooMany) }},
	}
	for _, test := range tests {
		func() {
			if tooMany < 0 && strings.HasSuffix(test.want, "1<<31-1") {
				return // there is no such int
			}
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want {
					t.Errorf("panic(%q), want %q", got, test.want)
				}
			}()
			test.f()
		}()
	}
}

// Everybody who got something is its only owner until they put it.
func TestExclusive(t *testing.T) {
	var pool Pool[int]
	poolFunc := NewPoolFunc(nil, func(v *int) { *v = 0 })
	var slices Slices[*int]
	list := NewFreeList[*int](3)

	const goroutines = 16
	rounds := 2000
	if !stress.Long() {
		rounds = 200
	}
	var wg sync.WaitGroup
	for g := 1; g <= goroutines; g++ {
		wg.Go(func() {
			for i := range rounds {
				v, w, s := pool.Get(), poolFunc.Get(), slices.Get(40)[:40]
				x, ok := list.Get()
				if !ok {
					x = new(int)
				}
				if *v != 0 || *w != 0 || *x != 0 || s[0] != nil || s[39] != nil {
					t.Errorf("got something that is in use: %d, %d, %d, %v", *v, *w, *x, s)
					return
				}
				*v, *w, *x, s[0], s[39] = g, g, g, &g, &g
				if i%8 == 0 {
					runtime.Gosched()
				}
				if *v != g || *w != g || *x != g || s[0] != &g || s[39] != &g {
					t.Errorf("another owner wrote to what %d has: %d, %d, %d, %v", g, *v, *w, *x, s)
					return
				}
				*x = 0
				pool.Put(v)
				poolFunc.Put(w)
				slices.Put(s)
				list.Put(x)
			}
		})
	}
	wg.Wait()
}

func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops values with -race")
	}
	var pool Pool[node]
	poolFunc := NewPoolFunc(nil, (*bytes.Buffer).Reset)
	var pointers Slices[*node]
	var plain Slices[byte]
	list := NewFreeList[*node](8)
	list.Put(new(node))

	for name, f := range map[string]func(){
		"Pool":              func() { pool.Put(pool.Get()) },
		"PoolFunc":          func() { poolFunc.Put(poolFunc.Get()) },
		"Slices[*node]":     func() { pointers.Put(pointers.Get(1000)) },
		"Slices[byte]":      func() { plain.Put(append(plain.Get(1000), "text"...)) },
		"Slices[byte].Grow": func() { plain.Put(plain.Grow(plain.Grow(plain.Get(0), 100)[:100], 100)) },
		"FreeList": func() {
			if v, ok := list.Get(); !ok || !list.Put(v) {
				t.Error("FreeList: a value was lost")
			}
		},
	} {
		// A collection in between may cost a few.
		if got := testing.AllocsPerRun(1000, f); got != 0 {
			t.Errorf("%s: %v allocations for Get and Put, want 0", name, got)
		}
	}
}

// Pool costs no more than sync.Pool because its methods are inlined, and
// FreeList because its locking is.
func TestInline(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("not promised on " + runtime.GOARCH)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	out, err := exec.Command("go", "test", "-c", "-o", t.TempDir()+"/test", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go test -c -gcflags=-m: %v\n%s", err, out)
	}
	for _, want := range []string{
		`can inline \(\*Pool\[go\.shape\..*\]\)\.Get\n`,
		`can inline \(\*Pool\[go\.shape\..*\]\)\.Put\n`,
		`can inline \(\*PoolFunc\[go\.shape\..*\]\)\.Get\n`,
		`can inline \(\*FreeList\[go\.shape\..*\]\)\.home\n`,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no line %q from the compiler", want)
		}
	}
}
