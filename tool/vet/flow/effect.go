package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"iter"
	"math/bits"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A Kind is one way to act on memory, on other goroutines or on the world.
// Kinds are bits, so that several can be asked for.
type Kind uint32

const (
	Read    Kind = 1 << iota // memory
	Write                    // memory
	Sync                     // memory, by an atomic operation
	Call                     // a function or method of what the function was handed
	Unknown                  // a call of something of which nothing is known
	Lock                     // takes a lock or gives it back
	Send                     // on a channel
	Receive                  // from a channel
	Close                    // a channel
	Wait                     // for other goroutines or for the clock
	Spawn                    // starts a goroutine
	Panic                    // other than by a nil pointer or a nil map
	Exit                     // ends the goroutine or the program
	Ask                      // the world: clock, random numbers, files, the environment
	Tell                     // the world: files, output, the network
	Look                     // at memory, by an atomic operation
)

// Changes is all that others could notice, but for the time that it takes.
const Changes = Write | Sync | Call | Unknown | Lock | Send | Receive | Close | Wait | Spawn | Exit | Tell

// A Root is where the way to memory begins, as seen from a function. Only the
// roots that lead to it tell memory apart.
type Root uint8

const (
	Anywhere Root = 0 // nothing is known
	Globals  Root = 1 // variables of packages, and what they lead to
	Fresh    Root = 2 // memory that the function makes

	// What a parameter points to, the receiver first, and then all that is behind
	// that. Then variables of a function around it, what they point to, and all
	// that is behind that. Those beyond the last share its roots.
	param0 Root = 4
	free0  Root = param0 + 2*each
	// Within a function, each place that makes memory is a root: it is Fresh to
	// its callers.
	site0 Root = 64
)

// roots is how many there are.
const roots = 128

// each is how many parameters, or captured variables, are told apart.
const each = 12

// Param is the memory that the i-th parameter points to: for a slice, its
// elements. Of a method, 0 is the receiver.
func Param(i int) Root { return param0 + Root(min(i, each-1)) }

// Captured is the i-th variable that a function literal captures.
func Captured(i int) Root { return free0 + Root(min(i, each-1)) }

// Behind is the memory that memory of a parameter or of a captured variable leads to.
func (r Root) Behind() Root {
	if _, captured, level, ok := r.operand(); ok && (level == 0 || level == 1 && captured) {
		return r + each
	}
	return r
}

// operand returns which parameter or captured variable a root is of, and how far
// behind it.
func (r Root) operand() (i int, captured bool, level int, ok bool) {
	if r < param0 || r >= site0 {
		return 0, false, 0, false
	}
	i = int(r - param0)
	if captured = r >= free0; captured {
		i = int(r - free0)
	}
	return i % each, captured, i / each, true
}

// Roots is a set of them.
type Roots [2]uint64

// Set returns the set of roots.
func Set(rs ...Root) (s Roots) {
	for _, r := range rs {
		s[r/64] |= 1 << (r % 64)
	}
	return s
}

// Has reports whether r is in the set.
func (s Roots) Has(r Root) bool { return s[r/64]&(1<<(r%64)) != 0 }

// Or is the union.
func (s Roots) Or(t Roots) Roots { return Roots{s[0] | t[0], s[1] | t[1]} }

// Empty reports whether the set is.
func (s Roots) Empty() bool { return s == Roots{} }

// All yields the roots in ascending order.
func (s Roots) All() iter.Seq[Root] {
	return func(yield func(Root) bool) {
		for w, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(Root(w*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Without is the set less another.
func (s Roots) Without(t Roots) Roots { return Roots{s[0] &^ t[0], s[1] &^ t[1]} }

// outside is the set as callers see it: all that the function makes is one.
func (s Roots) outside() Roots {
	if s[1] != 0 {
		s[0] |= 1 << Fresh
	}
	s[1] = 0
	return s
}

// An Effect is one thing that a function does.
type Effect struct {
	Kind Kind
	On   Roots
	// Name is the field or variable that code reads or writes. Of Call it is the
	// methods that may be called, separated by |, or "" for the value itself. Of
	// other kinds it is the function of another package that does it.
	Name  string
	Given Roots // Call: what it may be handed leads to
	Deep  bool  // Call: also of what the value leads to
	// Back says that a function does it that was handed on: neither the function
	// itself, nor a literal that stands in the call.
	Back bool

	pos token.Pos
	v   *types.Var
}

// Pos is where the function does it, or calls what does.
func (e *Effect) Pos() token.Pos { return e.pos }

// Var is the field or package variable that is read or written, through slices
// and maps that it has. It is nil if that is none of this package.
func (e *Effect) Var() *types.Var { return e.v }

// String is a clause that goes after "it ".
func (e *Effect) String() string {
	on := cmp.Or(e.Name, "memory")
	switch e.Kind {
	case Read:
		return "reads " + on
	case Write:
		return "changes " + on
	case Sync:
		return "changes " + on + " atomically"
	case Look:
		return "reads " + on + " atomically"
	case Call:
		return "calls " + cmp.Or(strings.ReplaceAll(e.Name, "|", " or "), "what it is handed")
	case Unknown:
		return "calls " + cmp.Or(e.Name, "a function") + ", of which nothing is known"
	}
	return said[e.Kind]
}

// said are clauses for other kinds.
var said = map[Kind]string{
	Lock: "takes a lock", Send: "sends to a channel", Receive: "receives from a channel", Close: "closes a channel", Wait: "waits",
	Spawn: "starts a goroutine", Panic: "may panic", Exit: "may end the goroutine", Ask: "asks the world", Tell: "changes the world",
}

// Effects is what code does, each kind once for each name, at its first place.
type Effects []Effect

// First returns the first effect of one of the kinds, or nil.
func (all Effects) First(kinds Kind) *Effect {
	for i := range all {
		if all[i].Kind&kinds != 0 {
			return &all[i]
		}
	}
	return nil
}

// A Summary is what a function does and what becomes of memory by it.
type Summary struct {
	Effects Effects
	Results []Result
	Links   []Link
	Endless bool // it never returns
}

// A Result is where a result of a function may lead.
type Result struct {
	Is   Roots // the memory that it refers to
	Does *Made // what a call of it does, if it is a function that is known
}

// Made is a function that another made.
type Made struct {
	Summary *Summary
	Bound   []Roots // what it captured, as the function that made it sees that

	fn *ssa.Function // instead of Summary, within the package
}

// A Link says that memory may lead to other memory from now on. All that a
// function makes is one.
type Link struct {
	From Root
	To   Roots
}

// add enters an effect, each once.
func (all *Effects) add(e Effect) {
	if len(*all) > most && e.Kind != Call {
		e.Name, e.v = "", nil
	}
	for i := range *all {
		old := &(*all)[i]
		if old.Kind == e.Kind && old.v == e.v && (e.v != nil || old.Name == e.Name) && old.Deep == e.Deep && old.Back == e.Back {
			old.On, old.Given = old.On.Or(e.On), old.Given.Or(e.Given)
			return
		}
	}
	*all = append(*all, e)
}

// most is how many effects of a function are told apart by names.
const most = 64
