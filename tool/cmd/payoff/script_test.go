package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/perf/benchfmt"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

// The scripts run this test binary as payoff. "unasked VERB ARGS" is payoff VERB
// on a machine that nothing is asked about, and "hasty VERB ARGS" besides ends
// after two pairs: its verdicts are worth nothing. "quick ARGS" is a hasty run
// that is linked once and looks for no causes; "codes VERB ARGS" is payoff
// compare or ci likewise; "served" is payoff mcp whose calls are such runs.
func TestMain(m *testing.M) {
	if asPlug() {
		return
	}
	// Scripts wait as much as they compute: for benchmarks that hang, for locks.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"payoff": func() {
			vettool(os.Args)
			os.Exit(run(os.Args, os.Stdout, os.Stderr))
		},
		"unasked": func() {
			adjust = func(p *session.Plan) { p.Unasked = true }
			os.Exit(run(slices.Concat([]string{"payoff"}, os.Args[1:]), os.Stdout, os.Stderr))
		},
		"hasty":  func() { os.Exit(hasty(os.Args[1:])) },
		"quick":  func() { os.Exit(hasty(slices.Concat([]string{"run", "-verdicts"}, brief, os.Args[1:]))) },
		"codes":  func() { os.Exit(hasty(slices.Concat(os.Args[1:2], brief, os.Args[2:]))) },
		"served": func() { os.Exit(served()) },
	})
}

func hasty(args []string) int {
	adjust = func(p *session.Plan) {
		p.Unasked = true
		p.Rule = stats.Rule{Alpha: stats.DefaultRule.Alpha, Looks: []int{2}}
	}
	return run(slices.Concat([]string{"payoff"}, args), os.Stdout, os.Stderr)
}

var brief = []string{"-layouts=1", "-sample=2ms", "-procs=1,2", "-budget=2m", "-margin=95", "-precision=95"}

// TestScript: one script per behaviour. None depends on how long anything
// takes: live runs are held to their messages, files and exit codes, verdicts
// to recorded runs. In the short form a script ends at its line [!long] stop: the
// same is tried by more runs after it.
func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the scripts compile and run some fifty small packages")
	}
	env := goEnv(t)
	cc := strings.Fields(env["CC"])
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			payoff, err := exec.LookPath("payoff")
			if err != nil {
				return err
			}
			home := filepath.Join(e.WorkDir, ".home")
			testdata, err := filepath.Abs("testdata")
			if err != nil {
				return err
			}
			for _, kv := range [][2]string{
				{"PAYOFF_BIN", filepath.Dir(payoff)}, {"TESTDATA", testdata}, {"REAL", env["go"]},
				{"HOME", home}, {"USERPROFILE", home}, {"LocalAppData", home},
				{"GOCACHE", env["GOCACHE"]}, // or each script compiles the standard library
				{"GOPROXY", "off"}, {"GOFLAGS", ""}, {"GOTOOLCHAIN", "local"}, {"GOWORK", ""}, {"GOENV", "off"},
				{"GOMAXPROCS", "2"}, {"NO_COLOR", ""}, {"XDG_CACHE_HOME", ""}, {"TMPDIR", os.TempDir()},
				{turn.Env, filepath.Join(e.WorkDir, ".turn")}, // or each script waits for the others
			} {
				e.Setenv(kv[0], kv[1])
			}
			return gocmdtest.Home(home)
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "cgo":
				if env["CGO_ENABLED"] != "1" || len(cc) == 0 {
					return false, nil
				}
				_, err := exec.LookPath(cc[0])
				return err == nil, nil
			case "smalldisk": // of a user's own
				return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", os.TempDir()).Run() == nil, nil
			case "long":
				return stress.Long(), nil
			case "signals":
				return runtime.GOOS != "windows", nil
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"report":   scriptReport,
			"benchfmt": scriptBenchfmt,
			"await":    scriptAwait,
			"gone":     scriptGone,
			"procs":    scriptProcs,
			"kept":     scriptKept,
			"exits":    scriptExits,
			"line":     scriptLine,
			"begins":   scriptBegins,
			"recorded": scriptRecorded,
			"empty":    scriptEmpty,
		},
	})
}

func goEnv(t *testing.T) map[string]string {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "CGO_ENABLED", "CC").Output()
	if err != nil {
		t.Skipf("no go command to measure with: %v", err)
	}
	env := map[string]string{}
	if path, err := exec.LookPath("go"); err == nil {
		env["go"] = path
	}
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	return env
}

// report FILE: it holds one JSON report, and nothing else, with every field
// that docs/json.md promises of a comparison.
func scriptReport(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: report FILE")
	}
	data := ts.ReadFile(args[0])
	dec := json.NewDecoder(strings.NewReader(data))
	dec.DisallowUnknownFields()
	var doc report.Doc
	ts.Check(dec.Decode(&doc))
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	if doc.Schema != report.Schema || doc.Summary == "" || doc.Next == "" || doc.Record == "" {
		ts.Fatalf("schema %d, summary %q, next %q, record %q: want %d and all filled", doc.Schema, doc.Summary, doc.Next, doc.Record, report.Schema)
	}
	if len(doc.Comparisons) == 0 {
		ts.Fatalf("no comparisons")
	}
	for _, c := range doc.Comparisons {
		if !slices.Contains([]judge.Word{judge.Pays, judge.Even, judge.Loses, judge.CannotSay}, c.Verdict) {
			ts.Fatalf("verdict %q: want pays, even, loses or cannot say", c.Verdict)
		}
	}
	var raw struct{ Comparisons []map[string]any }
	ts.Check(json.Unmarshal([]byte(data), &raw))
	for _, c := range raw.Comparisons {
		for _, field := range []string{"package", "benchmark", "variant", "base", "procs", "verdict", "ratio", "low", "high", "pairs"} {
			if _, ok := c[field]; !ok {
				ts.Fatalf("comparison %v has no field %s", c, field)
			}
		}
	}
}

func scriptResults(ts *testscript.TestScript, file string) (results []*benchfmt.Result) {
	r := benchfmt.NewReader(strings.NewReader(ts.ReadFile(file)), file)
	for r.Scan() {
		switch x := r.Result().(type) {
		case *benchfmt.Result:
			results = append(results, x.Clone())
		case *benchfmt.SyntaxError:
			ts.Fatalf("%v", x)
		}
	}
	ts.Check(r.Err())
	return results
}

// benchfmt FILE NAME...: it parses as Go benchmark results, with a result of
// each name, the -P suffix included.
func scriptBenchfmt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: benchfmt FILE NAME...")
	}
	var names []string
	for _, r := range scriptResults(ts, args[0]) {
		if _, ok := r.Value("sec/op"); !ok {
			ts.Fatalf("%s has no time", r.Name)
		}
		if r.GetConfig("pkg") == "" {
			ts.Fatalf("%s has no pkg", r.Name)
		}
		names = append(names, string(r.Name))
	}
	for _, want := range args[1:] {
		if !slices.Contains(names, want) {
			ts.Fatalf("no result %q among %q", want, slices.Compact(slices.Sorted(slices.Values(names))))
		}
	}
}

// procs FILE UNIT: in every result the unit, which the benchmark set to its
// GOMAXPROCS, is the number its name ends with.
func scriptProcs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: procs FILE UNIT")
	}
	seen := map[int]bool{}
	for _, r := range scriptResults(ts, args[0]) {
		_, parts := r.Name.Parts()
		want := 1
		for _, p := range parts {
			if n, err := strconv.Atoi(strings.TrimPrefix(string(p), "-")); err == nil && p[0] == '-' {
				want = n
			}
		}
		if got, ok := r.Value(args[1]); !ok || got != float64(want) {
			ts.Fatalf("%s ran at GOMAXPROCS %v", r.Name, got)
		}
		seen[want] = true
	}
	if len(seen) < 2 {
		ts.Fatalf("results at processor counts %v: want several", seen)
	}
}

// patience is how long scripts wait for what must come. They hang on nothing that
// takes long, so only what never comes is late.
const patience = 5 * time.Minute

// wait returns when done does not fail any more.
func wait(ts *testscript.TestScript, done func() error) {
	for from := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		err := done()
		if err == nil {
			return
		}
		if time.Since(from) > patience {
			ts.Fatalf("after %v: %v", patience, err)
		}
	}
}

// await GLOB LINES: a file of this pattern has that many lines, sooner or later.
func scriptAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await GLOB LINES")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	wait(ts, func() error {
		files, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil && bytes.Count(data, []byte("\n")) >= want {
				return nil
			}
		}
		return fmt.Errorf("no file %s with %d lines", args[0], want)
	})
}

// gone FILE: the processes whose numbers stand in its lines have ended.
func scriptGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	pids := strings.Fields(ts.ReadFile(args[0]))
	if len(pids) == 0 {
		ts.Fatalf("%s names no process", args[0])
	}
	for _, f := range pids {
		pid, err := strconv.Atoi(f)
		ts.Check(err)
		wait(ts, func() error { // a killed process is gone soon, not at once
			if running(pid) {
				return fmt.Errorf("process %d still runs", pid)
			}
			return nil
		})
	}
}

// exits CODE COMMAND...: the command ends with this exit code.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// line FILE N TEXT: the Nth line becomes TEXT; for N = 0 it is appended,
// without a newline.
func scriptLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: line FILE N TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.Split(ts.ReadFile(args[0]), "\n")
	if n == 0 {
		n = len(lines) // what follows the last newline
	}
	lines[n-1] = args[2]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")), 0o644))
}

// begins FILE HEAD: the file begins with what HEAD holds, and goes on.
func scriptBegins(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: begins FILE HEAD")
	}
	file, head := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if head == "" || !strings.HasPrefix(file, head) || len(file) == len(head) {
		ts.Fatalf("%s, %d bytes, does not begin with the %d bytes of %s and go on", args[0], len(file), len(head), args[1])
	}
}

// kept DIR BENCHMARK...: the recorded run holds samples of just these benchmarks,
// whether others disturbed them or not.
func scriptKept(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: kept DIR BENCHMARK...")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "samples.jsonl"))
	ts.Check(err)
	var got []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		ts.Check(err)
		for line := range bytes.Lines(data) {
			var s struct{ B, Drop string }
			ts.Check(json.Unmarshal(line, &s))
			if s.Drop != measure.Calibration && !slices.Contains(got, s.B) {
				got = append(got, s.B)
			}
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(args[1:]))
	if !slices.Equal(got, want) {
		ts.Fatalf("samples of %q, want of %q", got, want)
	}
}

// recorded NAME DIR: a run is there that was recorded elsewhere, as if it had
// been in this folder.
func scriptRecorded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: recorded NAME DIR")
	}
	here, err := json.Marshal(filepath.ToSlash(ts.Getenv("WORK")))
	ts.Check(err)
	from := os.DirFS(filepath.Join(ts.Getenv("TESTDATA"), args[0]))
	to := ts.MkAbs(args[1])
	ts.Check(fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), bytes.ReplaceAll(data, []byte("HERE"), bytes.Trim(here, `"`)), 0o644)
	}))
}

// empty DIR: nothing is in it.
func scriptEmpty(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: empty DIR")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(entries) > 0 {
		ts.Fatalf("%s holds %s and %d more", args[0], entries[0].Name(), len(entries)-1)
	}
}
