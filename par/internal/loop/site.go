package loop

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gopayoff/payoff/par/internal/help"
)

// A site is what is known of one function that is called for the elements of
// loops. Sites are found by the address of the function's code: functions that
// share it, such as closures of one literal, share a site, and the mean of what
// they take is a guess to begin with, that the clock corrects.
type site struct {
	code    atomic.Uintptr
	perElem atomic.Int64 // ps; 0: not known
	account help.Account
}

// sites is a table without collisions: whoever comes last has the place, and
// what was known of the other is lost.
var sites [1024]site

const (
	// What is known to take less than this is done in one go. It is little
	// compared to the wake of a helper, and much compared to a look at the clock.
	smallWork = 4 * time.Microsecond

	// One of so many small calls is timed, to see whether it is still small.
	sample = 32
)

func siteOf(key uintptr) *site {
	s := &sites[uint32(key)*0x9E3779B1>>22]
	if s.code.Load() != key {
		s.code.Store(key)
		s.perElem.Store(0)
		s.account.Open()
	}
	return s
}

// Small reports whether n elements are known to be too little work for more than
// one processor, and not worth timing now: the caller does them in one go.
func Small(key uintptr, n int) bool {
	s := &sites[uint32(key)*0x9E3779B1>>22]
	if s.code.Load() != key {
		return n <= 0
	}
	// Unknown is no cost, and is not small.
	cost := uint64(s.perElem.Load())
	return cost-1 < uint64(smallWork)*1000 && uint64(n) <= uint64(smallWork)*1000/cost && rand.Uint32()%sample != 0
}

// Code returns the address of f's code, which tells functions apart; closures
// of one function literal have the same.
func Code[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// Forget forgets what is known of all functions: no loop is small until it has
// been run again.
func Forget() {
	for i := range sites {
		sites[i].code.Store(0)
	}
}
