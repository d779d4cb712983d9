package maplock

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("maplock", "find one lock around a map that is used key by key\n\nGoroutines that use different keys wait for each other.", find, section.Analyzer)

// parts is how many shards a map gets, a power of two.
const parts = 64

// A check looks at a map, the lock that guards it, and the struct with both.
type check struct {
	*guard.Lock
	m     *types.Var
	owner layout.Struct
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	for _, l := range in.Locks {
		if l.Var.Pkg() != pass.Pkg || !l.Var.IsField() || len(l.Sections) == 0 {
			continue
		}
		g := guard.Of(pass, in, l)
		m, owner := beside(g)
		if m == nil {
			continue
		}
		c := &check{g, m, owner}
		f := shape.Finding{
			Pos: l.Var.Pos(), End: l.Var.Pos() + token.Pos(len(l.Var.Name())),
			Message: fmt.Sprintf("%s is one lock for all keys of %s: goroutines with different keys wait for each other", l.Var.Name(), m.Name()),
			Causes:  []string{"lock", "rwmutex"},
		}
		for _, s := range l.Sections {
			if r := shape.Of(uses.Around(s.Enter)); !slices.Contains(f.Hot, r) {
				f.Hot = append(f.Hot, r)
			}
		}
		edits, why, at := c.shard()
		if why == "" && rewrite.Overlap(edits, nil) {
			why, at = "its uses are within each other", m.Pos()
		}
		if why != "" {
			f.Refused = append(f.Refused, shape.Refusal{Name: "shard", Why: why, Pos: at})
		} else {
			f.Fixes = append(f.Fixes, shape.Fix{Name: "shard", Says: fmt.Sprintf("split %s into %d maps with a lock each", m.Name(), parts), Edits: edits,
				Dearer: shape.Memory("each "+owner.Name.Name(), fmt.Sprintf("%d maps and locks, however few its keys", parts))})
		}
		all = append(all, f)
	}
	return all, nil
}

// beside returns the first map that a lock guards in the struct that has both,
// if sections use it key by key.
func beside(g *guard.Lock) (m *types.Var, owner layout.Struct) {
	for _, use := range g.Uses.Of(g.Var) {
		if !g.Uses.Declares(use) {
			continue
		}
		st, ok := g.Struct(use)
		if !ok {
			return nil, owner
		}
		for f := range st.Type.Fields() {
			if _, isMap := f.Type().Underlying().(*types.Map); !isMap || !g.Guarded[f] {
				continue
			}
			for _, p := range g.Places(f) {
				if p.In != nil && p.ParentEdgeKind() == edge.IndexExpr_X {
					return f, st
				}
			}
		}
	}
	return nil, owner
}

// shard gives each part of the map a lock of its own.
func (c *check) shard() (edits []analysis.TextEdit, why string, at token.Pos) {
	mapped := c.m.Type().Underlying().(*types.Map)
	key, ok := mapped.Key().Underlying().(*types.Basic)
	if !ok || key.Info()&(types.IsString|types.IsInteger) == 0 {
		return nil, "its keys are neither strings nor integers", c.m.Pos()
	}
	if c.owner.Name == nil || generic(c.owner.Name) {
		return nil, "its type has no name, or is generic", c.m.Pos()
	}
	if c.Var.Embedded() {
		return nil, "the lock is embedded", c.Var.Pos()
	}
	if why, at := c.Alone(c.m); why != "" {
		return nil, why, at
	}
	if why, at := c.owner.Relied(c.Uses, c.Pass.Pkg); why != "" {
		return nil, why, at
	}
	for _, name := range []string{"shards", "shardOf"} {
		if o, _, _ := types.LookupFieldOrMethod(c.owner.Name.Type(), true, c.Pass.Pkg, name); o != nil {
			return nil, "its type has " + name + " already", o.Pos()
		}
	}
	by := map[*section.Section][]guard.Place{}
	for _, p := range c.Places(c.m) {
		if p.In != nil {
			by[p.In] = append(by[p.In], p)
			continue
		}
		more, why := c.elsewhere(p)
		if why != "" {
			return nil, why, p.Node().Pos()
		}
		edits = append(edits, more...)
	}
	keeps := false // a lock for other fields
	for _, s := range c.Sections {
		if !c.Does[s].Touches(c.m) {
			keeps = true
			continue
		}
		more, why, at := c.section(s, by[s])
		if why != "" {
			return nil, why, at
		}
		edits = append(edits, more...)
	}
	more, why := c.declare(keeps, key)
	if why != "" {
		return nil, why, c.m.Pos()
	}
	return append(edits, more...), "", 0
}

func generic(t *types.TypeName) bool {
	n, ok := t.Type().(*types.Named)
	return !ok || n.TypeParams().Len() > 0
}

// section makes a section one of the shard that has the key.
func (c *check) section(s *section.Section, places []guard.Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	e := c.Does[s]
	switch {
	case len(e.Calls) > 0:
		return nil, "a section does more", e.Calls[0].Pos()
	case len(e.Indirect) > 0:
		return nil, "a section writes more", e.Indirect[0].Pos()
	case len(e.Takes) > 0 || len(places) == 0:
		return nil, "a section takes another lock, or uses the map in a way that does not show", s.Enter.Node().Pos()
	}
	base := strings.TrimSuffix(types.ExprString(s.X), "."+c.Var.Name())
	var keys []ast.Expr
	for _, p := range places {
		key := c.key(p)
		if key == nil {
			return nil, c.m.Name() + " is used as a whole", p.Node().Pos()
		}
		if rewrite.Text(c.Pass.Fset, p.Node()) != base+"."+c.m.Name() {
			return nil, "a section uses the map of another value", p.Node().Pos()
		}
		keys = append(keys, key)
	}
	text := rewrite.Text(c.Pass.Fset, keys[0])
	for _, k := range keys {
		if rewrite.Text(c.Pass.Fset, k) != text {
			return nil, "a section uses several keys", k.Pos()
		}
	}
	if why := c.known(s, keys[0]); why != "" {
		return nil, why, keys[0].Pos()
	}
	name := c.Name(s, "shard")
	edits = append(edits,
		rewrite.Insert(s.Enter.Node().Pos(), fmt.Sprintf("%s := %s.shardOf(%s)\n", name, base, text)),
	)
	for _, x := range append(s.Early[:len(s.Early):len(s.Early)], s.Enter, s.Leave) {
		for sel := range x.Preorder((*ast.SelectorExpr)(nil)) {
			if types.ExprString(sel.Node().(ast.Expr)) == types.ExprString(s.X) {
				edits = append(edits, rewrite.Replace(sel.Node(), name+"."+c.Var.Name()))
			}
		}
	}
	makes := false
	for _, p := range places {
		edits = append(edits, rewrite.Replace(p.Node(), name+"."+c.m.Name()))
		part, _ := uses.Elements(p.Cursor)
		makes = makes || uses.Written(part)
	}
	if makes {
		after := s.Enter.Node()
		if s.Deferred {
			after = s.Leave.Node()
		}
		m := name + "." + c.m.Name()
		edits = append(edits, rewrite.Insert(after.End(), fmt.Sprintf("\nif %s == nil {\n%s = make(%s)\n}", m, m, c.typ(s.Enter))))
	}
	return edits, "", 0
}

// key is the key with which the map is used at a place, or nil.
func (c *check) key(p guard.Place) ast.Expr {
	switch p.ParentEdgeKind() {
	case edge.IndexExpr_X:
		if part, _ := uses.Elements(p.Cursor); part.ParentEdgeKind() != edge.UnaryExpr_X || !uses.Written(part) {
			return p.Parent().Node().(*ast.IndexExpr).Index
		}
	case edge.CallExpr_Args:
		call := p.Parent().Node().(*ast.CallExpr)
		if id, ok := call.Fun.(*ast.Ident); ok && call.Args[0] == p.Node() {
			if b, ok := c.Uses.Info.Uses[id].(*types.Builtin); ok && b.Name() == "delete" {
				return call.Args[1]
			}
		}
	}
	return nil
}

// known returns why a key is not known yet when the lock is taken, or "".
func (c *check) known(s *section.Section, key ast.Expr) (why string) {
	set := c.Does[s].Writes
	ast.Inspect(key, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !c.Uses.Info.Types[n.Fun].IsType() {
				why = "a key is the result of a call"
			}
		case *ast.IndexExpr, *ast.StarExpr, *ast.FuncLit, *ast.UnaryExpr:
			why = "a key is computed under the lock"
		case *ast.Ident:
			v, ok := c.Uses.Info.Uses[n].(*types.Var)
			switch {
			case !ok:
			case set[v.Origin()] || c.Guarded[v.Origin()]:
				why = "a key changes under the lock"
			case !v.IsField() && v.Parent() != c.Pass.Pkg.Scope() && v.Pos() > s.Enter.Node().Pos():
				why = "a key is made under the lock"
			}
		}
		return why == ""
	})
	return why
}

// elsewhere rewrites a use outside the sections.
func (c *check) elsewhere(p guard.Place) (edits []analysis.TextEdit, why string) {
	if p.ParentEdgeKind() == edge.KeyValueExpr_Key {
		pair := p.Parent().Node().(*ast.KeyValueExpr)
		if !c.empty(pair.Value) {
			return nil, "a literal gives it values"
		}
		return c.Settle(p.Parent(), nil)
	}
	if p.ParentEdgeKind() == edge.AssignStmt_Lhs {
		a := p.Parent().Node().(*ast.AssignStmt)
		if len(a.Lhs) == 1 && len(a.Rhs) == 1 && c.empty(a.Rhs[0]) {
			if _, ok := uses.Statement(p.Parent()); ok {
				return []analysis.TextEdit{rewrite.Drop(c.Pass.Fset, p.Parent())}, ""
			}
		}
	}
	key := c.key(p)
	part, _ := uses.Elements(p.Cursor)
	sel, ok := p.Node().(*ast.SelectorExpr)
	if key == nil || !ok || uses.Written(part) {
		return nil, c.m.Name() + " is used without the lock"
	}
	return []analysis.TextEdit{rewrite.Insert(sel.X.End(), ".shardOf("+rewrite.Text(c.Pass.Fset, key)+")")}, ""
}

// empty reports whether an expression makes a map without elements.
func (c *check) empty(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := c.Uses.Info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "make"
	case *ast.Ident:
		return c.Uses.Info.Types[e].IsNil()
	}
	return false
}

// typ writes the type of the map as a place knows it.
func (c *check) typ(at inspector.Cursor) string {
	for f := range at.Enclosing((*ast.File)(nil)) {
		file := f.Node().(*ast.File)
		return types.TypeString(c.m.Type(), func(p *types.Package) string {
			if p == c.Pass.Pkg {
				return ""
			}
			name, _ := rewrite.Import(c.Pass.Pkg, file, p.Path(), at.Node().Pos())
			return name
		})
	}
	return ""
}

// declare replaces the lock and the map in the struct by the shards.
func (c *check) declare(keeps bool, key *types.Basic) (edits []analysis.TextEdit, why string) {
	var lock, m *ast.Field
	var at inspector.Cursor
	for x := range c.owner.Under.Preorder((*ast.Field)(nil)) {
		f := x.Node().(*ast.Field)
		for _, id := range f.Names {
			v := c.Uses.Info.Defs[id]
			if v != c.Var && v != c.m {
				continue
			}
			if len(f.Names) > 1 {
				return nil, "it is declared together with others"
			}
			if v == c.Var {
				lock = f
				if !keeps {
					edits = append(edits, rewrite.Drop(c.Pass.Fset, x))
				}
			} else {
				m, at = f, x
			}
		}
	}
	if lock == nil || m == nil {
		return nil, "it is embedded"
	}
	part := strings.ToLower(c.owner.Name.Name()[:1]) + c.owner.Name.Name()[1:] + "Shard"
	decl := at
	for decl.ParentEdgeKind() != edge.File_Decls {
		decl = decl.Parent()
	}
	file := decl.Parent().Node().(*ast.File)
	part = rewrite.Fresh(c.Pass.Pkg, file, part)
	begin := m.Pos()
	if m.Doc != nil {
		begin = m.Doc.Pos()
	}
	edits = append(edits, analysis.TextEdit{Pos: begin, End: m.End(), NewText: fmt.Appendf(nil, "shards [%d]%s", parts, part)})
	text := func(n ast.Node) string { return rewrite.Text(c.Pass.Fset, n) }
	sizes := c.Pass.TypesSizes
	room := layout.Line - sizes.Sizeof(types.NewStruct([]*types.Var{c.Var, c.m}, nil))
	owner := c.owner.Name.Name()
	recv := strings.ToLower(owner[:1])
	var hash, seed string
	if key.Info()&types.IsString != 0 {
		pkg, imports := rewrite.Import(c.Pass.Pkg, file, "hash/maphash", decl.Node().Pos())
		edits = append(edits, imports...)
		seedName := rewrite.Fresh(c.Pass.Pkg, file, part+"Seed")
		seed = fmt.Sprintf("var %s = %s.MakeSeed()\n\n", seedName, pkg)
		value := "key"
		if _, plain := types.Unalias(c.m.Type().Underlying().(*types.Map).Key()).(*types.Basic); !plain {
			value = "string(key)"
		}
		hash = fmt.Sprintf("%s.String(%s, %s)%%%d", pkg, seedName, value, parts)
	} else {
		hash = "uint64(key)*0x9e3779b97f4a7c15>>58" // its upper six bits
	}
	keyType := types.TypeString(c.m.Type().Underlying().(*types.Map).Key(), func(p *types.Package) string {
		if p == c.Pass.Pkg {
			return ""
		}
		return p.Name()
	})
	if mt, ok := m.Type.(*ast.MapType); ok {
		keyType = text(mt.Key)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n// A %s has the keys of one hash.\ntype %s struct {\n\t%s %s\n\t%s %s\n\t_ [%d]byte // fills the cache line\n}\n\n", part, part, c.Var.Name(), text(lock.Type), c.m.Name(), text(m.Type), room)
	fmt.Fprintf(&b, "%s// shardOf returns the shard that has the key.\nfunc (%s *%s) shardOf(key %s) *%s { return &%s.shards[%s] }", seed, recv, owner, keyType, part, recv, hash)
	return append(edits, rewrite.Insert(decl.Node().End(), b.String())), ""
}
