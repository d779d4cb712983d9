package cmdline

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Flags that what is found of a package speaks of.
const (
	Bench = "-bench"
	Base  = "-base"
	Vs    = "-vs"
	On    = "-on" // a machine of a fleet
)

// MoreBudget is what to do about what a budget was too short for.
const MoreBudget = "raise -budget, or choose with -bench"

// Needs is what to do where it is known how much budget is enough.
func Needs(budget string) string { return "raise -budget to " + budget + ", or choose with -bench" }

// Takes says that a base, given by its flag, is one that takes what.
func Takes(base, what string) string {
	return plain.Shell(Base, base) + " takes " + what + ", also for payoff replay"
}

// ErrBounds and ErrVs say what is wrong with flags that belong together.
var (
	ErrBounds = errors.New("-margin and -precision: want percent between 0 and 100")
	ErrVs     = errors.New("-vs without -base: name the base too, like -base Serial -vs Parallel")
)

// Wrong is the error of a value that a flag cannot have.
func Wrong(flag string, value any, want string) error {
	return fmt.Errorf("-%s %v: want %s", flag, value, want)
}

// Regexp compiles the value of a flag, nil for none.
func Regexp(flag, expr string) (*regexp.Regexp, error) {
	if expr == "" {
		return nil, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", flag, expr, err)
	}
	return re, nil
}

// ErrProcs says that a list of processors cannot be used.
var ErrProcs = errors.New("want numbers of processors like 1,2,4")

// MostProcs is the largest GOMAXPROCS that is measured at.
const MostProcs = 1 << 16

// Procs returns the processor counts to measure at: the list asked for, or 1,
// 2, 4 … up to the usable processors. 1 is always among them: it separates
// overhead from sharing.
func Procs(list string, usable int) ([]int, error) {
	procs := []int{1}
	if list == "" {
		for p := 2; p < usable; p *= 2 {
			procs = append(procs, p)
		}
		procs = append(procs, usable)
	} else {
		for _, f := range strings.Split(list, ",") {
			p, err := strconv.Atoi(strings.TrimSpace(f))
			if err != nil || p < 1 || p > MostProcs {
				return nil, fmt.Errorf("-procs %q: %w", list, ErrProcs)
			}
			procs = append(procs, p)
		}
	}
	slices.Sort(procs)
	return slices.Compact(procs), nil
}
