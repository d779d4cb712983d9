package par

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/par/internal/help"
	"github.com/gopayoff/payoff/par/internal/loop"
	"github.com/gopayoff/payoff/par/internal/outcome"
)

// Stats are what the package has learned of the machine, and what it did, since
// the program began. Counts are in events; those that begin with work count what
// goroutines other than the callers did.
type Stats struct {
	Procs   int // GOMAXPROCS when last looked at, which is before a wake
	Helpers int // goroutines that help, or look for work: 0 at rest

	WakePrice    time.Duration // what waking a helper costs its caller
	StartLatency time.Duration // until it runs

	Wakes  uint64 // helpers that were started
	Late   uint64 // of them, those that had to queue for a processor
	Steals uint64 // halves of a Func, or turns at a loop, that were taken over
	Parts  uint64 // parts of loops done by helpers
	Parks  uint64 // times that a caller slept until a helper was done
}

// ReadStats returns the statistics of the package. They are read one after the
// other, while others may change them.
func ReadStats() Stats {
	s := help.Sched
	return Stats{
		Procs: s.Procs(), Helpers: s.Helpers(),
		WakePrice: time.Duration(s.Price()), StartLatency: time.Duration(s.Latency()),
		Wakes: s.Counts.Wakes.Load(), Late: s.Counts.Late.Load(),
		Steals: s.Counts.Steals.Load(), Parts: s.Counts.Parts.Load(), Parks: s.Counts.Parks.Load(),
	}
}

// Learned is what the package knows of one function, and what came of it.
type Learned struct {
	// Each is the time between two forks of a Func, or for an element of a loop, as
	// far as it is known: a new Func begins with 2 µs.
	Each time.Duration
	// Credit is time that may be spent on helpers. Where it is less than the price
	// of a wake none is woken, and far below 0 none is used: help has not paid.
	Credit time.Duration
}

func (l Learned) String() string {
	return fmt.Sprintf("%v each, credit %v", l.Each, l.Credit)
}

// Learned returns what is known of the function. Any goroutine may call it.
func (f *Func[A, R]) Learned() Learned {
	l := learned(&f.account)
	l.Each = time.Duration(f.pace.perFork.Load()+500) / 1000
	return l
}

// A Loop is a function that loops were run with, by its name in stack traces.
// For Do it is the first of the functions.
type Loop struct {
	Func string
	Learned
}

// Loops returns what is known of the functions that loops are run with, ordered
// by name. It takes some microseconds; it is for people.
func Loops() []Loop {
	var all []Loop
	for site := range loop.Sites {
		l := Loop{Learned: learned(site.Account)}
		if f := runtime.FuncForPC(site.Key); f != nil {
			l.Func = f.Name()
		}
		l.Each = site.PerElem
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b Loop) int {
		return cmp.Or(strings.Compare(a.Func, b.Func), cmp.Compare(a.Each, b.Each))
	})
	return all
}

func learned(a *help.Account) (l Learned) {
	l.Credit = a.Credit()
	return l
}

// PanicStack returns the stack of the goroutine where the last panic began that
// was carried from one goroutine to another, or nil if there was none. A panic
// comes out of a join with the value it had, as it would from serial code, and
// so without its own stack.
func PanicStack() []byte { return outcome.PanicStack() }
