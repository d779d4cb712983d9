package flow

import (
	"cmp"
	"fmt"
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
	Alloc                    // memory
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
	switch _, captured, level, ok := r.operand(); {
	case ok && (level == 0 || level == 1 && captured):
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

func (r Root) String() string {
	switch {
	case r == Anywhere:
		return "anything"
	case r == Globals:
		return "variables of packages"
	case r == Fresh:
		return "new memory"
	case r >= site0:
		return "memory of the function"
	}
	i, captured, level, _ := r.operand()
	s := fmt.Sprintf("parameter %d", i)
	if captured {
		s = fmt.Sprintf("captured variable %d", i)
	}
	return farther(s, captured, level)
}

// farther are words for what lies so far behind an operand.
func farther(s string, captured bool, level int) string {
	switch {
	case level == 1 && captured:
		s = "what " + s + " points to"
	case level > 0:
		s = "what " + s + " leads to"
	}
	return s
}

// named are words for roots, with the names that a function has for its operands.
func (r *reading) named(s Roots) string {
	var all []string
	for at := range s.All() {
		i, captured, level, ok := at.operand()
		switch {
		case !ok || i == each-1:
			all = append(all, at.String())
		case !captured:
			all = append(all, farther(r.fn.Params[i].Name(), false, level))
		default: // the variable itself is what has the name
			all = append(all, farther(r.fn.FreeVars[i].Name(), false, max(0, level-1)))
		}
	}
	return strings.Join(all, ", ")
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

// operandRoots are those of parameters and captured variables, apart all for which
// a caller has others: those and what the function makes.
const (
	operandRoots = 1<<64 - 1<<param0
	apart        = operandRoots | 1<<Fresh
)

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

func (s Roots) String() string {
	var all []string
	for r := range s.All() {
		all = append(all, r.String())
	}
	return strings.Join(all, ", ")
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
	// Often says that all of it happens in loops, Apart that other goroutines do
	// it.
	Often, Apart bool
	At           string // where, if that is in another package

	pos, from token.Pos
	v         *types.Var
	on        string // On, as the function has names for it
}

// Pos is where the function does it, or calls what does.
func (e *Effect) Pos() token.Pos { return e.pos }

// From is where it is done in the end, as far as that is in this package.
func (e *Effect) From() token.Pos {
	if e.from.IsValid() {
		return e.from
	}
	return e.pos
}

// Var is the field or package variable that is read or written, through slices
// and maps that it has. It is nil if that is none of this package.
func (e *Effect) Var() *types.Var { return e.v }

// String is a clause that goes after "it ".
func (e *Effect) String() string {
	all := cmp.Or(e.on, e.On.String())
	on := cmp.Or(e.Name, all)
	var s string
	switch e.Kind {
	case Read:
		s = "reads " + on
	case Write:
		s = "changes " + on
	case Sync:
		s = "changes " + on + " atomically"
	case Call:
		s = "calls " + all
		if e.Name != "" {
			s = "calls " + strings.ReplaceAll(e.Name, "|", " or ") + " of " + all
		}
	case Unknown:
		s = "calls " + e.Name + ", of which nothing is known"
	case Lock:
		s = "takes a lock"
	case Send:
		s = "sends to a channel"
	case Receive:
		s = "receives from a channel"
	case Close:
		s = "closes a channel"
	case Wait:
		s = "waits"
	case Spawn:
		s = "starts a goroutine"
	case Panic:
		s = "may panic"
	case Exit:
		s = "may end the goroutine"
	case Ask:
		s = "asks the world"
	case Tell:
		s = "changes the world"
	case Alloc:
		s = "allocates"
	case Look:
		s = "reads " + on + " atomically"
	}
	if e.At != "" {
		s += " at " + e.At
	}
	return s
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
	Instant bool // the compiler makes a few instructions of a call
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

// effects collects effects, each once.
type effects struct {
	all  Effects
	seen map[key]int // once there are more than few
}

// few is how many effects are looked for one by one.
const few = 12

type key struct {
	kind Kind
	deep bool
	back bool
	v    *types.Var
	name string
}

// key is what makes two effects one.
func (e *Effect) key() key {
	k := key{e.Kind, e.Deep, e.Back, e.v, ""}
	if e.v == nil {
		k.name = e.Name
	}
	return k
}

func (c *effects) add(e Effect) {
	if len(c.all) > most && e.Kind&(Read|Write|Sync) != 0 {
		e.Name, e.v = "", nil
	}
	k := e.key()
	old := c.find(&k)
	if old == nil {
		c.all = append(c.all, e)
		if len(c.all) > few {
			c.seen[k] = len(c.all) - 1
		}
		return
	}
	old.On, old.Given = old.On.Or(e.On), old.Given.Or(e.Given)
	old.Often, old.Apart = old.Often && e.Often, old.Apart && e.Apart
}

func (c *effects) find(k *key) *Effect {
	if len(c.all) < few {
		for i := range c.all {
			if e := &c.all[i]; e.Kind == k.kind && e.v == k.v && (k.v != nil || e.Name == k.name) && e.Deep == k.deep && e.Back == k.back {
				return e
			}
		}
		return nil
	}
	if len(c.seen) == 0 {
		if c.seen == nil {
			c.seen = map[key]int{}
		}
		for i := range c.all {
			c.seen[c.all[i].key()] = i
		}
	}
	if i, ok := c.seen[*k]; ok {
		return &c.all[i]
	}
	return nil
}

// reset takes all effects out.
func (c *effects) reset() {
	c.all = c.all[:0]
	clear(c.seen)
}

// most is how many effects of a function are told apart by fields.
const most = 64
