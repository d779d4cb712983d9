package unbuilt

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// Breaks says which of the files an edit may break that makes after of before.
// It may do so by another type of what they use, another layout, or a name
// that they have.
func (f *Files) Breaks(before, after *ast.File) (why string) {
	if !f.Any() {
		return ""
	}
	was, is := surfaceOf(before), surfaceOf(after)
	for _, e := range slices.SortedFunc(maps.Keys(was), entry.compare) {
		if text, there := is[e]; there && text == was[e] {
			continue
		}
		switch e.kind {
		case "layout":
			why = f.Relies(e.name)
		case "member":
			why = f.Selects(e.name)
		case "name":
			why = f.Uses(e.name)
		}
		if why != "" {
			return why
		}
	}
	for _, e := range slices.SortedFunc(maps.Keys(is), entry.compare) {
		if _, there := was[e]; there {
			continue
		}
		switch e.kind {
		case "name":
			why = f.Takes(e.name)
		case "import":
			why = f.declares(e.name)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// An entry is one thing of a file that other files of its package see, or that
// is in their way.
type entry struct {
	kind string // name: at the top; member: a field or method; layout: of a struct; import
	of   string // of members: the type
	name string
}

func (e entry) compare(o entry) int {
	return strings.Compare(e.kind+" "+e.of+"."+e.name, o.kind+" "+o.of+"."+o.name)
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
			if d.Recv == nil {
				s[entry{kind: "name", name: d.Name.Name}] = types.ExprString(d.Type)
			} else if len(d.Recv.List) == 1 {
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
						s[entry{kind: "name", name: id.Name}] = value(spec, i)
					}
				}
			}
		}
	}
	delete(s, entry{kind: "name", name: "init"})
	delete(s, entry{kind: "name", name: "_"})
	return s
}

// typeOf enters a type: a struct by its fields.
func typeOf(s map[entry]string, spec *ast.TypeSpec) {
	text := ""
	if spec.Assign.IsValid() {
		text = "= "
	}
	if l := spec.TypeParams; l != nil {
		for _, p := range l.List {
			for _, id := range p.Names {
				text += id.Name + " "
			}
			text += types.ExprString(p.Type) + ","
		}
	}
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		s[entry{kind: "name", name: spec.Name.Name}] = text + types.ExprString(spec.Type)
		return
	}
	s[entry{kind: "name", name: spec.Name.Name}] = text
	layout := ""
	for _, f := range st.Fields.List {
		typ := types.ExprString(f.Type)
		if f.Tag != nil {
			typ += f.Tag.Value
		}
		list := f.Names
		if len(list) == 0 {
			list = []*ast.Ident{{Name: embedded(f.Type)}}
		}
		for _, id := range list {
			layout += id.Name + " " + typ + ";"
			if id.Name != "_" {
				s[entry{"member", spec.Name.Name, id.Name}] = typ
			}
		}
	}
	s[entry{kind: "layout", name: spec.Name.Name}] = layout
}

// value is the type of a variable or constant, or what it is inferred from.
func value(spec *ast.ValueSpec, i int) string {
	switch {
	case spec.Type != nil:
		return types.ExprString(spec.Type)
	case len(spec.Values) == len(spec.Names):
		return types.ExprString(spec.Values[i])
	case len(spec.Values) == 1:
		return types.ExprString(spec.Values[0])
	}
	return ""
}
