package padding

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/room"
)

// A roomy is a struct type whose fields get room.
type roomy struct {
	home *program.Package
	file *program.File
	node *ast.StructType
	has  map[*types.Var]bool // room around it
}

// field puts room around a field, in whichever package of the program that is.
func (p *padder) field(s *program.Package, v *types.Var) error {
	key := s.Key(v)
	for _, home := range p.pkgs {
		if home.PkgPath != v.Pkg().Path() {
			continue
		}
		for _, f := range home.Files {
			for n := range ast.Preorder(f.File) {
				st, ok := n.(*ast.StructType)
				if !ok {
					continue
				}
				for _, id := range names(st) {
					if o, ok := home.TypesInfo.Defs[id].(*types.Var); ok && home.Key(o) == key {
						if err := p.free(home, st); err != nil {
							return err
						}
						p.roomy(home, f, st).has[o] = true
						return nil
					}
				}
			}
		}
	}
	return errors.New("it is embedded, or declared in a file that cannot be rewritten")
}

// names are the fields of a struct type that have names.
func names(st *ast.StructType) (all []*ast.Ident) {
	for _, f := range st.Fields.List {
		all = append(all, f.Names...)
	}
	return all
}

func (p *padder) roomy(home *program.Package, f *program.File, st *ast.StructType) *roomy {
	for _, r := range p.structs {
		if r.node == st {
			return r
		}
	}
	r := &roomy{home, f, st, map[*types.Var]bool{}}
	p.structs = append(p.structs, r)
	return r
}

// apart makes the room: fields beside each other share what is between them, and a struct
// as a whole fills its last line. Lines stay as they are.
func (p *padder) apart() {
	for _, r := range p.structs {
		before := map[*types.Var]int64{}
		t := r.home.TypesInfo.TypeOf(r.node).(*types.Struct)
		n := t.NumFields()
		last := r.node.Fields.List[len(r.node.Fields.List)-1]
		if p.part == Structs {
			text := fmt.Sprintf("; _ [%d]byte", layout.Line-r.home.TypesSizes.Sizeof(t)%layout.Line)
			if line := r.home.Fset.Position; last.Comment == nil && line(last.End()).Line < line(r.node.Fields.Closing).Line {
				text += " // no two share a cache line"
			}
			from, to := r.home.Offsets(last)
			p.File(r.file.Name, r.file.Src).After(from, to, text)
			continue
		}
		for i := range n {
			if r.has[t.Field(i)] || i > 0 && r.has[t.Field(i-1)] {
				before[t.Field(i)] = layout.Line
			}
		}
		file := p.File(r.file.Name, r.file.Src)
		for _, e := range room.Between(r.home.TypesInfo, r.home.Fset, r.node, before, false) {
			file.Replace(r.home.Offset(e.Pos), r.home.Offset(e.End), string(e.NewText))
		}
		if r.has[t.Field(n-1)] {
			from, to := r.home.Offsets(last)
			file.After(from, to, fmt.Sprintf("; _ [%d]byte", layout.Line))
		}
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
