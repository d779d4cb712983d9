package cpuprof

import (
	"regexp"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A classifier names the mechanisms of stacks. It remembers what it found out
// about a function, since a profile holds few of them, many times.
type classifier struct {
	isUser func(fn, file string) bool
	known  map[[2]string]traits
	stack  []source.Place // of the current sample
}

// traits are what the tables say about one function.
type traits struct {
	user     bool     // the user's
	runtime  bool     // the runtime's own, or without a package
	anywhere Category // "" without one, like the next
	mech     Category
	weak     bool // of mech
}

func newClassifier(user func(fn, file string) bool) *classifier {
	if user == nil {
		user = IsUser
	}
	return &classifier{isUser: user, known: map[[2]string]traits{}}
}

func (c *classifier) traits(f source.Place) traits {
	key := [2]string{f.Func, f.File}
	t, ok := c.known[key]
	if !ok {
		pkg := packageOf(f.Func)
		t = traits{
			user:     f.Func != "" && c.isUser(f.Func, f.File),
			runtime:  pkg == "" || pkg == "runtime" || strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/"),
			anywhere: first(anywhere, f.Func).category,
		}
		if r := first(mechanisms, f.Func); r.category != neutral {
			t.mech, t.weak = r.category, r.weak
		}
		c.known[key] = t
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

// classify returns the mechanism that a stack, leaf first, spends its time in,
// and the index of the user's frame nearest to the leaf, -1 without one.
func (c *classifier) classify(stack []source.Place) (_ Category, user int) {
	for i, f := range stack {
		if !c.traits(f).user {
			continue
		}
		category := c.mechanism(stack[:i])
		// Less and Swap are the user's and run only because an interface sort
		// calls them.
		if category == User && i+1 < len(stack) && c.traits(stack[i+1]).mech == Sort {
			category = Sort
		}
		if (category == Alloc || category == AllocWait) && c.calledBy(stack[i:], "sync.(*Pool).Get") {
			category = PoolMiss
		}
		return category, i
	}
	return c.system(stack), -1
}

// calledBy reports whether fn called the user's frames that a stack begins with.
func (c *classifier) calledBy(stack []source.Place, fn string) bool {
	for _, f := range stack {
		if !c.traits(f).user {
			return f.Func == fn
		}
	}
	return false
}

// mechanism classifies what is beneath a frame of the user's.
func (c *classifier) mechanism(below []source.Place) Category {
	var found Category // of anywhere
	for i, f := range below {
		switch a := c.traits(f).anywhere; {
		case a == GC || a == Sweep:
			return a
		case a == Cgo && (i == 0 || !c.traits(below[i-1]).runtime || below[i-1].Func == ""):
			return User // in C, which does the user's work
		case a == Lock || found == "":
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
		t := c.traits(below[i])
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
func (c *classifier) system(stack []source.Place) Category {
	own := true // the runtime's alone
	for _, f := range stack {
		t := c.traits(f)
		if t.anywhere == GC || t.anywhere == Sweep {
			return t.anywhere
		}
		own = own && t.runtime
	}
	if own {
		for _, r := range system {
			if matches(r.fn, stack) {
				return r.category
			}
		}
	}
	// A goroutine of a library, like a server's, or a broken stack.
	if category := c.mechanism(stack); category != User {
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
