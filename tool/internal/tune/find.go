package tune

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A declaration is one name of a const or var declaration, of a package or in
// a function.
type declaration struct {
	pkg  *program.Package
	file *program.File
	decl *ast.GenDecl
	spec int // index in decl
	name int // index in the spec
	fn   string
}

func (d declaration) values() *ast.ValueSpec { return d.decl.Specs[d.spec].(*ast.ValueSpec) }
func (d declaration) ident() *ast.Ident      { return d.values().Names[d.name] }
func (d declaration) place() source.Place    { return d.pkg.Place(d.ident().Pos()) }

// short is the name that reports use.
func (d declaration) short() string {
	if d.fn != "" {
		return d.fn + "." + d.ident().Name
	}
	return d.ident().Name
}

// declarations returns those of all files, in their order.
func declarations(pkgs []*program.Package) (all []declaration) {
	for _, p := range pkgs {
		for _, f := range p.Files {
			add := func(fn string, n ast.Node) {
				decl, ok := n.(*ast.GenDecl)
				if !ok || decl.Tok != token.CONST && decl.Tok != token.VAR {
					return
				}
				for i, s := range decl.Specs {
					for j := range s.(*ast.ValueSpec).Names {
						all = append(all, declaration{p, f, decl, i, j, fn})
					}
				}
			}
			for _, d := range f.Decls {
				add("", d)
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					for n := range ast.Preorder(fn.Body) {
						add(funcName(fn), n)
					}
				}
			}
		}
	}
	return all
}

// funcName is the name of a function, of a method with its type before it.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

// Find returns the constant that a name means among the packages. Where
// several have the name, that of the package at path tested is meant, if there
// is one.
func Find(pkgs []*program.Package, name, tested string) (*Constant, error) {
	// How a declaration is named, the surest first.
	names := []func(d declaration) string{
		func(d declaration) string { return d.short() },
		func(d declaration) string { return d.pkg.Name + "." + d.short() },
		func(d declaration) string { return program.ListPath(d.pkg.Package) + "." + d.short() },
		func(d declaration) string { return d.ident().Name },
	}
	all := declarations(pkgs)
	for _, how := range names {
		var found, here []declaration
		for _, d := range all {
			if how(d) == name && d.ident().Name != "_" {
				found = append(found, d)
				if program.ListPath(d.pkg.Package) == tested {
					here = append(here, d)
				}
			}
		}
		if len(here) > 0 {
			found = here
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0].constant()
		}
		var list []string
		for _, d := range found {
			list = append(list, fmt.Sprintf("%s.%s at %s", program.ListPath(d.pkg.Package), d.short(), d.place()))
		}
		return nil, fmt.Errorf("%s: it is declared more than once: name one of %s", name, strings.Join(list, ", "))
	}
	return nil, fmt.Errorf("%s: no constant or variable of this name in %s: give its package too, like pkg.%[1]s, or the function it is in, like Sort.%[1]s", name, strings.Join(paths(pkgs), " "))
}

func paths(pkgs []*program.Package) (out []string) {
	for _, p := range pkgs {
		out = append(out, program.ListPath(p.Package))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A Marked is a constant under a //payoff:tune comment.
type Marked struct {
	Constant *Constant // nil where it is refused
	Grid     Grid
	Err      error // names the place
}

const mark = "//payoff:tune"

// Comments returns the constants that //payoff:tune comments mark: on the line
// of a declaration of one name, or on the lines before it. A comment that marks
// nothing has an error.
func Comments(pkgs []*program.Package) (marked []Marked) {
	all := declarations(pkgs)
	for _, p := range pkgs {
		for _, f := range p.Files {
			for _, g := range f.Comments {
				for _, c := range g.List {
					text, ok := strings.CutPrefix(c.Text, mark)
					if !ok || text != "" && text[0] != ' ' && text[0] != '\t' {
						continue
					}
					var m Marked
					m.Grid, m.Err = ParseGrid(strings.TrimSpace(text))
					if m.Err == nil {
						m.Constant, m.Err = markedBy(all, p, f, g, c)
					}
					if m.Err != nil {
						m.Err = fmt.Errorf("%s: %s: %w", p.Place(c.Pos()), mark, m.Err)
					}
					marked = append(marked, m)
				}
			}
		}
	}
	return marked
}

func markedBy(all []declaration, p *program.Package, f *program.File, g *ast.CommentGroup, c *ast.Comment) (*Constant, error) {
	line := func(pos token.Pos) int { return p.Position(pos).Line }
	var found []declaration
	for _, d := range all {
		if at := line(d.values().Pos()); d.file == f && (at == line(c.Pos()) || at == line(g.End())+1 || line(d.decl.Pos()) == line(g.End())+1 && len(d.decl.Specs) == 1) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return nil, errors.New("no const or var declaration stands on its line or on the next")
	case 1:
		return found[0].constant()
	}
	return nil, errors.New("it marks more than one name: declare the constant on a line of its own")
}

// constant returns what d declares, or why it cannot be tuned.
func (d declaration) constant() (*Constant, error) {
	o := d.pkg.TypesInfo.Defs[d.ident()]
	if o == nil {
		return nil, fmt.Errorf("%s at %s: it has no type", d.short(), d.place())
	}
	c := &Constant{Name: d.short(), Package: program.ListPath(d.pkg.Package), Variable: d.decl.Tok == token.VAR, Place: d.place(), key: d.pkg.Key(o), src: d.file.Src}
	c.File = d.file.Name
	expr, err := d.value()
	if err == nil {
		err = d.form(c, o.Type(), expr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s at %s cannot be tuned: %w", c.Name, c.Place, err)
	}
	if v, ok := o.(*types.Var); ok {
		c.Assigned = assigned(d.pkg, v)
	}
	return c, nil
}

// value returns the expression that d alone has as its value.
func (d declaration) value() (ast.Expr, error) {
	spec := d.values()
	switch {
	case strings.HasSuffix(d.file.Name, "_test.go"):
		return nil, errors.New("it is in a test file: it would change the benchmark, not what is measured")
	case ast.IsGenerated(d.file.File):
		return nil, fmt.Errorf("%s is generated", filepath.Base(d.file.Name))
	case len(spec.Values) == 0 && d.decl.Tok == token.CONST:
		return nil, errors.New("it repeats the expression above it: give it a value of its own")
	case len(spec.Values) == 0:
		return nil, errors.New("its declaration has no value")
	case len(spec.Values) != len(spec.Names):
		return nil, errors.New("its value comes from a call")
	}
	expr := spec.Values[d.name]
	for n := range ast.Preorder(expr) {
		if id, ok := n.(*ast.Ident); ok && d.pkg.TypesInfo.Uses[id] == types.Universe.Lookup("iota") {
			return nil, errors.New("its value is made of iota")
		}
	}
	if d.decl.Tok == token.CONST && d.spec+1 < len(d.decl.Specs) {
		if next := d.decl.Specs[d.spec+1].(*ast.ValueSpec); len(next.Values) == 0 {
			return nil, fmt.Errorf("%s below repeats its expression", next.Names[0].Name)
		}
	}
	return expr, nil
}

// form finds the value and how another one is written in its place, so that
// the type stays what it is.
func (d declaration) form(c *Constant, typ types.Type, expr ast.Expr) error {
	text := func(n ast.Node) string {
		from, to := d.pkg.Offsets(n)
		return string(d.file.Src[from:to])
	}
	info := d.pkg.TypesInfo
	value := info.Types[expr].Value
	if value == nil {
		return fmt.Errorf("its value is no constant but %s", text(expr))
	}
	basic, ok := typ.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || basic.Kind() == types.UntypedRune {
		return fmt.Errorf("it is a %s: whole numbers and durations can be tuned", strings.TrimPrefix(typ.String(), "untyped "))
	}
	v, exact := constant.Int64Val(constant.ToInt(value))
	if !exact || v < 0 {
		return fmt.Errorf("its value %s is negative, or more than an int64 holds", value)
	}
	c.Present = v
	c.Duration = isDuration(typ)
	inner := expr
	if c.Duration {
		c.Unit = d.timeName(expr)
	}
	if d.values().Type == nil && c.Unit == "" && typ != types.Typ[types.UntypedInt] && (d.decl.Tok == token.CONST || typ != types.Typ[types.Int]) {
		call, ok := ast.Unparen(expr).(*ast.CallExpr)
		if !ok || !info.Types[call.Fun].IsType() || len(call.Args) != 1 {
			return fmt.Errorf("its type %s comes from its value %s: write the type before the =", types.TypeString(typ, types.RelativeTo(d.pkg.Types)), text(expr))
		}
		inner = call.Args[0]
		if w, ok := constant.Int64Val(constant.ToInt(info.Types[inner].Value)); !ok || w != v {
			return fmt.Errorf("its conversion %s changes the value", text(expr))
		}
	}
	c.From, c.To = d.pkg.Offsets(inner)
	return nil
}

func isDuration(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

// timeName is how expr calls package time, "" if it does not.
func (d declaration) timeName(expr ast.Expr) string {
	for n := range ast.Preorder(expr) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		if p, ok := d.pkg.TypesInfo.Uses[id].(*types.PkgName); ok && p.Imported().Path() == "time" {
			return id.Name
		}
	}
	return ""
}

// assigned is the first place of a package at which v gets a value after its
// declaration, or its address is taken.
func assigned(p *program.Package, v *types.Var) (first source.Place) {
	is := func(e ast.Expr) bool {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return p.TypesInfo.Uses[x] == v
		case *ast.SelectorExpr:
			return p.TypesInfo.Uses[x.Sel] == v
		}
		return false
	}
	note := func(n ast.Node) {
		if at := p.Place(n.Pos()); first.File == "" || cmp.Or(cmp.Compare(at.File, first.File), cmp.Compare(at.Line, first.Line)) < 0 {
			first = at
		}
	}
	for _, f := range p.Files {
		for n := range ast.Preorder(f.File) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if slices.ContainsFunc(n.Lhs, is) {
					note(n)
				}
			case *ast.IncDecStmt:
				if is(n.X) {
					note(n)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && is(n.X) {
					note(n)
				}
			}
		}
	}
	return first
}
