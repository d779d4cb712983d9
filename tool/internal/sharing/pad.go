package sharing

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// distance is how far apart padded variables lie: 128 bytes is the line of
// Apple's arm64 cores, and the pair of lines that x86 cores prefetch together.
const distance = "128"

// Pad returns an overlay under which the variables behind the sites lie at
// least 128 bytes from their neighbours, and how: fields of structs get room
// around them, elements of slices and single variables a padded type. All is
// done where they are declared, in any package of the test binary of pkg that
// is in a main module; the result has been type-checked and computes what it
// did before, in more memory.
//
// If some sites can be padded and others not, how says so. If none can, the
// error has the reasons: a variable known by its address alone, a slice that
// comes from elsewhere, a struct whose layout the code relies on.
//
// It is a trial, not the fix: half the padding is mostly enough.
func Pad(ctx context.Context, tc *gocmd.Toolchain, pkg string, sites []Watched) (o overlay.Overlay, how string, err error) {
	if len(sites) == 0 {
		return nil, "", fmt.Errorf("pad %s: no sites: watch it first", pkg)
	}
	prog, err := list(ctx, tc, pkg)
	if err != nil {
		return nil, "", fmt.Errorf("pad: %w", err)
	}
	paths := prog.mains()
	sources, err := prog.typed(paths)
	if err != nil {
		return nil, "", fmt.Errorf("pad: %w", err)
	}
	p := newPadder(sources)
	for _, site := range sites {
		p.pad(site)
	}
	if len(p.done) == 0 {
		return nil, "", fmt.Errorf("pad %s: %s", pkg, strings.Join(p.refused, "; "))
	}
	o = p.build()
	how = strings.Join(append(p.done, p.refused...), "; ")
	if err := prog.check(o, paths); err != nil {
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		return nil, "", fmt.Errorf("padding %s did not type-check: %w", how, err)
	}
	return o, how, nil
}

// A padder changes the declarations behind sites.
type padder struct {
	sources []*source
	done    []string
	refused []string
	structs []*paddedStruct
	moved   map[*types.Var]bool // variables that have a padded type
}

func newPadder(sources []*source) *padder {
	return &padder{sources: sources, moved: map[*types.Var]bool{}}
}

// pad pads what is behind one site, or says why not.
func (p *padder) pad(site Watched) {
	how, err := p.behind(site)
	switch {
	case err != nil:
		how = fmt.Sprintf("%s stays: %v", site.Site, err)
		if !slices.Contains(p.refused, how) {
			p.refused = append(p.refused, how)
		}
	case !slices.Contains(p.done, how):
		p.done = append(p.done, how)
	}
}

func (p *padder) behind(site Watched) (how string, err error) {
	for _, s := range p.sources {
		for _, f := range s.files {
			if f.name != site.File {
				continue
			}
			if err := watchable(s.Package); err != nil {
				return "", err
			}
			e, field := s.at(f, site)
			switch {
			case field != nil:
				return p.field(field)
			case e != nil && strings.HasSuffix(site.Expr, elementOf):
				return p.element(s, e, s.elem(e))
			case e != nil:
				return p.expr(s, e)
			}
			return "", errors.New("the file has changed: watch it again")
		}
	}
	return "", errors.New("it is in no file of a main module that can be rewritten")
}

// at finds the expression of a site, or the embedded field that it names
// without writing it.
func (s *source) at(f *sourceFile, site Watched) (found ast.Expr, field *types.Var) {
	ast.Inspect(f.File, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found != nil || field != nil {
			return found == nil && field == nil
		}
		if at := s.position(e.Pos()); at.Line != site.Line || at.Column != site.Column {
			return true
		}
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		if text := types.ExprString(ast.Unparen(e)); text == site.Expr || text+elementOf == site.Expr {
			found = ast.Unparen(e)
		} else if sel, ok := e.(*ast.SelectorExpr); ok && s.method(sel) {
			if path, _, ok := s.promoted(sel); ok && path != "" && types.ExprString(sel.X)+path == site.Expr {
				field = s.lastField(sel)
			}
		}
		return true
	})
	return found, field
}

// lastField is the embedded field that a promoted method belongs to.
func (s *source) lastField(sel *ast.SelectorExpr) (f *types.Var) {
	sn := s.TypesInfo.Selections[sel]
	typ := sn.Recv()
	for _, i := range sn.Index()[:len(sn.Index())-1] {
		f = deref(typ).Underlying().(*types.Struct).Field(i)
		typ = f.Type()
	}
	return f.Origin()
}

// expr pads what e stands for.
func (p *padder) expr(s *source, e ast.Expr) (how string, err error) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := s.TypesInfo.ObjectOf(e).(*types.Var); ok {
			return p.flow(v, false)
		}
	case *ast.SelectorExpr:
		v, ok := s.TypesInfo.ObjectOf(e.Sel).(*types.Var)
		switch {
		case ok && v.IsField():
			return p.field(v.Origin())
		case ok && v.Pkg() == s.Types:
			return p.flow(v, false)
		case ok:
			return "", fmt.Errorf("it is a variable of package %s", v.Pkg().Path())
		}
	case *ast.IndexExpr:
		return p.element(s, e.X, s.TypesInfo.TypeOf(e))
	case *ast.StarExpr:
		return "", errors.New("it is known by its address alone: which variable that is shows at run time")
	}
	return "", errors.New("it is no variable, field or element")
}

// elem is the type of the elements of e.
func (s *source) elem(e ast.Expr) types.Type {
	switch u := deref(s.TypesInfo.TypeOf(e)).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return nil
}

// element pads the elements of e: structs of ours in their own declaration,
// others by a padded type.
func (p *padder) element(s *source, e ast.Expr, elem types.Type) (how string, err error) {
	if named, ok := types.Unalias(elem).(*types.Named); ok {
		if _, isStruct := named.Underlying().(*types.Struct); isStruct {
			if home, obj := p.home(named.Origin().Obj()); home != nil {
				return p.wholeStruct(home, obj.(*types.TypeName))
			}
		}
	}
	var v *types.Var
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ = s.TypesInfo.ObjectOf(x).(*types.Var)
	case *ast.SelectorExpr:
		v, _ = s.TypesInfo.ObjectOf(x.Sel).(*types.Var)
	}
	if v == nil {
		return "", fmt.Errorf("its elements belong to %s, which is no variable", types.ExprString(e))
	}
	return p.flow(v.Origin(), true)
}

// build makes the overlay of all that was changed.
func (p *padder) build() overlay.Overlay {
	p.layStructs()
	o := overlay.Overlay{}
	for _, s := range p.sources {
		padded := false
		for _, f := range s.files {
			if len(f.edits) > 0 {
				o[f.name] = f.edits.apply(f.text)
			}
			padded = padded || slices.ContainsFunc(f.edits, func(e edit) bool { return strings.Contains(e.text, "payoffPad") })
		}
		if padded {
			o[s.extra("payoff_padding")] = fmt.Appendf(nil, paddedSource, s.Name, distance)
		}
	}
	return o
}

// paddedSource has room on both sides: the neighbours of a single variable may
// lie on either.
const paddedSource = `package %[1]s

type payoffPadded[T any] struct {
	_ [%[2]s]byte
	v T
	_ [%[2]s]byte
}

func payoffPad[T any](v T) payoffPadded[T] { return payoffPadded[T]{v: v} }
`

// home returns the source that declares o, and o as that source knows it:
// packages that are loaded apart have objects of their own.
func (p *padder) home(o types.Object) (*source, types.Object) {
	if o.Pkg() == nil {
		return nil, nil
	}
	for _, s := range p.sources {
		if s.Types == o.Pkg() {
			return s, o
		}
	}
	for _, s := range p.sources {
		if s.PkgPath != o.Pkg().Path() {
			continue
		}
		for _, d := range s.TypesInfo.Defs {
			if d != nil && s.key(d) == s.key(o) {
				return s, d
			}
		}
	}
	return nil, nil
}

// key names an object across packages that were loaded apart. What the
// compiler left of such a package has no columns.
func (s *source) key(o types.Object) string {
	at := s.position(o.Pos())
	return fmt.Sprintf("%s:%d:%s", at.Filename, at.Line, o.Name())
}
