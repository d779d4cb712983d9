package cow

import (
	"fmt"
	"sync"
)

var _ = fmt.Sprint

// What is written when no lock is held any more, though it stands under one.

type spawned struct {
	mu       sync.Mutex
	spawneds map[int]int
}

func (x *spawned) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: spawneds is written without the lock"
	defer x.mu.Unlock()
	return x.spawneds[i]
}
func (x *spawned) add(i int) { x.mu.Lock(); x.spawneds[i]++; go x.set(i); x.mu.Unlock() }
func (x *spawned) set(i int) { x.spawneds[i] = 0 }

type deferred struct {
	mu        sync.Mutex
	deferreds map[int]int
}

func (x *deferred) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: deferreds is written without the lock"
	defer x.mu.Unlock()
	return x.deferreds[i]
}

func (x *deferred) add(i int) {
	x.mu.Lock()
	x.deferreds[i]++
	defer func() { x.deferreds[i] = 0 }()
	x.mu.Unlock()
}

type undone struct {
	mu      sync.Mutex
	undones map[int]int
}

func (x *undone) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: undones is written without the lock"
	defer x.mu.Unlock()
	return x.undones[i]
}

func (x *undone) set(i int) func() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.undones[i]++
	return func() { x.undones[i] = 0 }
}

// It is called through an interface as well.

type filled struct {
	mu      sync.Mutex
	filleds map[int]int
}

type filler interface{ fill(int) }

func (x *filled) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: filleds is written without the lock"
	defer x.mu.Unlock()
	return x.filleds[i]
}
func (x *filled) set(i int)  { x.mu.Lock(); x.fill(i); x.mu.Unlock() }
func (x *filled) fill(i int) { x.filleds[i]++ }
func fillAll(f filler)       { f.fill(1) }

// It was read before it is made, or is in a literal.

type early struct {
	mu     sync.Mutex
	earlys map[int]int
}

func newEarly() *early {
	x := &early{earlys: map[int]int{}}
	x.get(1)
	x.earlys[1] = 2
	return x
}

func (x *early) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: earlys is written without the lock"
	defer x.mu.Unlock()
	return x.earlys[i]
}
func (x *early) set(i int) { x.mu.Lock(); x.earlys[i]++; x.mu.Unlock() }

type looped struct {
	mu      sync.Mutex
	loopeds map[int]int
}

func newLooped() *looped {
	x := &looped{loopeds: map[int]int{}}
	for i := range 3 {
		x.loopeds[i] = x.get(0)
	}
	return x
}

func (x *looped) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: loopeds is written without the lock"
	defer x.mu.Unlock()
	return x.loopeds[i]
}
func (x *looped) set(i int) { x.mu.Lock(); x.loopeds[i]++; x.mu.Unlock() }

type captured struct {
	mu        sync.Mutex
	captureds map[int]int
}

func newCaptured(later func(func())) *captured {
	x := &captured{captureds: map[int]int{}}
	later(func() { x.captureds[1] = 2 })
	return x
}

func (x *captured) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: captureds is written without the lock"
	defer x.mu.Unlock()
	return x.captureds[i]
}
func (x *captured) set(i int) { x.mu.Lock(); x.captureds[i]++; x.mu.Unlock() }

// What readers keep, or may not find in a copy: these keep the lock.

type kept struct {
	mu    sync.Mutex
	kepts []int
	items map[int]*plan
	last  *plan
}

func (x *kept) len() int {
	x.mu.Lock() // want `x.mu is locked` // dearer "cow"
	defer x.mu.Unlock()
	return len(x.kepts)
}

func (x *kept) getter() func() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return func() int { return len(x.kepts) }
}

func (x *kept) more(n int) (sum int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, v := range x.kepts[:n] {
		sum += v
	}
	return sum
}

func (x *kept) price(i int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.items[i]
	return p.price + len(x.kepts)
}

func (x *kept) dearest() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return max(x.last.price, len(x.kepts))
}

func (x *kept) pop() {
	x.mu.Lock()
	x.kepts = x.kepts[1:]
	x.mu.Unlock()
}

// Names that the texts have; and what is put in and is not the struct's alone.

type named struct {
	mu sync.Mutex
	m  map[int]int
}

func (now *named) get(i int) int {
	now.mu.Lock() // want `now.mu is locked` // dearer "cow"
	defer now.mu.Unlock()
	return now.m[i]
}
func (maps *named) set(i int) { maps.mu.Lock(); maps.m[i]++; maps.mu.Unlock() }

// Others may print it.

type Public struct {
	mu sync.Mutex
	m  map[int]int
}

func (x *Public) Get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // dearer "cow"
	defer x.mu.Unlock()
	return x.m[i]
}

func (x *Public) Set(i int) {
	x.mu.Lock()
	x.m[i]++
	x.mu.Unlock()
}

// Readers that keep the lock: they hand the struct on, read nothing of it, or write.

type rests struct {
	mu    sync.Mutex
	limit int
	rests []int
	spare []int
}

type around struct{ in rests }

func (x *rests) len() int {
	x.mu.Lock() // want `x.mu is locked` // dearer "cow"
	defer x.mu.Unlock()
	return len(x.rests)
}

func (x *rests) spares() []int { x.mu.Lock(); defer x.mu.Unlock(); return x.spare } // want `x.mu is locked`

func restOf(x *rests) int { return x.limit }

func (x *rests) all() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return restOf(x) + len(x.rests)
}

func (x *rests) most() int {
	x.mu.Lock() // want `x.mu is locked`
	defer x.mu.Unlock()
	return x.limit
}

func (x *rests) into(to []int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	to[0] = len(x.rests)
}

func (a *around) len() int {
	a.in.mu.Lock()
	defer a.in.mu.Unlock()
	return len(a.in.rests)
}

func (x *rests) add(i int) {
	x.mu.Lock()
	x.rests, x.spare[0] = append(x.rests, i), 0
	x.mu.Unlock()
}

// What a use gives away.

type method struct {
	mu      sync.Mutex
	methods rates
	n       int
}

func (x *method) get() (int, float64) {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: a method of methods is used as a value"
	defer x.mu.Unlock()
	return x.n, x.methods[0]
}
func (x *method) set(i int) func(int) (float64, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.n, x.methods[0] = i, 1
	return x.methods.get
}

type list []int

type converted struct {
	mu         sync.Mutex
	converteds []int
}

func (x *converted) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: converteds is used as a whole"
	defer x.mu.Unlock()
	return x.converteds[i]
}
func (x *converted) add(i int) list {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.converteds[i]++
	return list(x.converteds)
}

type grown struct {
	mu     sync.Mutex
	growns []int
}

func (x *grown) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: growns is appended to elsewhere"
	defer x.mu.Unlock()
	return x.growns[i]
}
func (x *grown) add(i int) []int {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.growns[i]++
	return append(x.growns, i)
}

type headed struct {
	mu      sync.Mutex
	headeds []int
}

func head(l []int) []int { return l[:1] }

func (x *headed) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: head may keep headeds"
	defer x.mu.Unlock()
	return x.headeds[i]
}
func (x *headed) add(i int) []int {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.headeds[i]++
	l := head(x.headeds)
	return l
}

type open struct {
	mu    sync.Mutex
	Opens []int
}

func (x *open) get(i int) int {
	x.mu.Lock() // want `x.mu is locked` // refuse "cow: other packages may use Opens"
	defer x.mu.Unlock()
	return x.Opens[i]
}
func (x *open) set(i int) { x.mu.Lock(); x.Opens[i]++; x.mu.Unlock() }

// The lock is that of no type, or of one of several.

var state struct {
	mu sync.Mutex
	m  map[int]int
}

func stateOf(i int) int {
	state.mu.Lock() // want `state.mu is locked` // refuse "cow: the lock is not that of a type of the package"
	defer state.mu.Unlock()
	return state.m[i]
}

func setState(i int) { state.mu.Lock(); state.m[i]++; state.mu.Unlock() }

type part2 struct {
	mu sync.Mutex
	m  map[int]int
}

func partOf(all []part2, i int) int {
	all[i].mu.Lock() // want `all\[i\].mu is locked` // refuse "cow: all\[i\].mu is not a variable"
	defer all[i].mu.Unlock()
	return all[i].m[i]
}

func setPart(p *part2, i int) { p.mu.Lock(); p.m[i]++; p.mu.Unlock() }

// Readers that follow a pointer keep the lock, whatever it is that follows it. Times do
// not count, nor do numbers of the package that never change.

type leading struct {
	mu    sync.Mutex
	hosts []host
	plans []plan
	all   *[4]int
	tied  []tied
	keyed map[*plan]int
	n     int
}

type tied struct{ *plan }

func (t tied) low() bool { return t.plan.price < 3 }

var (
	limit   = 3
	Limit   = 3
	dearest = &plan{}
)

func (x *leading) since(i int) bool {
	x.mu.Lock() // want `x.mu is locked` // dearer "cow"
	defer x.mu.Unlock()
	return len(x.plans) > limit
}

func (x *leading) after(i int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.hosts[i].since.IsZero()
}

func (x *leading) open() bool { x.mu.Lock(); defer x.mu.Unlock(); return len(x.plans) > Limit }
func (x *leading) dear() bool { x.mu.Lock(); defer x.mu.Unlock(); return len(x.plans) > dearest.price }
func (x *leading) least() *plan {
	x.mu.Lock()
	defer x.mu.Unlock()
	return costs(dearest, len(x.plans))
}
func (x *leading) at(i int) int { x.mu.Lock(); defer x.mu.Unlock(); return x.all[i] + len(x.plans) }
func (x *leading) part() []int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]int{len(x.plans)}, x.all[1:]...)
}
func (x *leading) low(i int) bool { x.mu.Lock(); defer x.mu.Unlock(); return x.tied[i].low() }
func (x *leading) tie(i int) int  { x.mu.Lock(); defer x.mu.Unlock(); return x.tied[i].price } // want `x.mu is locked`

func (x *leading) near(i int) bool { x.mu.Lock(); defer x.mu.Unlock(); return x.plans[i].near() }

func (p plan) near() bool { return p.price < dearest.price }

func (x *leading) sum() (n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, v := range x.all {
		n += v * len(x.plans)
	}
	return n
}

func costs(p *plan, n int) *plan {
	if p.price > n {
		return nil
	}
	return p
}

var sizes = []int{3}

func (x *leading) sized() bool { x.mu.Lock(); defer x.mu.Unlock(); return len(x.plans) > sizes[0] }

func (x *leading) lower() bool { x.mu.Lock(); defer x.mu.Unlock(); return lower(x.tied) }

func lower(all []tied) bool { return all[0].price < 3 }

func (x *leading) keys() int { x.mu.Lock(); defer x.mu.Unlock(); return keys(x.keyed) }

func keys(m map[*plan]int) (n int) {
	for p := range m {
		n += p.price
	}
	return n
}

func (x *leading) set(i int) {
	x.mu.Lock()
	x.hosts[i], x.plans[i], x.tied[i], x.n = host{}, plan{}, tied{}, x.n+1
	x.keyed[nil] = i
	x.mu.Unlock()
}
