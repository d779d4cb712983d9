package flow

import (
	"bytes"
	"encoding/json"
	"go/types"
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

	text []byte // what that wrote
	read sync.Once
	sums map[string]*Summary // what was in it, by full names
}

// AFact makes it a fact of a package.
func (*Fact) AFact() {}

func (*Fact) String() string { return "what the functions do" }

// GobEncode implements [gob.GobEncoder].
func (f *Fact) GobEncode() ([]byte, error) {
	if f.index == nil {
		return f.text, nil
	}
	x, all := f.index, map[string]*Summary{}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	for _, fn := range x.solver.funcs {
		if obj, ok := fn.Object().(*types.Func); ok && (obj.Exported() || obj.Signature().Recv() != nil) {
			if s := x.abroad(obj); s != nil {
				all[obj.FullName()] = s
			}
		}
	}
	return json.Marshal(all)
}

// GobDecode implements [gob.GobDecoder].
func (f *Fact) GobDecode(text []byte) error {
	f.answers = &answers{text: bytes.Clone(text)}
	return nil
}

// of returns what is known of a function, or nil.
func (a *answers) of(fn *types.Func) *Summary {
	if x := a.index; x != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.ready()
		return x.abroad(fn)
	}
	a.read.Do(func() {
		if json.Unmarshal(a.text, &a.sums) != nil {
			a.sums = nil // nothing is known
		}
	})
	return a.sums[fn.FullName()]
}

// others asks the facts of other packages for what their functions do.
func others(pass *analysis.Pass) func(*types.Func) *Summary {
	return func(fn *types.Func) *Summary {
		var f Fact
		if fn.Pkg() == nil || !pass.ImportPackageFact(fn.Pkg(), &f) {
			return nil
		}
		return f.of(fn)
	}
}

// abroad is what is known of a function as other packages get it, or nil.
func (x *Index) abroad(fn *types.Func) *Summary {
	if s := x.solver.object(fn); s != nil {
		return x.solver.abroad(s, fn.FullName(), 2)
	}
	return nil
}

// abroad is the summary of a function without what belongs to this package. Of
// functions that functions return it tells as deep as it is told.
func (x *solver) abroad(s *Summary, name string, deep int) *Summary {
	t := &Summary{Links: s.Links, Endless: s.Endless}
	for _, e := range s.Effects {
		if e.pos, e.v = 0, nil; e.Kind&(Wait|Spawn|Exit|Ask|Tell) != 0 {
			e.Name = name
		}
		t.Effects.add(e)
	}
	for _, r := range s.Results {
		if m := r.Does; m != nil {
			sum := m.Summary
			if m.fn != nil && len(m.fn.Blocks) > 0 {
				sum = x.solve(m.fn)
			}
			r.Does = nil
			if sum != nil && deep > 0 {
				r.Does = &Made{Summary: x.abroad(sum, name, deep-1), Bound: m.Bound}
			}
		}
		t.Results = append(t.Results, r)
	}
	return t
}
