package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// A Lister runs a benchmark function briefly and returns the leaf benchmarks
// that it has. It gives up where a benchmark is without news for quiet, and
// lists the others; after whole it returns what it has found, with a [*Late].
type Lister interface {
	List(ctx context.Context, fn discover.Func, procs int, quiet, whole time.Duration) ([]Listed, []problem.Problem, error)
}

// Late says that the time for the first runs of a function was too short.
type Late struct{ Problem problem.Problem }

func (l *Late) Error() string { return l.Problem.String() }

// A Listing is how functions are listed.
type Listing struct {
	Package string
	Procs   int
	Budget  time.Duration                         // of the whole run
	Timeout time.Duration                         // that a benchmark may be without news; 0: as its share of the budget allows
	Begin   func(fn discover.Func, done, all int) // called before each run
	Now     func() time.Time
}

// List lists the functions, in half the budget: each within a quarter of its
// share at first, so that the quick ones are listed whatever the others do. Those
// that were late begin again when the quick ones are done, with what these have
// left. So a function that hangs costs its share, not that of the others.
//
// The error is that of the Lister, [*Late] aside; what was found before stands.
func (o Listing) List(ctx context.Context, l Lister, funcs []discover.Func) (found []Listed, problems []problem.Problem, err error) {
	if len(funcs) == 0 {
		return nil, nil, nil
	}
	end := o.Now().Add(o.Budget / 2)
	share := o.Budget / time.Duration(len(funcs))
	quick := share / 4
	list := func(i int, fn discover.Func, quiet, whole time.Duration, again bool) (*Late, error) {
		o.Begin(fn, i, len(funcs))
		some, wrong, err := l.List(ctx, fn, o.Procs, quiet, whole)
		var late *Late
		if errors.As(err, &late) {
			err = nil
		}
		if late == nil || !again {
			found, problems = append(found, some...), append(problems, wrong...)
		}
		return late, err
	}
	slow := funcs
	if len(funcs) > 1 {
		slow = nil
		for i, fn := range funcs {
			quiet := quick
			if o.Timeout > 0 {
				quiet = min(quick, o.Timeout)
			}
			late, err := list(i, fn, quiet, quick, true)
			if err != nil {
				return found, problems, err
			}
			if late != nil {
				slow = append(slow, fn)
			}
		}
	}
	for i, fn := range slow {
		left := end.Sub(o.Now())
		if left <= 0 || i > 0 && left < silence {
			problems = append(problems, problem.Problem{Package: o.Package,
				Reason: fmt.Sprintf("half the budget went into first runs; %d of %d benchmark functions were left out", len(slow)-i, len(funcs)), Next: cmdline.MoreBudget})
			break
		}
		whole := min(left, max(left/time.Duration(len(slow)-i), share-quick))
		quiet := max(min(share/2, whole/2, patience), silence)
		if o.Timeout > 0 {
			quiet = o.Timeout
		}
		whole = max(whole, quiet)
		late, err := list(len(funcs)-len(slow)+i, fn, quiet, whole, false)
		if err != nil {
			return found, problems, err
		}
		if late != nil {
			problems = append(problems, late.Problem)
		}
	}
	return found, problems, nil
}
