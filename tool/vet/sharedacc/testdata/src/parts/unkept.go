// Goldens show the edit local alone.

package main

import (
	"sync"
	"sync/atomic"
)

// Each method keeps or gets something in another way than a part could.

type other struct {
	mu, second           sync.Mutex
	n                    int
	most, least, first   int
	reset, keyed, placed int
	grid                 [4]int
	in                   struct{ most int }
	level                float64
	marks                map[string]int
	lines                map[string]line
	rows, others         map[string]*line
	locked               map[string]*lockedLine
	limits               []int
	at                   []*int
	nested               map[string]map[string]*line
	inner2               map[string]*deepLine
	bent, lowered        int
	peak, low, stored    atomic.Int64
}

type couple struct {
	mu   sync.Mutex
	most int
}

type lockedLine struct {
	mu   sync.Mutex
	n    int
	hits int
}

func newOther() *other {
	o := &other{keyed: -9}
	o.reset = -1
	o.stored.Store(-9)
	o.limits[0] = 3
	_ = couple{sync.Mutex{}, -3}
	return o
}

func (o *other) late(n int) {
	if n > o.most {
		o.most = n
	}
	o.mu.Lock()
	o.n++
	o.mu.Unlock()
}

func (o *other) both(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.first {
		o.first = n
	}
	if n < o.first {
		o.first = n
	}
}

func (o *other) resets(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.reset {
		o.reset = n
	}
}

func (o *other) keys(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.keyed {
		o.keyed = n
	}
}

func (o *other) indexes(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.grid[n&3] {
		o.grid[n&3] = n
	}
}

func (o *other) inner(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.in.most {
		o.in.most = n
	}
}

func (o *other) floats(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.level = max(o.level, float64(n))
}

func (o *other) different(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.placed {
		o.placed = n + 1
	}
}

func (o *other) marked(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.marks["a"] = 1
	o.marks["b"] = 2
}

func (o *other) counted(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.marks["a"] = 1
	o.marks["b"]++
}

func (o *other) moves(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lines["a"]
	l.hits++
	o.lines["b"] = l
}

// wrong takes smaller values as well as larger ones.
func (o *other) wrong(n int64) {
	o.low.Add(1)
	for {
		old := o.peak.Load()
		if n > old {
			break
		}
		if n < old || o.peak.CompareAndSwap(old, n) { // want `o.peak is updated atomically in each iteration by goroutines that share it` // refuse `local: o.peak is swapped`
			break
		}
	}
}

// returns goes on behind the loop.
func (o *other) returns(n int64) {
	for old := o.peak.Load(); n > old; old = o.peak.Load() {
		if o.peak.CompareAndSwap(old, n) { // want `o.peak is updated atomically in each iteration by goroutines that share it` // refuse `local: o.peak is swapped`
			return
		}
	}
	o.low.Add(1)
}

func (o *other) lowest() int64 { return o.low.Load() }

func (o *other) tells(n int64) {
	o.low.Add(1)
	for {
		old := o.peak.Load()
		if n <= old || o.peak.CompareAndSwap(old, n) { // want `o.peak is updated atomically in each iteration by goroutines that share it` // refuse `local: o.peak is swapped`
			break
		}
		println(n)
	}
}

func (o *other) skips(n int64) {
	o.low.Add(1)
	for {
		old := o.peak.Load()
		if n <= old || o.peak.CompareAndSwap(old, n) { // want `o.peak is updated atomically in each iteration by goroutines that share it` // refuse `local: the loop does not end`
			continue
		}
	}
}

func (o *other) stores(n int64) {
	o.low.Add(1)
	for old := o.stored.Load(); n > old && !o.stored.CompareAndSwap(old, n); old = o.stored.Load() {
	}
}

func (o *other) swaps(n int64) {
	o.low.Add(1)
	for old := o.peak.Load(); n > old && !o.peak.CompareAndSwap(old, n+1); old = o.peak.Load() { // want `o.peak is updated atomically in each iteration by goroutines that share it` // refuse `local: o.peak is swapped`
	}
}

// unless makes an element where there is one.
func (o *other) unless(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l != nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

// loose returns one that is in no map.
func (o *other) loose(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l, ok := o.rows[k]
	if !ok {
		l = new(line)
	}
	return l
}

// gets makes one that nothing is added to.
func (o *other) gets(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

func (o *other) only(int) { o.gets("a") }

// never makes one.
func (o *other) never(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	return l
}

// none returns nothing where it has made one.
func (o *other) none(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		made := new(line)
		o.rows[k] = made
	}
	return l
}

// always makes one.
func (o *other) always(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := new(line)
	o.rows[k] = l
	return l
}

// elsewhere puts it under another key.
func (o *other) elsewhere(k, to string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[to] = l
	}
	return l
}

// twice takes two locks.
func (o *other) twice(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.second.Lock()
	defer o.second.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

// otherwise does something else where it keeps nothing.
func (o *other) otherwise(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.bent {
		o.bent = n
	} else {
		println(o.bent)
	}
}

func (o *other) lowers(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > o.lowered {
		o.lowered = n
	}
}

func (o *other) lower(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n < o.lowered {
		o.lowered = n
	}
}

func (o *other) twoSwaps(n int64) {
	o.low.Add(1)
	for {
		old := o.peak.Load()
		if n <= old || o.peak.CompareAndSwap(old, n+1) { // want `o.peak is updated atomically in each iteration by goroutines that share it` // refuse `local: o.peak is swapped`
			break
		}
		if n <= old || o.peak.CompareAndSwap(old, n) {
			break
		}
	}
}

// free takes no lock.
func (o *other) free(k string) *line {
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

// second takes another lock than what calls it.
func (o *other) otherLock(k string) *line {
	o.second.Lock()
	defer o.second.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

func (o *other) deep(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.nested[k][k]
	if l == nil {
		l = new(line)
		o.nested[k][k] = l
	}
	return l
}

// counts counts what was there.
func (o *other) counts(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	} else {
		o.n = 3
	}
	return l
}

// again goes on where the element is there.
func (o *other) again(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l != nil {
		l = o.rows[k]
	}
	l = new(line)
	o.rows[k] = l
	return l
}

// early returns nothing at first.
func (o *other) early(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		return l
	}
	l = o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

func (o *other) given(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return o.rows["b"]
}

func (o *other) eachFree(n int) {
	l := o.free("a")
	o.mu.Lock()
	l.hits++
	o.mu.Unlock()
}

func (o *other) eachOther(n int) {
	o.mu.Lock()
	o.n++
	o.otherLock("a").hits++
	o.mu.Unlock()
}

type deepLine struct {
	in struct{ n int }
	by int64
}

func (l *deepLine) add() { l.in.n++ }

func (l *deepLine) addBy() { atomic.AddInt64(&l.by, 1) }

func (o *other) deeper(k string) *deepLine {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.inner2[k]
	if l == nil {
		l = new(deepLine)
		o.inner2[k] = l
	}
	return l
}

func (o *other) eachDeeper(n int) {
	l := o.deeper("a")
	o.mu.Lock()
	l.add()
	o.mu.Unlock()
}

func (o *other) eachBy(n int) { o.deeper("a").addBy() }

func (o *other) twoMaps(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.others[k] = l
	}
	return l
}

func (o *other) asked(k string, b bool) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if b {
		return l
	}
	l = new(line)
	o.rows[k] = l
	return l
}

func (o *other) two(k string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = &line{size: 2}
		o.rows[k] = l
	}
	l = o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = l
	}
	return l
}

func (o *other) putsOther(k string, own *line) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.rows[k]
	if l == nil {
		l = new(line)
		o.rows[k] = own
	}
	return l
}

func (l *deepLine) tells() {
	println("tells")
	l.by++
}

func (o *other) eachTells(n int) {
	l := o.deeper("a")
	o.mu.Lock()
	l.tells()
	o.mu.Unlock()
}

func (l *lockedLine) add() {
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
}

func (l *lockedLine) sets(n int) { l.n = n }

func (o *other) within(k string) {
	o.mu.Lock()
	l := o.locked[k]
	if l == nil {
		l = new(lockedLine)
		o.locked[k] = l
	}
	l.add()
	o.mu.Unlock()
}

func (o *other) setsWithin(k string) {
	o.mu.Lock()
	l := o.locked[k]
	if l == nil {
		l = new(lockedLine)
		o.locked[k] = l
	}
	l.sets(3)
	o.mu.Unlock()
}

func (o *other) limited(n int) {
	if n > o.limits[0] {
		return
	}
	o.mu.Lock()
	o.n++
	o.mu.Unlock()
}

func (o *other) pointed(n int) {
	if n > *o.at[0] {
		return
	}
	o.mu.Lock()
	o.n++
	o.mu.Unlock()
}

func (p *couple) note(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n > p.most {
		p.most = n
	}
}

func unkept(o *other, two *couple, xs []int) {
	halves(len(xs), func(lo, hi int) {
		for _, x := range xs[lo:hi] {
			o.late(x) // want `o.late` // refuse `local: no lock is held here`
		}
		for _, x := range xs[lo:hi] {
			o.both(x) // want `o.both` // refuse `local: first is changed in two ways`
		}
		for _, x := range xs[lo:hi] {
			o.resets(x) // want `o.resets` // refuse `local: reset is set to something else here`
		}
		for _, x := range xs[lo:hi] {
			o.keys(x) // want `o.keys` // refuse `local: keyed is set to something else here`
		}
		for _, x := range xs[lo:hi] {
			o.indexes(x) // want `o.indexes` // refuse `local: o.grid\[n \& 3\] is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.inner(x) // want `o.inner` // refuse `local: o.in.most is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.floats(x) // want `o.floats` // refuse `local: o.level is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.different(x) // want `o.different` // refuse `local: o.placed is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.marked(x) // want `o.marked` // refuse `local: marks is changed in two ways`
		}
		for _, x := range xs[lo:hi] {
			o.counted(x) // want `o.counted` // refuse `local: marks is changed in two ways`
		}
		for _, x := range xs[lo:hi] {
			o.moves(x) // want `o.moves` // refuse `local: o.lines\["b"\] is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.wrong(int64(x))
		}
		for _, x := range xs[lo:hi] {
			o.returns(int64(x))
		}
		for _, x := range xs[lo:hi] {
			o.tells(int64(x))
		}
		for _, x := range xs[lo:hi] {
			o.skips(int64(x))
		}
		for _, x := range xs[lo:hi] {
			o.stores(int64(x))
		}
		for _, x := range xs[lo:hi] {
			o.swaps(int64(x))
		}
		for range xs[lo:hi] {
			o.unless("a") // want `o.unless` // refuse `local: o.rows\[k\] is set, not added to`
		}
		for range xs[lo:hi] {
			o.loose("a") // want `o.loose` // refuse `local: what is done depends on whether the element is there`
		}
		for _, x := range xs[lo:hi] {
			o.only(x) // want `o.only locks` // refuse `local: its fields cannot be added up`
		}
		for range xs[lo:hi] {
			o.never("a") // want `o.never` // refuse `local: an element of rows that is not there is not made`
		}
		for range xs[lo:hi] {
			o.none("a") // want `o.none` // refuse `local: an element of rows is made in another way`
		}
		for range xs[lo:hi] {
			o.always("a") // want `o.always` // refuse `local: o.rows\[k\] is set, not added to`
		}
		for range xs[lo:hi] {
			o.elsewhere("a", "b") // want `o.elsewhere` // refuse `local: an element of rows is made in another way`
		}
		for range xs[lo:hi] {
			o.twice("a") // want `o.twice` // refuse `local: twice does more with its locks than to hold one`
		}
		for _, x := range xs[lo:hi] {
			o.otherwise(x) // want `o.otherwise` // refuse `local: o.bent is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.lowers(x) // want `o.lowers` // refuse `local: lowered is set to something else here`
		}
		for _, x := range xs[lo:hi] {
			o.eachFree(x) // want `o.eachFree` // refuse `local: no lock is held here`
		}
		for _, x := range xs[lo:hi] {
			o.eachOther(x) // want `o.eachOther` // refuse `local: otherLock does more with its locks than to hold one`
		}
		for range xs[lo:hi] {
			o.deep("a") // want `o.deep` // refuse `local: deep does more than add up`
		}
		for range xs[lo:hi] {
			o.counts("a") // want `o.counts` // refuse `local: what is done depends on whether the element is there`
		}
		for range xs[lo:hi] {
			o.again("a") // want `o.again` // refuse `local: o.rows\[k\] is set, not added to`
		}
		for range xs[lo:hi] {
			o.early("a") // want `o.early` // refuse `local: what is done depends on whether the element is there`
		}
		for range xs[lo:hi] {
			o.given("a") // want `o.given` // refuse `local: given does more than add up`
		}
		for _, x := range xs[lo:hi] {
			o.eachDeeper(x) // want `o.eachDeeper` // refuse `local: add adds to more than numbers`
		}
		for _, x := range xs[lo:hi] {
			o.eachBy(x) // want `o.eachBy` // refuse `local: addBy adds to more than numbers`
		}
		for range xs[lo:hi] {
			o.twoMaps("a") // want `o.twoMaps` // refuse `local: o.others\[k\] is set, not added to`
		}
		for range xs[lo:hi] {
			o.asked("a", true) // want `o.asked` // refuse `local: o.rows\[k\] is set, not added to`
		}
		for range xs[lo:hi] {
			o.two("a") // want `o.two` // refuse `local: what is done depends on whether the element is there`
		}
		for range xs[lo:hi] {
			o.putsOther("a", nil) // want `o.putsOther` // refuse `local: an element of rows is made in another way`
		}
		for _, x := range xs[lo:hi] {
			o.eachTells(x) // want `o.each` // refuse `local: what stands around the calls changes the world`
		}
		for _, x := range xs[lo:hi] {
			o.twoSwaps(int64(x))
		}
		for range xs[lo:hi] {
			o.within("a") // want `o.within` // refuse `local: add takes a lock of the element`
		}
		for range xs[lo:hi] {
			o.setsWithin("a") // want `o.setsWithin` // refuse `local: l.n is set, not added to`
		}
		for _, x := range xs[lo:hi] {
			o.limited(x) // want `o.limited` // refuse `local: limited does more than add up`
		}
		for _, x := range xs[lo:hi] {
			o.pointed(x) // want `o.pointed` // refuse `local: pointed does more than add up`
		}
		for _, x := range xs[lo:hi] {
			two.note(x) // want `two.note` // refuse `local: most is set to something else here`
		}
	})
}
