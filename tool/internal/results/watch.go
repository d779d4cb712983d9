package results

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/results/record"
)

//go:embed record/record.go
var recorder []byte

// folder is the package of the recorder in a watched program.
const folder = "payoff_results"

// watch makes a form in which functions are watched, as an overlay.
func (f *form) watch(path, importPath string, p pick, state map[string][]string, vary bool) (overlay.Overlay, error) {
	var e edit.Draft
	added := map[string]*strings.Builder{}
	for _, name := range p.names {
		fn := f.funcs[name]
		file := e.File(fn.file, f.texts[fn.file])
		at := f.fset.Position(fn.decl.Name.Pos()).Offset
		file.Insert(at, record.Marker)
		if added[fn.file] == nil {
			added[fn.file] = new(strings.Builder)
		}
		added[fn.file].WriteString(f.wrapper(path, name, fn.decl, state[name], vary && fn.decl.Recv == nil && fn.decl.Type.TypeParams == nil))
	}
	first := true
	for _, name := range slices.Sorted(maps.Keys(added)) {
		file := e.File(name, f.texts[name])
		if first && len(p.apart) > 0 {
			first = false
			b := added[name]
			b.WriteString("\nfunc init() {\n")
			for _, t := range p.apart {
				fmt.Fprintf(b, "\t%s.Apart[%q] = true\n", folder, path+"."+t)
			}
			b.WriteString("}\n")
		}
		pos := f.fset.Position(f.files[name].Name.End()).Offset
		file.Insert(pos, fmt.Sprintf("; import %s %q", folder, importPath))
		file.Insert(len(f.texts[name]), "\n"+added[name].String())
	}
	return e.Overlay()
}

// source is the recorder under its name in the program.
func source() []byte {
	return bytes.Replace(recorder, []byte("package record\n"), []byte("package "+folder+"\n"), 1)
}

// wrapper is a function of the name, which calls the one that is watched.
func (f *form) wrapper(path, name string, d *ast.FuncDecl, state []string, vary bool) string {
	var params, args, in []string
	recv, call := "", record.Marker+d.Name.Name
	if d.Recv != nil {
		recv = "(payoffR " + f.text(d.Recv.List[0].Type) + ") "
		call = "payoffR." + call
		in = append(in, "&payoffR")
	}
	typed := ""
	if d.Type.TypeParams != nil {
		var all, names []string
		for _, x := range d.Type.TypeParams.List {
			for _, n := range x.Names {
				all, names = append(all, n.Name+" "+f.text(x.Type)), append(names, n.Name)
			}
		}
		typed = "[" + strings.Join(all, ", ") + "]"
		call += "[" + strings.Join(names, ", ") + "]"
	}
	fn := "nil"
	if vary {
		fn = record.Marker + d.Name.Name
	}
	n := 0
	for _, x := range d.Type.Params.List {
		for range max(1, len(x.Names)) {
			a := fmt.Sprintf("payoffA%d", n)
			n++
			params, in = append(params, a+" "+f.text(x.Type)), append(in, "&"+a)
			if _, ok := x.Type.(*ast.Ellipsis); ok {
				a += "..."
			}
			args = append(args, a)
		}
	}
	given := len(in)
	for _, v := range state {
		in = append(in, "&"+v)
	}
	var results, out, named []string
	if d.Type.Results != nil {
		for _, x := range d.Type.Results.List {
			for range max(1, len(x.Names)) {
				y := fmt.Sprintf("payoffY%d", len(out))
				results, out, named = append(results, y+" "+f.text(x.Type)), append(out, "&"+y), append(named, y)
			}
		}
	}
	call += "(" + strings.Join(args, ", ") + ")"
	plainly, kept := "\t\t"+call+"\n\t\treturn\n", "\t"+call+"\n"
	if len(out) > 0 {
		plainly, kept = "\t\treturn "+call+"\n", "\t"+strings.Join(named, ", ")+" = "+call+"\n"
	}
	arguments := ""
	for _, x := range in {
		arguments += ", " + x
	}
	return fmt.Sprintf("\nfunc %s%s%s(%s) (%s) {\n\tpayoffC := %s.Enter(%q, %s, %d%s)\n\tif payoffC == nil {\n%s\t}\n\tdefer payoffC.Leave(%s)\n%s\tpayoffC.Returned()\n\treturn\n}\n",
		recv, d.Name.Name, typed, strings.Join(params, ", "), strings.Join(results, ", "), folder, path+"."+name, fn, given, arguments, plainly, strings.Join(out, ", "), kept)
}

// recorderFile is where the recorder stands in a module.
func recorderFile(dir string) string { return filepath.Join(dir, folder, "record.go") }
