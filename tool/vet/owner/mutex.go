package owner

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
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
		text += "if " + self + "." + o.shut + " {\npanic(\"" + o.typ.Name() + " is closed\")\n}\n"
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
