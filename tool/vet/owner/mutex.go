package owner

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// mutex has those that ask do what the goroutine did for them, under a lock.
func (o *owner) mutex() (fix shape.Fix, no *shape.Refusal) {
	o.mu = o.field("mu")
	for _, step := range []func() *shape.Refusal{o.seen, o.made, o.returns, o.questions, o.signals, o.closes, o.answered, o.effects, o.state, o.write} {
		if no = step(); no != nil {
			return fix, no
		}
	}
	return shape.Fix{
		Name: "mutex", Says: "do what the goroutine does for a request under a lock, in place of it",
		Edits: o.edits, Holds: strings.Join(o.holds, ", and "),
	}, nil
}

// field is a name that no field or method of the struct has.
func (o *owner) field(name string) string {
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try += fmt.Sprint(i)
		}
		if at, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.typ.Type()), true, o.pass.Pkg, try); at == nil && !o.names[try] {
			o.names[try] = true
			return try
		}
	}
}

// seen says why code that is not seen may depend on the goroutine and its channels.
func (o *owner) seen() *shape.Refusal {
	for _, v := range []*types.Var{o.ch, o.reply} {
		if why := o.uses.Unseen(v); why != "" {
			return &shape.Refusal{Why: why, Pos: v.Pos()}
		}
	}
	request := uses.Named(o.ch.Type().Underlying().(*types.Chan).Elem())
	if request == nil || request.Obj().Pkg() != o.pass.Pkg || request.TypeParams().Len() > 0 {
		return &shape.Refusal{Why: "the type of a request has no name of its own", Pos: o.ch.Pos()}
	}
	o.request = request.Obj()
	for i, v := range []*types.Var{o.ch, o.reply} {
		t := []*types.TypeName{o.typ, o.request}[i]
		st, ok := layout.Of(o.uses, t.Type())
		if !ok || !slices.Contains(slices.Collect(st.Type.Fields()), v) {
			return &shape.Refusal{Why: t.Name() + " is not written as a struct that has " + v.Name(), Pos: t.Pos()}
		}
		if why, at := st.Relied(o.uses, o.pass.Pkg); why != "" && (t == o.typ || why != "a literal of it has no field names") {
			return &shape.Refusal{Why: t.Name() + ": " + why, Pos: at}
		}
	}
	if o.decl == nil {
		return nil
	}
	fn := o.info.Defs[o.decl.Name].(*types.Func)
	if why := o.uses.Left.Calls(fn); why != "" || fn.Exported() && o.pass.Pkg.Name() != "main" {
		return shape.No(o.decl, "others may call "+fn.Name()+" or need it to implement an interface")
	}
	for c := range o.uses.Root.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		f, ok := o.info.ObjectOf(id).(*types.Func)
		switch {
		case !ok || f.Name() != fn.Name() || id == o.decl.Name:
		case f == fn && !spawn.Within(o.start.Node(), id):
			return shape.No(id, fn.Name()+" is called elsewhere")
		case f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()):
			return shape.No(id, fn.Name()+" is a method of an interface")
		}
	}
	return nil
}

// made says why the struct may be without its goroutine, or have several.
func (o *owner) made() *shape.Refusal {
	start := shape.No(o.start.Node(), "it is not started where "+o.typ.Name()+" is made, and known there alone")
	lits := o.uses.Literals(o.typ)
	if len(lits) != 1 {
		return start
	}
	set := lits[0].Parent().Parent()
	a, ok := set.Node().(*ast.AssignStmt)
	in, in2 := set.Parent().Parent().Node(), o.start.Parent()
	_, fn := in.(*ast.FuncDecl)
	_, lit := in.(*ast.FuncLit)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || literal(a.Rhs[0]) != lits[0].Node() || lits[0].ParentEdgeKind() != edge.UnaryExpr_X ||
		set.Parent() != in2 || !fn && !lit || o.start.Node().Pos() < a.End() {
		return start
	}
	o.as = loop.Var(o.info, a.Lhs[0])
	of := o.self
	if sel, ok := o.start.Node().(*ast.GoStmt).Call.Fun.(*ast.SelectorExpr); ok {
		of = loop.Var(o.info, sel.X)
	}
	if o.as == nil || of != o.as {
		return start
	}
	for _, c := range o.uses.Of(o.self) {
		if uses.Written(c) && !o.uses.Declares(c) {
			return shape.No(c.Node(), o.self.Name()+" becomes another")
		}
	}
	around, _ := uses.Func(o.start)
	for _, c := range o.uses.Of(o.as) {
		if uses.Written(c) && !o.uses.Declares(c) {
			return start
		}
		if a.End() <= c.Node().Pos() && c.Node().Pos() < o.start.Node().Pos() {
			own, _ := uses.Func(c)
			sel, ok := c.Parent().Node().(*ast.SelectorExpr)
			if !ok || own != around || o.uses.Var(sel) == nil || o.uses.Var(sel) == o.ch {
				return start
			}
		}
	}
	for c := range o.uses.Root.Preorder((*ast.Ident)(nil)) {
		if o.info.Uses[c.Node().(*ast.Ident)] == o.typ && c.ParentEdgeKind() != edge.StarExpr_X && c.Parent() != lits[0] {
			return shape.No(c.Node(), o.typ.Name()+" is made elsewhere, or is no pointer")
		}
	}
	if at := guard.Copied(o.uses, o.typ.Type().Underlying().(*types.Struct)); at != nil {
		return shape.No(at, o.typ.Name()+" is copied")
	}
	return nil
}

// questions turns requests into calls.
func (o *owner) questions() *shape.Refusal {
	for _, a := range o.asks {
		if no := a.read(); no != nil {
			return no
		}
		o.held = o.held || a.chosen
	}
	for _, a := range o.asks {
		if o.stop != nil && !a.chosen && len(o.holds) == 0 {
			o.holds = []string{"nothing is asked of a " + o.typ.Name() + " that has been told to stop"}
		}
		if o.held {
			if no := a.locks(); no != nil {
				return no
			}
		}
	}
	for _, v := range o.locals {
		for _, c := range o.uses.Of(v) {
			if !o.known[c.Node()] {
				return shape.No(c.Node(), v.Name()+" is used for more than one answer")
			}
		}
	}
	return nil
}

// locks takes the lock where a request is made. What the function does from there on must be
// nothing that others see or wait for.
func (a *ask) locks() *shape.Refusal {
	st := a.send
	if a.chosen {
		st = a.choice
	}
	fn, _ := uses.Func(st)
	if st.Parent().Parent() != fn || !uses.Listed(st) {
		return shape.No(st.Node(), "the function asks in a part of it alone")
	}
	own := []ast.Node{a.wait.Node()}
	rest := []ast.Node{}
	if a.chosen {
		for _, c := range st.Node().(*ast.SelectStmt).Body.List {
			for _, s := range c.(*ast.CommClause).Body {
				rest = append(rest, s)
			}
		}
	}
	for next, ok := st.NextSibling(); ok; next, ok = next.NextSibling() {
		rest = append(rest, next.Node())
	}
	const more = flow.Call | flow.Unknown | flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit | flow.Sync | flow.Tell
	for _, s := range rest {
		for n := range ast.Preorder(s) {
			switch n := n.(type) {
			case *ast.DeferStmt, *ast.FuncLit, *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt:
				return shape.No(n, "the function does more after it has asked")
			}
		}
		if e := a.does.Within(s, own...).First(more); e != nil {
			return &shape.Refusal{Why: "after it has asked, the function " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
		}
	}
	v := a.send.Node().(*ast.SendStmt).Value
	if literal(v) != nil && (inline.Calls(v, a.info) || inline.Receives(v) || a.does.Within(v).First(more|flow.Panic) != nil) {
		return shape.No(v, "the request is computed")
	}
	return nil
}

// answered says why the channel of an answer may be for something else.
func (o *owner) answered() *shape.Refusal {
	for _, c := range o.uses.Of(o.reply) {
		if !o.known[c.Node()] && !o.uses.Declares(c) {
			return shape.No(c.Node(), o.reply.Name()+" is used in another way than to answer")
		}
	}
	for _, c := range o.uses.Literals(o.request) {
		if lit := c.Node().(*ast.CompositeLit); len(lit.Elts) > 0 && !o.known[lit] {
			if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
				return shape.No(lit, "a request has no field names")
			}
		}
	}
	gone, _ := guard.Undeclare(o.pass, o.uses, o.reply)
	for _, c := range o.uses.Of(o.reply) {
		if f, ok := c.Parent().Node().(*ast.Field); ok && gone == nil && len(f.Names) == 1 {
			gone = append(gone, rewrite.Drop(o.pass.Fset, c.Parent()))
		}
	}
	if gone == nil {
		return &shape.Refusal{Why: o.reply.Name() + " cannot be taken away", Pos: o.reply.Pos()}
	}
	o.edits = append(o.edits, gone...)
	return nil
}

// effects says why what is done for a request is to be done by a goroutine of its own.
func (o *owner) effects() *shape.Refusal {
	all := o.does.Within(o.code, o.but...)
	const waits = flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit
	if e := all.First(waits); e != nil {
		return &shape.Refusal{Why: "for a request the goroutine " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
	}
	back := map[*ast.FuncDecl]bool{}
	for _, a := range o.asks {
		back[uses.Decl(a.send)] = true
	}
	asks := func(n ast.Node) *shape.Refusal {
		if at := spawn.Reaches(o.pass, n, func(x types.Object) bool {
			f, ok := x.(*types.Func)
			return ok && slices.ContainsFunc(spawn.Callees(o.pass, f), func(d *ast.FuncDecl) bool { return back[d] })
		}); at != nil {
			return shape.No(at, "what is done for a request may ask again")
		}
		if at := spawn.Reaches(o.pass, n, inline.Binds); at != nil {
			return shape.No(at, "what is done for a request is about the goroutine itself")
		}
		return nil
	}
	if no := asks(o.code); no != nil {
		return no
	}
	foreign := all.First(flow.Call|flow.Unknown) != nil
	if foreign || all.First(flow.Panic) != nil {
		for c := range o.uses.Root.Preorder((*ast.CallExpr)(nil)) {
			if id := c.Node().(*ast.CallExpr); loop.Builtin(o.info, id) == "recover" {
				return shape.No(id, "what ends the program in the goroutine may be recovered where it is asked")
			}
		}
	}
	if foreign {
		if no := o.literals(asks, waits); no != nil {
			return no
		}
		o.holds = append(o.holds, "what is called for a request neither waits, nor panics, nor asks again")
	} else if e := all.First(flow.Panic); e != nil {
		o.holds = append(o.holds, "no request has the goroutine panic")
	}
	return nil
}

// literals looks at the functions that a request may have: those of a type that is called
// for it.
func (o *owner) literals(asks func(ast.Node) *shape.Refusal, waits flow.Kind) *shape.Refusal {
	var called []types.Type
	for n := range ast.Preorder(o.code) {
		if c, ok := n.(*ast.CallExpr); ok {
			if t := o.info.TypeOf(c.Fun); t != nil {
				called = append(called, t.Underlying())
			}
		}
	}
	for c := range o.uses.Root.Preorder((*ast.FuncLit)(nil)) {
		lit := c.Node().(*ast.FuncLit)
		if !slices.ContainsFunc(called, func(t types.Type) bool { return types.Identical(t, o.info.TypeOf(lit)) }) || spawn.Within(o.code, lit) {
			continue
		}
		if no := asks(lit.Body); no != nil {
			return no
		}
		if e := o.does.Within(lit.Body).First(waits); e != nil {
			return &shape.Refusal{Why: "what a request may have done " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
		}
	}
	return nil
}

// write makes the text of the method that answers, and has those that ask call it.
func (o *owner) write() *shape.Refusal {
	top := o.decl
	if top == nil {
		top = uses.Decl(o.start)
	}
	no := shape.No(o.code, "it cannot be written as a method")
	if top == nil || !rewrite.Universal(o.pass.Pkg, top.Pos(), "panic", "true", "bool") {
		return no
	}
	if o.req.Name == o.self.Name() || o.req.Name == "_" {
		return shape.No(o.req, "the request has no name of its own")
	}
	if why := o.renames(); why != nil {
		return why
	}
	file := rewrite.File(o.pass, top.Pos())
	in, ok := rewrite.Type(o.pass.Pkg, file, top.Pos(), o.info.Defs[o.req].Type())
	out, ok2 := "", true
	if o.gives != nil {
		out, ok2 = rewrite.Type(o.pass.Pkg, file, top.Pos(), o.gives)
	}
	body, err := inline.Source(o.pass, o.from, o.to, o.inner)
	if !ok || !ok2 || err != nil {
		return no
	}
	self, mu := o.self.Name(), o.self.Name()+"."+o.mu
	name := ""
	if o.decl == nil {
		name = o.field("serve")
	} else {
		name = o.decl.Name.Name
	}
	text := fmt.Sprintf("// %s answers a request.", name)
	if o.held {
		text += " The caller holds " + mu + "."
	}
	text += "\n"
	text += fmt.Sprintf("func (%s *%s) %s(%s %s) %s {\n", self, o.typ.Name(), name, o.req.Name, in, out)
	if !o.held {
		text += mu + ".Lock()\ndefer " + mu + ".Unlock()\n"
	}
	if o.shut != "" {
		text += "if " + self + "." + o.shut + " {\npanic(\"send on closed channel\")\n}\n"
		o.declare += "\n" + o.shut + " bool"
	}
	text += strings.TrimSpace(body) + "\n}"
	if o.decl != nil {
		o.edits = append(o.edits, rewrite.Replace(&ast.BadExpr{From: rewrite.Begin(o.decl), To: o.decl.End()}, text))
	} else {
		o.edits = append(o.edits, rewrite.Insert(top.End(), "\n\n"+text))
	}
	for _, a := range o.asks {
		if why := a.call(name); why != nil {
			return why
		}
	}
	return o.guarded()
}

// renames has the code that answers use the fields that the variables of the goroutine become.
func (o *owner) renames() *shape.Refusal {
	for n := range ast.Preorder(o.code) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		obj := o.info.Uses[id]
		v, _ := obj.(*types.Var)
		if v != nil && o.fields[v] != "" {
			if _, self := o.pass.Pkg.Scope().Innermost(id.Pos()).LookupParent(o.self.Name(), id.Pos()); self != o.self {
				return shape.No(id, o.self.Name()+" is something else there")
			}
			o.inner = append(o.inner, rewrite.Replace(id, o.self.Name()+"."+o.fields[v]))
			continue
		}
		if obj == nil || obj == o.self || obj == o.info.Defs[o.req] || obj.Parent() == nil || obj.Pkg() != o.pass.Pkg || obj.Parent() == o.pass.Pkg.Scope() {
			continue
		}
		if _, ok := obj.(*types.PkgName); !ok && !(o.code.Pos() <= obj.Pos() && obj.Pos() < o.code.End()) {
			return shape.No(id, "the goroutine uses "+id.Name+" of the function that starts it")
		}
	}
	return nil
}

// call turns a request into a call of the method that answers.
func (a *ask) call(name string) *shape.Refusal {
	send := a.send.Node().(*ast.SendStmt)
	v, err := inline.Source(a.pass, send.Value.Pos(), send.Value.End(), a.inner)
	if err != nil {
		return shape.No(send, "the source cannot be read")
	}
	base := rewrite.Text(a.pass.Fset, a.base())
	lock := fmt.Sprintf("%s.%s.Lock()\ndefer %s.%s.Unlock()\n", base, a.mu, base, a.mu)
	a.edits = append(a.edits, rewrite.Replace(a.wait.Node(), base+"."+name+"("+v+")"))
	switch {
	case a.chosen:
		clause := a.send.Parent().Node().(*ast.CommClause)
		a.edits = append(a.edits, rewrite.Insert(a.choice.Node().Pos(), lock),
			rewrite.Replace(&ast.BadExpr{From: clause.Case, To: clause.Colon}, "default"))
	case a.held:
		a.edits = append(a.edits, rewrite.Replace(send, strings.TrimSuffix(lock, "\n")))
	default:
		a.edits = append(a.edits, rewrite.Drop(a.pass.Fset, a.send))
	}
	return nil
}

// guarded puts the lock, and what it guards, in the place of the channel.
func (o *owner) guarded() *shape.Refusal {
	for _, c := range o.uses.Of(o.ch) {
		f, ok := c.Parent().Node().(*ast.Field)
		if !ok || !o.uses.Declares(c) {
			continue
		}
		if len(f.Names) != 1 {
			break
		}
		sync, edits := rewrite.Import(o.pass.Pkg, rewrite.File(o.pass, f.Pos()), "sync", f.Pos())
		end := f.End()
		if f.Comment != nil {
			end = f.Comment.End()
		}
		text := fmt.Sprintf("%s %s.Mutex%s", o.mu, sync, o.declare)
		o.edits = append(append(o.edits, edits...), rewrite.Replace(&ast.BadExpr{From: rewrite.Begin(f), To: end}, text))
		return nil
	}
	return &shape.Refusal{Why: o.ch.Name() + " cannot be taken away", Pos: o.ch.Pos()}
}
