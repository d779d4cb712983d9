package hollow

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// told are calls that say something of a gain by themselves, by import path and name.
var told = map[string]struct {
	kind Kind
	says string
}{
	"runtime.GOMAXPROCS":           {Settings, "it sets GOMAXPROCS"},
	"runtime/debug.SetGCPercent":   {Settings, "it sets GOGC"},
	"runtime/debug.SetMemoryLimit": {Settings, "it sets the memory limit"},
	"runtime/debug.SetMaxThreads":  {Settings, "it sets how many threads there may be"},
	"testing.Testing":              {Asks, "it asks whether it is under test"},
	"testing.Short":                {Asks, "it asks whether it is under test"},
	"testing.Benchmark":            {Asks, "it runs a benchmark"},
	"runtime.Caller":               {Asks, "it asks which function calls"},
	"runtime.Callers":              {Asks, "it asks which function calls"},
	"sync.OnceFunc":                {Moved, "what it does is done once: the later operations of a benchmark do not pay it"},
	"sync.OnceValue":               {Moved, "what it does is done once: the later operations of a benchmark do not pay it"},
	"sync.OnceValues":              {Moved, "what it does is done once: the later operations of a benchmark do not pay it"},
}

// variables of the environment that the runtime reads.
var environment = words("GOGC GOMAXPROCS GOMEMLIMIT GODEBUG")

// A seen is a use that is told, with the place of its first.
type seen struct {
	n    int
	line int
}

// uses are the told uses of a file, by what is said of them.
func uses(s *side) map[Sign]seen {
	all := map[Sign]seen{}
	note := func(kind Kind, says string, at token.Pos) {
		key := Sign{Kind: kind, Says: says}
		y := all[key]
		if y.n++; y.n == 1 {
			y.line = s.line(at)
		}
		all[key] = y
	}
	names := imported(s.file)
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			full := qualified(n.Fun, names)
			if full == "runtime.GOMAXPROCS" && len(n.Args) == 1 {
				if lit, ok := n.Args[0].(*ast.BasicLit); ok && lit.Value == "0" {
					return true // it asks
				}
			}
			if full == "os.Setenv" && len(n.Args) == 2 {
				if lit, ok := n.Args[0].(*ast.BasicLit); ok {
					if name, err := strconv.Unquote(lit.Value); err == nil && environment[name] {
						note(Settings, "it sets "+name, n.Pos())
					}
				}
			}
			if full == "flag.Lookup" && len(n.Args) == 1 {
				if lit, ok := n.Args[0].(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, `"test.`) {
					note(Asks, "it asks whether it is under test", n.Pos())
				}
			}
			if t, ok := told[full]; ok {
				note(t.kind, t.says, n.Pos())
			}
		case *ast.SelectorExpr:
			if qualified(n, names) == "sync.Once" {
				note(Moved, "what sync.Once guards is done once: the later operations of a benchmark do not pay it", n.Pos())
			}
			if qualified(n, names) == "os.Args" {
				note(Asks, "it reads the command line", n.Pos())
			}
		}
		return true
	})
	return all
}

// imported are the import paths of a file by the names that it has for them.
func imported(f *ast.File) map[string]string {
	all := map[string]string{}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		all[name] = p
	}
	return all
}

// qualified is the import path and the name of what an expression names, "" if that is
// not of another package.
func qualified(e ast.Expr, names map[string]string) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	id, ok := s.X.(*ast.Ident)
	if !ok || names[id.Name] == "" {
		return ""
	}
	return names[id.Name] + "." + s.Sel.Name
}

// calls tells of uses of some kinds that are more than before.
func (x *search) calls(p *pair, kinds ...Kind) {
	was := uses(&p.before)
	for key, y := range uses(&p.after) {
		if y.n > was[key].n && slices.Contains(kinds, key.Kind) {
			x.add(key.Kind, p.File, y.line, key.Says)
		}
	}
}

// recovers tells of calls of recover that are more than before, in functions that do
// not panic again.
func (x *search) recovers(p *pair) {
	find := func(s *side) (all []int) {
		var within func(body *ast.BlockStmt)
		within = func(body *ast.BlockStmt) {
			var at []token.Pos
			again := false
			ast.Inspect(body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					within(n.Body)
					return false
				case *ast.CallExpr:
					if id, ok := n.Fun.(*ast.Ident); ok {
						again = again || id.Name == "panic"
						if id.Name == "recover" {
							at = append(at, n.Pos())
						}
					}
				}
				return true
			})
			for _, pos := range at {
				if !again {
					all = append(all, s.line(pos))
				}
			}
		}
		for _, f := range functions(s) {
			if f.Body != nil {
				within(f.Body)
			}
		}
		return all
	}
	if was, is := find(&p.before), find(&p.after); len(is) > len(was) {
		x.add(Swallows, p.File, is[len(is)-1], "recover ends a panic here, and nothing panics again")
	}
}

// once tells of what is done before the first benchmark: init functions, and the
// values of package variables that are computed.
func (x *search) once(p *pair) {
	inits := func(s *side) (all []*ast.FuncDecl, text string) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				all = append(all, f)
				text += s.source(f)
			}
		}
		return all, text
	}
	_, was := inits(&p.before)
	if all, is := inits(&p.after); is != was && len(all) > 0 {
		x.add(Moved, p.File, p.after.line(all[len(all)-1].Pos()), "init is another: what it does is done before any benchmark")
	}
	had := computed(&p.before)
	for name, v := range computed(&p.after) {
		if y, ok := had[name]; !ok || y.text != v.text {
			x.add(Moved, p.File, v.line, fmt.Sprintf("the value of %s is computed before any benchmark", name))
		}
	}
}

// cheap are functions whose results package variables have in all code, without work
// in them that a benchmark would time.
var cheap = map[string]bool{
	"make": true, "new": true, "len": true, "cap": true, "errors.New": true, "fmt.Errorf": true, "regexp.MustCompile": true,
	"sync.NewCond": true, "time.Duration": true, "unsafe.Sizeof": true, "runtime.NumCPU": true, "runtime.GOMAXPROCS": true,
}

// computed are package variables whose value is computed by a call.
func computed(s *side) map[string]value {
	all := map[string]value{}
	names := imported(s.file)
	packageVariables(s.file, func(spec *ast.ValueSpec) {
		work := false
		for _, v := range spec.Values {
			ast.Inspect(v, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false // done where it is called
				}
				if call, ok := n.(*ast.CallExpr); ok {
					name := qualified(call.Fun, names)
					if id, ok := call.Fun.(*ast.Ident); ok {
						name = id.Name
					}
					if _, lit := call.Fun.(*ast.FuncLit); lit || !cheap[name] && !conversion(call) {
						work = true
					}
				}
				return true
			})
		}
		if work {
			for _, id := range spec.Names {
				all[id.Name] = value{s.source(spec), s.line(id.Pos())}
			}
		}
	})
	return all
}

// conversion reports whether a call is a conversion, as far as its text tells.
func conversion(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.InterfaceType, *ast.StarExpr, *ast.ParenExpr:
		return true
	case *ast.Ident:
		return basic[f.Name]
	}
	return false
}

var basic = words("bool string error byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128")

func packageVariables(f *ast.File, do func(*ast.ValueSpec)) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				do(spec.(*ast.ValueSpec))
			}
		}
	}
}

// variables tells of new package variables that functions of the change write: what
// one call leaves there the next one finds. Pools and locks are made for that.
func (x *search) variables(p *pair, all []*pair) {
	had := declared(&p.before)
	packageVariables(p.after.file, func(spec *ast.ValueSpec) {
		for _, id := range spec.Names {
			if _, ok := had[id.Name]; ok || id.Name == "_" {
				continue
			}
			if t := p.after.source(spec); strings.Contains(t, "sync.Pool") || strings.Contains(t, "sync.Mutex") || strings.Contains(t, "sync.RWMutex") {
				continue
			}
			for _, q := range all {
				if filepath.Dir(q.File) == filepath.Dir(p.File) && !strings.HasSuffix(q.File, "_test.go") && writes(q.after.file, id.Name) {
					x.add(Keeps, p.File, p.after.line(id.Pos()), fmt.Sprintf("%s keeps what one call leaves there for the next", id.Name))
					break
				}
			}
		}
	})
}

// stores are methods that write to what they are called on.
var stores = words("Store LoadOrStore Swap CompareAndSwap Set Add Put")

// writes reports whether a function of a file writes to a variable of that name, where
// no other of the name is declared.
func writes(f *ast.File, name string) (yes bool) {
	base := func(e ast.Expr) string {
		for {
			switch y := e.(type) {
			case *ast.IndexExpr:
				e = y.X
			case *ast.SelectorExpr:
				e = y.X
			case *ast.StarExpr:
				e = y.X
			case *ast.ParenExpr:
				e = y.X
			case *ast.Ident:
				return y.Name
			default:
				return ""
			}
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					yes = yes || n.Tok != token.DEFINE && base(l) == name
				}
			case *ast.IncDecStmt:
				yes = yes || base(n.X) == name
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && stores[s.Sel.Name] && base(s.X) == name {
					yes = true
				}
			}
			return true
		})
	}
	return yes
}
