package flow

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// A Fact answers for the functions of a package where other packages call them.
// In the process that read the package it asks its index, so that it looks only
// at what is called. For other processes it is written down as a whole. They
// read it once something asks.
type Fact struct{ *answers }

type answers struct {
	index *Index // nil where another process read the package

	mu   sync.Mutex
	text []byte              // what that wrote, until something is asked
	sums map[string]*Summary // what was in it, by full names
}

// An entry is what a Fact says of one function.
type entry struct {
	Name string
	Does *Summary
}

// AFact makes it a fact of a package.
func (*Fact) AFact() {}

func (*Fact) String() string { return "what the functions do" }

// GobEncode implements [gob.GobEncoder].
func (f *Fact) GobEncode() ([]byte, error) {
	if f.index == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.text, nil
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(f.index.entries())
	return b.Bytes(), err
}

// GobDecode implements [gob.GobDecoder].
func (f *Fact) GobDecode(text []byte) error {
	f.answers = &answers{text: bytes.Clone(text)}
	return nil
}

// of returns what is known of a function, or nil.
func (a *answers) of(fn *types.Func) *Summary {
	if a.index != nil {
		return a.index.abroad(fn)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sums == nil {
		a.sums = map[string]*Summary{}
		var all []entry
		if gob.NewDecoder(bytes.NewReader(a.text)).Decode(&all) == nil { // otherwise nothing is known
			for _, e := range all {
				a.sums[e.Name] = e.Does
			}
		}
	}
	return a.sums[fn.FullName()]
}

// others asks the facts of other packages for what their functions do.
func others(pass *analysis.Pass) func(*types.Func) *Summary {
	facts := map[*types.Package]*answers{}
	return func(fn *types.Func) *Summary {
		a, ok := facts[fn.Pkg()]
		if !ok {
			var f Fact
			if fn.Pkg() != nil && pass.ImportPackageFact(fn.Pkg(), &f) {
				a = f.answers
			}
			facts[fn.Pkg()] = a
		}
		if a == nil {
			return nil
		}
		return a.of(fn)
	}
}

// entries are what other packages may ask.
func (x *Index) entries() (all []entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	for _, fn := range x.solver.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() && obj.Signature().Recv() == nil {
			continue
		}
		if s := x.export(obj); s != nil {
			all = append(all, entry{obj.FullName(), s})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// abroad is what is known of a function as other packages get it, or nil.
func (x *Index) abroad(fn *types.Func) *Summary {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	return x.export(fn)
}

func (x *Index) export(fn *types.Func) *Summary {
	s, ok := x.exported[fn]
	if !ok {
		if s = x.solver.object(fn); s != nil {
			s = x.solver.abroad(s, 2)
		}
		x.exported[fn] = s
	}
	return s
}

// abroad is a summary without what belongs to this package. Of functions that
// functions return it tells as deep as it is told.
func (x *solver) abroad(s *Summary, deep int) *Summary {
	t := &Summary{Links: s.Links, Endless: s.Endless}
	var kept effects
	for _, e := range s.Effects {
		if e.At == "" {
			p := x.prog.Fset.Position(e.From())
			e.At = fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
		}
		e.pos, e.from, e.v = 0, 0, nil
		kept.add(e)
	}
	t.Effects = kept.all
	for _, r := range s.Results {
		if m := r.Does; m != nil {
			sum := m.Summary
			if m.fn != nil && len(m.fn.Blocks) > 0 {
				sum = x.solve(m.fn)
			}
			r.Does = nil
			if sum != nil && deep > 0 {
				r.Does = &Made{Summary: x.abroad(sum, deep-1), Bound: m.Bound}
			}
		}
		t.Results = append(t.Results, r)
	}
	return t
}
