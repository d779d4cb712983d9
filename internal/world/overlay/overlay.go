// Package overlay builds programs of this module for the machine of package world:
// from copies of its sources in which the packages that a machine must know of are
// those of package shim. The sources stay as they are; the copies are an overlay
// of the go command.
package overlay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// shimPath is of the package that stands for others.
const shimPath = "github.com/gopayoff/payoff/internal/world/shim"

// stands are the names in shim of what the machine must know of, by package.
var stands = map[string]map[string]string{
	"sync/atomic": {
		"Int32": "Int32", "Int64": "Int64", "Uint32": "Uint32", "Uint64": "Uint64",
		"Uintptr": "Uintptr", "Bool": "Bool", "Pointer": "Pointer",
		"LoadUint32": "LoadUint32", "LoadUint64": "LoadUint64", "LoadPointer": "LoadPointer",
		"StoreUint32": "StoreUint32", "StoreUint64": "StoreUint64", "StorePointer": "StorePointer",
	},
	"sync":    {"Mutex": "Mutex", "RWMutex": "RWMutex", "WaitGroup": "WaitGroup", "Pool": "Pool"},
	"runtime": {"Gosched": "Gosched", "GOMAXPROCS": "GOMAXPROCS"},
	"runtime/metrics": {
		"Read": "Read", "Sample": "Sample", "Value": "Value",
	},
	"time": {"Now": "Now", "Since": "Since", "Sleep": "Sleep"},
	"math/rand/v2": {
		"Uint32": "RandUint32", "Uint64": "RandUint64", "IntN": "RandIntN", "Int64N": "RandInt64N",
		"Uint32N": "RandUint32N", "Uint64N": "RandUint64N", "Int": "RandInt", "N": "RandN", "Float64": "RandFloat64",
	},
}

// unknown are uses that nothing stands for: a machine would not see them.
var unknown = map[string][]string{
	"sync/atomic": {"AddInt32", "AddInt64", "AddUint32", "AddUint64", "LoadInt32", "LoadInt64",
		"StoreInt32", "StoreInt64", "CompareAndSwapInt32",
		"CompareAndSwapInt64", "CompareAndSwapUint32", "CompareAndSwapUint64", "CompareAndSwapPointer", "Value"},
	"sync": {"Cond", "NewCond"},
	"time": {"After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Until"},
}

// An edit replaces the bytes [from, to).
type edit struct {
	from, to int
	text     string
}

// Rewrite returns source as it is to be for the machine.
func Rewrite(name string, source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var edits []edit
	imports := map[string]string{} // local name → path
	left := map[string]bool{}      // paths still used
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if stands[path] == nil {
			continue
		}
		local := path[strings.LastIndex(path, "/")+1:]
		if path == "math/rand/v2" {
			local = "rand"
		}
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imports[local] = path
	}
	var bad error
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if strings.EqualFold(n.Name.Name, "pause") && n.Recv == nil && n.Body != nil && len(n.Type.Params.List) == 1 && len(n.Type.Params.List[0].Names) == 1 {
				edits = append(edits, edit{at(n.Body.Pos()), at(n.Body.End()),
					"{ shim_.Pause(int(" + n.Type.Params.List[0].Names[0].Name + ")) }"})
				return false
			}
		case *ast.GoStmt:
			edits = append(edits, edit{at(n.Pos()), at(n.Call.Pos()), "shim_.Go(func() { "},
				edit{at(n.End()), at(n.End()), " })"})
		case *ast.CallExpr:
			// uintptr(unsafe.Pointer(&x)) of a variable is the address of a stack.
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "uintptr" && len(n.Args) == 1 {
				if c, ok := n.Args[0].(*ast.CallExpr); ok && len(c.Args) == 1 {
					u, isAddr := c.Args[0].(*ast.UnaryExpr)
					if isAddr && u.Op == token.AND {
						if _, isVar := u.X.(*ast.Ident); isVar {
							edits = append(edits, edit{at(n.Pos()), at(id.End()), "shim_.Stack"})
						}
					}
				}
			}
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			path := imports[id.Name]
			if path == "" {
				return true
			}
			if stand := stands[path][n.Sel.Name]; stand != "" {
				edits = append(edits, edit{at(n.Pos()), at(n.End()), "shim_." + stand})
				return false
			}
			if slices.Contains(unknown[path], n.Sel.Name) && bad == nil {
				bad = fmt.Errorf("%s: nothing stands for %s.%s", fset.Position(n.Pos()), path, n.Sel.Name)
			}
			left[path] = true
			return false
		}
		return true
	})
	if bad != nil {
		return nil, bad
	}
	vars := variables(f)
	if len(edits) == 0 && len(vars) == 0 {
		return source, nil
	}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if stands[path] != nil && !left[path] {
			from := at(spec.Path.Pos())
			if spec.Name != nil {
				from = at(spec.Name.Pos())
			}
			edits = append(edits, edit{from, at(spec.Path.End()), "_ " + spec.Path.Value})
		}
	}
	edits = append(edits, edit{at(f.Name.End()), at(f.Name.End()), "; import shim_ " + strconv.Quote(shimPath)})
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	last := 0
	for _, e := range edits {
		if e.from < last {
			return nil, fmt.Errorf("%s: edits overlap at byte %d", name, e.from)
		}
		out.Write(source[last:e.from])
		out.WriteString(e.text)
		last = e.to
	}
	out.Write(source[last:])
	if len(vars) > 0 {
		fmt.Fprintf(&out, "\nfunc init() { shim_.Keep(&%s) }\n", strings.Join(vars, ", &"))
	} else {
		out.WriteString("\nvar _ = shim_.Keep\n")
	}
	return out.Bytes(), nil
}

// variables are those of the package.
func variables(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				for _, n := range spec.(*ast.ValueSpec).Names {
					if n.Name != "_" {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// A Change plants something: Old, which the file has once, becomes New.
type Change struct{ File, Old, New string }

// Build builds the package pkg of the module at root for the machine, into the
// file out: the package under, and those of the module that it imports, are
// rewritten. Changes are made before; their files are relative to root. Scratch
// files go to dir.
func Build(root, dir, out, pkg, under string, changes []Change, flags ...string) error {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if .Module}}{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}{{end}}", under)
	cmd.Dir = root
	deps, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %v", err)
	}
	replace := map[string]string{}
	planted := 0
	for i, path := range strings.Fields(string(deps)) {
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, c := range changes {
			if filepath.Join(root, c.File) != path {
				continue
			}
			if k := strings.Count(string(source), c.Old); k != 1 {
				return fmt.Errorf("%s has %q %d times, want once", c.File, c.Old, k)
			}
			source = []byte(strings.Replace(string(source), c.Old, c.New, 1))
			planted++
		}
		copied, err := Rewrite(path, source)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(path)))
		replace[path] = to
		if err := os.WriteFile(to, copied, 0o644); err != nil {
			return err
		}
	}
	if planted != len(changes) {
		return fmt.Errorf("%d of %d changes were made: the others name no file of %s", planted, len(changes), under)
	}
	mark := filepath.Join(dir, "driven.go")
	if err := os.WriteFile(mark, []byte("package "+filepath.Base(under)+"\n\nimport \""+shimPath+"\"\n\nfunc init() { shim.Driven = true }\n"), 0o644); err != nil {
		return err
	}
	replace[filepath.Join(root, under, "driven.go")] = mark
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o644); err != nil {
		return err
	}
	args := append([]string{"build", "-overlay", file, "-o", out}, flags...)
	cmd = exec.Command("go", append(args, pkg)...)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%s", err, text)
	}
	return nil
}
