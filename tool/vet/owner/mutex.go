package owner

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// mutex has those that ask do what the goroutine did for them, under a lock.
func (o *owner) mutex() (fix shape.Fix, no *shape.Refusal) {
	o.mu = o.field("mu")
	for _, step := range []func() *shape.Refusal{
		o.each((*port).seen), o.others, o.alike, o.each((*port).returns), o.signals, o.each((*port).questions), o.joins, o.each((*port).closes), o.stops,
		o.each((*port).channels), o.unkept, o.each((*port).effects), o.state, o.write, o.each((*port).guarded),
	} {
		if no = step(); no != nil {
			return fix, no
		}
	}
	return shape.Fix{
		Name: "mutex", Says: "do what the goroutine does for a request under a lock, in place of it",
		Edits: o.edits, Holds: strings.Join(o.holds, ", and "),
	}, nil
}

// each does something for every port, until one refuses.
func (o *owner) each(do func(*port) *shape.Refusal) func() *shape.Refusal {
	return func() (no *shape.Refusal) {
		for i := 0; i < len(o.ports) && no == nil; i++ {
			no = do(o.ports[i])
		}
		return no
	}
}

// field is a name that no field or method of the struct has.
func (o *owner) field(name string) string {
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try += fmt.Sprint(i)
		}
		if at, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.typ.Type()), true, o.pass.Pkg, try); (at == nil || slices.ContainsFunc(o.ports, func(p *port) bool { return p.ch == at })) && !o.names[try] {
			o.names[try] = true
			return try
		}
	}
}

// hold adds a condition.
func (o *owner) hold(text string) {
	if !slices.Contains(o.holds, text) {
		o.holds = append(o.holds, text)
	}
}

// write puts the methods that answer where the goroutine was.
func (o *owner) write() *shape.Refusal {
	top := o.decl
	if top == nil {
		top = uses.Decl(o.start)
	}
	if top == nil || !rewrite.Universal(o.pass.Pkg, top.Pos(), "panic", "true", "false", "bool") {
		return shape.No(o.start.Node(), "it cannot be written as a method")
	}
	if o.shut != "" {
		o.declare += "\n" + o.shut + " bool"
	}
	var all []string
	for _, p := range o.ports {
		switch {
		case p.wrapped():
			p.name = uses.Decl(p.wraps.send).Name.Name
		case len(o.ports) > 1:
			p.name = o.field("serve" + strings.ToUpper(p.ch.Name()[:1]) + p.ch.Name()[1:])
		case o.decl == nil || o.decl.Name.Name == "loop" || o.decl.Name.Name == "run": // it no longer does
			p.name = o.field("serve")
		default:
			p.name = o.decl.Name.Name
		}
		text, no := p.method(top)
		if no != nil {
			return no
		}
		all = append(all, text)
	}
	text := strings.Join(all, "\n\n")
	if o.decl != nil {
		o.edits = append(o.edits, rewrite.Replace(&ast.BadExpr{From: rewrite.Begin(o.decl), To: o.decl.End()}, text))
	} else {
		o.edits = append(o.edits, rewrite.Insert(top.End(), "\n\n"+text))
	}
	return nil
}

// wrapped finds a method that does nothing but to ask: the one that answers takes its place.
func (o *port) wrapped() bool {
	for _, a := range o.asks {
		d := uses.Decl(a.send)
		sig := o.info.Defs[d.Name].(*types.Func).Signature()
		list, in, out := d.Body.List, sig.Params(), sig.Results()
		if o.looks || d.Name.IsExported() || sig.Recv() == nil || sig.Recv() != loop.Var(o.info, a.base()) || in.Len() != 1 || out.Len() != 1 ||
			in.At(0) != loop.Var(o.info, a.send.Node().(*ast.SendStmt).Value) || !types.Identical(out.At(0).Type(), o.gives) || !a.direct() || list[len(list)-1] != a.wait.Parent().Node() {
			continue
		}
		set, ok := list[0].(*ast.AssignStmt)
		if len(list) == 2 || len(list) == 3 && ok && o.uses.Var(set.Lhs[0]) == o.reply {
			o.wraps = a
		}
	}
	return o.wraps != nil
}

// method is the text of the method that answers, which those that ask call from then on.
func (o *port) method(top *ast.FuncDecl) (text string, no *shape.Refusal) {
	if o.req.Name == o.self.Name() || o.req.Name == "_" {
		return "", shape.No(o.req, "the request has no name of its own")
	}
	if no := o.renames(); no != nil {
		return "", no
	}
	file := rewrite.File(o.pass, top.Pos())
	in, ok := rewrite.Type(o.pass.Pkg, file, top.Pos(), o.info.Defs[o.req].Type())
	out, ok2 := "", true
	if o.gives != nil {
		out, ok2 = rewrite.Type(o.pass.Pkg, file, top.Pos(), o.gives)
	}
	body, err := inline.Source(o.pass, o.from, o.to, o.inner)
	if !ok || !ok2 || err != nil {
		return "", shape.No(o.code, "it cannot be written as a method")
	}
	in = o.req.Name + " " + in
	if o.bare() {
		in = ""
	}
	self, mu, looks := o.self.Name(), o.self.Name()+"."+o.mu, ""
	if o.looks {
		stopped := "false"
		if out != "" {
			o.named, stopped = true, o.answer+", false"
			out += ", _ "
		}
		looks = "select {\ncase <-" + self + "." + o.stop.Name() + ":\nreturn " + stopped + "\ndefault:\n}\n"
		out += "bool"
	}
	if o.named && o.gives != nil {
		out = "(" + o.answer + " " + out + ")"
	}
	text = fmt.Sprintf("// %s answers a request.", o.name)
	if o.looks {
		text += " It reports whether it did, and was not told to stop."
	}
	text += fmt.Sprintf("\nfunc (%s *%s) %s(%s) %s {\n%s.Lock()\ndefer %s.Unlock()\n%s", self, o.typ.Name(), o.name, in, out, mu, mu, looks)
	if o.shut != "" {
		text += "if " + self + "." + o.shut + " {\npanic(\"" + o.typ.Name() + " is closed\")\n}\n"
	}
	for _, a := range o.asks {
		if a == o.wraps {
			d := uses.Decl(a.send)
			o.edits = slices.DeleteFunc(o.edits, func(e analysis.TextEdit) bool { return d.Pos() <= e.Pos && e.End <= d.End() })
			o.edits = append(o.edits, rewrite.Gone(o.pass, d))
		} else if no := a.call(); no != nil {
			return "", no
		}
	}
	return text + strings.TrimSpace(body) + o.tail + "\n}", nil
}

// renames has the code that answers use the fields that the variables of the goroutine become.
func (o *port) renames() *shape.Refusal {
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
func (a *ask) call() *shape.Refusal {
	send := a.send.Node().(*ast.SendStmt)
	var inner []analysis.TextEdit
	a.edits = slices.DeleteFunc(a.edits, func(e analysis.TextEdit) bool {
		is := send.Value.Pos() <= e.Pos && e.End <= send.Value.End()
		if is {
			inner = append(inner, e)
		}
		return is
	})
	v, err := inline.Source(a.pass, send.Value.Pos(), send.Value.End(), inner)
	if err != nil {
		return shape.No(send, "the source cannot be read")
	}
	if a.bare() {
		v = ""
	}
	call := rewrite.Text(a.pass.Fset, a.base()) + "." + a.name + "(" + v + ")"
	answer, ok, set := a.word("answer"), "_", ""
	switch {
	case a.reply == nil:
	case !a.looks && a.direct():
		a.edits = append(a.edits, rewrite.Drop(a.pass.Fset, a.send), rewrite.Replace(a.wait.Node(), call))
		return nil
	case a.silent():
		a.edits = append(a.edits, rewrite.Drop(a.pass.Fset, a.wait.Parent()))
		answer = "_"
	case a.first() != nil:
		a.edits = append(a.edits, rewrite.Drop(a.pass.Fset, a.wait.Parent()))
		answer = a.first().Name
	default:
		a.edits = append(a.edits, rewrite.Replace(a.wait.Node(), answer))
		set = answer + " := "
	}
	if !a.chosen {
		if a.looks && set != "" {
			set = answer + ", _ := "
		}
		a.edits = append(a.edits, rewrite.Replace(send, set+call))
		return nil
	}
	if ok = a.word("ok"); a.gives == nil {
		set = ok
	} else {
		set = answer + ", " + ok
	}
	return a.choose(set+" := "+call, ok)
}

// choose turns the select of a request into an if: the goroutine answers, or has been told
// to stop.
func (a *ask) choose(set, ok string) *shape.Refusal {
	sel := a.choice.Node().(*ast.SelectStmt)
	first, second := sel.Body.List[0].(*ast.CommClause), sel.Body.List[1].(*ast.CommClause)
	for _, c := range []*ast.CommClause{first, second} {
		if slices.ContainsFunc(rewrite.Leaves(a.info, &ast.BlockStmt{List: c.Body}, false), func(l rewrite.Leave) bool { return l.How == "break" }) {
			return shape.No(c, "a break leaves the select")
		}
	}
	from, between, is := second.Case, "} else {", first
	switch {
	case len(first.Body) == 0: // what comes after it is for the answer alone
		from, between, is = first.Colon+1, "", second
	case len(second.Body) == 0:
		from, between = first.Body[len(first.Body)-1].End(), ""
	}
	if is.Comm != a.send.Node() {
		ok = "!" + ok
	}
	head := "if " + set + "; " + ok + " {"
	if a.reply != nil && !spawn.Within(sel, a.wait.Node()) { // the answer is used after it
		head = set + "\nif " + ok + " {"
	}
	cut := func(from, to token.Pos, text string) {
		a.edits = append(a.edits, analysis.TextEdit{Pos: from, End: to, NewText: []byte(text)})
	}
	if list := uses.Decl(a.send).Body.List; list[len(list)-1] == sel && between != "" {
		last := second.Body[len(second.Body)-1].End()
		after, _ := inline.Source(a.pass, last, sel.Body.Rbrace, nil)
		if _, returns := first.Body[len(first.Body)-1].(*ast.ReturnStmt); returns && strings.TrimSpace(after) == "" {
			between = "}"
			cut(last, sel.Body.Rbrace+1, "")
		}
	}
	cut(sel.Pos(), first.Colon+1, head)
	cut(from, second.Colon+1, between)
	return nil
}

// first is the variable that a request which has been taken declares for its answer at
// once; nil for none.
func (a *ask) first() *ast.Ident {
	set, ok := a.wait.Parent().Node().(*ast.AssignStmt)
	if !a.chosen || !ok || set.Tok != token.DEFINE || len(set.Lhs) != 1 || a.send.Parent().Node().(*ast.CommClause).Body[0] != set {
		return nil
	}
	return set.Lhs[0].(*ast.Ident)
}

// word is a new name for the function that asks.
func (a *ask) word(name string) string {
	for _, p := range a.ports {
		for _, b := range p.asks {
			if b == a {
				return rewrite.Fresh(a.pass.Pkg, uses.Decl(a.send), name)
			}
			if uses.Decl(b.send) == uses.Decl(a.send) {
				name += "2"
			}
		}
	}
	return name
}

// guarded puts the lock, and what it guards, in the place of the first channel.
func (o *port) guarded() *shape.Refusal {
	for _, c := range o.uses.Of(o.ch) {
		f, ok := c.Parent().Node().(*ast.Field)
		if !ok || !o.uses.Declares(c) || len(f.Names) != 1 {
			continue
		}
		if o != o.ports[0] {
			o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, c.Parent()))
			return nil
		}
		sync, edits := rewrite.Import(o.pass.Pkg, rewrite.File(o.pass, f.Pos()), "sync", f.Pos())
		end := f.End()
		if f.Comment != nil {
			end = f.Comment.End()
		}
		text := fmt.Sprintf("%s %s.Mutex%s", o.mu, sync, o.declare)
		o.edits = append(append(o.edits, edits...), rewrite.Replace(&ast.BadExpr{From: rewrite.Begin(f), To: end}, text))
		for d := range c.Enclosing((*ast.GenDecl)(nil)) {
			if doc := d.Node().(*ast.GenDecl).Doc; doc != nil {
				if says := rewrite.Serially(&ast.FuncDecl{Name: ast.NewIdent(o.typ.Name()), Doc: doc}, ""); says != "" {
					o.edits = append(o.edits, rewrite.Replace(doc, says))
				}
			}
		}
		return nil
	}
	return &shape.Refusal{Why: o.ch.Name() + " cannot be taken away", Pos: o.ch.Pos()}
}
