package flow

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// standard returns what is known of functions and methods of the standard
// library, by their full names.
var standard = sync.OnceValue(func() map[string]*Summary {
	all, err := parse(library)
	if err != nil {
		panic(err) // a test reads the table
	}
	return all
})

// operands is how many parameters a row of the table speaks of.
const operands = 8

// parse reads the table. A line that begins at the margin is a package or, in
// parentheses, the receiver of methods; lines below it say what functions do, and
// which. Each reads what its operands lead to, and returns new memory, unless it
// says otherwise:
//
//	sets 0       writes the memory that operand 0 points to; that of a method is its receiver
//	writes 0     and what that leads to
//	sync 0       the same, as one atomic step
//	looks 0      reads the memory in one atomic step
//	locks 0      takes the lock or gives it back
//	calls 1      calls operand 1 with what the others lead to
//	calls Less|Swap of 0
//	starts 1     calls operand 1 in a goroutine
//	formats 1    calls String, Error, Format or GoString of what operand 1 leads to
//	returns 0    the results lead to what operand 0 leads to
//	holds 0      the new memory leads there
//	gathers      it leads anywhere: to what functions give that are called
//	keeps 1 in 0 operand 0 leads to what 1 leads to, from then on, or to any memory
//	yields       the result is an iterator over what operands lead to
//	panics, exits, waits, spawns, asks, tells, quick (it allocates nothing),
//	instant (nor is it called: the compiler makes a few instructions of it)
func parse(table string) (map[string]*Summary, error) {
	all := map[string]*Summary{}
	prefix := ""
	for n, line := range strings.Split(table, "\n") {
		bad := func(what string) error { return fmt.Errorf("line %d of the table: %s: %s", n+1, what, line) }
		switch line, _, _ = strings.Cut(line, "#"); {
		case strings.TrimSpace(line) == "":
			continue
		case line[0] != '\t':
			prefix = strings.TrimSpace(line)
			continue
		}
		does, names, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || prefix == "" {
			return nil, bad("no names")
		}
		s, err := row(does)
		if err != nil {
			return nil, bad(err.Error())
		}
		for name := range strings.FieldsSeq(names) {
			name = prefix + "." + name
			if all[name] != nil {
				return nil, bad(name + " is there twice")
			}
			all[name] = s
		}
	}
	return all, nil
}

// row makes a summary of what a function does, in words.
func row(does string) (*Summary, error) {
	s := &Summary{}
	res := Result{Is: Set(Fresh)}
	var holds Roots
	add := func(e Effect) { s.Effects = append(s.Effects, e) }
	var others Roots // what it may hand to functions that it calls
	for i := range operands {
		others = others.Or(Set(Param(i), Param(i).Behind()))
	}
	add(Effect{Kind: Read, On: others})
	alloc := true
	for words := range strings.SplitSeq(does, ",") {
		words = strings.TrimSpace(words)
		var w [4]string
		n := copy(w[:], strings.Fields(words))
		last := w[max(n-1, 0)]
		i, err := strconv.Atoi(last)
		at := Param(i)
		switch {
		case n == 1 && kinds[w[0]] != 0:
			add(Effect{Kind: kinds[w[0]], On: Set(Anywhere)})
			s.Endless = s.Endless || w[0] == "exits"
			continue
		case n == 1 && (w[0] == "quick" || w[0] == "instant"):
			alloc = false
			s.Instant = w[0] == "instant"
			continue
		case n == 1 && w[0] == "gathers":
			holds = holds.Or(Set(Anywhere))
			continue
		case n == 1 && w[0] == "yields":
			holds = holds.Or(others)
			over := Set(Captured(0), Captured(0).Behind(), Captured(0).Behind().Behind())
			res.Does = &Made{Bound: []Roots{others}, Summary: &Summary{Effects: Effects{{Kind: Read, On: over}, {Kind: Call, On: Set(Param(0)), Given: over}}}}
			continue
		case n == 0 || n == 1 && w[0] == "reads":
			continue
		case err != nil || i >= operands:
			return nil, fmt.Errorf("%q names no operand", words)
		}
		switch {
		case w[0] == "sets" && n == 2:
			add(Effect{Kind: Write, On: Set(at)})
		case w[0] == "writes" && n == 2:
			add(Effect{Kind: Write, On: Set(at, at.Behind())})
		case w[0] == "sync" && n == 2:
			add(Effect{Kind: Sync, On: Set(at)})
		case w[0] == "looks" && n == 2:
			add(Effect{Kind: Look, On: Set(at)})
		case w[0] == "locks" && n == 2:
			add(Effect{Kind: Lock, On: Set(at)})
		case w[0] == "calls" && n == 2:
			given := others
			given = given.Without(Set(at, at.Behind()))
			add(Effect{Kind: Call, On: Set(at), Given: given.Or(Set(Fresh))})
		case w[0] == "calls" && n == 4 && w[2] == "of":
			given := others
			given = given.Without(Set(at, at.Behind()))
			add(Effect{Kind: Call, On: Set(at), Name: w[1], Given: given.Or(Set(Fresh))})
		case w[0] == "starts" && n == 2:
			add(Effect{Kind: Spawn, On: Set(Anywhere)})
			add(Effect{Kind: Call, On: Set(at), Given: Set(Fresh), Apart: true})
		case w[0] == "formats" && n == 2:
			add(Effect{Kind: Call, On: Set(at), Name: "Error|Format|GoString|String", Deep: true, Given: Set(Fresh)})
		case w[0] == "encodes" && n == 2:
			add(Effect{Kind: Call, On: Set(at), Name: "MarshalJSON|MarshalJSONTo|MarshalText|AppendText", Deep: true, Given: Set(Fresh)})
		case w[0] == "returns" && n == 2:
			res.Is = res.Is.Or(Set(at, at.Behind()))
		case w[0] == "holds" && n == 2:
			holds = holds.Or(Set(at, at.Behind()))
		case w[0] == "keeps" && n == 4 && w[2] == "in":
			from, err := strconv.Atoi(w[1])
			if w[1] == "any" {
				s.Links = append(s.Links, Link{at, Set(Anywhere)})
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%q names no operand", words)
			}
			s.Links = append(s.Links, Link{at, Set(Param(from), Param(from).Behind())})
		default:
			return nil, fmt.Errorf("%q says nothing", words)
		}
	}
	if alloc {
		add(Effect{Kind: Alloc, On: Set(Anywhere)})
	}
	if !holds.Empty() {
		s.Links = append(s.Links, Link{Fresh, holds})
	}
	s.Results = []Result{res, res, res, res}
	return s, nil
}

// kinds are the effects that are on no operand.
var kinds = map[string]Kind{"panics": Panic, "exits": Exit, "waits": Wait, "spawns": Spawn, "asks": Ask, "tells": Tell}
