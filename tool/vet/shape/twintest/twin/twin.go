// Package twin calls two forms of a function, as it is and as an edit makes it,
// with the same random inputs. It compares what comes of it. Programs that
// twintest writes import it; nothing else does.
//
// Each call runs in a bubble of testing/synctest. A call that waits for ever ends
// at once, and goroutines that outlive it come to rest before the comparison
// looks. A call takes some tens of microseconds.
package twin

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A Form is a package in one form: functions, method expressions, and pointers
// to variables, by the names they have in the source.
type Form struct{ Funcs, Vars map[string]any }

var forms = map[string]Form{}

// Add names a form. Packages do it as they are initialized.
func Add(name string, f Form) { forms[name] = f }

// A Unit is a function to call or, for a name like "(*T)", the methods of a
// type one after the other on one receiver.
type Unit struct {
	Before, After string // forms
	Name          string
	Ordered       bool // it starts nothing, and calls what it calls in order
	Inner         bool // only the package calls it, and gives it no nil pointers
}

// A Plan is what a process is asked for, by its environment.
type Plan struct {
	From   int           // first unit
	Only   int           // case of From that is run, in its first form; 0: all
	Tame   map[int]int   // how tame the inputs of units are that would take too long: up to 2
	Skip   map[int][]int // cases of units that take too long all the same
	Seed   uint64
	Inputs int    // for each unit
	Out    string // file that the events are appended to
}

// Env is the variable that has the plan, as JSON.
const Env = "PAYOFF_TWIN"

// An Event is a line of what a process says. The last one before it dies is
// about the unit and the form that killed it.
type Event struct {
	Unit, Case int
	After      bool   `json:",omitempty"` // in its second form
	Kind       string // one of those below
	Text       string `json:",omitempty"`
	Inputs     int    `json:",omitempty"`
}

// Kinds of events.
const (
	Calls    = "calls"    // a case begins
	Slow     = "slow"     // a call takes too long, or too much memory: the process ends
	Done     = "done"     // a unit has no difference; Text: how its results were compared
	LeftOut  = "left out" // a unit cannot be tried: Text says why
	Differs  = "differs"  // its forms do
	Finished = "finished" // so are all units
)

// Run calls the units as the environment says.
func Run(t *testing.T, units []Unit) {
	var plan Plan
	if err := json.Unmarshal([]byte(os.Getenv(Env)), &plan); err != nil {
		t.Fatalf("%s: %v", Env, err)
	}
	out, err := os.OpenFile(plan.Out, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	say = func(e Event) {
		line, err := json.Marshal(e)
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		if err != nil {
			panic(err)
		}
	}
	initial := keep()
	go watch()
	for i := plan.From; i < len(units); i++ {
		u := &unit{Unit: units[i], t: t, seed: plan.Seed ^ hash(units[i].Before, units[i].Name), tame: plan.Tame[i], skip: plan.Skip[i]}
		u.calls = func(n int, after bool) {
			e := Event{Unit: i, Case: n, After: after, Kind: Calls}
			next(e, &e)
		}
		if why := u.find(); why != "" {
			next(Event{Unit: i, Kind: LeftOut, Text: why}, nil)
			continue
		}
		if plan.Only != 0 {
			u.calls(plan.Only, false)
			u.call(plan.Only, false, false)
			break
		}
		initial()
		e := u.try(plan.Inputs)
		e.Unit = i
		next(e, nil)
	}
	next(Event{Kind: Finished}, nil)
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// A unit is called in its forms.
type unit struct {
	Unit
	t     *testing.T
	seed  uint64
	tame  int
	skip  []int
	calls func(n int, after bool)
	made  [2]maker // what its forms make inputs of
	steps []string // functions, or methods, that can be called
	vars  []string // variables of the package that are inputs
}

// keep returns what sets all variables back to what they are now: those of a first
// form are shared with units to whose second form they are no inputs.
func keep() (restore func()) {
	was := map[reflect.Value]reflect.Value{}
	for _, f := range forms {
		for _, p := range f.Vars {
			v := reflect.ValueOf(p).Elem()
			w := reflect.New(v.Type()).Elem()
			w.Set(v)
			was[v] = w
		}
	}
	return func() {
		for v, w := range was {
			v.Set(w)
		}
	}
}

// find looks up what the unit calls, and says why it cannot be called.
func (u *unit) find() (why string) {
	before, after := forms[u.Before], forms[u.After]
	names := []string{u.Name}
	if strings.HasPrefix(u.Name, "(") {
		names = nil
		for name := range before.Funcs {
			if strings.HasPrefix(name, u.Name+".") {
				names = append(names, name)
			}
		}
		slices.Sort(names)
	}
	u.made = [2]maker{newMaker(before), newMaker(after)}
	for _, name := range names {
		if no := u.step(before.Funcs[name], after.Funcs[name]); no != "" {
			why = no
		} else {
			u.steps = append(u.steps, name)
		}
	}
	for name, b := range before.Vars {
		if a := after.Vars[name]; a != nil {
			t := reflect.TypeOf(b).Elem()
			if shape(t) == shape(reflect.TypeOf(a).Elem()) && resets(t) {
				u.vars = append(u.vars, name)
			}
		}
	}
	slices.Sort(u.vars)
	if len(u.steps) > 0 {
		return ""
	}
	return why
}

// step says why a function cannot be called in both forms, and else notes what it takes
// and returns.
func (u *unit) step(before, after any) string {
	if before == nil || after == nil {
		return "is not in both forms"
	}
	b, a := reflect.TypeOf(before), reflect.TypeOf(after)
	if b.NumIn() != a.NumIn() || b.NumOut() != a.NumOut() {
		return "its signature is another"
	}
	for i := range b.NumIn() {
		if no := u.made[0].why(b.In(i)); no != "" {
			return "takes " + no
		}
		u.alike(b.In(i), a.In(i))
	}
	for i := range b.NumOut() {
		u.alike(b.Out(i), a.Out(i))
	}
	return ""
}

// alike notes whether values of the two types hold the same.
func (u *unit) alike(b, a reflect.Type) {
	if strings.TrimLeft(shape(b), "*") != strings.TrimLeft(shape(a), "*") {
		u.made[0].apart[b], u.made[1].apart[a] = true, true
	}
}

// An outcome is what came of a case.
type outcome struct {
	in    string // what its inputs were
	ends  string // how it ended
	text  string // what it returned, and what became of its inputs
	calls string // of functions among them
	left  bool   // goroutines stay behind: what they call is chance
}

func (o outcome) same(p outcome) bool {
	return o.ends == p.ends && o.text == p.text && (o.left || p.left || o.calls == p.calls)
}

func (o outcome) String() string { return o.ends + o.text + o.calls }

const (
	returned = "returns"
	panicked = "panics"
	stuck    = "waits for ever"
	unasked  = "is not asked for" // an input that the function is not made for
)

// Again is how often the first form is asked whether it is sure; more often before a
// difference is told, as a race of it may be rare.
const again = 240

// try compares the forms with that many inputs.
func (u *unit) try(inputs int) Event {
	how := ""
	ran, vague := 0, 0
	for n := 1; n <= inputs; n++ {
		if slices.Contains(u.skip, n) {
			continue
		}
		u.calls(n, false)
		b := u.call(n, false, false)
		if b.ends == unasked {
			continue
		}
		u.calls(n, true)
		a := u.call(n, true, false)
		ran++
		if a.same(b) {
			continue
		}
		// Does the first form know what it does?
		if u.sure(n, false, b, 8*again) {
			return u.differs(n, b, a)
		}
		b = u.call(n, false, true)
		if !u.sure(n, true, b, again) {
			ran--
			if vague++; vague > 1+inputs/2 {
				return Event{Kind: LeftOut, Text: "its results differ from run to run"}
			}
			continue
		}
		for range again / 10 {
			u.calls(n, true)
			if a = u.call(n, true, true); !a.same(b) {
				return u.differs(n, b, a)
			}
		}
		how = "in any order"
	}
	if ran == 0 {
		return Event{Kind: LeftOut, Text: "no input is one it is made for"}
	}
	return Event{Kind: Done, Text: how, Inputs: ran}
}

// sure reports whether the first form comes to the outcome each time.
func (u *unit) sure(n int, bag bool, o outcome, times int) bool {
	defer shake.Store(0)
	for i := range times {
		shake.Store(int32(i % 3 * 2))
		u.calls(n, false)
		if !u.call(n, false, bag).same(o) {
			return false
		}
	}
	return true
}

func (u *unit) differs(n int, b, a outcome) Event {
	return Event{Case: n, After: true, Kind: Differs, Text: fmt.Sprintf("%s\n-- was\n%v\n-- is\n%v", b.in, b, a)}
}

// random is the same for each form.
func (u *unit) random(n int) *rand.Rand { return rand.New(rand.NewPCG(u.seed, uint64(n))) }
