package guard

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A word is how a value is kept in an atomic of package sync/atomic.
type word struct {
	name     string // of the atomic
	of, as   string // the type of the value, and what the atomic holds, if that is another
	unsigned bool
}

var words = map[types.BasicKind]word{
	types.Bool:    {name: "Bool"},
	types.Int:     {name: "Int64", of: "int", as: "int64"},
	types.Int32:   {name: "Int32"},
	types.Int64:   {name: "Int64"},
	types.Uint:    {name: "Uint64", of: "uint", as: "uint64", unsigned: true},
	types.Uint32:  {name: "Uint32", unsigned: true},
	types.Uint64:  {name: "Uint64", unsigned: true},
	types.Uintptr: {name: "Uintptr", unsigned: true},
}

// Atomic makes a word that the lock guards alone an atomic. It takes the lock
// away from the sections that use it.
func (l *Lock) Atomic(v *types.Var) (edits []analysis.TextEdit, why string, at token.Pos) {
	if why, at := l.Alone(v); why != "" {
		return nil, why, at
	}
	var w word
	switch t := types.Unalias(v.Type()).(type) {
	case *types.Basic:
		w = words[t.Kind()]
	case *types.Pointer:
		w.name = "Pointer"
	}
	if w.name == "" {
		return nil, NotMeant, 0
	}
	used := map[*section.Section]bool{}
	for _, p := range l.Places(v) {
		if p.In != nil && used[p.In] {
			return nil, "a section uses " + v.Name() + " twice", p.Node().Pos()
		}
		for loop := range p.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			if p.In != nil && p.In.Enter.Node().End() <= loop.Node().Pos() {
				return nil, "a section uses " + v.Name() + " in a loop", p.Node().Pos()
			}
		}
		used[p.In] = true
		more, why := l.word(p, w)
		if why != "" {
			return nil, why, p.Node().Pos()
		}
		edits = append(edits, more...)
	}
	all := true
	for _, s := range l.Sections {
		e := l.Does[s]
		if !e.Touches(v) {
			all = false
			continue
		}
		if len(e.Calls) > 0 || len(e.Indirect) > 0 || !used[s] {
			return nil, "a section does more", s.Enter.Node().Pos()
		}
		edits = append(edits, l.Unlocked(s)...)
	}
	if all {
		more, why := Undeclare(l.Pass, l.Uses, l.Var)
		if why != "" {
			return nil, why, l.Var.Pos()
		}
		edits = append(edits, more...)
	}
	decl, why, at := l.declared(v)
	if why != "" {
		return nil, why, at
	}
	pkg, imports := rewrite.Import(l.Pass.Pkg, rewrite.File(l.Pass, v.Pos()), "sync/atomic", v.Pos())
	edits, typ := append(edits, imports...), pkg+"."+w.name
	switch d := decl.(type) {
	case *ast.AssignStmt:
		typ = "var " + v.Name() + " " + typ
	case *ast.StarExpr:
		typ += "[" + rewrite.Text(l.Pass.Fset, d.X) + "]"
	default:
		if w.name == "Pointer" {
			return nil, "its type is not written as a pointer", v.Pos()
		}
	}
	return append(edits, rewrite.Replace(decl, typ)), "", 0
}

// declared returns the type of v where it is declared, alone and without a value,
// or the statement v := 0. Nothing may rely on the type but by the name of v.
func (l *Lock) declared(v *types.Var) (decl ast.Node, why string, at token.Pos) {
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			continue
		}
		switch d := use.Parent().Node().(type) {
		case *ast.AssignStmt:
			if x := l.Uses.Info.Types[d.Rhs[0]].Value; x != nil && len(d.Lhs) == 1 && uses.Listed(use.Parent()) && (x.ExactString() == "0" || x.ExactString() == "false") {
				return d, "", 0
			}
		case *ast.Field:
			st, ok := layout.Around(l.Uses, use)
			if !ok {
				return nil, v.Name() + " is a parameter or a result", v.Pos()
			}
			if len(d.Names) != 1 {
				break
			}
			if at := Copied(l.Uses, st.Type); at != nil {
				return nil, "its struct is copied, or set as a whole", at.Pos()
			}
			if st.Name != nil {
				for _, lit := range l.Uses.Literals(st.Name) {
					n := lit.Node().(*ast.CompositeLit)
					if len(n.Elts) == 0 {
						continue
					}
					if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
						return nil, "a literal of " + st.Name.Name() + " has no field names", n.Pos()
					}
				}
			}
			why, at = st.Shown(l.Uses)
			return d.Type, why, at
		case *ast.ValueSpec:
			if len(d.Names) == 1 && d.Type != nil && len(d.Values) == 0 {
				return d.Type, "", 0
			}
		}
	}
	return nil, v.Name() + " is declared with a value, or together with others", v.Pos()
}

// word rewrites one use of the value.
func (l *Lock) word(p Place, w word) (edits []analysis.TextEdit, why string) {
	x, before, after := p.Node().(ast.Expr), "", ""
	if tv, ok := l.Uses.Info.Types[x]; ok && !tv.Addressable() && p.ParentEdgeKind() != edge.KeyValueExpr_Key {
		return nil, "it is part of a value that has no place"
	}
	if w.as != "" {
		if !rewrite.Universal(l.Pass.Pkg, x.Pos(), w.of, w.as) {
			return nil, w.of + " means something else there"
		}
		before, after = w.as+"(", ")"
	}
	switch s := p.Parent().Node().(type) {
	case *ast.AssignStmt:
		if p.ParentEdgeKind() != edge.AssignStmt_Lhs {
			break
		}
		name := map[token.Token]string{token.ASSIGN: "Store", token.ADD_ASSIGN: "Add", token.SUB_ASSIGN: "Add"}[s.Tok]
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || name == "" || s.Tok == token.SUB_ASSIGN && w.unsigned {
			return nil, "it is assigned together with others, or by " + s.Tok.String()
		}
		if s.Tok == token.SUB_ASSIGN {
			before, after = "-("+before, after+")"
		}
		// The value stays where it is, as it may hold other places.
		return []analysis.TextEdit{
			{Pos: x.End(), End: s.Rhs[0].Pos(), NewText: []byte("." + name + "(" + before)},
			rewrite.Insert(s.Rhs[0].End(), after+")"),
		}, ""
	case *ast.IncDecStmt:
		by := "1"
		if s.Tok == token.DEC {
			by = "-1"
		}
		if s.Tok == token.DEC && w.unsigned {
			return nil, "it is counted down and has no sign"
		}
		return []analysis.TextEdit{{Pos: x.End(), End: s.End(), NewText: []byte(".Add(" + by + ")")}}, ""
	}
	if uses.Written(p.Cursor) || p.ParentEdgeKind() == edge.KeyValueExpr_Key {
		return nil, "its address is taken, or a loop or a literal sets it"
	}
	if w.as != "" {
		return []analysis.TextEdit{rewrite.Insert(x.Pos(), w.of+"("), rewrite.Insert(x.End(), ".Load())")}, ""
	}
	return []analysis.TextEdit{rewrite.Insert(x.End(), ".Load()")}, ""
}
