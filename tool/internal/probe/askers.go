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

// askersFile is what the runtime has beside its own, where [Askers] changes it; %[1]s is
// the package of Mutex.
const askersFile = `package runtime

import _ "unsafe"

// payoffTold is what those are told that ask for the number of processors; the runtime
// has one. It is set before any other package is.
var payoffTold int

func init() { payoffTold = GOMAXPROCS(1) }

// payoffHeld has locks that are held, by address, and since when. There is one processor:
// nothing else writes.
var payoffHeld [1 << 10]struct {
	lock  uintptr
	since int64
}

//go:linkname payoffLocked %[1]s.payoffLocked
func payoffLocked(lock uintptr) {
	h := &payoffHeld[lock>>3%%uintptr(len(payoffHeld))]
	h.lock, h.since = lock, nanotime()
}

//go:linkname payoffUnlocking %[1]s.payoffUnlocking
func payoffUnlocking(lock uintptr) {
	h := &payoffHeld[lock>>3%%uintptr(len(payoffHeld))]
	if h.lock != lock {
		return
	}
	h.lock = 0
	if held := nanotime() - h.since; held >= %[2]d {
		trace_userLog(uint64(lock>>3)<<40|uint64(min(held, 1<<40-1)), "payoff.held", "")
	}
}
`

// leastHeld is for how many ns a lock is held, at least, that a trace is to show. Sections
// that are shorter and take much of the time show in profiles: to take a lock and to give
// it back is a fiftieth of that.
const leastHeld = 1000

// Askers returns the overlay of the toolchain at goroot whose runtime has one processor,
// and tells callers that ask of as many as GOMAXPROCS was set to: a program then does on one
// processor what it would do on so many. It holds for all code of the program, the standard
// library's and that of required modules too, but for what asks the system.
//
// Where a lock was held for long an execution trace says so (Held of package exectrace): at one
// processor hardly a goroutine waits for it.
//
// All packages are compiled anew under it: some 20 s of a processor, once. An error says why
// this toolchain's runtime cannot be changed so.
func Askers(goroot string) (overlay.Overlay, error) {
	src := filepath.Join(goroot, "src")
	locks := "internal/sync"
	if _, err := os.Stat(filepath.Join(src, "internal", "sync", "mutex.go")); err != nil {
		locks = "sync" // before Go 1.24
	}
	o := overlay.Overlay{filepath.Join(src, "runtime", "payoff_askers.go"): fmt.Appendf(nil, askersFile, locks, leastHeld)}
	for name, patch := range map[string]func([]byte) ([]byte, error){"runtime/debug.go": patchAnswers, "runtime/metrics.go": patchMetric, locks + "/mutex.go": patchMutex} {
		file := filepath.Join(src, filepath.FromSlash(name))
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

// patchMutex lets a Mutex say when it is locked, and when it is to be unlocked.
func patchMutex(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "mutex.go", src, 0)
	if err != nil {
		return nil, err
	}
	says := map[string]string{"Lock": " defer payoffLocked", "Unlock": " payoffUnlocking"}
	found := 0
	out := slices.Clone(src)
	for _, d := range slices.Backward(f.Decls) {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || says[fn.Name.Name] == "" || fn.Body == nil || fn.Recv == nil || len(fn.Recv.List[0].Names) != 1 {
			continue
		}
		if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); !ok || fmt.Sprint(star.X) != "Mutex" {
			continue
		}
		found++
		out = slices.Insert(out, fset.Position(fn.Body.Lbrace).Offset+1, fmt.Appendf(nil, "%s(uintptr(unsafe.Pointer(%s))); ", says[fn.Name.Name], fn.Recv.List[0].Names[0].Name)...)
	}
	if found != 2 || !strings.Contains(string(src), `"unsafe"`) {
		return nil, errors.New("package sync has an unknown shape: no Mutex with Lock and Unlock, or no import of unsafe")
	}
	return append(out, `
//go:linkname payoffLocked
func payoffLocked(lock uintptr)

//go:linkname payoffUnlocking
func payoffUnlocking(lock uintptr)
`...), nil
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
