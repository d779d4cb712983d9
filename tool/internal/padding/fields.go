package padding

import (
	"errors"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/program"
)

// room is the field that keeps others away.
const room = "_ [" + distance + "]byte"

// field puts room around a field, and around those declared together with it,
// in whichever package of the program that is.
func (p *padder) field(s *program.Package, v *types.Var) error {
	key := s.Key(v)
	for _, home := range p.pkgs {
		if home.PkgPath != v.Pkg().Path() {
			continue
		}
		is := func(id *ast.Ident) bool {
			o, ok := home.TypesInfo.Defs[id].(*types.Var)
			return ok && o.IsField() && home.Key(o) == key
		}
		for _, f := range home.Files {
			for n := range ast.Preorder(f.File) {
				st, ok := n.(*ast.StructType)
				if !ok {
					continue
				}
				for i, field := range st.Fields.List {
					if !slices.ContainsFunc(field.Names, is) {
						continue
					}
					if err := p.free(home, st); err != nil {
						return err
					}
					if !p.roomy[field] {
						p.roomy[field] = true
						beside := func(i int) bool { return i >= 0 && i < len(st.Fields.List) && p.roomy[st.Fields.List[i]] }
						around(home, p.File(f.Name, f.Src), f.Src, field, beside(i-1), beside(i+1))
					}
					return nil
				}
			}
		}
	}
	return errors.New("it is embedded, or declared in a file that cannot be rewritten")
}

// around puts room around the names of a field, which have to be declared one
// by one for that. Where the field before or after has room, that is theirs both.
func around(s *program.Package, file *edit.File, src []byte, f *ast.Field, before, after bool) {
	from, to := s.Offsets(f) // comments lie outside
	typ, _ := s.Offsets(f.Type)
	var b strings.Builder
	for i, id := range f.Names {
		if i > 0 {
			b.WriteString(string(src[typ:to]) + "; ") // with its tag
		}
		if i > 0 || !before {
			b.WriteString(room + "; ")
		}
		b.WriteString(id.Name + " ")
	}
	file.Replace(from, typ, b.String())
	if !after {
		file.After(from, to, "; "+room)
	}
}

// free returns an error if the program relies on what lies where in a struct
// type: by a literal without field names, or in a file that uses package
// unsafe. A conversion from or to it does not compile with room.
func (p *padder) free(home *program.Package, st *ast.StructType) error {
	first := home.TypesInfo.TypeOf(st).(*types.Struct).Field(0)
	for _, s := range p.pkgs {
		is := func(e ast.Expr) bool {
			typ := s.TypesInfo.TypeOf(e)
			if typ == nil {
				return false
			}
			u, ok := program.Deref(typ).Underlying().(*types.Struct)
			return ok && u.NumFields() > 0 && s.Key(u.Field(0)) == home.Key(first)
		}
		for _, f := range s.Syntax {
			low := slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote("unsafe") })
			for n := range ast.Preorder(f) {
				e, ok := n.(ast.Expr)
				if !ok {
					continue
				}
				if lit, ok := e.(*ast.CompositeLit); ok && len(lit.Elts) > 0 && is(lit) {
					if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
						return reason{"its struct type has a literal without field names", s.Place(n.Pos())}
					}
				}
				if low && is(e) {
					return reason{"its struct type is used beside package unsafe", s.Place(n.Pos())}
				}
			}
		}
	}
	return nil
}
