// Package overlay builds programs of this module for the machine of package world:
// from copies of its sources in which the packages that a machine must know of are
// those of package shim. The sources stay as they are; the copies are an overlay
// of the go command.
package overlay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/internal/plant"
)

// shimPath is of the package that stands for others.
const shimPath = "github.com/gopayoff/payoff/internal/world/shim"

// stands are the names in shim of what the machine must know of, by package.
var stands = map[string]map[string]string{
	"sync/atomic": {
		"Int32": "Int32", "Int64": "Int64", "Uint32": "Uint32", "Uint64": "Uint64",
		"Uintptr": "Uintptr", "Bool": "Bool", "Pointer": "Pointer",
		"LoadUint32": "LoadUint32", "LoadUint64": "LoadUint64", "LoadUintptr": "LoadUintptr", "LoadPointer": "LoadPointer",
		"StoreUint32": "StoreUint32", "StoreUint64": "StoreUint64", "StoreUintptr": "StoreUintptr", "StorePointer": "StorePointer",
		"SwapUint32": "SwapUint32", "AddUint32": "AddUint32",
	},
	"sync":    {"Mutex": "Mutex", "RWMutex": "RWMutex", "WaitGroup": "WaitGroup", "Pool": "Pool", "Cond": "Cond"},
	"runtime": {"Gosched": "Gosched", "GOMAXPROCS": "GOMAXPROCS"},
	"runtime/metrics": {
		"Read": "Read", "Sample": "Sample", "Value": "Value",
	},
	"time":    {"Now": "Now", "Since": "Since", "Sleep": "Sleep", "Timer": "Timer", "AfterFunc": "AfterFunc", "NewTimer": "NewTimer"},
	"context": {"AfterFunc": "ContextAfterFunc"},
	"math/rand/v2": {
		"Uint32": "RandUint32", "Uint64": "RandUint64", "IntN": "RandIntN", "Int64N": "RandInt64N",
		"Uint32N": "RandUint32N", "Uint64N": "RandUint64N", "Int": "RandInt", "N": "RandN", "Float64": "RandFloat64",
	},
}

// unknown are uses that nothing stands for: a machine would not see them.
var unknown = map[string][]string{
	"sync/atomic": {"AddInt32", "AddInt64", "AddUint64", "AddUintptr", "LoadInt32", "LoadInt64",
		"StoreInt32", "StoreInt64", "SwapInt32", "SwapInt64", "SwapUint64", "SwapUintptr", "SwapPointer",
		"CompareAndSwapInt32", "CompareAndSwapInt64", "CompareAndSwapUint32", "CompareAndSwapUint64",
		"CompareAndSwapUintptr", "CompareAndSwapPointer", "AndInt32", "AndInt64", "AndUint32", "AndUint64", "AndUintptr",
		"OrInt32", "OrInt64", "OrUint32", "OrUint64", "OrUintptr", "Value"},
	"sync": {"NewCond"},
	"time": {"After", "NewTicker", "Tick", "Until"},
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
	comm := map[ast.Node]bool{} // what a select statement does in the end: it does not wait then
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if strings.EqualFold(n.Name.Name, "pause") && n.Recv == nil && n.Body != nil && len(n.Type.Params.List) == 1 && len(n.Type.Params.List[0].Names) == 1 {
				edits = append(edits, edit{at(n.Body.Pos()), at(n.Body.End()),
					"{ shim_.Pause(int(" + n.Type.Params.List[0].Names[0].Name + ")) }"})
				return false
			}
		case *ast.SelectStmt:
			es, err := selected(n, at, source)
			if err != nil {
				bad = cmp.Or(bad, fmt.Errorf("%s: %v", fset.Position(n.Pos()), err))
				return false
			}
			edits = append(edits, es...)
			for _, c := range n.Body.List {
				switch op := c.(*ast.CommClause).Comm.(type) {
				case *ast.SendStmt:
					comm[op] = true
				case *ast.ExprStmt:
					comm[ast.Unparen(op.X)] = true
				case *ast.AssignStmt:
					comm[ast.Unparen(op.Rhs[0])] = true
				}
			}
		case *ast.SendStmt:
			if !comm[n] {
				edits = append(edits, edit{at(n.Chan.Pos()), at(n.Chan.Pos()), "shim_.Sending("}, edit{at(n.Chan.End()), at(n.Chan.End()), ")"})
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && !comm[n] {
				edits = append(edits, edit{at(n.X.Pos()), at(n.X.Pos()), "shim_.Receiving("}, edit{at(n.X.End()), at(n.X.End()), ")"})
			}
		case *ast.GoStmt:
			edits = append(edits, edit{at(n.Pos()), at(n.Call.Pos()), "shim_.Go(func() { "},
				edit{at(n.End()), at(n.End()), " })"})
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 {
				edits = append(edits, edit{at(n.Args[0].Pos()), at(n.Args[0].Pos()), "shim_.Closing("}, edit{at(n.Args[0].End()), at(n.Args[0].End()), ")"})
			}
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

// selected are the edits that make a switch of a select statement: package shim says
// which clause it is, and the clause begins with its operation.
func selected(n *ast.SelectStmt, at func(token.Pos) int, source []byte) (edits []edit, err error) {
	blocks := !slices.ContainsFunc(n.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
	var ways []string
	for _, c := range n.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			continue
		}
		way, ch := "shim_.CanRecv", ast.Expr(nil)
		switch op := c.Comm.(type) {
		case *ast.SendStmt:
			way, ch = "shim_.CanSend", op.Chan
		case *ast.ExprStmt:
			ch = received(op.X)
		case *ast.AssignStmt:
			ch = received(op.Rhs[0])
		}
		if ch == nil {
			return nil, errors.New("a clause of a select statement is of an unknown form")
		}
		label := fmt.Sprintf("case %d: ", len(ways))
		if blocks && len(ways) == len(n.Body.List)-1 {
			label = "default: " // so that the switch ends as the statement did
		}
		edits = append(edits, edit{at(c.Pos()), at(c.Comm.Pos()), label},
			edit{at(c.Colon), at(c.Colon) + 1, ";"})
		ways = append(ways, fmt.Sprintf("%s(%s)", way, source[at(ch.Pos()):at(ch.End())]))
	}
	head := fmt.Sprintf("switch shim_.Select(%t, %s) ", blocks, strings.Join(ways, ", "))
	return append(edits, edit{at(n.Pos()), at(n.Body.Lbrace), head}), nil
}

// received is the channel of a receive operation, or nil.
func received(x ast.Expr) ast.Expr {
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
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

// A Change is one of a file of the module, by its path in it.
type Change = plant.Change

// Build builds the package pkg of the module at root for the machine, into the
// file out: the package under, and those of the module that it imports, are
// rewritten. Changes are made before. The program can have each of faults, as
// package plant says. Scratch files go to dir.
func Build(root, dir, out, pkg, under string, changes []Change, faults [][]Change, flags ...string) error {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if .Module}}{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}{{end}}", under)
	cmd.Dir = root
	deps, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %v", err)
	}
	sources := make(map[string][]byte) // by path in the module
	for _, path := range strings.Fields(string(deps)) {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if sources[filepath.ToSlash(name)], err = os.ReadFile(path); err != nil {
			return err
		}
	}
	source := func(name string) ([]byte, error) {
		text, ok := sources[name]
		if !ok {
			return nil, fmt.Errorf("%s is no file of what %s is built from", name, under)
		}
		return text, nil
	}
	for _, c := range changes {
		text, err := source(c.File)
		if err != nil {
			return err
		}
		changed, err := c.Apply(string(text))
		if err != nil {
			return err
		}
		sources[c.File] = []byte(changed)
	}
	merged, apart, err := plant.Merge(source, faults)
	if err != nil {
		return err
	}
	for i, why := range apart {
		return fmt.Errorf("fault %d cannot be switched: %s", i, why)
	}
	maps.Copy(sources, merged)
	replace := map[string]string{}
	for name, text := range sources {
		path := filepath.Join(root, name)
		copied := text
		if filepath.Base(name) != plant.File {
			if copied, err = Rewrite(path, text); err != nil {
				return err
			}
		}
		replace[path] = filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(replace[path], copied, 0o644); err != nil {
			return err
		}
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
