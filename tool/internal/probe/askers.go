package probe

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// askersFile is what the runtime has beside its own, where [Askers] changes it.
const askersFile = `package runtime

// payoffTold is what those are told that ask for the number of processors; the runtime
// has one. It is set before any other package is.
var payoffTold int

func init() { payoffTold = GOMAXPROCS(1) }
`

// Askers returns the overlay of the toolchain at goroot whose runtime has one processor,
// and tells callers that ask of as many as GOMAXPROCS was set to: a program then does on one
// processor what it would do on so many. It holds for all code of the program, the standard
// library's and that of required modules too, but for what asks the system.
//
// All packages are compiled anew under it: some 20 s of a processor, once. An error says why
// this toolchain's runtime cannot be changed so.
func Askers(goroot string) (overlay.Overlay, error) {
	dir := filepath.Join(goroot, "src", "runtime")
	o := overlay.Overlay{filepath.Join(dir, "payoff_askers.go"): []byte(askersFile)}
	for name, patch := range map[string]func([]byte) ([]byte, error){"debug.go": patchAnswers, "metrics.go": patchMetric} {
		file := filepath.Join(dir, name)
		old, err := os.ReadFile(file)
		if err == nil {
			o[file], err = patch(old)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return o, nil
}

// answers are what functions of runtime/debug.go begin with under [Askers]. While the first
// sets the number, nothing was told yet.
var answers = map[string]string{
	"GOMAXPROCS":           " if told := payoffTold; told > 0 { if n > 0 { payoffTold = n }; return told }; ",
	"NumCPU":               " if payoffTold > 0 { return payoffTold }; ",
	"SetDefaultGOMAXPROCS": " if payoffTold > 0 { return }; ",
}

func patchAnswers(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "debug.go", src, 0)
	if err != nil {
		return nil, err
	}
	found := 0
	out := slices.Clone(src)
	for _, d := range slices.Backward(f.Decls) { // so that places before stay
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Body != nil && answers[fn.Name.Name] != "" {
			if fn.Name.Name != "SetDefaultGOMAXPROCS" { // new in Go 1.25
				found++
			}
			out = slices.Insert(out, fset.Position(fn.Body.Lbrace).Offset+1, []byte(answers[fn.Name.Name])...)
		}
	}
	if found != 2 || !strings.Contains(string(src), "func GOMAXPROCS(n int) int {") {
		return nil, errors.New("runtime has an unknown shape: no GOMAXPROCS(n int) int, or no NumCPU")
	}
	return out, nil
}

// patchMetric makes the metric of the number of processors say what is told.
func patchMetric(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "metrics.go", src, 0)
	if err != nil {
		return nil, err
	}
	var out []byte
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := kv.Key.(*ast.BasicLit); !ok || key.Value != `"/sched/gomaxprocs:threads"` {
			return true
		}
		ast.Inspect(kv.Value, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == "gomaxprocs" && out == nil {
				at := fset.Position(id.Pos()).Offset
				out = slices.Concat(src[:at], []byte("GOMAXPROCS(0)"), src[at+len(id.Name):])
			}
			return true
		})
		return false
	})
	if out == nil {
		return nil, errors.New("runtime has an unknown shape: no metric of gomaxprocs")
	}
	return out, nil
}
