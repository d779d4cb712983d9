package pipe

import (
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/size"
)

// A site is what is known of a chain of fused stages, found by the code of their
// functions. Chains of equal functions share it, and then what they take in the mean
// is a guess to begin with, that the clock corrects.
type site struct {
	key    atomic.Uint64
	values atomic.Uint64 // of the functions themselves
	// perItem and others are as in tempo; 0: not known. Runs store them at their end.
	perItem, others atomic.Int64
	// workers is how many there were of its own at the end of the last run that had any.
	workers atomic.Int32
	// kept is the rule that said so; nil: there is none, or a run has it.
	kept atomic.Pointer[kept]
	// alone is how long one goroutine takes for an item, all in all, in ps, in the mean of
	// a run or a stretch: with items of all lengths it is more than what is believed of most
	// of them.
	alone atomic.Int64
	// spare is a run that has ended, for the next one, with little memory.
	spare   atomic.Pointer[run]
	account help.Account
	_       cacheline.Pad
}

// A kept is a rule between two runs, with the limit that it was for, and how many batches
// it has seen begin and end.
type kept struct {
	rule    *size.Rule
	batches uint64
	limit   int
	floor   int
}

const sites = 256

var table [sites]site

// siteOf returns the site of the stages of d. One that has the place of another takes
// over its debts, but not its credit: or else two that take turns would have their
// first credit again and again.
//
// known: the one that used it last had the very same functions. Closures of one function
// literal have the same code, and may take times that have nothing to do with each other.
func siteOf(d *desc) (st *site, known bool) {
	key := uint64(14695981039346656037) // FNV-1a, by words
	values := key
	for i := range int(d.n) {
		op := d.stage(i).op
		key = (key ^ uint64(op.code())) * 1099511628211
		values = (values ^ uint64((*[2]uintptr)(unsafe.Pointer(&op))[1])) * 1099511628211
	}
	st = &table[key>>56]
	if old := st.key.Load(); old != key {
		st.key.Store(key)
		st.perItem.Store(0)
		st.others.Store(0)
		st.workers.Store(0)
		st.kept.Store(nil)
		st.alone.Store(0)
		st.spare.Store(nil)
		if old == 0 || st.account.Credit() > 0 {
			st.account.Open()
		}
	}
	if known = st.values.Load() == values; !known {
		st.values.Store(values)
	}
	return st, known
}

// learn keeps what an item takes, in the mean.
func (st *site) learn(perItem, others int64) {
	learn(&st.perItem, perItem)
	if others > 0 {
		learn(&st.others, others)
	}
}

func learn(mean *atomic.Int64, seen int64) {
	old := mean.Load()
	now := seen
	if old != 0 {
		now = max(1, (old+min(seen, 3*old))/2)
	}
	if 8*max(now-old, old-now) > old { // others read it
		mean.Store(now)
	}
}
