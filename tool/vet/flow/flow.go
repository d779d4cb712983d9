// Package flow tells what functions do, with all that they call: which memory
// they read and write, what they call back, what they may wait for, whether they
// may panic or not return, what they allocate, and where their results lead.
//
// It reads the SSA form of a package, each function until nothing is added, and
// tells memory apart by the roots from which it can be reached: parameters,
// captured variables, variables of packages, memory that a function makes. What
// it says may be too much and never too little, with these exceptions: that a
// pointer or a map is nil, that memory or the stack is used up, and what package
// unsafe and assembly do, it takes for nothing that happens; and two parameters may lead
// to the same memory, which is for the caller to see. A function that is handed
// on may do anything unless it is known which it is. The standard library is a
// table, all else that lies in other packages a fact, if these were read.
//
// It is not for questions of syntax, nor for what depends on values. To read
// 100,000 lines takes some two seconds of processor time, a fifth of which is the SSA
// form, and holds on to 100 MB (BenchmarkIndex).
package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/unbuilt"
)

// Analyzer makes the [*Index] of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "flow",
	Doc:        "tell other analyzers what functions do",
	Requires:   []*analysis.Analyzer{unbuilt.Analyzer},
	FactTypes:  []analysis.Fact{new(Summary)},
	ResultType: reflect.TypeFor[*Index](),
	Run:        run,
}

// AFact makes a Summary a fact of a function.
func (*Summary) AFact() {}

func (s *Summary) String() string { return fmt.Sprintf("%d effects", len(s.Effects)) }

// An Index answers for the functions of a package, and those of others. It is
// safe for concurrent use.
type Index struct {
	mu       sync.Mutex
	build    func() // nil once it is done
	solver   *solver
	calls    map[token.Pos]ssa.CallInstruction // by the parenthesis
	readings map[*ssa.Function]*reading
}

// Of returns the index of the package of a pass, whose analyzer requires
// [Analyzer].
func Of(pass *analysis.Pass) *Index { return pass.ResultOf[Analyzer].(*Index) }

func run(pass *analysis.Pass) (any, error) { return index(pass, nil), nil }

// index reads the package of a pass and exports what others may ask.
func index(pass *analysis.Pass, assembly map[string]*Summary) *Index {
	known := map[*types.Func]*Summary{}
	left := pass.ResultOf[unbuilt.Analyzer].(*unbuilt.Files)
	if assembly != nil {
		left = nil // other systems have other files, and mean the same
	}
	x := newIndex(pass.Pkg, left, func(fn *types.Func) *Summary {
		if s, ok := known[fn]; ok {
			return s
		}
		s := new(Summary)
		if !pass.ImportObjectFact(fn, s) {
			s = nil
		}
		known[fn] = s
		return s
	})
	x.solver.assembly = assembly
	if len(pass.Files) > 0 && pass.TypesInfo != nil {
		x.build = func() { x.solver.build(pass.Fset, pass.Files, pass.TypesInfo) }
	}
	if source.Standard(pass.Pkg.Path()) && assembly == nil {
		return x // the table has what others may ask
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	for fn, s := range x.solver.declared() {
		pass.ExportObjectFact(fn, x.solver.abroad(s, pass.Fset, 2))
	}
	return x
}

// New reads the files of a package. Of others it knows the standard library alone.
func New(fset *token.FileSet, pkg *types.Package, files []*ast.File, info *types.Info) *Index {
	x := newIndex(pkg, nil, func(*types.Func) *Summary { return nil })
	x.build = func() { x.solver.build(fset, files, info) }
	return x
}

// ready reads the package when it is first asked for.
func (x *Index) ready() {
	if x.build != nil {
		x.build()
		x.build = nil
	}
}

func newIndex(pkg *types.Package, left *unbuilt.Files, fact func(*types.Func) *Summary) *Index {
	return &Index{readings: map[*ssa.Function]*reading{}, solver: &solver{
		pkg: pkg, left: left, fact: fact,
		sums: map[*ssa.Function]*Summary{}, users: map[*ssa.Function][]*ssa.Function{}, times: map[*ssa.Function]int{},
		live: map[*ssa.Function]*reading{}, open: map[*ssa.Function]int{}, queued: map[*ssa.Function]bool{},
		refers: map[types.Type]bool{}, methods: map[asked][]found{},
	}}
}

// Func returns what is known of a function or method, or nil.
func (x *Index) Func(fn *types.Func) *Summary {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	return x.solver.object(fn.Origin())
}

// Call returns what a call does with its operands, where it stands: the roots
// are those of the function around it. What literals among its operands do is not
// [Effect.Back], and a loop around the call does not make it [Effect.Often]. Of a call that the compiler would leave out, and of what is not
// known, it is an effect of the kind Unknown.
func (x *Index) Call(call *ast.CallExpr) Effects {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	i := x.at(call)
	if i == nil {
		return Effects{{Kind: Unknown, On: Set(Anywhere), Name: types.ExprString(call.Fun), pos: call.Pos()}}
	}
	r := x.reading(i.Parent())
	r.from, r.to = call.Pos(), call.End()
	own := Set(r.site(i)) // what the call makes
	var all Effects
	for _, e := range r.does(i) {
		if e.On = e.On.Without(own); !e.On.Empty() {
			all = append(all, e)
		}
	}
	return all
}

// reading returns what is known within a function.
func (x *Index) reading(fn *ssa.Function) *reading {
	r := x.readings[fn]
	if r == nil {
		r = x.solver.read(fn)
		x.readings[fn] = r
	}
	return r
}

// at returns the instruction of a call, or nil.
func (x *Index) at(call *ast.CallExpr) ssa.CallInstruction {
	if x.calls == nil {
		x.calls = map[token.Pos]ssa.CallInstruction{}
		for _, fn := range x.solver.funcs {
			for _, b := range fn.Blocks {
				for _, i := range b.Instrs {
					if c, ok := i.(ssa.CallInstruction); ok && c.Common().Pos().IsValid() {
						x.calls[c.Common().Pos()] = c
					}
				}
			}
		}
	}
	return x.calls[call.Lparen]
}

// Pure says why a call may be more than a question: it changes something, waits,
// or depends on more than its operands lead to; "" if it is one. A clause that
// goes after "it ". Functions that stand in the call as literals are for the
// caller to look at.
func (x *Index) Pure(call *ast.CallExpr) (why string) {
	all := x.Call(call)
	if e := all.First(Changes); e != nil {
		return e.String()
	}
	for _, e := range all {
		if e.Back && e.Kind&Read != 0 {
			return e.String()
		}
	}
	return ""
}

// Made reports whether the first result of a call is memory that the call itself
// makes, and that nothing leads to but variables of the function around it.
func (x *Index) Made(call *ast.CallExpr) bool {
	made, _ := x.made(call)
	return made
}

// Apart reports whether the first result of a call is such memory and leads to no
// other.
func (x *Index) Apart(call *ast.CallExpr) bool {
	made, apart := x.made(call)
	return made && apart
}

func (x *Index) made(call *ast.CallExpr) (made, apart bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	i, ok := x.at(call).(*ssa.Call)
	if !ok {
		return false, false
	}
	r := x.reading(i.Parent())
	is := r.of(i)
	if parts := r.parts[i]; len(parts) > 0 {
		is = parts[0]
	}
	own := r.site(i)
	if own == roots-1 || !is.Without(Set(own)).Empty() { // the last root is that of several
		return false, false
	}
	for at := range site0 {
		if r.holds[at].Has(own) || r.kept.Has(own) {
			return false, false
		}
	}
	t := i.Type()
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	return true, r.reach(Set(own)) == Set(own) || !x.solver.beyond(t)
}
