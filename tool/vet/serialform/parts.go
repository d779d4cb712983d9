package serialform

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A part has at least so many iterations: to start its goroutine costs as much as some
// hundred that are light, or as some that are not.
const leastLight, least = 256, 16

// A division is of a serial form whose loop goes over what it is given. Calls for parts of
// that come to what one call for all does.
type division struct {
	*form
	does    *flow.Index
	serial  *ast.FuncDecl
	body    inspector.Cursor // of it
	loop    inspector.Cursor
	key     *types.Var            // number of the iteration, nil if it has no name
	over    *types.Var            // parameter that the loop goes over
	split   []*types.Var          // parameters of which an iteration has its element, over first
	gains   map[*types.Var][]gain // variables that the loop adds to
	results []*types.Var          // those that it comes to, without an error
	early   *ast.ReturnStmt       // one of an error, nil for none
	holds   []string
	no      *shape.Refusal
}

// A gain is what a loop adds to: a variable, or a field of it.
type gain struct {
	field string // "" for the variable
	merge string // statement by which b goes to a
	start string // what it is before the loop: zero, empty, length, any
}

func (d *division) refuse(n ast.Node, why string, args ...any) bool {
	if d.no == nil {
		d.no = shape.No(n, fmt.Sprintf(why, args...))
	}
	return false
}

// parts is the edit by which goroutines, one for each processor, call the serial form for
// parts of what it takes.
func (x *form) parts() (fix shape.Fix, no *shape.Refusal) {
	d := &division{form: x, does: flow.Of(x.pass), serial: spawn.Decls(x.pass)[x.s], gains: map[*types.Var][]gain{}}
	if !d.ranges() || !d.adds() || !d.begins() || !d.alone() {
		return fix, d.no
	}
	text, imports, ok := d.text()
	if !ok {
		return fix, d.no
	}
	over := d.given(d.over)
	fix = shape.Fix{
		Name: "parts", Says: fmt.Sprintf("call %s for parts of %s at once", x.name(), over), Slower: []*ast.FuncDecl{x.decl},
		Holds: strings.Join(append([]string{x.holds()}, d.holds...), ", and "),
	}
	fix.Edits = append(x.whole(text, fmt.Sprintf("calls [%s] for parts of %s at once.", x.name(), over)), imports...)
	return fix, nil
}

// given is the parameter of the function that the serial form gets as v, "" for none.
func (x *form) given(v *types.Var) string {
	if i := x.param(v); i >= 0 {
		return x.taken[i].Name()
	}
	return ""
}

// param is the number of a parameter of the serial form, -1 for another variable.
func (x *form) param(v *types.Var) int {
	return slices.Index(slices.Collect(x.s.Signature().Params().Variables()), v)
}

// ranges finds the loop, and what it goes over.
func (d *division) ranges() bool {
	d.body, _ = uses.Find(d.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), d.serial.Body)
	info := d.pass.TypesInfo
	for c := range d.body.Children() {
		if _, labeled := c.Node().(*ast.LabeledStmt); labeled {
			c, _ = c.LastChild()
		}
		st := c.Node().(ast.Stmt)
		if spawn.LoopBody(st) == nil {
			continue
		}
		n, ok := loop.Numbered(info, st)
		if !ok || n.Lo != nil || d.over != nil {
			return d.refuse(st, "%s does not have one loop, which counts from 0", d.name())
		}
		if n.Key != nil {
			d.key = info.Defs[n.Key].(*types.Var)
		}
		if call, ok := n.Hi.(*ast.CallExpr); ok && loop.Builtin(info, call) == "len" {
			n.Over = call.Args[0]
		}
		if d.over = loop.Var(info, n.Over); d.over == nil || d.given(d.over) == "" || !uses.Under[*types.Slice](d.over.Type()) {
			return d.refuse(st, "the loop of %s goes over nothing that it is given", d.name())
		}
		d.loop = c
		d.split = append(d.split, d.over)
	}
	return d.over != nil || d.refuse(d.serial, "%s has no loop that is a statement of its own", d.name())
}

// adds reports whether an iteration finds nothing that another left: what it changes it
// adds to, or it is its own element of something.
func (d *division) adds() bool {
	info, st := d.pass.TypesInfo, d.loop.Node().(ast.Stmt)
	for _, l := range rewrite.Leaves(info, spawn.LoopBody(st), false) {
		if !slices.Contains([]string{"continue", "labelled continue", "return", "panic"}, l.How) {
			return d.refuse(st, "the loop of %s may end by %s", d.name(), l.How)
		}
	}
	at := map[*types.Var][]inspector.Cursor{}
	var order []*types.Var
	for c := range d.loop.Preorder((*ast.Ident)(nil)) {
		v, ok := info.Uses[c.Node().(*ast.Ident)].(*types.Var)
		if !ok || v.IsField() || !loop.Local(v, d.serial) || uses.Holds(st, v.Pos()) && v != d.key {
			continue
		}
		if at[v] == nil {
			order = append(order, v)
		}
		at[v] = append(at[v], c)
	}
	for _, v := range order {
		if !d.variable(v, at[v]) {
			return d.refuse(at[v][0].Node(), "an iteration of %s may use what another has in %s", d.name(), v.Name())
		}
	}
	return true
}

// variable notes what an iteration does with a variable, and reports whether it is all known.
func (d *division) variable(v *types.Var, at []inspector.Cursor) bool {
	elements, gains := 0, 0
	for _, c := range at {
		if v == d.key {
			if k := c.ParentEdgeKind(); k != edge.IndexExpr_Index && !d.heads(c) {
				return false
			}
			continue
		}
		if d.element(v, c) {
			elements++
		} else if all, ok := d.gain(c, 3); ok {
			gains++
			for _, g := range all {
				if !slices.Contains(d.gains[v], g) {
					d.gains[v] = append(d.gains[v], g)
				}
			}
		} else if !d.kept(v, c) {
			return false
		}
	}
	switch {
	case v == d.key:
		return true
	case elements == len(at) && v == d.over:
		return true
	case elements == len(at) && d.given(v) != "":
		d.split = append(d.split, v)
		return true
	case elements == len(at) && uses.Under[*types.Slice](v.Type()):
		d.gains[v] = []gain{{merge: "$a = append($a, $b...)", start: "length"}}
		return true
	}
	if elements > 0 || gains > 0 && gains < len(at) {
		return false
	}
	for i, g := range d.gains[v] { // one way to grow for each field
		if slices.ContainsFunc(d.gains[v][i+1:], func(h gain) bool { return h.field == g.field }) {
			return false
		}
	}
	return true
}

// heads reports whether something stands in the head of the loop.
func (d *division) heads(c inspector.Cursor) bool {
	return !uses.Holds(spawn.LoopBody(d.loop.Node().(ast.Stmt)), c.Node().Pos())
}

// element reports whether a mention is of the element of the iteration, or stands in the
// head of the loop.
func (d *division) element(v *types.Var, c inspector.Cursor) bool {
	if v == d.over && d.heads(c) {
		return true
	}
	x, ok := c.Parent().Node().(*ast.IndexExpr)
	return ok && c.ParentEdgeKind() == edge.IndexExpr_X && d.key != nil && uses.Under[*types.Slice](v.Type()) && loop.Var(d.pass.TypesInfo, x.Index) == d.key
}

// gain is how code adds to what is mentioned in it: by a statement, or by a method of it.
func (d *division) gain(c inspector.Cursor, deep int) ([]gain, bool) {
	info, field := d.pass.TypesInfo, ""
	for c.ParentEdgeKind() == edge.SelectorExpr_X {
		sel := c.Parent().Node().(*ast.SelectorExpr)
		switch o := info.Uses[sel.Sel].(type) {
		case *types.Var:
			if !o.IsField() {
				return nil, false
			}
			field += "." + sel.Sel.Name
			c = c.Parent()
		case *types.Func:
			if c.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
				return nil, false
			}
			all, ok := merges(info.TypeOf(sel.X))
			if !ok {
				all, ok = d.method(o, deep)
			} else if c.Parent().Parent().ParentEdgeKind() != edge.ExprStmt_X {
				return nil, false // what it comes to may be of what there is
			}
			for i := range all {
				all[i].field = field + all[i].field
			}
			return all, ok
		default:
			return nil, false
		}
	}
	g, ok := d.statement(c)
	g.field = field
	return []gain{g}, ok
}

// method is what a method adds to its receiver, where it does nothing else with that.
func (d *division) method(fn *types.Func, deep int) (all []gain, ok bool) {
	decl := spawn.Decls(d.pass)[fn.Origin()]
	if decl == nil || deep == 0 {
		return nil, false
	}
	at, _ := uses.Find(d.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), decl.Body)
	for c := range at.Preorder((*ast.Ident)(nil)) {
		if d.pass.TypesInfo.Uses[c.Node().(*ast.Ident)] != types.Object(fn.Origin().Signature().Recv()) {
			continue
		}
		more, ok := d.gain(c, deep-1)
		if !ok {
			return nil, false
		}
		all = append(all, more...)
	}
	return all, true
}

// merges is the gain of what has a method that takes another of its type.
func merges(t types.Type) ([]gain, bool) {
	of := uses.Named(t)
	if of == nil {
		return nil, false
	}
	for m := range of.Methods() {
		switch strings.ToLower(m.Name()) {
		case "merge", "join", "combine", "add", "absorb":
		default:
			continue
		}
		sig := m.Signature()
		if sig.Params().Len() != 1 || sig.Results().Len() > 0 || !types.Identical(uses.Deref(sig.Params().At(0).Type()), uses.Deref(t)) {
			continue
		}
		b := "$b"
		_, takes := sig.Params().At(0).Type().(*types.Pointer)
		switch _, has := t.(*types.Pointer); {
		case takes && !has:
			b = "&$b"
		case has && !takes:
			b = "*$b"
		}
		return []gain{{merge: "$a." + m.Name() + "(" + b + ")", start: "any"}}, true
	}
	return nil, false
}

// statement is how a statement adds to what is mentioned in it.
func (d *division) statement(c inspector.Cursor) (g gain, ok bool) {
	info := d.pass.TypesInfo
	text := types.ExprString(c.Node().(ast.Expr))
	each := "$a $op $b"
	if x, ok := c.Parent().Node().(*ast.IndexExpr); ok && c.ParentEdgeKind() == edge.IndexExpr_X && uses.Under[*types.Map](info.TypeOf(x.X)) {
		each, text = "for k, v := range $b {\n$a[k] $op v\n}", types.ExprString(x)
		c = c.Parent()
	}
	in, ok := uses.Statement(c)
	if !ok {
		return g, false
	}
	op := ""
	switch st := in.Node().(type) {
	case *ast.IncDecStmt:
		if c.ParentEdgeKind() == edge.IncDecStmt_X {
			op, g.start = "+=", "zero"
		}
	case *ast.AssignStmt:
		if len(st.Lhs) == 1 && types.ExprString(st.Lhs[0]) == text {
			op, g.start = d.assigned(st, text)
		}
	case *ast.IfStmt: // if e > x { x = e }
		if f := extreme(st, text); f != "" {
			op, g.start = "= "+f, "any"
		}
	}
	if best, is := in.Parent().Parent().Node().(*ast.IfStmt); is && op == "= b" && extreme(best, text) != "" {
		op, g.start = "= "+extreme(best, text), "any"
	}
	switch {
	case op == "", g.start == "any" && each != "$a $op $b":
		return g, false
	case op == "append" && each == "$a $op $b":
		g.merge = "$a = append($a, $b...)"
	case op == "append":
		g.merge, g.start = "for k, v := range $b {\n$a[k] = append($a[k], v...)\n}", "empty"
	case op == "= b" && each == "$a $op $b":
		return g, false
	case op == "= b":
		g.merge, g.start = "for k, v := range $b {\n$a[k] = v\n}", "empty"
	case g.start == "any":
		g.merge = "$a " + op + "($a, $b)"
	default:
		if each != "$a $op $b" {
			g.start = "empty"
		}
		g.merge = strings.Replace(each, "$op", op, 1)
	}
	return g, true
}

// assigned is the operator of a statement that assigns to what text names, and what that is
// before the loop.
func (d *division) assigned(st *ast.AssignStmt, text string) (op, start string) {
	t, _ := d.pass.TypesInfo.TypeOf(st.Lhs[0]).Underlying().(*types.Basic)
	if st.Tok != token.ASSIGN && mentions(st.Rhs[0], text) {
		return "", ""
	}
	switch st.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		if t != nil && t.Info()&(types.IsFloat|types.IsComplex) != 0 {
			d.hold("the order in which numbers are added up does not matter")
		}
		return "+=", "zero"
	case token.OR_ASSIGN, token.XOR_ASSIGN:
		return st.Tok.String(), "zero"
	case token.ASSIGN:
		call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
		f := ""
		if ok {
			f = loop.Builtin(d.pass.TypesInfo, call)
		}
		self := func(e ast.Expr) bool { return types.ExprString(e) == text }
		switch {
		case f == "append" && self(call.Args[0]) && !slices.ContainsFunc(call.Args[1:], func(e ast.Expr) bool { return mentions(e, text) }):
			return "append", "empty"
		case (f == "max" || f == "min") && len(call.Args) == 2 && self(call.Args[0]) != self(call.Args[1]):
			return "= " + f, "any"
		case !mentions(st.Rhs[0], text):
			return "= b", ""
		}
	}
	return "", ""
}

// mentions reports whether an expression has another as a part, as far as their text tells.
func mentions(e ast.Expr, text string) (found bool) {
	for n := range ast.Preorder(e) {
		x, ok := n.(ast.Expr)
		found = found || ok && types.ExprString(x) == text
	}
	return found
}

// extreme is max or min where a statement keeps the larger or the smaller in what text
// names, else "".
func extreme(st *ast.IfStmt, text string) string {
	cond, ok := st.Cond.(*ast.BinaryExpr)
	if !ok || st.Init != nil || st.Else != nil || len(st.Body.List) != 1 {
		return ""
	}
	set, ok := st.Body.List[0].(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || types.ExprString(set.Lhs[0]) != text {
		return ""
	}
	x, y, e := types.ExprString(cond.X), types.ExprString(cond.Y), types.ExprString(set.Rhs[0])
	switch {
	case x == e && y == text && cond.Op == token.GTR, y == e && x == text && cond.Op == token.LSS:
		return "max"
	case x == e && y == text && cond.Op == token.LSS, y == e && x == text && cond.Op == token.GTR:
		return "min"
	}
	return ""
}

func (d *division) hold(what string) {
	if !slices.Contains(d.holds, what) {
		d.holds = append(d.holds, what)
	}
}

// kept reports whether a mention leaves a variable as it is. What parameters lead to is for
// [division.alone].
func (d *division) kept(v *types.Var, c inspector.Cursor) bool {
	info := d.pass.TypesInfo
	part, _ := uses.Elements(uses.Whole(c))
	method, _ := part.Node().(*ast.SelectorExpr)
	if s := info.Selections[method]; s == nil || s.Kind() == types.FieldVal {
		method = nil
	}
	address := method != nil && loop.ImplicitAddress(info, method)
	if u, ok := part.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
		address = true
		part = part.Parent()
	} else if uses.Written(part) {
		return false
	}
	mine := d.param(v) < 0 && v != d.s.Signature().Recv()
	if _, points := v.Type().Underlying().(*types.Pointer); points && !mine {
		return true
	}
	if !address && (!mine || !uses.Refers(v.Type()) || method == nil && !uses.Refers(info.TypeOf(part.Node().(ast.Expr)))) {
		return true
	}
	call, ok := part.Parent().Node().(*ast.CallExpr)
	return ok && d.does.Call(call).First(flow.Changes) == nil && (!uses.Refers(info.TypeOf(call)) || d.does.Made(call))
}

// begins reports whether each part begins as the whole does, and its results are what it
// added to.
func (d *division) begins() bool {
	info := d.pass.TypesInfo
	defs := map[*types.Var]ast.Expr{} // what a variable is first, nil for zero
	for c := range d.body.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if v, ok := info.Defs[id].(*types.Var); ok {
			switch p := c.Parent().Node().(type) {
			case *ast.AssignStmt:
				if len(p.Lhs) == len(p.Rhs) {
					defs[v] = p.Rhs[c.ParentEdgeIndex()]
				}
			case *ast.ValueSpec:
				if len(p.Values) == len(p.Names) {
					defs[v] = p.Values[c.ParentEdgeIndex()]
				}
			}
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || d.loop.Contains(c) {
			continue
		}
		if slices.Contains(d.split, v) && !d.room(c) || d.gains[v] != nil && d.returned(c) == nil {
			return d.refuse(id, "%s uses %s beside the loop", d.name(), v.Name())
		}
	}
	for v, gains := range d.gains {
		for _, g := range gains {
			if !d.starts(g, defs[v]) {
				return d.refuse(d.loop.Node(), "%s has something before the loop", v.Name()+g.field)
			}
		}
	}
	return d.ends()
}

// room reports whether a length is asked for how much is to be made, or to return at once.
func (d *division) room(c inspector.Cursor) bool {
	call, ok := c.Parent().Node().(*ast.CallExpr)
	if !ok || loop.Builtin(d.pass.TypesInfo, call) != "len" {
		return false
	}
	if by, ok := c.Parent().Parent().Node().(*ast.CallExpr); ok && loop.Builtin(d.pass.TypesInfo, by) == "make" {
		return true
	}
	// Parts have at least one, as the whole has. Another number may be one of the whole alone.
	is, ok := c.Parent().Parent().Node().(*ast.BinaryExpr)
	return ok && is.Op == token.EQL && types.ExprString(is.Y) == "0"
}

// returned is the return statement of which a variable is a result, or its address is; nil
// for none.
func (d *division) returned(c inspector.Cursor) *ast.ReturnStmt {
	c = uses.Whole(c)
	if u, ok := c.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
		c = c.Parent()
	}
	st, _ := c.Parent().Node().(*ast.ReturnStmt)
	return st
}

// starts reports whether a gain of a variable begins with nothing.
func (d *division) starts(g gain, def ast.Expr) bool {
	info := d.pass.TypesInfo
	if call, ok := def.(*ast.CallExpr); ok && g.field != "" { // a constructor
		fn := typeutil.StaticCallee(info, call)
		if decl := spawn.Decls(d.pass)[fn]; decl != nil {
			if r, ok := decl.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
				def = r.Results[0]
			}
		}
	}
	if u, ok := def.(*ast.UnaryExpr); ok {
		def = u.X
	}
	if g.field != "" && def != nil {
		lit, ok := def.(*ast.CompositeLit)
		if !ok {
			return false
		}
		def = nil
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return false
			}
			if name := "." + types.ExprString(kv.Key); name == g.field {
				def = kv.Value
			} else if strings.HasPrefix(g.field, name+".") {
				return false
			}
		}
	}
	if def == nil {
		return g.start != "length"
	}
	made := func(args int) (*ast.CallExpr, bool) {
		call, ok := def.(*ast.CallExpr)
		return call, ok && loop.Builtin(info, call) == "make" && len(call.Args) >= args
	}
	switch g.start {
	case "zero":
		v := info.Types[def].Value
		return v != nil && (v.Kind() == constant.String && constant.StringVal(v) == "" || v.Kind() != constant.String && v.Kind() != constant.Bool && constant.Sign(v) == 0)
	case "length":
		call, ok := made(2)
		return ok && len(call.Args) == 2 && types.ExprString(call.Args[1]) == "len("+d.over.Name()+")"
	case "empty":
		if lit, ok := def.(*ast.CompositeLit); ok {
			return len(lit.Elts) == 0
		}
		call, ok := made(1)
		if !ok || uses.Under[*types.Map](info.TypeOf(call)) {
			return ok
		}
		v := info.Types[call.Args[1]].Value
		return v != nil && constant.Sign(v) == 0
	}
	return true
}

// ends notes the results, and reports whether what ends early comes to nothing but an error.
func (d *division) ends() bool {
	info, results := d.pass.TypesInfo, d.s.Signature().Results()
	list := d.serial.Body.List
	last, returns := list[len(list)-1].(*ast.ReturnStmt)
	if at := list[max(0, len(list)-2)]; !d.loopIs(list[len(list)-1]) && (!returns || !d.loopIs(at)) {
		return d.refuse(list[len(list)-1], "%s does more after the loop", d.name())
	}
	for i := range results.Len() {
		var v *types.Var
		if last != nil && len(last.Results) == 0 {
			v = results.At(i)
		} else {
			e := ast.Unparen(last.Results[i])
			if u, ok := e.(*ast.UnaryExpr); ok {
				e = u.X
			}
			v = loop.Var(info, e)
			if i == results.Len()-1 && d.fails() && info.Types[e].IsNil() {
				continue
			}
		}
		if d.gains[v] == nil {
			return d.refuse(last, "a result of %s is nothing that the loop adds to", d.name())
		}
		d.results = append(d.results, v)
	}
	for c := range d.body.Preorder((*ast.ReturnStmt)(nil)) {
		st := c.Node().(*ast.ReturnStmt)
		if fn, _ := uses.Func(c); st == last || fn.Node() != ast.Node(d.serial) {
			continue
		}
		for i, e := range st.Results {
			if zero := info.Types[e].IsNil() || info.Types[e].Value != nil && d.starts(gain{start: "zero"}, e); !zero && (i < len(st.Results)-1 || !d.fails()) {
				return d.refuse(st, "%s may end early with a result", d.name())
			}
		}
		if d.early = st; !d.fails() {
			return d.refuse(st, "%s may end early", d.name())
		}
	}
	return d.early != nil || !d.fails() || d.refuse(last, "%s never fails", d.name())
}

// loopIs reports whether a statement is the loop, perhaps with a label.
func (d *division) loopIs(st ast.Stmt) bool {
	if l, ok := st.(*ast.LabeledStmt); ok {
		st = l.Stmt
	}
	return st == d.loop.Node()
}

// fails reports whether the last result is an error.
func (d *division) fails() bool {
	r := d.s.Signature().Results()
	return r.Len() > 0 && types.Identical(r.At(r.Len()-1).Type(), types.Universe.Lookup("error").Type())
}

// alone reports whether calls of the serial form may run at once.
func (d *division) alone() bool {
	for _, e := range d.does.Func(d.s).Effects {
		where := e.On.Without(flow.Set(flow.Fresh))
		for i, v := range slices.Collect(d.s.Signature().Params().Variables()) {
			if d.s.Signature().Recv() != nil {
				i++
			}
			if slices.Contains(d.split, v) {
				where = where.Without(flow.Set(flow.Param(i)))
			}
		}
		switch {
		case e.Kind&(flow.Tell|flow.Exit|flow.Ask) != 0:
			return d.refuse(d.serial, "%s %s, in the order of what it is given", d.name(), e.String())
		case where.Empty():
		case e.Kind == flow.Write && !where.Has(flow.Anywhere):
			return d.refuse(d.serial, "%s %s", d.name(), e.String())
		case e.Kind&(flow.Write|flow.Call|flow.Unknown|flow.Sync|flow.Lock) != 0:
			d.hold("what it calls may run several times at once")
		}
	}
	return true
}

// text is the new body of the function, with the imports that it needs.
func (d *division) text() (string, []analysis.TextEdit, bool) {
	pass, at := d.pass, d.decl
	file := rewrite.File(pass, at.Pos())
	if !rewrite.Since(pass, file, "go1.22") {
		return "", nil, d.refuse(at, "the loop over parts needs go 1.22")
	}
	var imports []analysis.TextEdit
	pkg := func(path string) string {
		name, edits := rewrite.Import(pass.Pkg, file, path, at.Body.Lbrace+1)
		imports = append(imports, edits...)
		return name
	}
	if !rewrite.Universal(pass.Pkg, at.Body.Lbrace+1, "append", "len", "make", "max", "min", "nil") {
		return "", nil, d.refuse(at, "it has another meaning for a builtin function")
	}
	names := rewrite.Names{file.Name: {}}
	names[file.Name]["k"], names[file.Name]["v"] = true, true // of loops over maps
	for n := range ast.Preorder(&ast.FuncDecl{Recv: at.Recv, Name: at.Name, Type: at.Type}) {
		if id, ok := n.(*ast.Ident); ok { // the names of its body are free
			names[file.Name][id.Name] = true
		}
	}
	fresh := func(name string) string { return names.Fresh(pass.Pkg, file.Name, name) }
	n, wg, i, lo, hi := fresh("workers"), fresh("wg"), fresh("i"), fresh("lo"), fresh("hi")
	length := "len(" + d.given(d.over) + ")"
	atLeast := least
	if w := spawn.NewWeigher(pass).Weigh(spawn.LoopBody(d.loop.Node().(ast.Stmt))); w.Loops == 0 && w.Unknown == 0 && w.Blocking == 0 {
		atLeast = leastLight
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s := min(%s, %s/%d)\nif %[1]s < 2 {\n%[5]s\n}\n", n, d.workers(pkg), length, atLeast, d.form.returns(d.calls(nil)))
	var parts, set []string
	for j := range d.s.Signature().Results().Len() {
		t, ok := rewrite.Type(pass.Pkg, file, at.Body.Lbrace+1, d.p.Signature().Results().At(j).Type())
		if !ok {
			return "", nil, d.refuse(at, "the type of a result has no name here")
		}
		name := "parts"
		if j == len(d.results) {
			name = "errs"
		} else if len(d.results) > 1 {
			name = d.results[j].Name() + "Parts"
		}
		name = fresh(name)
		parts, set = append(parts, name), append(set, name+"["+i+"]")
		fmt.Fprintf(&b, "%s := make([]%s, %s)\n", name, t, n)
	}
	call := d.calls(func(arg string) string { return arg + "[" + lo + ":" + hi + "]" })
	if len(set) > 0 {
		call = strings.Join(set, ", ") + " = " + call
	}
	work := fmt.Sprintf("%s, %s := %s*%s/%s, (%[3]s+1)*%[4]s/%[5]s\n%s", lo, hi, i, length, n, call)
	fmt.Fprintf(&b, "var %s %s.WaitGroup\nfor %s := range %s {\n%s\n}\n%[1]s.Wait()\n", wg, pkg("sync"), i, n, inline.Start(pass.TypesInfo, file, wg, work))
	d.join(&b, fresh, parts, n, i)
	return strings.TrimSuffix(b.String(), "\n"), imports, true
}

// join writes how the results of the parts become one.
func (d *division) join(b *strings.Builder, fresh func(string) string, parts []string, n, i string) {
	if len(parts) > len(d.results) {
		err, results := fresh("err"), ""
		for _, e := range d.early.Results[:len(d.results)] {
			results += rewrite.Text(d.pass.Fset, e) + ", "
		}
		fmt.Fprintf(b, "for _, %s := range %s {\nif %[1]s != nil {\nreturn %[3]s\n}\n}\n", err, parts[len(parts)-1], results+err)
	}
	if len(d.results) == 0 {
		return
	}
	var names, firsts []string
	var more strings.Builder
	part := fresh("part")
	over := fmt.Sprintf("_, %s := range %s[1:]", part, parts[0])
	if len(d.results) > 1 {
		over = fmt.Sprintf("%s := 1; %[1]s < %s; %[1]s++", i, n)
	}
	for j, v := range d.results {
		a := fresh(v.Name())
		names, firsts = append(names, a), append(firsts, parts[j]+"[0]")
		if len(d.results) > 1 {
			part = parts[j] + "[" + i + "]"
		}
		for _, g := range d.gains[v] {
			fmt.Fprintln(&more, strings.NewReplacer("$a", a+g.field, "$b", part+g.field).Replace(g.merge))
		}
	}
	fmt.Fprintf(b, "%s := %s\nfor %s {\n%s}\n", strings.Join(names, ", "), strings.Join(firsts, ", "), over, more.String())
	if len(parts) > len(d.results) {
		names = append(names, "nil")
	}
	fmt.Fprintf(b, "return %s", strings.Join(names, ", "))
}

// calls is a call of the serial form, with parts of what is split.
func (d *division) calls(part func(arg string) string) string {
	callee, _ := d.callee()
	var args []string
	for i, v := range slices.Collect(d.s.Signature().Params().Variables()) {
		arg := d.taken[i].Name()
		if part != nil && slices.Contains(d.split, v) {
			arg = part(arg)
		}
		args = append(args, arg)
	}
	if d.s.Signature().Variadic() {
		args[len(args)-1] += "..."
	}
	return callee + "(" + strings.Join(args, ", ") + ")"
}

// workers is how many goroutines there are to be: what the function is given as that, else
// one for each processor.
func (d *division) workers(pkg func(string) string) string {
	if len(d.unused) == 1 {
		for _, word := range []string{"worker", "goroutine", "parallel", "concurren", "procs"} {
			if strings.Contains(strings.ToLower(d.unused[0]), word) {
				return d.unused[0]
			}
		}
	}
	return pkg("runtime") + ".GOMAXPROCS(0)"
}
