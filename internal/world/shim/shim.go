// Package shim stands for sync, sync/atomic, time, runtime and the like in code
// that package overlay has built for the machine of package world. Where no
// machine runs, it is those packages.
package shim

import (
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
)

// Procs is how many processors there are before a machine runs: packages look when
// they begin.
var Procs = func() int {
	n, _ := strconv.Atoi(os.Getenv("PAYOFF_WORLD_PROCS"))
	return max(n, 1)
}()

// Driven is set by code that was built for the machine.
var Driven bool

// Given is what changes of the code have it give to scenes, by name.
var Given = map[string]any{}

// Mutex is [sync.Mutex]. What its functions do to its list and locked the detector of
// races is not to see; that an Unlock comes before a Lock, it sees by word.
type Mutex struct {
	mu          sync.Mutex
	word        Uint32
	first, last *waiter // a list: the detector sees what append does, wherever it is
	locked      bool
}

type waiter struct {
	world.Waiter
	next *waiter
}

//go:norace
func (m *Mutex) Lock() {
	if !world.On() {
		m.mu.Lock()
		m.locked = true
		return
	}
	for first := true; ; first = false {
		m.word.touch(true)
		for spins := 0; m.locked && spins < 4 && world.Spin(); spins++ {
			m.word.touch(false)
			if !m.locked {
				m.word.touch(true)
			}
		}
		if !m.locked {
			m.locked = true
			m.word.v.Load()
			return
		}
		w := &waiter{Waiter: world.Self()}
		switch {
		case m.first == nil:
			m.first, m.last = w, w
		case first:
			m.last.next, m.last = w, w
		default: // it has waited longer than others
			w.next, m.first = m.first, w
		}
		world.Park()
	}
}

//go:norace
func (m *Mutex) TryLock() bool {
	if !world.On() {
		if m.mu.TryLock() {
			m.locked = true
			return true
		}
		return false
	}
	for {
		held := m.locked // who sees that writes nothing
		m.word.touch(!held)
		if m.locked {
			return false
		}
		if !held {
			m.locked = true
			m.word.v.Load()
			return true
		}
	}
}

//go:norace
func (m *Mutex) Unlock() {
	if !world.On() {
		m.locked = false
		m.mu.Unlock()
		return
	}
	m.word.touch(true)
	if !m.locked {
		panic("world: Unlock of a Mutex that is not locked")
	}
	m.locked = false
	m.word.v.Add(1)
	if w := m.first; w != nil {
		m.first = w.next
		world.Ready(w.Waiter)
	}
}

// RWMutex is [sync.RWMutex], where readers exclude each other.
type RWMutex struct{ Mutex }

func (m *RWMutex) RLock()         { m.Lock() }
func (m *RWMutex) RUnlock()       { m.Unlock() }
func (m *RWMutex) TryRLock() bool { return m.TryLock() }

// WaitGroup is [sync.WaitGroup].
type WaitGroup struct {
	wg      sync.WaitGroup
	n       Int64
	waiters []world.Waiter
}

//go:norace
func (g *WaitGroup) Add(n int) {
	if !world.On() {
		g.wg.Add(n)
		return
	}
	if g.n.Add(int64(n)) == 0 {
		all := g.waiters
		g.waiters = nil
		for _, w := range all {
			world.Ready(w)
		}
	}
}

func (g *WaitGroup) Done() { g.Add(-1) }

func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	Go(func() {
		defer g.Done()
		f()
	})
}

//go:norace
func (g *WaitGroup) Wait() {
	if !world.On() {
		g.wg.Wait()
		return
	}
	if g.n.Load() != 0 {
		g.waiters = append(g.waiters, world.Self())
		world.Park()
		g.n.v.Load() // Done comes before
	}
}

// Pool is [sync.Pool]. It keeps what it is given.
type Pool struct {
	New  func() any
	kept []any
}

//go:norace
func (p *Pool) Get() any {
	if n := len(p.kept); n > 0 {
		v := p.kept[n-1]
		p.kept = p.kept[:n-1]
		return v
	}
	if p.New == nil {
		return nil
	}
	return p.New()
}

//go:norace
func (p *Pool) Put(v any) { p.kept = append(p.kept, v) }

// Keep is [world.Keep].
func Keep(ptrs ...any) { world.Keep(ptrs...) }

// Go is the go statement.
func Go(f func()) {
	if world.On() {
		world.Go(f)
		return
	}
	go f()
}

func Gosched() {
	if world.On() {
		world.Gosched()
		return
	}
	runtime.Gosched()
}

// GOMAXPROCS tells the number of processors, and does not change it.
func GOMAXPROCS(int) int {
	if world.On() {
		return world.Procs()
	}
	return Procs
}

// epoch is when machines begin.
var epoch = time.Now()

func Now() time.Time {
	if world.On() {
		return epoch.Add(world.Look())
	}
	return epoch
}

func Since(t time.Time) time.Duration { return Now().Sub(t) }

func Sleep(d time.Duration) {
	if world.On() {
		world.Sleep(d)
		return
	}
	time.Sleep(d)
}

// Preempted is how often the system has taken a processor from the program.
func Preempted() (int64, bool) {
	if world.On() {
		return world.Taken(), true
	}
	return 0, false
}

// Pause is a wait of about n/3 ns.
func Pause(n int) {
	if world.On() {
		world.Pause(time.Duration(n / 3))
	}
}

// Stack stands for the address p on the caller's stack.
func Stack(p unsafe.Pointer) uintptr { return world.Stack(p) }

// Sample is [metrics.Sample].
type Sample struct {
	Name  string
	Value Value
}

// Value is [metrics.Value], of one kind.
type Value struct {
	kind metrics.ValueKind
	n    uint64
}

func (v Value) Kind() metrics.ValueKind { return v.kind }
func (v Value) Uint64() uint64          { return v.n }

func Read(samples []Sample) {
	n, run, ready := Procs, 1, 0
	if world.On() {
		n = world.Procs()
		run, ready = world.Ask()
	}
	for i := range samples {
		v := &samples[i].Value
		switch v.kind = metrics.KindUint64; samples[i].Name {
		case "/sched/gomaxprocs:threads":
			v.n = uint64(n)
		case "/sched/goroutines/running:goroutines":
			v.n = uint64(run)
		case "/sched/goroutines/runnable:goroutines":
			v.n = uint64(ready)
		default:
			v.kind = metrics.KindBad
		}
	}
}

// chance is that of the machine, or of the time before it.
func chance() *rand.Rand {
	if world.On() {
		return world.Rand()
	}
	return before
}

var before = rand.New(rand.NewPCG(1, 1))

func RandUint32() uint32                               { return chance().Uint32() }
func RandUint64() uint64                               { return chance().Uint64() }
func RandIntN(n int) int                               { return chance().IntN(n) }
func RandInt64N(n int64) int64                         { return chance().Int64N(n) }
func RandUint32N(n uint32) uint32                      { return chance().Uint32N(n) }
func RandUint64N(n uint64) uint64                      { return chance().Uint64N(n) }
func RandInt() int                                     { return chance().Int() }
func RandFloat64() float64                             { return chance().Float64() }
func RandN[I ~int | ~int64 | ~uint32 | ~uint64](n I) I { return I(chance().Int64N(int64(n))) }
