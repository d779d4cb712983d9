package adjatomic

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/room"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("adjatomic", "find atomics beside each other that different functions write\n\nThey are on one cache line, which each write takes from the core of the other writer.", find, uses.Analyzer)

const (
	line = 64 // bytes
	bag  = 4  // a struct with more words than this is one of statistics
)

type check struct {
	*analysis.Pass
	*uses.Index
	calls map[ast.Node][]*ast.FuncDecl // the functions that a function comes to
}

// A word is a field that goroutines write.
type word struct {
	v      *types.Var
	at     int64 // its offset
	writes []inspector.Cursor
	reads  []inspector.Cursor // atomic ones in loops
	free   bool               // its address is taken: any code may write it
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := &check{pass, pass.ResultOf[uses.Analyzer].(*uses.Index), map[ast.Node][]*ast.FuncDecl{}}
	for st := range c.Root.Preorder((*ast.StructType)(nil)) {
		t, ok := c.Info.TypeOf(st.Node().(*ast.StructType)).(*types.Struct)
		if !ok || t.NumFields() < 2 || !layout.Sized(t) {
			continue
		}
		if words := c.apart(c.fields(t)); len(words) > 1 {
			all = append(all, c.finding(st, words))
		}
	}
	return all, nil
}

// fields are the words of a struct.
func (c *check) fields(t *types.Struct) (words []word) {
	var vars []*types.Var
	for f := range t.Fields() {
		vars = append(vars, f)
	}
	for i, at := range c.TypesSizes.Offsetsof(vars) {
		if w := c.word(vars[i]); w != nil {
			w.at = at
			words = append(words, *w)
		}
	}
	return words
}

// apart are the words that should lie apart: each is written by other functions
// than one that lies within a line of it.
func (c *check) apart(words []word) (out []word) {
	if len(words) > bag {
		return nil
	}
	for i, w := range words {
		if slices.ContainsFunc(words, func(x word) bool {
			d := w.at - x.at
			return x.v != w.v && -line < d && d < line && c.others(x, w)
		}) {
			out = append(out, words[i])
		}
	}
	return out
}

// written reports whether something writes a word, as far as that is known.
func (w word) written() bool { return len(w.writes) > 0 || w.free }

// others reports whether the use of one word is in the way of other functions than
// those that use it: they write the other word, or one of the two is written in
// loops and the other one only read, in loops as well.
func (c *check) others(a, b word) bool {
	switch {
	case a.written() && b.written():
		return a.free && b.free || c.disjoint(a.writes, b.writes)
	case b.written():
		a, b = b, a
	}
	writes := slices.DeleteFunc(slices.Clone(a.writes), func(at inspector.Cursor) bool { return !looped(at) })
	return !a.free && len(writes) > 0 && len(b.reads) > 0 && c.disjoint(writes, b.reads)
}

// finding offers to put room before each of the words of a struct but the first.
func (c *check) finding(st inspector.Cursor, words []word) shape.Finding {
	var names []string
	first := words[0].v
	f := shape.Finding{Pos: first.Pos(), End: first.Pos() + token.Pos(len(first.Name())), Causes: []string{"falseshare", "rmw", "trueshare", "lock"}}
	before, more := map[*types.Var]int64{}, int64(0)
	for i, w := range words {
		names = append(names, w.v.Name())
		if i > 0 {
			before[w.v] = layout.Line - (w.at - words[i-1].at)
			more += max(0, before[w.v])
		}
		for _, use := range c.Of(w.v) {
			if r := shape.Of(uses.Around(use)); !c.Declares(use) && !slices.Contains(f.Hot, r) {
				f.Hot = append(f.Hot, r)
			}
		}
	}
	n := len(names) - 1
	f.Message = fmt.Sprintf("%s and %s are on one cache line and different functions write them: each write takes it from the other's core", strings.Join(names[:n], ", "), names[n])
	if i := slices.IndexFunc(words, func(w word) bool { return !w.written() }); i >= 0 {
		f.Message = fmt.Sprintf("%s and %s are on one cache line: each write takes it from the cores that read %s", strings.Join(names[:n], ", "), names[n], names[i])
	}
	field, _ := st.FirstChild()
	s, _ := layout.Around(c.Index, field)
	why, at := s.Relied(c.Index, c.Pkg)
	if why != "" {
		f.Refused = []shape.Refusal{{Name: "pad", Why: why, Pos: at}}
		return f
	}
	f.Fixes = []shape.Fix{{
		Name: "pad", Says: fmt.Sprintf("put %d bytes between them", layout.Line),
		Edits:  room.Between(c.Info, c.Fset, s.Node, before, true),
		Dearer: shape.Memory("each struct", fmt.Sprintf("%d bytes", more)),
	}}
	return f
}
