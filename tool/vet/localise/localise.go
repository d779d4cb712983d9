// Package localise carries the edits of package local across functions. What
// goroutines update item by item gets a copy of each goroutine's own, which is
// merged after the loop. This holds also where the update stands in another
// function than the loop.
//
// The forms:
//
//	for … { s.note(x) }            note takes a lock or adds to an atomic, itself or by what it calls
//	for … { sums[w].add(x) }       add updates the slot of a goroutine
//
// The body of what is called stands in place of the call. The check looks at the
// package as it is then, and finds in it what it finds anywhere. Both edits become
// one. What was called stays, if nothing else calls it as well. So the conditions of the edit are
// those of the check. The conditions of this package are those for code to stand in
// the place of its call: it means the same there. Control leaves it by its end, and
// it runs what it gets once and in its order.
//
// It is not for functions that return something, nor for those of other packages.
// Each attempt type-checks the package, as long as it takes; of a package there
// are no more than [most].
package localise

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// most is how many attempts are made for a check in one package, and deep how many
// functions may stand between the loop and the update.
const (
	most = 16
	deep = 3
)

// A Find is what a check finds in a package.
type Find func(*analysis.Pass) ([]shape.Finding, error)

// Across makes the edits of a check across the functions of a package.
type Across struct {
	pass *analysis.Pass
	uses *uses.Index
	find Find
	left int     // attempts
	in   *edited // what is in place already, nil at first

	taken map[string]bool // names that are declared in the function of the calls by now
}

// elsewhere is said of what no attempt is about.
const elsewhere = "another call is looked at"

// New returns an Across for what a check finds. The pass has the results of
// uses.Analyzer.
func New(pass *analysis.Pass, find Find) *Across {
	in, _ := pass.ResultOf[before].(*edited)
	return &Across{pass: pass, uses: pass.ResultOf[uses.Analyzer].(*uses.Index), find: find, left: most, in: in}
}

// before has, as the result of an analyzer that is never run, what is in place in the
// package of a pass.
var before = &analysis.Analyzer{Name: "payoffbefore"}

// Edit returns the fix of a name that the check has once what calls call stands in
// their place, or why there is none. The calls are of one function; the first has to
// stand in line, and the others do where they can.
func (x *Across) Edit(name string, calls ...inspector.Cursor) (fix shape.Fix, why string, at token.Pos) {
	no := func(why string, at token.Pos) (shape.Fix, string, token.Pos) { return shape.Fix{}, why, at }
	first := calls[0].Node()
	switch {
	case x.in != nil && !x.in.has(x.pass.Fset, first.Pos(), first.Pos()):
		return no(elsewhere, first.Pos())
	case x.in != nil && x.in.deep == deep:
		return no("it is called by too many functions, one through the other", first.Pos())
	case x.left == 0:
		return no("too many others are called so", first.Pos())
	}
	x.taken = map[string]bool{}
	var stand []analysis.TextEdit
	var names []string
	for i, c := range calls {
		p := x.inPlace(c)
		if p.why != "" {
			if i == 0 {
				return no(p.why, p.at)
			}
			continue
		}
		stand = append(stand, p.edit)
		if n := types.ExprString(p.call.Fun); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	file := x.pass.Fset.File(first.Pos())
	x.left--
	src, err := x.pass.ReadFile(file.Name())
	if err != nil {
		return no("its file cannot be read", first.Pos())
	}
	e := newEdited(file, src, stand)
	if e == nil {
		return no("one call stands within what another calls", first.Pos())
	}
	if x.in != nil {
		e.deep = x.in.deep
	}
	e.deep++
	p, err := x.again(file.Name(), e)
	if err != nil {
		return no("what is called means something else in its place", first.Pos())
	}
	found, err := x.find(p)
	if err != nil {
		return no("what is called means something else in its place", first.Pos())
	}
	var more, others []analysis.TextEdit // in the file of the calls, and in others
	why, at = "it does more than add up", first.Pos()
	slices.SortStableFunc(found, func(a, b shape.Finding) int { return int(a.Pos - b.Pos) })
	for _, f := range found {
		if !e.has(p.Fset, f.Pos, f.Pos) && !slices.ContainsFunc(f.Hot, func(r shape.Range) bool { return e.has(p.Fset, r.Pos, r.End) }) {
			continue
		}
		for _, r := range f.Refused {
			if r.Name == name && r.Why != elsewhere {
				why = r.Why
			}
		}
		for _, g := range f.Fixes {
			if g.Name == name && !rewrite.Overlap(slices.Concat(more, others), g.Edits) {
				for _, t := range g.Edits {
					if p.Fset.File(t.Pos) == e.now {
						more = append(more, t)
					} else {
						others = append(others, t)
					}
				}
				fix.Name, fix.Value, fix.Says, fix.Dearer = g.Name, g.Value, g.Says, g.Dearer
			}
		}
	}
	if more == nil {
		return no(why, at)
	}
	fix.Says = fmt.Sprintf("do what %s does in place, and %s", strings.Join(names, " and "), fix.Says)
	fix.Edits = append(others, e.with(src, more))
	return fix, "", 0
}

// Calls returns the given call, and after it others in a loop. These are calls of
// the same function, and of functions of the package that take locks or have to
// do with atomics.
func (x *Across) Calls(loop, call inspector.Cursor) []inspector.Cursor {
	all := []inspector.Cursor{call}
	info, f := x.pass.TypesInfo, flow.Of(x.pass)
	for c := range loop.Preorder((*ast.ExprStmt)(nil)) {
		other, ok := ast.Unparen(c.Node().(*ast.ExprStmt).X).(*ast.CallExpr)
		if !ok || ast.Node(other) == call.Node() {
			continue
		}
		fn := section.Callee(info, other)
		if fn == nil || fn.Pkg() != x.pass.Pkg || mustFunc(c) != mustFunc(loop) {
			continue
		}
		if fn == section.Callee(info, call.Node().(*ast.CallExpr)) || touches(f.Func(fn)) {
			if o, ok := c.FindNode(other); ok {
				all = append(all, o)
			}
		}
	}
	return all
}

func touches(s *flow.Summary) bool {
	return s != nil && s.Effects.First(flow.Lock|flow.Sync) != nil
}

// mustFunc is the function that a node is in.
func mustFunc(c inspector.Cursor) inspector.Cursor {
	fn, _ := uses.Func(c)
	return fn
}

// again makes the pass of the check over the package as it is with one file
// changed.
func (x *Across) again(name string, e *edited) (*analysis.Pass, error) {
	p := *x.pass
	p.Files = slices.Clone(p.Files)
	file, err := parser.ParseFile(p.Fset, name, e.src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	e.now = p.Fset.File(file.FileStart)
	for i, f := range p.Files {
		if p.Fset.File(f.FileStart).Name() == name {
			p.Files[i] = file
		}
	}
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: imported(x.pass.Pkg.Imports()), Sizes: p.TypesSizes, GoVersion: x.pass.Pkg.GoVersion()}
	if p.Pkg, err = conf.Check(x.pass.Pkg.Path(), p.Fset, p.Files, p.TypesInfo); err != nil {
		return nil, err
	}
	read := x.pass.ReadFile
	p.ReadFile = func(n string) ([]byte, error) {
		if n == name {
			return e.src, nil
		}
		return read(n)
	}
	p.Report = func(analysis.Diagnostic) {}
	p.ExportObjectFact = func(types.Object, analysis.Fact) {}
	p.ResultOf = map[*analysis.Analyzer]any{before: e}
	results := map[*analysis.Analyzer]any{
		flow.Analyzer: flow.Of(x.pass).Again(p.Fset, p.Pkg, p.Files, p.TypesInfo),
		heat.Analyzer: x.pass.ResultOf[heat.Analyzer],
	}
	var result func(a *analysis.Analyzer) (any, error)
	result = func(a *analysis.Analyzer) (any, error) {
		if r, ok := results[a]; ok {
			return r, nil
		}
		q := p
		q.Analyzer, q.ResultOf = a, map[*analysis.Analyzer]any{}
		for _, on := range a.Requires {
			if q.ResultOf[on], err = result(on); err != nil {
				return nil, err
			}
		}
		r, err := a.Run(&q)
		results[a] = r
		return r, err
	}
	for _, on := range x.pass.Analyzer.Requires {
		if p.ResultOf[on], err = result(on); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

// imported are the packages that a package imports.
type imported []*types.Package

func (all imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range all {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s is not imported", path)
}

// edited is a file with edits, to which others are made.
type edited struct {
	file, now *token.File // before, and with them
	src       []byte
	made      [][2]int // from where to where there is what they made
	deep      int      // how many edits of calls there are, one in the other
}

// newEdited makes edits of a file, nil if they overlap or are of another.
func newEdited(file *token.File, src []byte, edits []analysis.TextEdit) *edited {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	e := &edited{file: file}
	var out bytes.Buffer
	last := 0
	for _, t := range edits {
		end := max(t.Pos, t.End)
		if int(t.Pos) < file.Base() || int(end) > file.Base()+file.Size() || file.Offset(t.Pos) < last {
			return nil
		}
		out.Write(src[last:file.Offset(t.Pos)])
		start := out.Len()
		out.Write(t.NewText)
		e.made = append(e.made, [2]int{start, out.Len()})
		last = file.Offset(end)
	}
	out.Write(src[last:])
	e.src = out.Bytes()
	return e
}

// has reports whether a stretch has some of what the edits made.
func (e *edited) has(fset *token.FileSet, pos, end token.Pos) bool {
	if fset.File(pos) != e.now {
		return false
	}
	from, to := e.now.Offset(pos), e.now.Offset(end)
	return slices.ContainsFunc(e.made, func(m [2]int) bool { return m[0] <= to && from < m[1] })
}

// with returns the edit of the file as it was that makes these edits and those: from
// the first line that differs to the last.
func (e *edited) with(was []byte, more []analysis.TextEdit) analysis.TextEdit {
	is := newEdited(e.now, e.src, more).src
	first, last := 0, 0
	for first < min(len(was), len(is)) && was[first] == is[first] {
		first++
	}
	for last < min(len(was), len(is))-first && was[len(was)-1-last] == is[len(is)-1-last] {
		last++
	}
	first = bytes.LastIndexByte(was[:first], '\n') + 1
	last -= max(0, bytes.IndexByte(was[len(was)-last:], '\n'))
	return analysis.TextEdit{Pos: e.file.Pos(first), End: e.file.Pos(len(was) - last), NewText: is[first : len(is)-last]}
}
