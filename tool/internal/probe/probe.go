// Package probe makes the testing package report, for exactly the timed
// region of each benchmark, what ns/op hides: processor time, goroutines,
// context switches, mutex wait, garbage collections.
//
// It patches the user's own toolchain through an overlay: no file changes and
// no version of testing is carried along. Where the patch does not fit, the
// caller runs the plain testing package and says what is missing. The hooks
// run at StartTimer, StopTimer and ResetTimer, outside the timed region, and
// cost about 3µs there, less than the runtime.ReadMemStats beside them.
package probe

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// Env is the environment variable that names the file a probed binary writes to.
const Env = "PAYOFF_PROBE"

// EvidenceEnv is the environment variable that makes a probed binary collect
// evidence on the timed region of the one benchmark it runs: "kind:file".
// Kinds are cpu (a profile), trace (an execution trace, the region between the
// log messages start and stop of category payoff), locks (the profiles
// file.mutex and file.block, and those from before the region), counters (a
// line for each counter of the processor; not with many), and pages (what the
// region reached, as Linux tells it; not with many). With
// "kind,many:file" the timer may stop and start often: collecting goes on, and
// cpu leaves a trace, whose samples have their times.
const EvidenceEnv = "PAYOFF_EVIDENCE"

//go:embed src
var src embed.FS

var unix = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "linux", "netbsd", "openbsd", "solaris"}

// Overlay returns the overlay that probes the testing package of the
// toolchain at goroot for binaries of goos. An error says why this toolchain
// cannot be probed; its testing package then still works as it is.
func Overlay(goroot, goos string) (overlay.Overlay, error) {
	file := filepath.Join(goroot, "src", "testing", "benchmark.go")
	old, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	patched, err := Patch(old)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	usage := "usage_other.go.txt"
	switch {
	case goos == "windows":
		usage = "usage_windows.go.txt"
	case slices.Contains(unix, goos):
		usage = "usage_unix.go.txt"
	}
	hooks, err := src.ReadFile("src/probe.go.txt")
	if err != nil {
		return nil, err
	}
	read, err := src.ReadFile("src/" + usage)
	if err != nil {
		return nil, err
	}
	collect, err := src.ReadFile("src/evidence.go.txt")
	if err != nil {
		return nil, err
	}
	counters := "counters_other.go.txt"
	if goos == "linux" || goos == "android" {
		counters = "counters_linux.go.txt"
	}
	count, err := src.ReadFile("src/" + counters)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(file)
	main := filepath.Join(dir, "testing.go")
	if old, err = os.ReadFile(main); err != nil {
		return nil, err
	}
	started, err := PatchMain(old)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", main, err)
	}
	return overlay.Overlay{
		file:                                  patched,
		main:                                  started,
		filepath.Join(dir, "payoff_probe.go"): hooks,
		filepath.Join(dir, "payoff_usage.go"): read,
		filepath.Join(dir, "internal", "testdeps", "payoff_evidence.go"): collect,
		filepath.Join(dir, "internal", "testdeps", "payoff_counters.go"): count,
	}, nil
}

// PatchMain lets MainStart of testing/testing.go hand its dependencies to the
// collector of evidence, which stands among them.
func PatchMain(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "testing.go", src, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == "MainStart" && d.Body != nil && len(d.Type.Params.List) > 0 {
			if names := d.Type.Params.List[0].Names; len(names) == 1 && names[0].Name == "deps" {
				at := fset.Position(d.Body.Lbrace).Offset + 1
				return slices.Concat(src[:at], []byte(" payoffCollect(deps); "), src[at:]), nil
			}
		}
	}
	return nil, errors.New("testing has an unknown shape: no MainStart(deps, …)")
}

// Patch inserts the hooks into the source of testing/benchmark.go, by its
// syntax tree. It fails, naming the place, when the file is not of the shape
// it has had since Go 1.22.
func Patch(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "benchmark.go", src, 0)
	if err != nil {
		return nil, err
	}
	type insertion struct {
		at   int
		text string
	}
	var ins []insertion
	var missing []string
	at := func(pos token.Pos, text string) {
		ins = append(ins, insertion{fset.Position(pos).Offset, text})
	}
	want := func(name string, found bool) {
		if !found {
			missing = append(missing, name)
		}
	}
	methods := map[string]*ast.FuncDecl{}
	var fields *ast.FieldList
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil && d.Body != nil && recvName(d) == "B" {
				methods[d.Name.Name] = d
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == "B" {
					if st, ok := t.Type.(*ast.StructType); ok {
						fields = st.Fields
					}
				}
			}
		}
	}
	want("type B struct", fields != nil)
	if fields != nil {
		at(fields.Closing, "\n\tpayoff payoffState\n")
	}
	// each visits the statements of a method that match and inserts text
	// before or after them.
	each := func(method string, what string, match func(ast.Stmt) bool, text string, after bool) {
		found := false
		if m := methods[method]; m != nil {
			ast.Inspect(m.Body, func(n ast.Node) bool {
				if s, ok := n.(ast.Stmt); ok && match(s) {
					found = true
					if after {
						at(s.End(), "; "+text)
					} else {
						at(s.Pos(), text+"; ")
					}
				}
				return true
			})
		}
		want(what+" in B."+method, found)
	}
	each("StartTimer", "b.start =", assigns("start", token.ASSIGN), "b.payoffStart()", false)
	each("ResetTimer", "b.start =", assigns("start", token.ASSIGN), "b.payoffStart()", false)
	each("StopTimer", "b.duration +=", assigns("duration", token.ADD_ASSIGN), "b.payoffStop()", true)
	each("runN", "b.ResetTimer()", calls("ResetTimer"), "b.payoffBegin()", false)
	each("launch", "b.result =", assigns("result", token.ASSIGN), "b.payoffDone()", false)
	each("launch", "b.runN(b.benchTime.n)", runsFixed, "b.payoffRamp()", false)
	if m := methods["RunParallel"]; m != nil {
		at(m.Body.Lbrace+1, " b.payoff.parallel = true; ")
	}
	want("B.RunParallel", methods["RunParallel"] != nil)
	if m := methods["ResetTimer"]; m != nil {
		at(m.Body.Lbrace+1, " b.payoffReset(); ")
	}
	if m := methods["runN"]; m != nil {
		at(m.Body.Lbrace+1, " defer b.payoffRan(); ")
	}
	if len(missing) > 0 {
		return nil, errors.New("testing has an unknown shape: no " + strings.Join(missing, ", no "))
	}
	slices.SortStableFunc(ins, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	last := 0
	for _, i := range ins {
		out.Write(src[last:i.at])
		out.WriteString(i.text)
		last = i.at
	}
	out.Write(src[last:])
	return out.Bytes(), nil
}

func recvName(d *ast.FuncDecl) string {
	if star, ok := d.Recv.List[0].Type.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

func assigns(field string, tok token.Token) func(ast.Stmt) bool {
	return func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != tok || len(a.Lhs) != 1 {
			return false
		}
		sel, ok := a.Lhs[0].(*ast.SelectorExpr)
		return ok && sel.Sel.Name == field
	}
}

// runsFixed matches the run of the number of operations asked for, b.runN(b.benchTime.n).
func runsFixed(s ast.Stmt) bool {
	if !calls("runN")(s) {
		return false
	}
	arg, ok := s.(*ast.ExprStmt).X.(*ast.CallExpr).Args[0].(*ast.SelectorExpr)
	return ok && arg.Sel.Name == "n"
}

func calls(method string) func(ast.Stmt) bool {
	return func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		c, ok := e.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := c.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == method
	}
}

// A Kind says what a line of the probe's file tells.
type Kind string

// Begin opens a benchmark; Result, Skip and Fail close one. A benchmark that
// only holds sub-benchmarks has a Begin alone, and so has one that crashed. End
// says that all came to their end.
const (
	Begin  Kind = "begin"
	Result Kind = "result"
	Skip   Kind = "skip"
	Fail   Kind = "fail"
	End    Kind = "end"
)

// An Event is one line of the probe's file. Values of a Result are totals
// over the timed region: nanoseconds, bytes or counts.
type Event struct {
	Kind  Kind
	Name  string             // with the Benchmark prefix, without the -P suffix
	Value map[string]int64   // procs n ns allocs bytes set gc mutex stops goroutines cpu child voluntary preempt system faults live delay span
	Extra map[string]float64 // b.ReportMetric
}

// Parse reads what a probed binary wrote. A last line without its end, of a
// process killed while writing, is ignored.
func Parse(data []byte) ([]Event, error) {
	var events []Event
	for len(data) > 0 {
		line, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			break
		}
		data = rest
		e, err := parseLine(string(line))
		if err != nil {
			return events, fmt.Errorf("probe line %q: %w", line, err)
		}
		events = append(events, e)
	}
	return events, nil
}

func parseLine(line string) (Event, error) {
	kind, rest, _ := strings.Cut(line, "\t")
	quoted, rest, _ := strings.Cut(rest, "\t")
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return Event{}, err
	}
	e := Event{Kind: Kind(kind), Name: name}
	switch e.Kind {
	case Begin, Skip, Fail, End:
		return e, nil
	case Result:
	default:
		return Event{}, errors.New("unknown kind")
	}
	e.Value = map[string]int64{}
	for _, part := range strings.Split(rest, "\t") {
		if unit, ok := strings.CutPrefix(part, "x:"); ok {
			i := strings.LastIndexByte(unit, '=')
			if i < 0 {
				return Event{}, errors.New("no value")
			}
			u, err := strconv.Unquote(unit[:i])
			if err != nil {
				return Event{}, err
			}
			v, err := strconv.ParseFloat(unit[i+1:], 64)
			if err != nil {
				return Event{}, err
			}
			if e.Extra == nil {
				e.Extra = map[string]float64{}
			}
			e.Extra[u] = v
			continue
		}
		key, val, ok := strings.Cut(part, "=")
		if !ok {
			return Event{}, errors.New("no value")
		}
		n, err := strconv.ParseInt(val, 10, 64)
		if err != nil {
			return Event{}, err
		}
		e.Value[key] = n
	}
	return e, nil
}
