package sharing

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// room is the field that keeps others away.
const room = "_ [" + distance + "]byte"

// A paddedStruct is a struct type of ours that gets room: around some of its
// fields, or before the first and after the last.
type paddedStruct struct {
	*source
	file   *sourceFile
	syntax *ast.StructType
	typ    *types.Struct
	whole  bool
	fields map[string]bool
}

// field puts room around a field.
func (p *padder) field(v *types.Var) (how string, err error) {
	s, o := p.home(v)
	if s == nil {
		return "", fmt.Errorf("field %s is declared outside of the main module", v.Name())
	}
	st := p.syntaxOf(s, func(spec *ast.TypeSpec, st *ast.StructType) bool {
		return slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool {
			return slices.ContainsFunc(fieldNames(f), func(id *ast.Ident) bool { return s.TypesInfo.Defs[id] == o })
		})
	})
	if st == nil {
		return "", fmt.Errorf("field %s is declared where it cannot be rewritten", v.Name())
	}
	if err := p.free(st); err != nil {
		return "", err
	}
	st.fields[v.Name()] = true
	p.keep(st)
	at := s.position(o.Pos())
	return fmt.Sprintf("field %s at %s:%d has room around it", v.Name(), at.Filename, at.Line), nil
}

// wholeStruct puts room before and after a struct type, for elements of it.
func (p *padder) wholeStruct(s *source, o *types.TypeName) (how string, err error) {
	st := p.syntaxOf(s, func(spec *ast.TypeSpec, _ *ast.StructType) bool {
		return spec != nil && s.TypesInfo.Defs[spec.Name] == o
	})
	if st == nil {
		return "", fmt.Errorf("type %s is declared after another struct type", o.Name())
	}
	if err := p.free(st); err != nil {
		return "", err
	}
	st.whole = true
	p.keep(st)
	at := s.position(o.Pos())
	return fmt.Sprintf("type %s at %s:%d has room around it", o.Name(), at.Filename, at.Line), nil
}

// syntaxOf returns the first struct type of s that matches; spec is its
// declaration if it has one of its own.
func (p *padder) syntaxOf(s *source, match func(spec *ast.TypeSpec, st *ast.StructType) bool) (found *paddedStruct) {
	for _, f := range s.files {
		specs := map[*ast.StructType]*ast.TypeSpec{}
		ast.Inspect(f.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if st, ok := ast.Unparen(n.Type).(*ast.StructType); ok {
					specs[st] = n
				}
			case *ast.StructType:
				if found == nil && match(specs[n], n) {
					typ, _ := s.TypesInfo.TypeOf(n).(*types.Struct)
					found = &paddedStruct{source: s, file: f, syntax: n, typ: typ, fields: map[string]bool{}}
				}
			}
			return found == nil
		})
	}
	if found == nil || found.typ == nil || found.typ.NumFields() == 0 {
		return nil
	}
	for _, known := range p.structs {
		if known.syntax == found.syntax {
			return known
		}
	}
	return found
}

func (p *padder) keep(st *paddedStruct) {
	if !slices.Contains(p.structs, st) {
		p.structs = append(p.structs, st)
	}
}

// fieldNames are the names of a field, that of its type if it is embedded.
func fieldNames(f *ast.Field) []*ast.Ident {
	if len(f.Names) > 0 {
		return f.Names
	}
	for e := f.Type; ; {
		switch t := e.(type) {
		case *ast.Ident:
			return []*ast.Ident{t}
		case *ast.SelectorExpr:
			return []*ast.Ident{t.Sel}
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		default:
			return nil
		}
	}
}

// free returns an error if the program relies on what lies where in st: by an
// unkeyed literal, a conversion, or package unsafe.
func (p *padder) free(st *paddedStruct) (err error) {
	key := st.key(st.typ.Field(0))
	for _, s := range p.sources {
		is := func(typ types.Type) bool {
			if typ == nil {
				return false
			}
			u, ok := deref(typ).Underlying().(*types.Struct)
			return ok && u.NumFields() > 0 && s.key(u.Field(0)) == key
		}
		refuse := func(n ast.Node, why string) {
			if err == nil {
				at := s.position(n.Pos())
				err = fmt.Errorf("its struct type %s at %s:%d", why, at.Filename, at.Line)
			}
		}
		for _, f := range s.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if len(n.Elts) == 0 || !is(s.TypesInfo.TypeOf(n)) {
						break
					}
					if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
						refuse(n, "has a literal without field names")
					}
				case *ast.CallExpr:
					if len(n.Args) == 0 {
						break
					}
					arg := s.TypesInfo.TypeOf(n.Args[0])
					fun := s.TypesInfo.Types[n.Fun]
					if fun.IsType() {
						if from, to := is(arg), is(fun.Type); from != to && !types.IsInterface(fun.Type) && arg != types.Typ[types.UntypedNil] {
							refuse(n, "is converted")
						}
						break
					}
					if b, ok := s.callee(n).(*types.Builtin); ok && b.Name() != "Alignof" && b.Pkg() != nil {
						holds := func(e ast.Expr) bool { return holdsKey(s, s.TypesInfo.TypeOf(e), key) }
						sel, isSel := ast.Unparen(n.Args[0]).(*ast.SelectorExpr)
						if b.Name() == "Sizeof" && holds(n.Args[0]) || b.Name() == "Offsetof" && isSel && holds(sel.X) {
							refuse(n, "is measured by package unsafe")
						}
					}
				}
				return err == nil
			})
		}
	}
	return err
}

// callee returns what a call names, or nil.
func (s *source) callee(call *ast.CallExpr) types.Object {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return s.TypesInfo.Uses[f]
	case *ast.SelectorExpr:
		return s.TypesInfo.Uses[f.Sel]
	case *ast.IndexExpr: // of a generic function
		return s.callee(&ast.CallExpr{Fun: f.X})
	}
	return nil
}

// holdsKey reports whether a value of typ has the field within it.
func holdsKey(s *source, typ types.Type, key string) bool {
	switch u := typ.Underlying().(type) {
	case *types.Array:
		return holdsKey(s, u.Elem(), key)
	case *types.Struct:
		for f := range u.Fields() {
			if s.key(f) == key || holdsKey(s, f.Type(), key) {
				return true
			}
		}
	}
	return false
}

// layStructs makes the edits of the struct types, once all are known.
func (p *padder) layStructs() {
	for _, st := range p.structs {
		list := st.syntax.Fields.List
		if st.whole {
			from, _ := st.offsets(list[0])
			_, to := st.offsets(list[len(list)-1])
			st.file.edits.replace(from, from, room+"; ")
			st.file.edits.after(from, to, "; "+room)
		}
		for _, f := range list {
			st.layField(f)
		}
	}
}

// layField puts room around those names of a field that want it. Several
// names have to be declared one by one for that.
func (st *paddedStruct) layField(f *ast.Field) {
	if !slices.ContainsFunc(fieldNames(f), func(id *ast.Ident) bool { return st.fields[id.Name] }) {
		return
	}
	from, to := st.offsets(f) // comments lie outside
	end, _ := st.offsets(f.Type)
	typ := st.file.text[end:to] // with its tag
	var out bytes.Buffer
	for i, id := range fieldNames(f) {
		if st.fields[id.Name] {
			out.WriteString(room + "; ")
		}
		if len(f.Names) > 0 {
			out.WriteString(id.Name + " ")
		}
		if i < len(f.Names)-1 {
			out.Write(typ)
			out.WriteString("; ")
			if st.fields[id.Name] {
				out.WriteString(room + "; ")
			}
		}
	}
	st.file.edits.replace(from, end, out.String())
	if ids := fieldNames(f); st.fields[ids[len(ids)-1].Name] {
		st.file.edits.after(from, to, "; "+room)
	}
}
