// Package results calls the functions that an edit changes in both of their forms, and
// says where what comes of a call is another.
//
// A copy of the program in each form, made by an overlay, notes what its functions are
// given and what comes of it while tests and benchmarks run: results, panics, what is
// left in what was given, the receiver and package variables among it, all read as deep
// as they go. Calls of one form belong to those of the other that were given the same.
// Where that can harm nothing, a function is called with inputs as well that are made
// of those. The code as it is runs twice, and twice more where something differs: what
// is not the same each time cannot be compared, but perhaps in any order.
//
// It is no proof: what no test and no benchmark gives a function is not tried, and what
// lies in functions, channels, and types that are not the same in both forms is not
// read. It costs two builds and about six runs of the tests and benchmarks.
package results

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/results/record"
)

// A Pair is the source of a package in both forms, by absolute names.
type Pair struct {
	Path     string
	Old, New map[string][]byte
	// Told are functions and fields, F, T.M and T.f, that are to come to something else:
	// what uses them is watched, and what the fields hold is not read.
	Told []string
}

func (x Pair) forms() (old, new *form, err error) {
	if old, err = read(x.Old); err == nil {
		new, err = read(x.New)
	}
	return old, new, err
}

// A Plan says what is watched.
type Plan struct {
	Old, New overlay.Overlay   // the watched programs
	Funcs    []string          // as example.com/m.F or example.com/m.T.M
	module   string            // of the recorder
	Left     map[string]string // functions that change and cannot be watched, and why
}

// Make plans to watch what changes in pairs. New is the edit, by which the second form
// is built; the recorder becomes a package of the module that lies in dir.
func Make(pairs []Pair, edit overlay.Overlay, module, dir string) (*Plan, error) {
	p := &Plan{module: module, Old: overlay.Overlay{}, New: maps.Clone(edit), Left: map[string]string{}}
	for _, x := range pairs {
		old, new, err := x.forms()
		if err != nil {
			return nil, err
		}
		chosen := choose(old, new, x.Told)
		for name, why := range chosen.left {
			p.Left[x.Path+"."+name] = why
		}
		if len(chosen.names) == 0 {
			continue
		}
		state := map[string][]string{} // that both forms have
		for _, name := range chosen.names {
			p.Funcs = append(p.Funcs, x.Path+"."+name)
			state[name] = slices.DeleteFunc(old.state(name), func(v string) bool { return new.decls[v] == "" })
		}
		vary := old.inside() && new.inside()
		for _, side := range []struct {
			form *form
			into overlay.Overlay
		}{{old, p.Old}, {new, p.New}} {
			o, err := side.form.watch(x.Path, module+"/"+folder, chosen, state, vary)
			if err != nil {
				return nil, err
			}
			maps.Copy(side.into, o)
		}
	}
	p.Old[recorderFile(dir)], p.New[recorderFile(dir)] = source(), source()
	return p, nil
}

// A Lab is where the programs run.
type Lab struct {
	Host    host.Host
	Package string // whose test binary it is
	Dir     string
	Name    string   // of the package that its last test file is in
	Args    []string // for it
	Procs   int
	Benches []string // benchmark functions
	Limit   time.Duration
}

// A Result is what was seen.
type Result struct {
	Compared int // functions
	Inputs   int // of them, that tests and benchmarks gave
	Made     int // inputs that were made of those
	// Differs are calls that came to something else with inputs of tests and benchmarks,
	// and Perhaps those for which it is not sure that this is wrong.
	Differs, Perhaps []string
	Left             []string // what cannot be compared, a clause each
	// Leaks says that goroutines are left behind by the changed form alone, "" if they are
	// not.
	Leaks string
}

const (
	few, many = 2, 8 // iterations of a benchmark
	tests     = "-test.run=."
	counter   = "BenchmarkPayoffLeft" // counts goroutines after the others
)

// counts is a test file that comes after the others and counts goroutines.
func (p *Plan) counts(lab Lab) overlay.Overlay {
	text := fmt.Sprintf("package %s\n\nimport (\n\t%q\n\t%q\n)\n\nfunc %s(b *testing.B) {\n\tif b.N > 1 {\n\t\t%s.Left(b.N, %q)\n\t}\n}\n", lab.Name, p.module+"/"+folder, "testing", counter, folder, p.module)
	return overlay.Overlay{filepath.Join(lab.Dir, "zz_"+folder+"_test.go"): []byte(text)}
}

// grown is how many goroutines more are left by more iterations, at least, and where.
func (s *seen) grown() (n int, at string) {
	a, b := s.left[few], s.left[many]
	if len(a) == 0 || len(b) == 0 {
		return 0, ""
	}
	return slices.Min(b) - slices.Max(a), s.at
}

// Run runs the programs. An error is one of the host, or says that the watched program
// does not build.
func (p *Plan) Run(ctx context.Context, lab Lab) (*Result, error) {
	r := &Result{}
	for _, f := range slices.Sorted(maps.Keys(p.Left)) {
		r.Left = append(r.Left, fmt.Sprintf("%s: %s", short(f), p.Left[f]))
	}
	if len(p.Funcs) == 0 {
		return r, nil
	}
	maps.Copy(p.Old, p.counts(lab))
	maps.Copy(p.New, p.counts(lab))
	old, new := newSeen(), newSeen()
	for range 2 {
		if err := p.round(ctx, lab, p.Old, old); err != nil {
			return nil, err
		}
	}
	if err := p.round(ctx, lab, p.New, new); err != nil {
		return nil, err
	}
	if c := compare(old, new); len(c.differs)+len(c.perhaps) > 0 {
		for range 2 { // is the code as it is sure of that?
			if err := p.round(ctx, lab, p.Old, old); err != nil {
				return nil, err
			}
		}
	}
	c := compare(old, new)
	r.Compared, r.Inputs, r.Made = len(c.functions), c.inputs, c.made
	r.Differs, r.Perhaps = c.differs, c.perhaps
	was, _ := old.grown()
	if is, at := new.grown(); is >= many-few && 2*was < is {
		r.Leaks = fmt.Sprintf("%d goroutines more are left behind by %d iterations than by %d, at %s; it was %d", is, many, few, short(at), max(0, was))
	}
	for _, f := range p.Funcs {
		why := c.left[f]
		if why == "" && !c.functions[f] {
			why = "no test and no benchmark calls it"
		}
		if why != "" {
			r.Left = append(r.Left, short(f)+": "+why)
		}
	}
	return r, nil
}

// short is a function without the folders of its package.
func short(f string) string { return f[strings.LastIndexByte(f, '/')+1:] }

// round runs the tests and the benchmarks of a form once.
func (p *Plan) round(ctx context.Context, lab Lab, form overlay.Overlay, into *seen) error {
	src := host.Source{Package: lab.Package, Dir: lab.Dir, Change: form, Plain: true}
	b, err := lab.Host.Build(ctx, src)
	if err != nil {
		return err
	}
	benches := "^(" + strings.Join(append(slices.Clip(lab.Benches), counter), "|") + ")$"
	jobs := [][]string{{tests}}
	if len(lab.Benches) > 0 {
		for _, n := range []int{few, many} {
			jobs = append(jobs, []string{"-test.run=^$", "-test.bench=" + benches, fmt.Sprintf("-test.benchtime=%dx", n)})
		}
	}
	for _, args := range jobs {
		args = append(args, "-test.count=1", "-test.paniconexit0", "-test.timeout=0")
		for tries := 0; ; tries++ {
			job := host.Job{Binary: b.ID, Procs: lab.Procs, Timeout: lab.Limit, Limit: lab.Limit, Args: append(slices.Clip(args), lab.Args...),
				Env: []string{record.File + "=" + host.Folder + "/results", record.Untried + "=" + strings.Join(slices.Sorted(maps.Keys(into.untried)), ","), record.Careful + "=" + into.careful}}
			o, err := lab.Host.Run(ctx, job)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if fault := (*host.Fault)(nil); errors.As(err, &fault) {
				return err
			}
			if err != nil {
				return err
			}
			died := o.Late || o.Death != "" && o.Exit != 0 || o.Exit < 0
			open := into.take(string(o.Files["results"]), died, o.Late, o.Death)
			if !died || tries == 2 {
				break
			}
			switch {
			case open != "" && !into.untried[open]: // an input that was made: the function is not made for it
				into.untried[open] = true
			case into.careful == "" && strings.Contains(o.Death, "concurrent map"):
				into.careful = "yes"
			default:
				tries = 2
			}
			if tries == 2 {
				break
			}
		}
	}
	return nil
}

// seen is what runs of a form showed.
type seen struct {
	funcs   map[string]*calls
	untried map[string]bool
	careful string
	left    map[int][]int // goroutines, by iterations
	at      string        // where one stands
}

func newSeen() *seen {
	return &seen{funcs: map[string]*calls{}, untried: map[string]bool{}, left: map[int][]int{}}
}

// calls are those of a function.
type calls struct {
	inputs map[string]*input
	left   []string
}

// An input is what came of calls with it.
type input struct {
	text  string
	made  bool
	blind bool
	ends  map[string]*end
	open  bool // a process died, or hung, in the only call that was open
	death string
}

type end struct {
	bag, text string
	leaves    string // what is in what it was given
	n         int
}

// known is an input of a function, by the names that the recorder has for them.
func (s *seen) known(f, key string) *input {
	c := s.funcs[f]
	if c == nil {
		c = &calls{inputs: map[string]*input{}}
		s.funcs[f] = c
	}
	if c.inputs[key] == nil {
		c.inputs[key] = &input{ends: map[string]*end{}}
	}
	return c.inputs[key]
}

// take reads what a process wrote. Of one that died it returns the function that was
// called with an input that was made, if there is one, "" else.
func (s *seen) take(text string, died, late bool, death string) (made string) {
	type at struct{ f, key string }
	open := map[at]bool{}
	last := at{}
	for line := range strings.Lines(text) {
		w := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case w[0] == "C" && len(w) == 4:
			s.known(w[1], w[2]).text = w[3]
			open[at{w[1], w[2]}] = true
		case w[0] == "V" && len(w) == 4:
			x := s.known(w[1], w[2])
			x.text, x.made = w[3], true
			last = at{w[1], w[2]}
		case w[0] == "R" && len(w) == 8:
			x := s.known(w[1], w[2])
			x.blind = x.blind || strings.HasSuffix(w[5], "b")
			if w[5][0] == 'r' {
				x.made = false
			}
			if x.ends[w[3]] == nil {
				x.ends[w[3]] = &end{bag: w[4], text: w[6], leaves: w[7]}
			}
			x.ends[w[3]].n++
			delete(open, at{w[1], w[2]})
			if last == (at{w[1], w[2]}) {
				last = at{}
			}
		case w[0] == "N" && len(w) == 5:
			n, _ := strconv.Atoi(w[4])
			if e := s.known(w[1], w[2]).ends[w[3]]; e != nil {
				e.n += n - n/2
			}
		case w[0] == "G" && len(w) == 4:
			n, _ := strconv.Atoi(w[1])
			k, _ := strconv.Atoi(w[2])
			s.left[n] = append(s.left[n], k)
			s.at = cmp.Or(w[3], s.at)
		case w[0] == "U" && len(w) == 3:
			s.known(w[1], "")
			delete(s.funcs[w[1]].inputs, "")
			if c := s.funcs[w[1]]; !slices.Contains(c.left, w[2]) {
				c.left = append(c.left, w[2])
			}
		}
	}
	if !died {
		return ""
	}
	if last.f != "" {
		delete(s.funcs[last.f].inputs, last.key)
		return last.f
	}
	if len(open) == 1 {
		for x := range open {
			y := s.known(x.f, x.key)
			y.open, y.death = true, "the process ends: "+death
			if late {
				y.death = "it does not end"
			}
		}
	}
	return ""
}

// A comparison is what two forms have in common.
type comparison struct {
	functions        map[string]bool
	inputs, made     int
	differs, perhaps []string
	left             map[string]string
}

// panics is what the recorder writes of a call that does not return.
const panics = "it panics"

func byLength(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

func compare(old, new *seen) comparison {
	c := comparison{functions: map[string]bool{}, left: map[string]string{}}
	names := slices.Sorted(maps.Keys(old.funcs))
	for f := range new.funcs {
		if old.funcs[f] == nil {
			names = append(names, f)
		}
	}
	slices.Sort(names)
	for _, f := range names {
		a, b := old.funcs[f], new.funcs[f]
		if a == nil || b == nil {
			c.left[f] = "it is called in one form alone"
			continue
		}
		both, vague := 0, 0
		var differs, perhaps []string
		for _, key := range slices.Sorted(maps.Keys(b.inputs)) {
			x, y := a.inputs[key], b.inputs[key]
			if x == nil || len(x.ends) == 0 || len(y.ends) == 0 && !y.open {
				continue
			}
			both++
			var is *end
			inOrder := len(x.ends) == 1
			bags := map[string]bool{}
			for _, e := range x.ends {
				bags[e.bag] = true
			}
			if !inOrder && len(bags) > 1 {
				vague++
				continue
			}
			if x.made || y.made {
				c.made++
			} else {
				c.inputs++
			}
			for _, k := range slices.Sorted(maps.Keys(y.ends)) {
				if e := y.ends[k]; inOrder && x.ends[k] == nil || !inOrder && !bags[e.bag] {
					is = e
				}
			}
			if y.open && !x.open {
				is = &end{text: y.death}
			}
			if is == nil {
				continue
			}
			was := x.ends[slices.Min(slices.Collect(maps.Keys(x.ends)))]
			says := fmt.Sprintf("%s(%s): was: %s; is: %s", short(f), given(x, y), was.text, is.text)
			if was.text == is.text {
				says = fmt.Sprintf("%s(%s) leaves: was: %s; is: %s", short(f), given(x, y), was.leaves, is.leaves)
			}
			switch {
			case x.made || y.made || x.blind || y.blind:
				why := "an input that payoff made"
				if x.blind || y.blind {
					why = "not all that it is given can be read"
				}
				if was.text == panics { // it is not made for that
					continue
				}
				perhaps = append(perhaps, says+" ("+why+")")
			default:
				differs = append(differs, says)
			}
		}
		if len(differs) > 0 { // the shortest says most
			c.differs = append(c.differs, slices.MinFunc(differs, byLength))
		} else if len(perhaps) > 0 {
			c.perhaps = append(c.perhaps, slices.MinFunc(perhaps, byLength))
		}
		switch {
		case both-vague > 0:
			c.functions[f] = true
			if vague > 0 {
				c.left[f] = fmt.Sprintf("with %d of its inputs the code as it is does not come to the same each time", vague)
			}
		case vague > 0:
			c.left[f] = "the code as it is does not come to the same each time"
		case len(a.left) > 0:
			c.left[f] = strings.Join(a.left, "; ")
		case len(b.left) > 0:
			c.left[f] = strings.Join(b.left, "; ")
		default:
			c.left[f] = "it is given something else in each run"
		}
	}
	return c
}

// given is an input as it is told.
func given(x, y *input) string {
	if x.text != "" {
		return x.text
	}
	return y.text
}
