package cow

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// kept is what is refused, in a type each.

type address struct {
	mu       sync.Mutex
	addresss []int
}

func (x *address) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: the address of addresss is taken"
	defer x.mu.Unlock()
	return x.addresss[i]
}
func (x *address) set(i int) { x.mu.Lock(); x.addresss = append(x.addresss, i); x.mu.Unlock() }
func (x *address) at(i int) *int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return &x.addresss[i]
}

type element struct {
	mu       sync.Mutex
	elements []int
}

func (x *element) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: elements is used as a whole"
	defer x.mu.Unlock()
	return x.elements[i]
}
func (x *element) set(i int) { x.mu.Lock(); x.elements = append(x.elements, i); x.mu.Unlock() }
func (x *element) at(i int) *int {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := &x.elements[i]
	return p
}

type handed struct {
	mu      sync.Mutex
	handeds []int
	to      func([]int)
}

func (x *handed) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: x.to may keep handeds"
	defer x.mu.Unlock()
	return x.handeds[i]
}
func (x *handed) set(i int) { x.mu.Lock(); x.handeds[i]++; x.to(x.handeds); x.mu.Unlock() }

type after struct {
	mu     sync.Mutex
	afters []int
}

func (x *after) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: afters is written without the lock"
	defer x.mu.Unlock()
	return x.afters[i]
}
func (x *after) set(i int) { x.mu.Lock(); x.afters[i]++; x.mu.Unlock(); x.afters[i]-- }

type again2 struct {
	mu      sync.Mutex
	agains2 []int
}

func (x *again2) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: agains2 is written without the lock"
	defer x.mu.Unlock()
	return x.agains2[i]
}
func (x *again2) set(i int) { x.mu.Lock(); x.add(i); x.mu.Unlock() }
func (x *again2) add(i int) {
	if x.agains2[i]++; i > 0 {
		x.add(i - 1)
	}
}

type atTop struct {
	mu     sync.Mutex
	atTops map[int]int
}

var (
	top = &atTop{}
	_   = wipe(top.atTops)
)

func wipe(m map[int]int) int { clear(m); return 0 }

func (x *atTop) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: atTops is written without the lock"
	defer x.mu.Unlock()
	return x.atTops[i]
}
func (x *atTop) set(i int) { x.mu.Lock(); x.atTops[i]++; x.mu.Unlock() }

type promoted struct {
	sync.Mutex
	promoteds map[int]int
}

type promoter struct{ promoted }

func (x *promoted) get(i int) int {
	x.Lock() // want `x is locked` // refuse "cow: x is not a variable"
	defer x.Unlock()
	return x.promoteds[i]
}
func (x *promoted) set(i int) { x.Lock(); x.promoteds[i]++; x.Unlock() }
func (x *promoter) len() int  { x.Lock(); defer x.Unlock(); return len(x.promoteds) }

func inFunc(i int) int {
	type local struct {
		mu sync.Mutex
		m  map[int]int
	}
	x := &local{m: map[int]int{}}
	func() { x.mu.Lock(); defer x.mu.Unlock(); x.m[i]++ }()
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: the lock is not that of a type of the package"
	defer x.mu.Unlock()
	return x.m[i]
}

type whole struct {
	mu     sync.Mutex
	wholes map[int]int
}

func (x *whole) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: wholes is used as a whole"
	defer x.mu.Unlock()
	return x.wholes[i]
}
func (x *whole) set(i int)        { x.mu.Lock(); x.wholes[i]++; x.mu.Unlock() }
func (x *whole) all() map[int]int { x.mu.Lock(); defer x.mu.Unlock(); return x.wholes }

type part struct {
	mu    sync.Mutex
	parts []int
}

func (x *part) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: parts is used as a whole"
	defer x.mu.Unlock()
	return x.parts[i]
}
func (x *part) set(i int)   { x.mu.Lock(); x.parts = append(x.parts, i); x.mu.Unlock() }
func (x *part) last() []int { x.mu.Lock(); defer x.mu.Unlock(); return x.parts[1:] }

type unlocked struct {
	mu        sync.Mutex
	unlockeds map[int]int
}

func (x *unlocked) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: unlockeds is written without the lock"
	defer x.mu.Unlock()
	return x.unlockeds[i]
}
func (x *unlocked) set(i int) { x.mu.Lock(); x.unlockeds[i]++; x.mu.Unlock() }
func (x *unlocked) reset()    { x.unlockeds = map[int]int{} }

// between calls it under the lock, and beside it.
type beside struct {
	mu      sync.Mutex
	besides map[int]int
}

func (x *beside) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: besides is written without the lock"
	defer x.mu.Unlock()
	return x.besides[i]
}
func (x *beside) set(i int)  { x.mu.Lock(); x.add(i); x.mu.Unlock() }
func (x *beside) add(i int)  { x.besides[i]++ }
func (x *beside) load(n int) { x.add(n) }

type deep struct {
	mu    sync.Mutex
	deeps map[int][]int
}

func (x *deep) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: deeps holds slices or maps"
	defer x.mu.Unlock()
	return x.deeps[i][0]
}
func (x *deep) set(i int) { x.mu.Lock(); x.deeps[i][0]++; x.mu.Unlock() }

type hits struct {
	mu    sync.Mutex
	hitss map[int]*host
}

func (x *hits) get(i int) bool {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: memory is read through a pointer"
	defer x.mu.Unlock()
	return x.hitss[i].down
}
func (x *hits) set(i int) { x.mu.Lock(); x.hitss[i].down = true; x.mu.Unlock() }

type pointed struct {
	mu       sync.Mutex
	pointeds map[int]*int
}

func (x *pointed) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: .* is read through a pointer"
	defer x.mu.Unlock()
	p := x.pointeds[i]
	return *p
}
func (x *pointed) set(i int) {
	x.mu.Lock()
	x.pointeds[i] = new(int)
	p := x.pointeds[i]
	*p = 1
	x.mu.Unlock()
}

type into struct {
	mu    sync.Mutex
	intos map[int]*int
}

func (x *into) get(i int) *int {
	x.mu.Lock() // want `x.mu is locked` // dearer "cow"
	defer x.mu.Unlock()
	return x.intos[i]
}
func (x *into) set(i int) { x.mu.Lock(); *x.intos[i] = 1; x.mu.Unlock() }

type capacity struct {
	mu        sync.Mutex
	capacitys []int
}

func (x *capacity) get() int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: the capacity of capacitys is asked for"
	defer x.mu.Unlock()
	return cap(x.capacitys)
}
func (x *capacity) set(i int) { x.mu.Lock(); x.capacitys = append(x.capacitys, i); x.mu.Unlock() }

type shown struct {
	mu     sync.Mutex
	showns map[int]int
}

func (x *shown) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: its fields may be shown"
	defer x.mu.Unlock()
	return x.showns[i]
}
func (x *shown) set(i int) { x.mu.Lock(); x.showns[i]++; x.mu.Unlock() }
func (x *shown) print()    { fmt.Println(x) }

type again struct {
	mu     sync.Mutex
	agains map[int]int
}

func (x *again) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: again is copied"
	defer x.mu.Unlock()
	return x.agains[i]
}
func (x *again) set(i int) { x.mu.Lock(); x.agains[i]++; x.mu.Unlock() }
func (x *again) forget()   { *x = again{} }

type word struct { // an atomic would do
	mu sync.Mutex
	n  int
}

func (x *word) get() int {
	x.mu.Lock() // want `x.mu is locked`
	defer x.mu.Unlock()
	return x.n
}
func (x *word) set(i int) { x.mu.Lock(); x.n = i; x.mu.Unlock() }

type generic[K comparable] struct {
	mu       sync.Mutex
	generics map[K]int
}

func (x *generic[K]) get(k K) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: generic is generic"
	defer x.mu.Unlock()
	return x.generics[k]
}
func (x *generic[K]) set(k K) { x.mu.Lock(); x.generics[k]++; x.mu.Unlock() }

// A reader waits for a flag that the writer sets when it is done.
type tells struct {
	mu     sync.Mutex
	tellss map[int]int
	seen   atomic.Int64
}

func (x *tells) len() int {
	x.mu.Lock() // want `x.mu is locked` // dearer "cow"
	defer x.mu.Unlock()
	return len(x.tellss)
}

// It keeps the lock.
func (x *tells) get(i int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.seen.Store(1)
	return x.tellss[i]
}
func (x *tells) set(i int) { x.mu.Lock(); x.tellss[i]++; x.mu.Unlock() }

// The lock is also of other things.
type two struct {
	mu   sync.Mutex
	twos map[int]int
}

var sum int

func (x *two) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: sum may be written meanwhile"
	defer x.mu.Unlock()
	return x.twos[i] + sum
}
func (x *two) set(i int) { x.mu.Lock(); x.twos[i]++; sum++; x.mu.Unlock() }

// Another's fields are read under it.
type other struct {
	mu     sync.Mutex
	others map[int]int
}

func (x *other) get(y *other, i int) int {
	x.mu.Lock() // want `x.mu is locked`  // refuse "cow: memory is read through a pointer"
	defer x.mu.Unlock()
	return y.others[i]
}
func (x *other) set(i int) { x.mu.Lock(); x.others[i]++; x.mu.Unlock() }
