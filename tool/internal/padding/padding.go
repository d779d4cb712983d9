// Package padding moves variables apart that lie on one cache line: the edit
// to try where goroutines share a line falsely.
//
// Fields get blank fields around them; variables and elements of slices and
// arrays get a padded type: how is package room's. It does not ask whether that pays: sharing says
// where goroutines meet, and a trial what moving them apart buys. To make the
// edit costs a few calls of go list and two type checks.
package padding

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/room"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Part is what of the variables behind sites is moved.
type Part int

const (
	All      Part = iota
	Singles       // fields and variables: room that is there once
	Elements      // of slices and arrays: room for each
	Structs       // of fields: room behind the struct
)

// Apart returns an edit under which the variables behind the sites lie at
// least 128 bytes from their neighbours. The test binary of pkg has been
// type-checked with it, and computes what it did before in more memory: half
// the room is mostly enough.
//
// Of a part the rest stays where it is and is in no note: room for each element may
// cost more than it saves where a few fields beside are what meets.
//
// What it leaves is in the edit's notes, each with the reason: a variable known
// by its address alone or declared in another package, a slice that comes from
// elsewhere, a struct whose layout the code relies on.
func Apart(ctx context.Context, tc *gocmd.Toolchain, pkg string, sites []sharing.Watched, part Part) (*edit.Draft, error) {
	prog, err := program.List(ctx, tc, pkg)
	if err != nil {
		return nil, fmt.Errorf("padding: %w", err)
	}
	paths := prog.Editable()
	pkgs, err := prog.Typed(paths)
	if err != nil {
		return nil, fmt.Errorf("padding: %w", err)
	}
	e := pad(pkgs, sites, part)
	o, err := e.Overlay()
	if err == nil && len(o) > 0 {
		err = prog.Check(o, paths)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("the padded code does not compile: %w", err)
	}
	return e, nil
}

// A padder makes an edit of what lies behind sites.
type padder struct {
	*edit.Draft
	pkgs    []*program.Package
	part    Part
	indexes map[*program.Package]*uses.Index
	structs []*roomy
	moved   map[*types.Var]bool // variables that have a padded type
}

func pad(pkgs []*program.Package, sites []sharing.Watched, part Part) *edit.Draft {
	p := &padder{Draft: &edit.Draft{}, pkgs: pkgs, part: part, indexes: map[*program.Package]*uses.Index{}, moved: map[*types.Var]bool{}}
	for _, site := range sites {
		if err := p.behind(site); err != nil {
			note := edit.Note{What: site.Expr, At: site.Place, Says: err.Error()}
			if r := (reason{}); errors.As(err, &r) {
				note.Says, note.Reason = r.why, r.at
			}
			if !slices.Contains(p.Leaves, note) {
				p.Leaves = append(p.Leaves, note)
			}
		}
	}
	p.apart()
	for _, s := range pkgs {
		for v := range p.moved {
			if v.Pkg() == s.Types {
				p.Add(s.Extra("payoff_padding"), fmt.Appendf(nil, paddedSource, s.Name, layout.Line))
				break
			}
		}
	}
	return p.Draft
}

// A reason is why something cannot be moved, and where the program says so.
type reason struct {
	why string
	at  source.Place
}

func (r reason) Error() string { return r.why }

// behind moves what is behind one site.
func (p *padder) behind(site sharing.Watched) error {
	for _, s := range p.pkgs {
		for _, f := range s.Files {
			if f.Name != site.File {
				continue
			}
			if err := program.Editable(s.Package); err != nil {
				return err
			}
			e := at(s, f, site.Site)
			star, byAddress := e.(*ast.StarExpr)
			if byAddress {
				e = star.X
			}
			if !byAddress && !site.Address {
				return p.what(s, e)
			}
			targets, ok := pointsTo(s, variable(s, e))
			if !ok {
				return errors.New("it is known by its address alone: which variable that is shows at run time")
			}
			for _, e := range targets {
				if err := p.what(s, e); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return errors.New("it is in no file of a main module that can be rewritten")
}

// what moves what e stands for, and notes it.
func (p *padder) what(s *program.Package, e ast.Expr) error {
	index, isElement := e.(*ast.IndexExpr)
	if isElement {
		e = index.X
	}
	v := variable(s, e)
	if p.part == Elements && !isElement || p.part == Singles && isElement || p.part == Structs && (isElement || v == nil || !v.IsField()) {
		return nil
	}
	switch {
	case v == nil:
		return errors.New("no variable is written there")
	case v.Pkg() != s.Types && (isElement || !v.IsField()):
		return errors.New("it is declared in package " + v.Pkg().Path())
	}
	note := edit.Note{What: "field " + v.Name(), At: s.Place(v.Pos()), Says: "has room around it"}
	if p.part == Structs {
		note.Says = "has room behind its struct"
	}
	var err error
	switch {
	case isElement:
		note.What, note.Says = "elements of "+v.Name(), "have room around them"
		err = p.move(s, v, true)
	case !v.IsField():
		note.What = "variable " + v.Name()
		err = p.move(s, v, false)
	default:
		err = p.field(s, v)
	}
	if err == nil && !slices.Contains(p.Does, note) {
		p.Does = append(p.Does, note)
	}
	return err
}

// pointsTo returns all that the program lets v point to, a local variable, if
// it says so by address: c := &s.hits.
func pointsTo(s *program.Package, v *types.Var) (targets []ast.Expr, ok bool) {
	if v == nil || v.IsField() {
		return nil, false
	}
	ok = true
	is := func(e ast.Expr) bool { return e != nil && variable(s, e) == v }
	for _, f := range s.Files {
		for n := range ast.Preorder(f.File) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, e := range n.Lhs {
					if is(e) {
						u, isAddress := n.Rhs[min(i, len(n.Rhs)-1)].(*ast.UnaryExpr)
						if !isAddress || u.Op != token.AND {
							return nil, false
						}
						targets = append(targets, u.X)
					}
				}
			case *ast.ValueSpec:
				ok = ok && !slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return is(id) && len(n.Values) > 0 })
			case *ast.Field: // a parameter
				ok = ok && !slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return is(id) })
			case *ast.RangeStmt:
				ok = ok && !is(n.Key) && !is(n.Value)
			case *ast.UnaryExpr:
				ok = ok && !(n.Op == token.AND && is(n.X))
			}
		}
	}
	return targets, ok && len(targets) > 0
}

// move gives v, or its elements, a type with room, and what they come from and go to.
func (p *padder) move(s *program.Package, v *types.Var, elements bool) error {
	if p.moved[v] {
		return nil
	}
	m := &room.Move{Index: p.index(s), Elements: elements, Flows: true, Values: true, Allow: func(v *types.Var) (string, token.Pos) {
		if p.moved[v] {
			return "what it belongs to has been moved in another way", token.NoPos
		}
		return "", token.NoPos
	}}
	m.Join(v)
	if why, at := m.Find(); why != "" {
		r := reason{why: why}
		if at.IsValid() {
			r.at = s.Place(at)
		}
		return r
	}
	changes := m.Changes(s.Fset, room.Type{Name: "payoffPadded", Generic: true, Field: "v", Make: "payoffPad"})
	for _, c := range changes {
		if s.FileOf(c.From) == nil {
			return reason{"it is used in a file that cannot be rewritten", s.Place(c.From)}
		}
	}
	for _, c := range changes {
		f := s.FileOf(c.From)
		file := p.File(f.Name, f.Src)
		from, to := s.Offset(c.From), s.Offset(c.To)
		if c.Selector {
			file.Insert(to, c.After)
		} else {
			file.Around(from, to, c.Before, c.After)
		}
	}
	for _, v := range m.Variables() {
		p.moved[v] = true
	}
	return nil
}

func (p *padder) index(s *program.Package) *uses.Index {
	if p.indexes[s] == nil {
		p.indexes[s] = uses.New(inspector.New(s.Syntax), s.TypesInfo)
	}
	return p.indexes[s]
}

// at finds the expression of a site, or nil.
func at(s *program.Package, f *program.File, site sharing.Site) (found ast.Expr) {
	ast.Inspect(f.File, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && found == nil {
			if at := s.Position(e.Pos()); at.Line == site.Line && at.Column == site.Column {
				if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND { // a receiver
					e = u.X
				}
				if e = ast.Unparen(e); types.ExprString(e) == site.Expr {
					found = e
				}
			}
		}
		return found == nil
	})
	return found
}

// variable is the variable or field that e names, or nil.
func variable(s *program.Package, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if sel, isSel := ast.Unparen(e).(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	if v, ok := s.TypesInfo.ObjectOf(id).(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// paddedSource has room on both sides: the neighbours of a single variable may
// lie on either.
const paddedSource = `package %[1]s

type payoffPadded[T any] struct {
	_ [%[2]d]byte
	v T
	_ [%[2]d]byte
}

func payoffPad[T any](v T) payoffPadded[T] { return payoffPadded[T]{v: v} }
`
