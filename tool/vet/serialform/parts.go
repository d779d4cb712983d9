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

// A division is of a serial form with a loop that adds up what it comes to. Goroutines
// run the loop for parts of its numbers, between the code before and after it.
type division struct {
	*form
	does    *flow.Index
	serial  *ast.FuncDecl
	body    inspector.Cursor // of it
	loop    inspector.Cursor
	numbers loop.Numbers
	over    ast.Expr              // what the loop goes over, or its number of iterations
	gains   map[*types.Var][]gain // variables that the loop adds to
	order   []*types.Var          // the same, as the loop first names them
	starts  []inspector.Cursor    // statements that declare them
	own     []*types.Var          // an iteration writes its own element of these alone
	ends    []*ast.ReturnStmt     // in the loop
	several string                // that what is called may run several times at once
	no      *shape.Refusal
}

// A gain is what a loop adds to: a variable, or a field of it.
type gain struct {
	field string // "" for the variable
	merge string // statement by which b goes to a
	start string // what it is before the loop: zero, empty, any
}

func (d *division) refuse(n ast.Node, why string, args ...any) bool {
	if d.no == nil {
		d.no = shape.No(n, fmt.Sprintf(why, args...))
	}
	return false
}

// parts is the edit by which the function does what its serial form does, but runs the
// loop of that in parts, in a goroutine for each processor.
func (x *form) parts() (fix shape.Fix, no *shape.Refusal) {
	d := &division{form: x, does: flow.Of(x.pass), serial: spawn.Decls(x.pass)[x.s], gains: map[*types.Var][]gain{}}
	if !d.ranges() || !d.adds() || !d.begins() || !d.alone() {
		return fix, d.no
	}
	fix = shape.Fix{Name: "parts", Says: fmt.Sprintf("run the loop of %s in parts at once", x.name()), Slower: []*ast.FuncDecl{x.decl}, Edits: d.rewritten()}
	fix.Holds = x.holds() + d.several
	return fix, d.no
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
		_, counts := st.(*ast.ForStmt)
		if !ok || n.Lo != nil || d.loop.Inspector() != nil || counts && !loop.New(info, c).Invariant(n.Hi) {
			return d.refuse(st, "%s does not have one loop, which counts from 0", d.name())
		}
		if d.loop, d.numbers, d.over = c, n, n.Hi; n.Over == nil {
			continue
		}
		d.over = n.Over
		of, ok := info.TypeOf(n.Over).Underlying().(*types.Slice)
		if !ok {
			return d.refuse(st, "the loop of %s goes over an array", d.name())
		}
		// Of what the serial form made itself, two elements may lead to the same.
		v, _ := inline.Root(info, n.Over).(*types.Var)
		if n.Value != nil && uses.Refers(of.Elem()) && (v == nil || d.mine(v)) {
			return d.refuse(st, "the loop of %s may go over something twice", d.name())
		}
	}
	return d.loop.Inspector() != nil || d.refuse(d.serial, "%s has no loop that is a statement of its own", d.name())
}

// adds reports whether an iteration finds nothing that another left: what it changes it
// adds to, or it is its own element of something.
func (d *division) adds() bool {
	info, body := d.pass.TypesInfo, spawn.LoopBody(d.loop.Node().(ast.Stmt))
	for _, l := range rewrite.Leaves(info, body, false) {
		in, _ := d.loop.FindByPos(l.Pos, l.Pos)
		if st, ok := in.Node().(*ast.ReturnStmt); ok && len(st.Results) > 0 {
			d.ends = append(d.ends, st)
		} else if !slices.Contains([]string{"continue", "labelled continue", "panic"}, l.How) {
			return d.refuse(body, "the loop of %s may end by %s", d.name(), l.How)
		}
	}
	at := map[*types.Var][]inspector.Cursor{}
	var order []*types.Var
	for c := range d.loop.Preorder((*ast.Ident)(nil)) {
		v, ok := info.Uses[c.Node().(*ast.Ident)].(*types.Var)
		if !ok || !loop.Local(v, d.serial) || uses.Holds(body, v.Pos()) || !uses.Holds(body, c.Node().Pos()) {
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
	if uses.Holds(d.loop.Node(), v.Pos()) { // of the head, and each iteration's own
		return d.pass.TypesInfo.Defs[d.numbers.Key] != types.Object(v) || !slices.ContainsFunc(at, func(c inspector.Cursor) bool { return uses.Written(uses.Whole(c)) })
	}
	if !slices.ContainsFunc(at, func(c inspector.Cursor) bool { return !d.kept(v, c) }) {
		return true
	}
	if slices.ContainsFunc(at, d.later) {
		return false
	}
	if !slices.ContainsFunc(at, func(c inspector.Cursor) bool { return !d.element(v, c) }) {
		d.own = append(d.own, v)
		return true
	}
	for _, c := range at {
		all, ok := d.gain(c, 3)
		if !ok {
			return false
		}
		for _, g := range all { // one way to grow for each field
			same := func(h gain) bool { return h.field == g.field }
			switch i := slices.IndexFunc(d.gains[v], same); {
			case i < 0:
				d.gains[v] = append(d.gains[v], g)
			case d.gains[v][i] != g:
				return false
			}
		}
	}
	d.order = append(d.order, v)
	return true
}

// later reports whether a mention is in a literal that may be called after the iteration.
func (d *division) later(c inspector.Cursor) bool {
	for lit := range c.Enclosing((*ast.FuncLit)(nil)) {
		call, _ := lit.Parent().Node().(*ast.CallExpr)
		tv := d.pass.TypesInfo.Types[call]
		if d.loop.Contains(lit) && (call == nil || !tv.IsVoid() && uses.Refers(tv.Type) && !types.Identical(tv.Type, types.Universe.Lookup("error").Type())) {
			return true
		}
	}
	return false
}

// element reports whether a mention is of the element of the iteration.
func (d *division) element(v *types.Var, c inspector.Cursor) bool {
	x, ok := c.Parent().Node().(*ast.IndexExpr)
	if !ok || c.ParentEdgeKind() != edge.IndexExpr_X || !uses.Under[*types.Slice](v.Type()) || d.numbers.Key == nil {
		return false
	}
	return d.pass.TypesInfo.Defs[d.numbers.Key] == types.Object(loop.Var(d.pass.TypesInfo, x.Index))
}

// gain is how code adds to what is mentioned in it: by a statement, or by a method of it.
func (d *division) gain(c inspector.Cursor, deep int) ([]gain, bool) {
	info, field := d.pass.TypesInfo, ""
	for c.ParentEdgeKind() == edge.SelectorExpr_X {
		sel := c.Parent().Node().(*ast.SelectorExpr)
		switch o := info.Uses[sel.Sel].(type) {
		case *types.Var:
			field += "." + sel.Sel.Name
			c = c.Parent()
		case *types.Func:
			if c.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
				return nil, false
			}
			return d.through(o, o.Origin().Signature().Recv(), field, deep)
		}
	}
	if call, ok := c.Parent().Node().(*ast.CallExpr); ok && c.ParentEdgeKind() == edge.CallExpr_Args {
		if fn := typeutil.StaticCallee(info, call); fn != nil && fn.Signature().Params().Len() == len(call.Args) && !fn.Signature().Variadic() {
			return d.through(fn, fn.Origin().Signature().Params().At(c.ParentEdgeIndex()), field, deep)
		}
	}
	g, ok := d.statement(c)
	g.field = field
	return []gain{g}, ok
}

// through is what a function adds to a parameter, which leads to a field, where it does
// nothing else with that.
func (d *division) through(fn *types.Func, v *types.Var, field string, deep int) (all []gain, ok bool) {
	decl := spawn.Decls(d.pass)[fn.Origin()]
	if decl == nil || deep == 0 {
		return nil, false
	}
	at, _ := uses.Find(d.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), decl.Body)
	for c := range at.Preorder((*ast.Ident)(nil)) {
		if d.pass.TypesInfo.Uses[c.Node().(*ast.Ident)] != types.Object(v) {
			continue
		}
		more, ok := d.gain(c, deep-1)
		if fn, _ := uses.Func(c); !ok || fn.Node() != ast.Node(decl) {
			return nil, false
		}
		for _, g := range more {
			g.field = field + g.field
			all = append(all, g)
		}
	}
	return all, true
}

// grows is how what a statement adds to becomes one with another.
var grows = map[string]gain{
	"+=":     {merge: "$a += $b", start: "zero"},
	"|=":     {merge: "$a |= $b", start: "zero"},
	"^=":     {merge: "$a ^= $b", start: "zero"},
	"append": {merge: "$a = append($a, $b...)", start: "empty"},
	"max":    {merge: "$a = max($a, $b)", start: "any"},
	"min":    {merge: "$a = min($a, $b)", start: "any"},
	">":      {merge: "if $b > $a {\n$a = $b\n}", start: "any"},
	"<":      {merge: "if $b < $a {\n$a = $b\n}", start: "any"},
	"=":      {merge: "$a = $b"}, // of a map
}

// statement is how a statement adds to what is mentioned in it.
func (d *division) statement(c inspector.Cursor) (g gain, ok bool) {
	x, keyed := c.Parent().Node().(*ast.IndexExpr)
	if keyed = keyed && c.ParentEdgeKind() == edge.IndexExpr_X && uses.Under[*types.Map](d.pass.TypesInfo.TypeOf(x.X)); keyed {
		c = c.Parent()
	}
	text, op := types.ExprString(c.Node().(ast.Expr)), ""
	in, _ := uses.Statement(c)
	switch st := in.Node().(type) {
	case *ast.IncDecStmt:
		if c.ParentEdgeKind() == edge.IncDecStmt_X {
			op = "+="
		}
	case *ast.AssignStmt:
		if len(st.Lhs) == 1 && types.ExprString(st.Lhs[0]) == text {
			op = d.operator(st, text)
		}
	case *ast.IfStmt:
		op = extreme(st, text)
	}
	if best, is := in.Parent().Parent().Node().(*ast.IfStmt); is && op == "=" && extreme(best, text) != "" {
		op = extreme(best, text)
	}
	g, ok = grows[op]
	if keyed {
		ok = ok && g.start != "any"
		g = gain{merge: "for $k, $v := range $b {\n" + strings.NewReplacer("$a", "$a[$k]", "$b", "$v").Replace(g.merge) + "\n}", start: "empty"}
	}
	return g, ok && g.start != ""
}

// operator is how a statement adds to what text names, "" where it looks at that.
func (d *division) operator(st *ast.AssignStmt, text string) string {
	op, args := st.Tok.String(), st.Rhs
	self := func(e ast.Expr) bool { return types.ExprString(e) == text }
	call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
	switch {
	case op == "-=":
		op = "+="
	case op == "=" && ok:
		f, i := loop.Builtin(d.pass.TypesInfo, call), slices.IndexFunc(call.Args, self)
		if f == "append" && i == 0 || (f == "max" || f == "min") && i >= 0 {
			op, args = f, slices.Concat(call.Args[:i], call.Args[i+1:])
		}
	}
	if b, ok := d.pass.TypesInfo.TypeOf(st.Lhs[0]).Underlying().(*types.Basic); op == "+=" && ok && b.Info()&(types.IsFloat|types.IsComplex) != 0 {
		return "" // the order counts
	}
	for _, e := range args {
		for n := range ast.Preorder(e) {
			if e, ok := n.(ast.Expr); ok && self(e) {
				return ""
			}
		}
	}
	return op
}

// extreme is > or < where a statement keeps the larger or the smaller in what text names:
// if e > x { x = e }. It is "" elsewhere.
func extreme(st *ast.IfStmt, text string) string {
	if st.Else != nil || len(st.Body.List) != 1 {
		return ""
	}
	set, ok := st.Body.List[0].(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || types.ExprString(set.Lhs[0]) != text {
		return ""
	}
	e := types.ExprString(set.Rhs[0])
	switch types.ExprString(st.Cond) {
	case e + " > " + text, text + " < " + e:
		return ">"
	case e + " < " + text, text + " > " + e:
		return "<"
	}
	return ""
}

// mine reports whether the serial form sets a variable, so that it may lead to what the
// serial form made.
func (d *division) mine(v *types.Var) bool {
	return d.param(v) < 0 || len(loop.Writes(d.pass.TypesInfo, d.serial.Body, v)) > 0
}

// kept reports whether a mention leaves a variable as it is. What parameters lead to is for
// [division.alone].
func (d *division) kept(v *types.Var, c inspector.Cursor) bool {
	info := d.pass.TypesInfo
	part, _ := uses.Elements(uses.Whole(c))
	if uses.Written(part) {
		return false
	}
	method, _ := part.Node().(*ast.SelectorExpr)
	refers := d.mine(v) && uses.Refers(v.Type()) && uses.Refers(info.TypeOf(part.Node().(ast.Expr)))
	if !refers && (method == nil || !loop.ImplicitAddress(info, method)) {
		return true
	}
	call, ok := part.Parent().Node().(*ast.CallExpr)
	return ok && d.does.Call(call).First(flow.Changes) == nil && (!uses.Refers(info.TypeOf(call)) || d.does.Made(call))
}

// begins reports whether each part can begin as the whole does.
func (d *division) begins() bool {
	info := d.pass.TypesInfo
	defs := map[*types.Var]ast.Expr{} // what a variable is first, nil for zero
	for c := range d.body.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if uses.Holds(spawn.LoopBody(d.loop.Node().(ast.Stmt)), id.Pos()) {
			break
		}
		if v, ok := info.Defs[id].(*types.Var); ok && (d.gains[v] != nil || slices.Contains(d.own, v)) {
			var from []ast.Expr
			switch p := c.Parent().Node().(type) {
			case *ast.AssignStmt:
				from = p.Rhs
			case *ast.ValueSpec:
				from = p.Values
			}
			if i := c.ParentEdgeIndex(); i < len(from) {
				defs[v] = from[i]
			}
			if st, _ := uses.Statement(c); d.gains[v] != nil && !slices.Contains(d.starts, st) {
				d.starts = append(d.starts, st)
			}
		}
		if v, ok := info.Uses[id].(*types.Var); ok && (d.gains[v] != nil || slices.Contains(d.own, v) && id.Pos() < d.loop.Node().Pos() && !d.measured(c)) {
			return d.refuse(id, "%s uses %s before the loop", d.name(), v.Name())
		}
	}
	for _, st := range d.starts { // they are to stand where a part begins
		for c := range st.Preorder((*ast.Ident)(nil)) {
			id := c.Node().(*ast.Ident)
			if v, ok := info.Defs[id].(*types.Var); ok && d.gains[v] == nil {
				return d.refuse(id, "%s is declared together with what the loop adds to", v.Name())
			}
			v, ok := info.Uses[id].(*types.Var)
			if ok && !v.IsField() && (!loop.Local(v, d.serial) || len(loop.Writes(info, d.serial.Body, v)) > 0 || uses.Refers(v.Type()) && !d.measured(c)) {
				return d.refuse(id, "%s may be something else where a part begins", v.Name())
			}
		}
	}
	for _, v := range d.own {
		if call, ok := defs[v].(*ast.CallExpr); d.param(v) < 0 && !(ok && loop.Builtin(info, call) == "make") {
			return d.refuse(d.loop.Node(), "%s does not make %s", d.name(), v.Name())
		}
	}
	for _, v := range d.order {
		if d.param(v) >= 0 {
			return d.refuse(d.loop.Node(), "%s adds to %s, which it is given", d.name(), v.Name())
		}
		for t := range uses.LeadsTo(v.Type(), 2) {
			if _, points := v.Type().Underlying().(*types.Pointer); ofGoroutines(t) && !points {
				return d.refuse(d.loop.Node(), "%s must not be copied", v.Name())
			}
		}
		for _, g := range d.gains[v] {
			if !d.empty(g, defs[v]) {
				return d.refuse(d.loop.Node(), "%s has something before the loop", v.Name()+g.field)
			}
		}
	}
	if at := spawn.Recovers(d.pass, d.serial.Body); at != nil {
		return d.refuse(at, "%s stops panics", d.name())
	}
	return true
}

// measured reports whether the length of something is asked for.
func (d *division) measured(c inspector.Cursor) bool {
	call, ok := c.Parent().Node().(*ast.CallExpr)
	return ok && loop.Builtin(d.pass.TypesInfo, call) == "len"
}

// alone reports whether parts of the loop may run at once.
func (d *division) alone() bool {
	var literals []ast.Node // what they do is of the calls that run them
	for c := range d.loop.Preorder((*ast.FuncLit)(nil)) {
		literals = append(literals, c.Node())
	}
	all := d.does.Within(d.loop.Node(), literals...)
	for _, st := range d.starts {
		all = append(all, d.does.Within(st.Node())...)
	}
	for _, e := range all {
		where := others(e)
		for _, v := range d.own {
			if i := d.param(v); i >= 0 {
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
			d.several = ", and what it calls may run several times at once"
		}
	}
	return true
}

// empty reports whether a gain of a variable begins with nothing.
func (d *division) empty(g gain, def ast.Expr) bool {
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
		return true
	}
	switch g.start {
	case "zero":
		v := info.Types[def].Value
		return v != nil && (v.Kind() == constant.String && constant.StringVal(v) == "" || v.Kind() != constant.String && v.Kind() != constant.Bool && constant.Sign(v) == 0)
	case "empty":
		if lit, ok := def.(*ast.CompositeLit); ok {
			return len(lit.Elts) == 0
		}
		call, ok := def.(*ast.CallExpr)
		if ok = ok && loop.Builtin(info, call) == "make"; !ok || uses.Under[*types.Map](info.TypeOf(call)) {
			return ok
		}
		v := info.Types[call.Args[1]].Value
		return v != nil && constant.Sign(v) == 0
	}
	return true
}

// others is what an effect is on that a function does not make.
func others(e flow.Effect) flow.Roots {
	where := e.On.Without(flow.Set(flow.Fresh))
	where[1] = 0
	return where
}

// results are the variables that have what the serial form comes to, nil for what is
// always the same, if it does nothing but run the loop over a parameter. It is called for
// each part then.
func (d *division) results() (vars []*types.Var) {
	info := d.pass.TypesInfo
	over := loop.Var(info, d.over)
	if over == nil || !slices.Contains(slices.Collect(d.s.Signature().Params().Variables()), over) || d.numbers.Over == nil || d.numbers.Key != nil || len(d.ends) > 0 {
		return nil
	}
	for c := range d.body.Children() {
		st, returns := c.Node().(*ast.ReturnStmt)
		switch {
		case c == d.loop || slices.Contains(d.starts, c):
		case !returns:
			return nil
		default:
			for _, e := range st.Results {
				v := loop.Var(info, e)
				if tv := info.Types[e]; v == nil && tv.Value == nil && !tv.IsNil() {
					return nil
				}
				vars = append(vars, v)
			}
		}
	}
	if slices.ContainsFunc(d.order, func(v *types.Var) bool { return !slices.Contains(vars, v) }) {
		return nil
	}
	for c := range d.loop.Preorder((*ast.Ident)(nil)) {
		if info.Uses[c.Node().(*ast.Ident)] == types.Object(over) && c.Node() != ast.Node(d.over) {
			return nil
		}
	}
	return vars
}

// again reports whether the serial form may be called after what stands before its loop.
func (d *division) again() {
	for c := range d.body.Children() {
		if d.loop.Node().Pos() < c.Node().End() {
			break
		}
		for _, e := range d.does.Within(c.Node()) {
			if e.Kind&flow.Changes != 0 && !others(e).Empty() {
				d.refuse(c.Node(), "%s %s before the loop", d.name(), e.String())
			}
		}
	}
	for v := range d.s.Signature().Params().Variables() {
		for _, w := range loop.Writes(d.pass.TypesInfo, d.serial.Body, v) {
			d.refuse(w.Node, "%s sets %s before the loop", d.name(), v.Name())
		}
	}
}

// rename gives what the serial form takes the names that it has in the function. Nothing
// else may come to mean another thing there.
func (d *division) rename(file *ast.File) (names, imports []analysis.TextEdit) {
	info, p, s := d.pass.TypesInfo, d.p.Signature(), d.s.Signature()
	to, own := map[types.Object]string{}, map[string]bool{} // own are names of the function alone
	for v := range p.Params().Variables() {
		own[v.Name()] = true
	}
	for i, v := range slices.Collect(s.Params().Variables()) {
		to[v] = d.taken[i].Name()
		own[to[v]] = to[v] != v.Name()
	}
	if r := s.Recv(); r != nil {
		to[r] = p.Recv().Name()
		own[to[r]] = to[r] != r.Name() || uses.Named(r.Type()) != uses.Named(p.Recv().Type())
	}
	decl, _ := uses.Find(d.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), d.serial)
	for c := range decl.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		o := info.ObjectOf(id)
		if v, ok := o.(*types.Var); ok && v.IsField() {
			continue
		}
		name := id.Name
		if pkg, is := o.(*types.PkgName); is {
			var edits []analysis.TextEdit
			name, edits = rewrite.Import(d.pass.Pkg, file, pkg.Imported().Path(), d.decl.Body.Lbrace+1)
			imports = append(imports, edits...)
		}
		if own[id.Name] || name != id.Name {
			d.refuse(id, "%s means something else in it", id.Name)
		}
		if to[o] != "" && to[o] != id.Name {
			names = append(names, rewrite.Replace(id, to[o]))
		}
	}
	return names, imports
}

// typeParams are the names of type parameters.
func typeParams(sig *types.Signature) string {
	return fmt.Sprint(slices.Collect(sig.RecvTypeParams().TypeParams()), slices.Collect(sig.TypeParams().TypeParams()))
}

// rewritten are the edits by which the function has the body of the serial form, with the
// loop in parts.
func (d *division) rewritten() (edits []analysis.TextEdit) {
	pass, at := d.pass, d.decl
	file, from, place := rewrite.File(pass, at.Pos()), rewrite.File(pass, d.serial.Pos()), at.Body.Lbrace+1
	switch {
	case !rewrite.Since(pass, file, "go1.22") || !rewrite.Since(pass, from, "go1.22"):
		d.refuse(at, "the loop over parts needs go 1.22")
	case typeParams(d.p.Signature()) != typeParams(d.s.Signature()):
		d.refuse(at, "its type parameters have other names")
	case !rewrite.Universal(pass.Pkg, place, "append", "len", "make", "max", "min", "nil"):
		d.refuse(at, "it has another meaning for a builtin function")
	}
	own, edits := d.rename(file)
	vars := d.results()
	if vars != nil {
		edits = nil // no code of the serial form comes here
	}
	cut := func(from, to token.Pos) string {
		text, err := inline.Source(pass, from, to, own)
		if err != nil {
			d.refuse(at, "%v", err)
		}
		return text
	}
	put := func(e analysis.TextEdit) {
		own = append(slices.DeleteFunc(own, func(x analysis.TextEdit) bool { return e.Pos <= x.Pos && x.End <= e.End }), e)
	}
	of := func(n ast.Node) string { return cut(n.Pos(), n.End()) }
	pkg := func(path string) string {
		name, more := rewrite.Import(pass.Pkg, file, path, place)
		edits = append(edits, more...)
		return name
	}
	spell := func(t types.Type) string {
		name, ok := rewrite.Type(pass.Pkg, file, place, t)
		if d.s.Signature().TypeParams() != nil || d.s.Signature().RecvTypeParams() != nil { // of the same names
			name, ok = rewrite.Type(pass.Pkg, from, d.serial.Body.Lbrace+1, t)
		}
		if !ok {
			d.refuse(at, "the type of a result has no name here")
		}
		return name
	}
	names := rewrite.Names{d.serial: {}} // those of its own body are free
	for n := range ast.Preorder(&ast.FuncDecl{Recv: at.Recv, Name: at.Name, Type: at.Type}) {
		if id, ok := n.(*ast.Ident); ok {
			names[d.serial][id.Name] = true
		}
	}
	fresh := func(name string) string { return names.Fresh(pass.Pkg, d.serial, name) }
	n, wg, i, lo, hi := fresh("workers"), fresh("wg"), fresh("part"), fresh("lo"), fresh("hi")

	// before is what stands before the goroutines, work in them, and after behind them.
	var before, work, after, join strings.Builder
	over, is := of(d.over), d.over
	if call, ok := is.(*ast.CallExpr); ok && loop.Builtin(pass.TypesInfo, call) == "len" {
		is = call.Args[0]
	}
	v := loop.Var(pass.TypesInfo, is)
	if v == nil && pass.TypesInfo.Types[is].Value == nil {
		over = fresh("all")
		fmt.Fprintf(&before, "%s := %s\n", over, of(d.over))
	}
	count := over
	if d.numbers.Over != nil {
		count = "len(" + over + ")"
	}
	atLeast := least
	if w := spawn.NewWeigher(pass).Weigh(d.loop.Node()); w.Loops == 1 && w.Unknown == 0 && w.Blocking == 0 {
		atLeast = leastLight
	}
	head := fmt.Sprintf("%s := min(%s, %s/%d)\nif %[1]s < 2 {\n%[5]s\n}\n", n, d.workers(pkg), count, atLeast, d.form.returns(d.call))
	if v == nil || d.param(v) < 0 || len(loop.Writes(pass.TypesInfo, d.serial.Body, v)) > 0 {
		d.again()
		fmt.Fprint(&before, head)
		head = ""
	}
	fmt.Fprintf(&work, "%s, %s := %s*%s/%s, (%[3]s+1)*%[4]s/%[5]s\n", lo, hi, i, count, n)
	for _, c := range d.starts {
		if vars == nil {
			fmt.Fprintln(&work, of(c.Node()))
		}
		put(rewrite.Drop(pass.Fset, c))
	}
	if len(d.ends) > 0 {
		ends, end, results := fresh("ends"), fresh("end"), ""
		for v := range d.s.Signature().Results().Variables() {
			results += spell(v.Type()) + ", " // without a name, which may be another's
		}
		results = "(" + results + ")"
		fmt.Fprintf(&before, "%s := make([]func() %s, %s)\n", ends, results, n)
		fmt.Fprintf(&after, "for _, %s := range %s {\nif %[1]s != nil {\nreturn %[1]s()\n}\n}\n", end, ends)
		for _, st := range d.ends {
			put(rewrite.Replace(st, fmt.Sprintf("%s[%s] = func() %s { %s }\nreturn", ends, i, results, of(st))))
		}
	}
	key, value, end := fresh("k"), fresh("v"), ""
	given, called := slices.Repeat([]string{"_"}, len(vars)), vars != nil // what the calls for parts give
	for _, v := range d.order {
		parts, set := "parts", ":="
		if len(d.order) > 1 {
			parts = v.Name() + "Parts"
		}
		parts = fresh(parts)
		if slices.Contains(slices.Collect(d.s.Signature().Results().Variables()), v) {
			if set = "="; !called {
				fmt.Fprintf(&work, "var %s %s\n", v.Name(), spell(v.Type()))
			}
		}
		fmt.Fprintf(&before, "%s := make([]%s, %s)\n", parts, spell(v.Type()), n)
		fmt.Fprintf(&after, "%s %s %s[0]\n", v.Name(), set, parts)
		if end += fmt.Sprintf("\n%s[%s] = %s", parts, i, v.Name()); called {
			given[slices.Index(vars, v)] = fmt.Sprintf("%s[%s]", parts, i)
		}
		for _, g := range d.gains[v] {
			fmt.Fprintln(&join, strings.NewReplacer("$a", v.Name()+g.field, "$b", parts+"["+i+"]"+g.field, "$k", key, "$v", value).Replace(g.merge))
		}
	}
	if join.Len() > 0 {
		fmt.Fprintf(&after, "for %s := 1; %[1]s < %[2]s; %[1]s++ {\n%[3]s}\n", i, n, join.String())
	}
	switch st := d.loop.Node().(type) {
	case *ast.ForStmt:
		put(rewrite.Replace(st.Init.(*ast.AssignStmt).Rhs[0], lo))
		put(rewrite.Replace(d.over, hi))
	case *ast.RangeStmt:
		if put(rewrite.Replace(d.over, hi+" - "+lo)); d.numbers.Over != nil {
			put(rewrite.Replace(d.over, over+"["+lo+":"+hi+"]"))
		}
		if d.numbers.Key != nil {
			put(rewrite.Insert(st.Body.Lbrace+1, "\n"+d.numbers.Key.Name+" += "+lo))
		}
	}
	whole := d.loop
	if _, ok := d.loop.Parent().Node().(*ast.LabeledStmt); ok {
		whole = d.loop.Parent()
	}
	if called {
		args := make([]string, len(d.taken))
		for i, v := range d.taken {
			if args[i] = v.Name(); d.s.Signature().Params().At(i) == loop.Var(pass.TypesInfo, d.over) {
				args[i] = over + "[" + lo + ":" + hi + "]"
			}
		}
		work.WriteString(strings.Join(given, ", ") + " = " + d.with(args))
	} else {
		work.WriteString(of(whole.Node()) + end)
	}
	fmt.Fprintf(&before, "var %s %s.WaitGroup\nfor %s := range %s {\n%s\n}\n%[1]s.Wait()\n", wg, pkg("sync"), i, n,
		inline.Start(pass.TypesInfo, file, wg, work.String()))
	if old, is := at.Type.Results, d.serial.Type.Results; old != nil && d.s.Signature().Results().String() != d.p.Signature().Results().String() {
		edits = append(edits, rewrite.Replace(old, of(is)))
	}
	lead, tail := cut(d.serial.Body.Lbrace+1, whole.Node().Pos()), cut(whole.Node().End(), d.serial.Body.Rbrace)
	text := strings.TrimSpace(head+strings.TrimSpace(lead)) + "\n" + before.String() + strings.TrimSpace(after.String()+strings.TrimSpace(tail))
	doc := ""
	if rewrite.Serially(d.decl, "") != "" { // it may say how goroutines divide the work
		doc = fmt.Sprintf("// %s does what [%s] does, in parts at once.", d.p.Name(), d.name())
	}
	return append(d.whole(strings.TrimSpace(text), doc), edits...)
}

// param is the number of what the serial form takes, the receiver first, -1 for another
// variable.
func (x *form) param(v *types.Var) int {
	all := slices.Collect(x.s.Signature().Params().Variables())
	if r := x.s.Signature().Recv(); r != nil {
		all = append([]*types.Var{r}, all...)
	}
	return slices.Index(all, v)
}

// workers is how many goroutines there are to be: what the function is given as that, else
// one for each processor.
func (d *division) workers(pkg func(string) string) string {
	words := []string{"worker", "goroutine", "parallel", "concurren", "procs"}
	if len(d.unused) == 1 && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(d.unused[0]), w) }) {
		return d.unused[0]
	}
	return pkg("runtime") + ".GOMAXPROCS(0)"
}
