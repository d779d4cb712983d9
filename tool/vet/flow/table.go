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

// parse reads the table. A line that begins at the margin names packages or, in
// parentheses, the receivers of methods; lines below it say what functions do, and
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
//	encodes 1    calls what encoding/json does
//	returns 0    the results lead to what operand 0 leads to
//	holds 0      the new memory leads there
//	gathers      it leads anywhere: to what functions give that are called
//	keeps 1 in 0 operand 0 leads to what 1 leads to, from then on, or to any memory
//	yields       the result is an iterator over what operands lead to
//	panics, exits, waits, spawns, asks, tells
func parse(table string) (map[string]*Summary, error) {
	all := map[string]*Summary{}
	var prefixes []string
	for n, line := range strings.Split(table, "\n") {
		bad := func(what string) error { return fmt.Errorf("line %d of the table: %s: %s", n+1, what, line) }
		if line == "" {
			continue
		}
		if line[0] != '\t' {
			prefixes = strings.Fields(line)
			continue
		}
		does, names, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || len(prefixes) == 0 {
			return nil, bad("no names")
		}
		for _, prefix := range prefixes {
			for name := range strings.FieldsSeq(names) {
				name = prefix + "." + name
				if all[name] != nil {
					return nil, bad(name + " is there twice")
				}
				s, err := row(name, does)
				if err != nil {
					return nil, bad(err.Error())
				}
				all[name] = s
			}
		}
	}
	return all, nil
}

// kinds are the effects that a row of the table names.
var kinds = map[string]Kind{
	"panics": Panic, "exits": Exit, "waits": Wait, "spawns": Spawn, "asks": Ask, "tells": Tell, // on no operand
	"sets": Write, "writes": Write, "sync": Sync, "looks": Look, "locks": Lock,
}

// asking are the methods that rows call of what an operand leads to.
var asking = map[string]string{
	"formats": "Error|Format|GoString|String",
	"encodes": "MarshalJSON|MarshalJSONTo|MarshalText|AppendText",
}

// row makes a summary of what a function does, in words.
func row(name, does string) (*Summary, error) {
	s := &Summary{}
	res := Result{Is: Set(Fresh)}
	var all, holds Roots
	for i := range operands {
		all = all.Or(Set(Param(i), Param(i).Behind()))
	}
	add := func(e Effect) { s.Effects = append(s.Effects, e) }
	add(Effect{Kind: Read, On: all})
	for words := range strings.SplitSeq(does, ",") {
		verb, rest, operand := strings.Cut(strings.TrimSpace(words), " ")
		what, of, ok := strings.Cut(rest, " of ")
		if !ok {
			if what, of, ok = strings.Cut(rest, " in "); !ok {
				what, of = "", rest
			}
		}
		i, err := strconv.Atoi(of)
		at := Set(Param(i))
		both := Set(Param(i), Param(i).Behind())
		switch {
		case operand && (err != nil || i < 0 || i >= operands):
			return nil, fmt.Errorf("%q names no operand", words)
		case !operand && verb == "reads":
		case !operand && verb == "gathers":
			holds = holds.Or(Set(Anywhere))
		case !operand && verb == "yields":
			holds = holds.Or(all)
			over := Set(Captured(0), Captured(0).Behind(), Captured(0).Behind().Behind())
			res.Does = &Made{Bound: []Roots{all}, Summary: &Summary{Effects: Effects{{Kind: Read, On: over}, {Kind: Call, On: Set(Param(0)), Given: over}}}}
		case verb == "writes" && operand:
			add(Effect{Kind: Write, On: both})
		case kinds[verb] != 0 && operand:
			add(Effect{Kind: kinds[verb], On: at})
		case kinds[verb] != 0:
			add(Effect{Kind: kinds[verb], On: Set(Anywhere), Name: name})
			s.Endless = s.Endless || verb == "exits"
		case verb == "calls" && operand:
			add(Effect{Kind: Call, On: at, Name: what, Given: all.Without(both).Or(Set(Fresh))})
		case verb == "starts" && operand:
			add(Effect{Kind: Spawn, On: Set(Anywhere), Name: name})
			add(Effect{Kind: Call, On: at, Given: Set(Fresh)})
		case asking[verb] != "" && operand:
			add(Effect{Kind: Call, On: at, Name: asking[verb], Deep: true, Given: Set(Fresh)})
		case verb == "returns" && operand:
			res.Is = res.Is.Or(both)
		case verb == "holds" && operand:
			holds = holds.Or(both)
		case verb == "keeps" && what == "any":
			s.Links = append(s.Links, Link{Param(i), Set(Anywhere)})
		case verb == "keeps" && operand:
			from, err := strconv.Atoi(what)
			if err != nil {
				return nil, fmt.Errorf("%q names no operand", words)
			}
			s.Links = append(s.Links, Link{Param(i), Set(Param(from), Param(from).Behind())})
		default:
			return nil, fmt.Errorf("%q says nothing", words)
		}
	}
	if !holds.Empty() {
		s.Links = append(s.Links, Link{Fresh, holds})
	}
	s.Results = []Result{res, res, res, res}
	return s, nil
}
