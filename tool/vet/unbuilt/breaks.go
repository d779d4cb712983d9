package unbuilt

import (
	"go/ast"
	"go/types"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// Breaks says which of the files an edit may break that makes after of before.
// It may do so by another type of what they use, another layout, or a name
// that they have.
func (f *Files) Breaks(before, after *ast.File) (why string) {
	if !f.Any() {
		return ""
	}
	because := func(w string) {
		if w != "" && (why == "" || w < why) {
			why = w
		}
	}
	was, is := surfaceOf(before), surfaceOf(after)
	for e, text := range was {
		if now, there := is[e]; there && now == text {
			continue
		}
		switch e.kind {
		case "layout":
			because(f.relies(e.name))
		case "member":
			because(f.Selects(e.name))
		case "name":
			because(f.Uses(e.name))
		}
	}
	for e := range is {
		if _, there := was[e]; there {
			continue
		}
		switch e.kind {
		case "name":
			because(f.takes(e.name))
		case "import":
			because(f.declares(e.name))
		}
	}
	return why
}

// An entry is one thing of a file that other files of its package see, or that
// is in their way.
type entry struct {
	kind string // name: at the top; member: a field or method; layout: of a struct; import
	of   string // of members: the type
	name string
}

// surfaceOf has the entries of a file, each with what others rely on.
func surfaceOf(f *ast.File) map[entry]string {
	s := map[entry]string{}
	for _, i := range f.Imports {
		s[entry{kind: "import", name: rewrite.ImportName(i)}] = ""
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				s[entry{kind: "name", name: d.Name.Name}] = types.ExprString(d.Type)
			} else if d.Recv != nil && len(d.Recv.List) == 1 {
				t := d.Recv.List[0].Type
				s[entry{"member", embedded(t), d.Name.Name}] = types.ExprString(t) + types.ExprString(d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					typeOf(s, spec)
				case *ast.ValueSpec:
					for i, id := range spec.Names {
						text := "" // the type, or what it is inferred from
						if spec.Type != nil {
							text = types.ExprString(spec.Type)
						} else if n := len(spec.Values); n > 0 {
							text = types.ExprString(spec.Values[min(i, n-1)])
						}
						s[entry{kind: "name", name: id.Name}] = text
					}
				}
			}
		}
	}
	return s
}

// typeOf enters a type: a struct by its fields.
func typeOf(s map[entry]string, spec *ast.TypeSpec) {
	text := ""
	if spec.Assign.IsValid() {
		text = "= "
	}
	if spec.TypeParams != nil {
		text += types.ExprString(&ast.FuncType{Params: spec.TypeParams})
	}
	name := spec.Name.Name
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		s[entry{kind: "name", name: name}] = text + types.ExprString(spec.Type)
		return
	}
	s[entry{kind: "name", name: name}] = text
	layout := types.ExprString(st)
	for _, f := range st.Fields.List {
		typ := types.ExprString(f.Type)
		if f.Tag != nil {
			typ += f.Tag.Value
			layout += f.Tag.Value
		}
		for _, n := range fieldNames(f) {
			s[entry{"member", name, n}] = typ
		}
	}
	s[entry{kind: "layout", name: name}] = layout
}

// fieldNames are the names of a field, or of what is embedded.
func fieldNames(f *ast.Field) (names []string) {
	for _, id := range f.Names {
		names = append(names, id.Name)
	}
	if len(names) == 0 {
		names = append(names, embedded(f.Type))
	}
	return names
}

// embedded is the name of the type of an embedded field or of a receiver, "" for others.
func embedded(t ast.Expr) string {
	switch t := ast.Unparen(t).(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return embedded(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.IndexExpr:
		return embedded(t.X)
	case *ast.IndexListExpr:
		return embedded(t.X)
	}
	return ""
}
