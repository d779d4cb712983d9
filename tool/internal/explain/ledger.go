package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A Kind tells lost time apart by when it is lost.
type Kind string

// The kinds of lost time: processor time beyond the base's, then idle
// processors by what the trace shows meanwhile ([exectrace.Idle]).
const (
	AtOne  Kind = "at one"  // processor time that is there on one processor already
	AtOnce Kind = "at once" // processor time that running at once adds

	IdleReady     Kind = "idle: ready"     // a goroutine was ready
	IdleLock      Kind = "idle: lock"      // a lock was held
	IdleHandoff   Kind = "idle: handoff"   // control went to and fro
	IdleSerial    Kind = "idle: serial"    // one ran that nobody waits for
	IdleImbalance Kind = "idle: imbalance" // a worker ran on
	IdleSyscall   Kind = "idle: syscall"   // all waited, for system calls
	IdleCgo       Kind = "idle: cgo"       // all waited, for C
	IdleOutside   Kind = "idle: outside"   // all waited, for timers, the network, or unknown things
	IdleGC        Kind = "idle: gc"        // the collector ran
	IdleUnknown   Kind = "idle"            // there is no trace
)

// A bucket is one kind of lost time: processor time by its category, or idle
// time, which has none.
type bucket struct {
	kind Kind
	of   stack.Category
}

func (b bucket) compare(x bucket) int {
	return cmp.Or(strings.Compare(string(b.kind), string(x.kind)), strings.Compare(string(b.of), string(x.of)))
}

// at are the buckets of categories, of one kind or more.
func at(cats []stack.Category, kinds ...Kind) []bucket {
	var out []bucket
	for _, k := range kinds {
		for _, c := range cats {
			out = append(out, bucket{k, c})
		}
	}
	return out
}

// idles are all buckets of idle time, in the order in which a claim on idle
// time of any kind takes them.
var idles = []bucket{{kind: IdleReady}, {kind: IdleUnknown}, {kind: IdleLock}, {kind: IdleHandoff}, {kind: IdleOutside}, {kind: IdleSyscall}, {kind: IdleCgo}, {kind: IdleGC}, {kind: IdleImbalance}, {kind: IdleSerial}}

// A ledger holds the time that one operation lost. Rules take from it in the
// order of their table, and only what is left: each nanosecond is spent once,
// so claims never add up to more than was lost.
type ledger struct {
	opened map[bucket]float64
	left   map[bucket]float64
	by     string // the slug of the rule whose turn it is
	spent  map[bucket]map[string]float64
}

// take takes as much of want as the buckets have left, the first ones first,
// and returns how much that is.
func (l *ledger) take(want float64, from ...bucket) float64 {
	got := 0.0
	for _, b := range from {
		x := min(want-got, l.left[b])
		if !(x > 0) { // want may be NaN
			continue
		}
		l.left[b] -= x
		if l.spent[b] == nil {
			l.spent[b] = map[string]float64{}
		}
		l.spent[b][l.by] += x
		got += x
	}
	return got
}

// An Account is one kind of lost time, and which causes it was charged to.
type Account struct {
	Kind    Kind
	Of      stack.Category     // of processor time; "" of idle time
	NS      float64            // lost, ns per operation
	Charged map[string]float64 // by slug; no more than NS together
}

// accounts are the buckets that hold anything, most first.
func (l *ledger) accounts() []Account {
	var out []Account
	for b, ns := range l.opened {
		if ns > 0 {
			out = append(out, Account{b.kind, b.of, ns, l.spent[b]})
		}
	}
	slices.SortFunc(out, func(a, b Account) int {
		return cmp.Or(cmp.Compare(b.NS, a.NS), strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(string(a.Of), string(b.Of)))
	})
	return out
}

// open divides what was lost among the buckets.
//
// Code that does its work another way saves time in one category and spends it
// in another. What it saves lowers what it spends, first where work is done,
// then anywhere: the buckets together hold what was lost and no more.
func (f *facts) open() *ledger {
	l := &ledger{opened: map[bucket]float64{}, left: map[bucket]float64{}, spent: map[bucket]map[string]float64{}}
	one, two := amounts{}, amounts{}
	for _, c := range categories(f.new, f.one, f.base) {
		one[c], two[c] = f.new.by(c)-f.base.by(c), 0
		if f.one != nil && f.one != f.new {
			one[c], two[c] = f.one.by(c)-f.base.by(c), f.new.by(c)-f.one.by(c)
		}
		if x := min(one[c], -two[c]); x > 0 { // less of it when run at once
			one[c], two[c] = one[c]-x, two[c]+x
		}
	}
	rest := f.idle + one[stack.Idle] + two[stack.Idle] // looking for work is not working
	delete(one, stack.Idle)
	delete(two, stack.Idle)

	for _, m := range []amounts{one, two} {
		saved := m.savings()
		saved = m.lower(saved, effort)
		saved = m.lower(saved, m.categories())
		saved = one.lower(saved, one.categories())
		saved = two.lower(saved, two.categories())
		rest -= saved
	}
	if rest < 0 { // it looks for work less than its base
		two.lower(one.lower(-rest, one.categories()), two.categories())
	}
	for c, ns := range one {
		l.opened[bucket{AtOne, c}] = ns
	}
	for c, ns := range two {
		l.opened[bucket{AtOnce, c}] = ns
	}
	f.openIdle(l, max(0, rest))
	for b, ns := range l.opened {
		l.left[b] = ns
	}
	return l
}

// openIdle divides idle time as the trace does.
func (f *facts) openIdle(l *ledger, rest float64) {
	i := f.away
	if i.Total <= 0 {
		l.opened[bucket{kind: IdleUnknown}] = rest
		return
	}
	for _, part := range []struct {
		kind Kind
		ns   float64
	}{{IdleReady, i.Runnable}, {IdleLock, i.Lock}, {IdleHandoff, i.Handoff}, {IdleSerial, i.Serial}, {IdleImbalance, i.Imbalance},
		{IdleSyscall, i.Syscall}, {IdleCgo, i.Cgo}, {IdleOutside, i.Waiting - i.Syscall - i.Cgo}, {IdleGC, i.GC}} {
		l.opened[bucket{kind: part.kind}] = rest * max(0, part.ns) / i.Total
	}
}

// amounts are times by category. Sums go over sorted categories, so that the
// same evidence gives the same last digit.
type amounts map[stack.Category]float64

func (m amounts) categories() []stack.Category { return slices.Sorted(maps.Keys(m)) }

// savings empties what is negative and returns its sum.
func (m amounts) savings() float64 {
	sum := 0.0
	for _, c := range m.categories() {
		if m[c] < 0 {
			sum -= m[c]
			m[c] = 0
		}
	}
	return sum
}

// lower lowers what m spends in some categories by what was saved, each by the
// same share, and returns what is left of the savings.
func (m amounts) lower(saved float64, some []stack.Category) float64 {
	spent := 0.0
	for _, c := range some {
		spent += m[c]
	}
	if spent <= 0 || saved <= 0 {
		return saved
	}
	part := min(1, saved/spent)
	for _, c := range some {
		m[c] *= 1 - part
	}
	return saved - part*spent
}

// categories are those of any side.
func categories(sides ...*Side) []stack.Category {
	all := amounts{}
	for _, s := range sides {
		if s != nil {
			maps.Copy(all, s.By)
		}
	}
	return all.categories()
}
