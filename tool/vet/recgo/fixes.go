package recgo

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

const library = "github.com/gopayoff/payoff/par"

// fixes enters the edits of a finding and what was refused of them.
func (r *recursion) fixes(f *shape.Finding, sites []*spawn.Site) {
	serial, no := inline.Edits(r.pass, r.decl, sites)
	if no != nil {
		for _, name := range []string{"threshold", "serial", "par"} {
			f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: no.Why, Pos: no.Pos})
		}
		return
	}
	if m := r.measure(); m == nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "threshold", Pos: r.decl.Pos(),
			Why: "nothing that the calls are given tells how much there is to do"})
		r.levels(f, serial)
	} else if edits, no := r.twin(serial); no != nil {
		f.Refused = append(f.Refused, *no)
	} else {
		for _, k := range m.values {
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "threshold", Value: k,
				Says:  fmt.Sprintf("go on in one goroutine where %s is at most %d (%s)", m.expr, k, m.why),
				Edits: append(r.guard(m, k), edits...),
			})
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "serial", Serial: true,
		Says:  "make the calls one after the other",
		Edits: serial,
	})
	if edits, no := r.fork(sites); no != nil {
		f.Refused = append(f.Refused, *no)
	} else {
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "par", Needs: library,
			Says:  "fork with package par, which starts nothing where it does not pay",
			Edits: edits,
		})
	}
}

// name is a free name for the twin of the function.
func (r *recursion) name(suffix string) string { return inline.TwinName(r.pass, r.decl, suffix) }

// twin enters the function once more behind itself, in one goroutine.
func (r *recursion) twin(serial []analysis.TextEdit) ([]analysis.TextEdit, *shape.Refusal) {
	for _, p := range r.params {
		if p.Name() == "" || p.Name() == "_" {
			return nil, &shape.Refusal{Name: "threshold", Why: "a parameter has no name by which it could be handed on", Pos: r.decl.Pos()}
		}
	}
	name := r.name("Serial")
	text, err := inline.Twin(r.pass, r.decl, name, serial)
	if err != nil {
		return nil, &shape.Refusal{Name: "threshold", Why: err.Error(), Pos: r.decl.Pos()}
	}
	return []analysis.TextEdit{rewrite.Insert(r.decl.End(), "\n\n"+inline.InOne(name, r.decl)+text)}, nil
}

// guard has the function go on as its twin where the measure is at most k.
func (r *recursion) guard(m *measure, k int) []analysis.TextEdit {
	return []analysis.TextEdit{rewrite.Insert(r.decl.Body.Lbrace+1, fmt.Sprintf("\nif %s <= %d {\n%s\n}", m.expr, k, r.ends(r.name("Serial"))))}
}

// ends is the text that ends a call of the function by one of a twin that is
// given the same, and more.
func (r *recursion) ends(twin string, more ...string) string {
	params := r.params
	if recv := r.fn.Signature().Recv(); recv != nil {
		twin = recv.Name() + "." + twin
		params = params[1:]
	}
	if tps := r.fn.Signature().TypeParams(); tps.Len() > 0 {
		var names []string
		for tp := range tps.TypeParams() {
			names = append(names, tp.Obj().Name())
		}
		twin += "[" + strings.Join(names, ", ") + "]"
	}
	var args []string
	for _, v := range params {
		args = append(args, v.Name())
	}
	call := twin + "(" + strings.Join(append(args, more...), ", ")
	if r.fn.Signature().Variadic() {
		call += "..."
	}
	call += ")"
	if r.fn.Signature().Results().Len() == 0 {
		return call + "\nreturn"
	}
	return "return " + call
}

func names(vars []*types.Var) string {
	var out []string
	for _, v := range vars {
		out = append(out, v.Name())
	}
	return strings.Join(out, ", ")
}

// A pair is the two calls of itself that a function makes at once.
type pair struct {
	calls  [2]*ast.CallExpr
	stmts  [2]ast.Stmt // that they are in, within their goroutines
	assign [2]*ast.AssignStmt
}

// fork makes the function the body of a par.Func.
func (r *recursion) fork(sites []*spawn.Site) ([]analysis.TextEdit, *shape.Refusal) {
	no := func(at ast.Node, why string) ([]analysis.TextEdit, *shape.Refusal) {
		return nil, &shape.Refusal{Name: "par", Why: why, Pos: at.Pos()}
	}
	sig := r.fn.Signature()
	switch {
	case sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0:
		return no(r.decl, "the function is generic")
	case sig.Results().Len() > 1:
		return no(r.decl, "the function has several results")
	case sig.Variadic():
		return no(r.decl, "the function takes any number of arguments")
	case len(r.calls) != 2:
		return no(r.decl, fmt.Sprintf("the function calls itself in %d places, not two", len(r.calls)))
	}
	for _, p := range r.params {
		if p.Name() == "" || p.Name() == "_" {
			return no(r.decl, "a parameter has no name by which it could be handed on")
		}
	}
	block, from, to := r.region(sites)
	if block == nil {
		return no(sites[0].Node, "the calls do not stand in one stretch of statements")
	}
	var p pair
	var rest []ast.Stmt // of the stretch, that stay
	n := 0
	for _, st := range block[from : to+1] {
		task, plain := r.recursive(sites, st)
		switch {
		case task == nil && plain:
			continue // of the wait group
		case task == nil:
			if r.recurses(st) {
				return no(st, "one of the calls is part of a larger statement")
			}
			rest = append(rest, st)
			continue
		}
		if n == 2 {
			return no(st, "there are more than two calls")
		}
		p.stmts[n] = task
		switch s := task.(type) {
		case *ast.ExprStmt:
			p.calls[n] = ast.Unparen(s.X).(*ast.CallExpr)
			if sig.Results().Len() > 0 {
				return no(st, "a result is dropped")
			}
		case *ast.AssignStmt:
			p.assign[n] = s
			p.calls[n] = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		}
		n++
	}
	if n != 2 {
		return no(sites[0].Node, "the calls do not stand in one stretch of statements")
	}
	if at := r.elsewhere(block[:to+1], from); at != nil {
		return no(at, "the wait group or the function itself is used elsewhere as well")
	}
	if len(rest) > 0 {
		return no(rest[0], "something else is done beside the calls")
	}
	return r.forkEdits(block, from, to, p)
}

// region returns the list of statements that starts all goroutines and joins
// them, and where in it the first start and the join are.
func (r *recursion) region(sites []*spawn.Site) (list []ast.Stmt, from, to int) {
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BlockStmt)
		if !ok || list != nil {
			return list == nil
		}
		has := func(n ast.Node) int {
			return slices.IndexFunc(b.List, func(s ast.Stmt) bool { return s.Pos() <= n.Pos() && n.End() <= s.End() })
		}
		from, to = has(sites[0].Node), -1
		for _, s := range sites {
			i := has(s.Node)
			if i < 0 || inline.Statement(r.decl, s) != b.List[i] {
				return true
			}
			from, to = min(from, i), max(to, has(s.Join))
		}
		if from >= 0 && to > from {
			list = b.List
		}
		return true
	})
	return list, from, to
}

// recursive returns the statement of one of the region's that calls the
// function, which for a task is its only one. plain says of others that they
// are the wait group's.
func (r *recursion) recursive(sites []*spawn.Site, st ast.Stmt) (call ast.Stmt, plain bool) {
	whole := func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ExprStmt:
			c, ok := ast.Unparen(s.X).(*ast.CallExpr)
			return ok && r.self(c)
		case *ast.AssignStmt:
			if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
				return false
			}
			_, name := ast.Unparen(s.Lhs[0]).(*ast.Ident)
			c, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
			return name && ok && r.self(c) && (s.Tok.String() == "=" || s.Tok.String() == ":=")
		}
		return false
	}
	for _, s := range sites {
		if inline.Statement(r.decl, s) != st {
			continue
		}
		if s.Lit == nil || s.Lit.Type.Params.NumFields() > 0 {
			return nil, false
		}
		for _, inner := range s.Lit.Body.List {
			switch {
			case whole(inner) && call == nil:
				call = inner
			case !r.groupCall(inner):
				return nil, false
			}
		}
		return call, false
	}
	if whole(st) {
		return st, false
	}
	return nil, r.groupCall(st)
}

// groupCall reports whether a statement is a call of a wait group's method.
func (r *recursion) groupCall(st ast.Stmt) bool {
	var c *ast.CallExpr
	switch s := st.(type) {
	case *ast.ExprStmt:
		c, _ = s.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		c = s.Call
	}
	if c == nil {
		return false
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, _ := r.info.Uses[sel.Sel].(*types.Func)
	return spawn.IsMethod(fn, "sync", "WaitGroup", "Add") || spawn.IsMethod(fn, "sync", "WaitGroup", "Done") || spawn.IsMethod(fn, "sync", "WaitGroup", "Wait")
}

// forkEdits writes the fork, and the Func around the function.
func (r *recursion) forkEdits(list []ast.Stmt, from, to int, p pair) ([]analysis.TextEdit, *shape.Refusal) {
	refuse := func(why string) ([]analysis.TextEdit, *shape.Refusal) {
		return nil, &shape.Refusal{Name: "par", Why: why, Pos: list[from].Pos()}
	}
	file := rewrite.File(r.pass, r.decl.Pos())
	pkg, edits := rewrite.Import(r.pass.Pkg, file, library, r.decl.Body.Pos())
	task := rewrite.Fresh(r.pass.Pkg, r.decl, "t")
	fork, body, kind := r.name("Forking"), r.name("Fork"), r.name("Part")
	sig := r.fn.Signature()
	qualify := types.RelativeTo(r.pass.Pkg)
	text := func(n ast.Node) string { return rewrite.Text(r.pass.Fset, n) }

	// What a call is given goes into one value.
	paramTypes := r.paramTypes()
	arg, value := paramTypes[0], func(args []string) string { return args[0] }
	call, unpack, declare := names(r.params), "", ""
	param := r.params[0].Name() + " " + arg
	if len(r.params) > 1 {
		arg = kind
		value = func(args []string) string { return kind + "{" + strings.Join(args, ", ") + "}" }
		v := rewrite.Fresh(r.pass.Pkg, r.decl, "part")
		declare = fmt.Sprintf("// A %s is what a call of %s is given.\ntype %s struct {\n", kind, r.decl.Name.Name, kind)
		var fields []string
		for i, q := range r.params {
			declare += q.Name() + " " + paramTypes[i] + "\n"
			fields = append(fields, v+"."+q.Name())
		}
		declare += "}\n\n"
		unpack = "\n" + names(r.params) + " := " + strings.Join(fields, ", ")
		call = value(strings.Split(names(r.params), ", "))
		param = v + " " + kind
	}
	result, returns := "struct{}", ""
	if sig.Results().Len() == 1 {
		result, returns = types.TypeString(sig.Results().At(0).Type(), qualify), "return "
		if r.decl.Type.Results != nil {
			result = text(r.decl.Type.Results.List[0].Type)
		}
	}

	// The function calls the Func, and its body becomes another.
	results := result
	if rs := r.decl.Type.Results; rs != nil && len(rs.List[0].Names) > 0 {
		results = "(" + rs.List[0].Names[0].Name + " " + result + ")"
	} else if returns == "" {
		results = "(" + rewrite.Fresh(r.pass.Pkg, r.decl, "none") + " struct{})"
	}
	head := fmt.Sprintf("\n\t%s%s.Call(%s)\n}\n\n%svar %s = %s.New(%s)\n\n// %s is %s with its calls as parts of a task.\nfunc %s(%s *%s.Task[%s, %s], %s) %s {%s",
		returns, fork, call, declare, fork, pkg, body, body, r.decl.Name.Name, body, task, pkg, arg, result, param, results, unpack)
	edits = append(edits, rewrite.Insert(r.decl.Body.Lbrace+1, head))

	var lefts [2]string
	var args [2]string
	define := false
	for i, c := range p.calls {
		var texts []string
		for _, a := range r.args(c) {
			texts = append(texts, text(a))
		}
		if recv := sig.Recv(); recv != nil {
			if _, ok := recv.Type().(*types.Pointer); ok != isPointer(r.info.TypeOf(r.args(c)[0])) {
				return refuse("the receiver of a call is not of the method's type")
			}
		}
		args[i] = value(texts)
		if a := p.assign[i]; a != nil {
			lefts[i] = text(a.Lhs[0])
			define = define || a.Tok.String() == ":="
		}
	}
	join := fmt.Sprintf("%s.Join(%s, %s)", task, args[0], args[1])
	switch {
	case lefts[0] == "" && lefts[1] == "":
	case lefts[0] == "" || lefts[1] == "":
		return refuse("only one of the calls has its result kept")
	case define:
		// What is declared already would be shadowed, or not be new: both are
		// assigned, and what was declared here is declared before.
		for i, a := range p.assign {
			if a.Tok.String() == ":=" {
				join = "var " + lefts[i] + " " + result + "\n" + lefts[0] + ", " + lefts[1] + " = " + join
				if p.assign[1-i].Tok.String() == ":=" {
					join = lefts[0] + ", " + lefts[1] + " := " + fmt.Sprintf("%s.Join(%s, %s)", task, args[0], args[1])
				}
				break
			}
		}
	default:
		join = lefts[0] + ", " + lefts[1] + " = " + join
	}
	edits = append(edits, analysis.TextEdit{Pos: list[from].Pos(), End: list[to].End(), NewText: []byte(join)})
	edits = append(edits, r.leftovers(list, from, to)...)
	if returns == "" {
		if _, ok := r.decl.Body.List[len(r.decl.Body.List)-1].(*ast.ReturnStmt); !ok {
			edits = append(edits, rewrite.Insert(r.decl.Body.Rbrace, "\nreturn\n"))
		}
	}
	return edits, nil
}

// elsewhere returns a use of the wait group or of the function itself that is
// neither in the stretch that begins at from, nor a leftover before it.
func (r *recursion) elsewhere(list []ast.Stmt, from int) (at ast.Node) {
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok {
			if i := slices.Index(list, st); i >= from || i >= 0 && (r.groupCall(st) || r.groupDecl(st)) {
				return false
			}
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := r.info.Uses[id].(type) {
		case *types.Func:
			if o.Origin() == r.fn {
				at = id
			}
		case *types.Var:
			if types.TypeString(o.Type(), nil) == "sync.WaitGroup" {
				at = id
			}
		}
		return true
	})
	return at
}

// leftovers deletes the wait group's declaration and what it adds before the
// stretch.
func (r *recursion) leftovers(list []ast.Stmt, from, to int) (edits []analysis.TextEdit) {
	for _, st := range list[:from] {
		if r.groupCall(st) || r.groupDecl(st) {
			edits = append(edits, inline.Line(r.pass, st))
		}
	}
	return edits
}

func (r *recursion) groupDecl(st ast.Stmt) bool {
	d, ok := st.(*ast.DeclStmt)
	if !ok {
		return false
	}
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok || len(g.Specs) != 1 {
		return false
	}
	s, ok := g.Specs[0].(*ast.ValueSpec)
	if !ok || len(s.Names) != 1 {
		return false
	}
	v, ok := r.info.Defs[s.Names[0]].(*types.Var)
	return ok && types.TypeString(v.Type(), nil) == "sync.WaitGroup"
}

// paramTypes returns the types of the receiver and the parameters as they are
// written.
func (r *recursion) paramTypes() (out []string) {
	var fields []*ast.Field
	if r.decl.Recv != nil {
		fields = append(fields, r.decl.Recv.List...)
	}
	for _, f := range append(fields, r.decl.Type.Params.List...) {
		for range max(1, len(f.Names)) {
			out = append(out, rewrite.Text(r.pass.Fset, f.Type))
		}
	}
	return out
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
