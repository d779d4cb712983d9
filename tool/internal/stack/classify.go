package stack

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Reader reads stacks. It remembers what it found out about a function, since
// a profile or a trace holds few of them, many times. It must not be used by
// several goroutines at once.
type Reader struct {
	user, place func(fn, file string) bool
	users       map[source.Place]bool // by function and file, as is known
	known       map[source.Place]traits
}

// NewReader returns a Reader for which user tells the user's functions, and
// place which of those are shown as the place of a stack, if any is on it. nil
// stands for [IsUser], and for all of the user's.
func NewReader(user, place func(fn, file string) bool) *Reader {
	if user == nil {
		user = IsUser
	}
	return &Reader{user, place, map[source.Place]bool{}, map[source.Place]traits{}}
}

// traits are what the tables say about one function.
type traits struct {
	runtime  bool     // the runtime's own, or without a package
	anywhere Category // "" without one, like the next
	mech     Category
	weak     bool // of mech
}

// mine reports whether a frame is the user's.
func (r *Reader) mine(f source.Place) bool {
	f.Line = 0
	is, ok := r.users[f]
	if !ok {
		is = f.Func != "" && r.user(f.Func, f.File)
		r.users[f] = is
	}
	return is
}

func (r *Reader) traits(f source.Place) traits {
	f.Line = 0
	t, ok := r.known[f]
	if !ok {
		pkg := packageOf(f.Func)
		t = traits{
			runtime:  pkg == "" || pkg == "runtime" || strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/"),
			anywhere: first(anywhere, f.Func).category,
		}
		if m := first(mechanisms, f.Func); m.category != neutral {
			t.mech, t.weak = m.category, m.weak
		}
		r.known[f] = t
	}
	return t
}

// first returns the first rule that matches, the zero rule if none does.
func first(rules []rule, fn string) rule {
	for _, r := range rules {
		if r.fn.MatchString(fn) {
			return r
		}
	}
	return rule{}
}

// Mine returns the index of the user's frame nearest to the leaf, and of the one
// to show; -1 without one.
func (r *Reader) Mine(stack []source.Place) (nearest, shown int) {
	nearest = slices.IndexFunc(stack, r.mine)
	if nearest < 0 || r.place == nil {
		return nearest, nearest
	}
	for i, f := range stack[nearest:] {
		if r.mine(f) && r.place(f.Func, f.File) {
			return nearest, nearest + i
		}
	}
	return nearest, nearest
}

// Callers returns the user's frames above the one to show, each line once,
// nearest first: who came there. Of those that Mine would not show there are none.
func (r *Reader) Callers(stack []source.Place, shown int) (out []source.Place) {
	if shown < 0 {
		return nil
	}
	for _, f := range stack[shown+1:] {
		if r.mine(f) && (r.place == nil || r.place(f.Func, f.File)) && !f.OnLine(stack[shown]) && !slices.ContainsFunc(out, f.OnLine) {
			out = append(out, f)
		}
	}
	return out
}

// Mechanism returns the mechanism that a stack spends its time in, where
// nearest is what Mine says of it.
func (r *Reader) Mechanism(stack []source.Place, nearest int) Category {
	if nearest < 0 {
		return r.system(stack)
	}
	category := r.mechanism(stack[:nearest])
	// Less and Swap are the user's and run only because an interface sort
	// calls them.
	if category == User && nearest+1 < len(stack) && r.traits(stack[nearest+1]).mech == Sort {
		category = Sort
	}
	if (category == Alloc || category == AllocWait) && r.calledBy(stack[nearest:], "sync.(*Pool).Get") {
		category = PoolMiss
	}
	return category
}

// Lock says what a stack that waits for a semaphore waits for, where nearest is
// what Mine says of it: Lock, RWMutex, WaitGroup, Once or GC; "" if it does not
// tell. The outermost call does: a Once has a Mutex.
func (r *Reader) Lock(stack []source.Place, nearest int) Category {
	for _, f := range slices.Backward(Below(stack, nearest)) {
		if rule := first(semaphores, f.Func); rule.category != "" {
			return rule.category
		}
	}
	return ""
}

// Below are the frames that the user's nearest one called, or all without one.
func Below(stack []source.Place, nearest int) []source.Place {
	if nearest < 0 {
		return stack
	}
	return stack[:nearest]
}

// calledBy reports whether fn called the user's frames that a stack begins with.
func (r *Reader) calledBy(stack []source.Place, fn string) bool {
	for _, f := range stack {
		if !r.mine(f) {
			return f.Func == fn
		}
	}
	return false
}

// mechanism classifies what is beneath a frame of the user's.
func (r *Reader) mechanism(below []source.Place) Category {
	var found Category // of anywhere
	for i, f := range below {
		switch a := r.traits(f).anywhere; {
		case a == GC || a == Sweep:
			return a
		case a == Cgo && (i == 0 || !r.traits(below[i-1]).runtime || below[i-1].Func == ""):
			return User // in C, which does the user's work
		case a == Lock || a == Dial || found == "":
			found = a
		}
	}
	if found == Syscall && onNetwork(below) {
		return Net
	}
	if found != "" {
		return found
	}

	result := User
	for i := len(below) - 1; i >= 0; i-- {
		t := r.traits(below[i])
		switch {
		case t.mech == "":
		case t.weak:
			if result == User {
				result = t.mech
			}
		default:
			for _, w := range within {
				if w.of == t.mech && matches(w.fn, below[:i]) {
					return w.category
				}
			}
			return t.mech
		}
	}
	return result
}

// system classifies a stack without a frame of the user's.
func (r *Reader) system(stack []source.Place) Category {
	own := true // the runtime's alone
	for _, f := range stack {
		t := r.traits(f)
		if t.anywhere == GC || t.anywhere == Sweep {
			return t.anywhere
		}
		own = own && t.runtime
	}
	if own {
		for _, rule := range system {
			if matches(rule.fn, stack) {
				return rule.category
			}
		}
	}
	// A goroutine of a library, like a server's, or a broken stack.
	if category := r.mechanism(stack); category != User {
		return category
	}
	return Runtime
}

func matches(fn *regexp.Regexp, stack []source.Place) bool {
	for _, f := range stack {
		if fn.MatchString(f.Func) {
			return true
		}
	}
	return false
}

func onNetwork(stack []source.Place) bool {
	for _, f := range stack {
		if pkg := packageOf(f.Func); pkg == "net" || pkg == "net/http" {
			return true
		}
	}
	return false
}
