// Package flow tells what functions do, with all that they call. It says which
// memory they read and write, what they call back and what they may wait for. It
// also says whether they may panic or not return, and where their results lead.
//
// It reads the SSA form of a package, each function until nothing new is found. It tells
// memory apart by the roots that lead to it: parameters, captured variables, variables
// of packages, memory that a function makes. What it says may be too much and never too
// little, with these exceptions. It assumes that no pointer or map is nil, that memory
// and the stack suffice, and that package unsafe and assembly do nothing. Two parameters
// may lead to the same memory, which is for the caller to see. A function that is handed
// on may do anything unless flow knows which it is. The standard library is a table, all
// else that lies in other packages a fact, if these were read.
//
// It is not for questions of syntax, nor for what depends on values. The SSA form of
// a package is made, and a function read, when something is first asked of it. To
// ask for all of 100,000 lines takes one and a half seconds of processor time and
// holds on to 70 MB. Checks ask for a small part (record/2026-11-27-epyc-2cpu,
// flow-speed.txt).
package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
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
	FactTypes:  []analysis.Fact{new(Fact)},
	ResultType: reflect.TypeFor[*Index](),
	Run:        func(pass *analysis.Pass) (any, error) { return index(pass, nil), nil },
}

// An Index answers for the functions of a package, and those of others. It reads
// what is asked for, with all that this calls. It is safe for concurrent use.
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

// index makes the index of a pass and exports it, for others to ask.
func index(pass *analysis.Pass, assembly map[string]*Summary) *Index {
	x := New(pass.Fset, pass.Pkg, pass.Files, pass.TypesInfo)
	x.solver.fact, x.solver.assembly = others(pass), assembly
	if assembly == nil { // otherwise other systems have other files, and mean the same
		x.solver.left = pass.ResultOf[unbuilt.Analyzer].(*unbuilt.Files)
	}
	if assembly != nil || !source.Standard(pass.Pkg.Path()) { // of others the table has what may be asked
		pass.ExportPackageFact(&Fact{&answers{index: x}})
	}
	return x
}

// New reads the files of a package. Of others it knows the standard library alone.
func New(fset *token.FileSet, pkg *types.Package, files []*ast.File, info *types.Info) *Index {
	x := &Index{readings: map[*ssa.Function]*reading{}, solver: &solver{
		pkg: pkg, fact: func(*types.Func) *Summary { return nil }, others: map[*types.Func]*Summary{},
		sums: map[*ssa.Function]*Summary{}, live: map[*ssa.Function]*reading{}, open: map[*ssa.Function]int{},
		refers: map[types.Type]bool{}, methods: map[asked][]*types.Func{},
	}}
	if len(files) > 0 && info != nil {
		x.build = func() { x.solver.build(fset, files, info) }
	}
	return x
}

// ready reads the package when it is first asked for.
func (x *Index) ready() {
	if x.build != nil {
		x.build()
		x.build = nil
	}
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
// [Effect.Back]. Of a call that the compiler would leave out, and of what is not
// known, it is an effect of the kind Unknown.
func (x *Index) Call(call *ast.CallExpr) (all Effects) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.at(call)
	if i == nil {
		return Effects{{Kind: Unknown, On: Set(Anywhere), Name: types.ExprString(call.Fun), pos: call.Pos()}}
	}
	r := x.reading(i.Parent(), call)
	own := Set(r.site(i)) // what the call makes
	var does Effects
	r.does(i, &does)
	for _, e := range does {
		if e.On = e.On.Without(own); !e.On.Empty() {
			all = append(all, e)
		}
	}
	return all
}

// Within returns what code of a function does where it stands, the literals in it
// among that, as if they were called. It leaves out the nodes of but. The roots are
// those of the functions that it stands in. Of code that is not known, and of what
// the compiler would leave out, it is an effect of the kind Unknown.
func (x *Index) Within(code ast.Node, but ...ast.Node) (all Effects) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	within := func(pos token.Pos, n ast.Node) bool { return n.Pos() <= pos && pos < n.End() }
	asked := func(pos token.Pos) bool {
		return within(pos, code) && !slices.ContainsFunc(but, func(n ast.Node) bool { return within(pos, n) })
	}
	known := false
	for _, fn := range x.solver.funcs {
		syntax := fn.Syntax()
		if syntax == nil || code.End() <= syntax.Pos() || syntax.End() <= code.Pos() {
			continue
		}
		known = true
		r := x.reading(fn, code)
		var does Effects
		for _, b := range fn.Blocks {
			// What has no place of its own stands where the rest of its block does.
			here := slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return asked(i.Pos()) })
			for _, i := range b.Instrs {
				if here && (asked(i.Pos()) || !i.Pos().IsValid() && !enters(i)) {
					r.does(i, &does)
				}
			}
		}
		all = append(all, does...)
	}
	if !known {
		all = append(all, Effect{Kind: Unknown, On: Set(Anywhere), Name: "code", pos: code.Pos()})
	}
	return all
}

// enters reports whether an instruction keeps a parameter in memory, as the function
// begins.
func enters(i ssa.Instruction) bool {
	st, ok := i.(*ssa.Store)
	if !ok {
		return false
	}
	_, param := st.Val.(*ssa.Parameter)
	return param
}

// reading returns what is known within a function, to ask for a node of it.
func (x *Index) reading(fn *ssa.Function, of ast.Node) *reading {
	r := x.readings[fn]
	if r == nil {
		r = x.solver.read(fn)
		x.readings[fn] = r
	}
	r.from, r.to = of.Pos(), of.End()
	return r
}

// at returns the instruction of a call, or nil.
func (x *Index) at(call *ast.CallExpr) ssa.CallInstruction {
	x.ready()
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

// Pure says why a call may be more than a question, or "" if it is one. It may
// change something, wait, or depend on more than its operands lead to. A clause
// that goes after "it ". Functions that stand in the call as literals are for
// the caller to look at.
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
// makes. Only variables of the function around it may lead there.
func (x *Index) Made(call *ast.CallExpr) bool {
	made, _ := x.made(call)
	return made
}

// Apart reports whether it is such memory and leads to no other.
func (x *Index) Apart(call *ast.CallExpr) bool {
	_, apart := x.made(call)
	return apart
}

func (x *Index) made(call *ast.CallExpr) (made, apart bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i, ok := x.at(call).(*ssa.Call)
	if !ok {
		return false, false
	}
	r := x.reading(i.Parent(), call)
	is, t := r.of(i), i.Type()
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		is, t = r.parts[i][0], tuple.At(0).Type()
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
	return true, r.reach(Set(own)) == Set(own) || !x.solver.beyond(t)
}

// ReadOnly says why what a call of fn returns may be more than read: a clause that goes
// after "it ". It is "" if the function around only reads that, and hands it to nothing that
// keeps it. The call may be of a method that fn implements.
func (x *Index) ReadOnly(call *ast.CallExpr, fn *types.Func) (why string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i, ok := x.at(call).(*ssa.Call)
	sum := x.solver.object(fn)
	if !ok || sum == nil {
		return "calls what is not known"
	}
	r := x.solver.readAs(i.Parent(), i, sum)
	own := r.site(i)
	for _, e := range r.all() {
		if e.Kind&Changes != 0 && e.On.Has(own) {
			return e.String()
		}
	}
	seen := r.kept
	for at := range site0 {
		seen = seen.Or(r.holds[at])
	}
	for _, b := range r.fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				seen = seen.Or(r.of(v))
			}
		}
	}
	if r.reach(seen).Has(own) {
		return "lets others have what it got"
	}
	return ""
}
