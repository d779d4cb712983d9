package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

// served is payoff mcp that decides after two pairs, in one layout.
func served() int {
	adjust = func(p *session.Plan) {
		p.Unasked, p.Layouts, p.Sample = true, 1, 2*time.Millisecond
		p.Bounds = stats.Bounds{Margin: 0.95, Precision: 0.95}
		p.Rule = stats.Rule{Alpha: stats.DefaultRule.Alpha, Looks: []int{2}}
	}
	return run([]string{"payoff", "mcp"}, os.Stdout, os.Stderr)
}

// pidEnv names the file in which the benchmark that hangs leaves its process.
const pidEnv = "PAYOFF_TEST_PID"

// servedModule are files of a module with a package that is measured in no time, one
// whose benchmark hangs, and one that lies elsewhere.
var servedModule = map[string]string{
	"m/go.mod": "module example.com/m\n\ngo 1.22\n",
	"m/sum_test.go": `package m

import "testing"

var sink int

func BenchmarkSumSerial(b *testing.B)   { loop(b) }
func BenchmarkSumParallel(b *testing.B) { loop(b) }

func loop(b *testing.B) {
	for range b.N {
		sink += step
	}
}
`,
	"m/step_test.go": "package m\n\nconst step = 1\n",
	"m/hang/hang_test.go": `package hang

import (
	"os"
	"strconv"
	"testing"
	"time"
)

func BenchmarkHang(b *testing.B) {
	file := os.Getenv("` + pidEnv + `")
	os.WriteFile(file+".new", []byte(strconv.Itoa(os.Getpid())), 0o644)
	os.Rename(file+".new", file)
	time.Sleep(time.Hour)
}
`,
	"elsewhere/x_test.go": "package elsewhere\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n",
}

// A served server is payoff mcp in a process of its own.
type servedServer struct {
	*sdk.ClientSession
	dir    string // of the module
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *bytes.Buffer
	pid    string // file, see pidEnv
	temp   string // folder for temporary files
}

// serverOf starts payoff mcp in a new module.
func serverOf(t *testing.T) (s *servedServer, out io.ReadCloser, in io.WriteCloser) {
	t.Helper()
	env := goEnv(t)
	file, err := exec.LookPath("served")
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range servedModule {
		put(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	s = &servedServer{dir: filepath.Join(top, "m"), cmd: exec.Command(file), stderr: new(bytes.Buffer), pid: filepath.Join(top, "pid")}
	home := filepath.Join(top, "home")
	s.temp = filepath.Join(top, "temp")
	if err := errors.Join(os.Mkdir(s.temp, 0o755), gocmdtest.Home(home)); err != nil {
		t.Fatal(err)
	}
	s.cmd.Dir, s.cmd.Stderr = s.dir, s.stderr
	s.cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "LocalAppData="+home, "XDG_CACHE_HOME=", "TMPDIR="+s.temp, "TMP="+s.temp, "TEMP="+s.temp, "GOCACHE="+env["GOCACHE"],
		"GOPROXY=off", "GOFLAGS=", "GOTOOLCHAIN=local", "GOWORK=", "GOENV=off", "GOMAXPROCS=2", turn.Env+"="+filepath.Join(top, "turn"), pidEnv+"="+s.pid,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err = s.cmd.StdoutPipe()
	in, err2 := s.cmd.StdinPipe()
	if err := errors.Join(err, err2, s.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	s.stdin = in
	t.Cleanup(func() { s.cmd.Process.Kill() }) // else it has ended
	return s, out, in
}

// connected is a server with a client.
func connected(t *testing.T, heard func(string)) *servedServer {
	t.Helper()
	s, out, in := serverOf(t)
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		heard(r.Params.Message)
	}})
	var err error
	if s.ClientSession, err = c.Connect(t.Context(), &sdk.IOTransport{Reader: out, Writer: in}, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// tool is the answer of a tool: its text, and its data in v.
func (s *servedServer) tool(t *testing.T, name, args string, v any) (text string, bad bool) {
	t.Helper()
	p := &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(args)}
	p.SetProgressToken(name)
	res, err := s.CallTool(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v; %s", name, err, s.stderr)
	}
	if v != nil {
		data, err := json.Marshal(res.StructuredContent)
		if err := errors.Join(err, json.Unmarshal(data, v)); err != nil {
			t.Fatalf("%s: %s: %v", name, data, err)
		}
	}
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

// commit makes a commit of all that lies in the module.
func (s *servedServer) commit(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "one"}} {
		cmd := exec.Command("git", append([]string{"-C", s.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
}

// TestServedSession: a client lists, measures, asks why, has a cause explained, changes
// one thing and compares; and packages elsewhere are not measured, whatever leads there.
func TestServedSession(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds and measures a package")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	var heard []string
	s := connected(t, func(line string) { heard = append(heard, line) })
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range tools.Tools {
		names = append(names, x.Name)
	}
	if want := []string{"compare", "explain", "list_benchmarks", "measure", "try_patch", "why"}; !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}

	var list struct {
		Packages []struct {
			Package, Dir string
			Benchmarks   []struct {
				Name, File string
				Line       int
			}
		}
	}
	if text, bad := s.tool(t, "list_benchmarks", `{"packages":["."]}`, &list); bad || len(list.Packages) != 1 || len(list.Packages[0].Benchmarks) != 2 ||
		list.Packages[0].Benchmarks[1].Name != "BenchmarkSumParallel" || list.Packages[0].Benchmarks[1].File != "sum_test.go" || list.Packages[0].Benchmarks[1].Line != 8 {
		t.Errorf("list_benchmarks: %+v, %q", list, text)
	}

	type verdicts struct {
		Summary, Run, Next string
		Verdicts           []struct {
			Benchmark, Base, Verdict string
			Procs                    int
		}
	}
	var measured, why verdicts
	text, bad := s.tool(t, "measure", `{"packages":["."],"procs":[1],"budget_seconds":20}`, &measured)
	if bad || len(measured.Verdicts) != 1 || measured.Verdicts[0].Benchmark != "BenchmarkSumParallel" || measured.Verdicts[0].Base != "BenchmarkSumSerial" || !strings.HasPrefix(text, measured.Summary+"\n") {
		t.Fatalf("measure: %+v, %q; %s", measured, text, s.stderr)
	}
	if len(heard) == 0 {
		t.Error("no progress was heard")
	}
	if _, err := os.Stat(filepath.Join(s.dir, ".payoff", "runs", measured.Run, "run.json")); err != nil {
		t.Error(err)
	}
	if text, bad := s.tool(t, "why", `{}`, &why); bad || why.Run != measured.Run || len(why.Verdicts) != 1 || why.Verdicts[0] != measured.Verdicts[0] || !strings.Contains(text, "SumParallel") {
		t.Errorf("why: %+v, want the run %+v; %q", why, measured, text)
	}
	var causes struct {
		Causes []struct{ Slug, Before, After, Wrong string }
		All    []struct{ Slug string }
	}
	if text, bad := s.tool(t, "explain", `{"causes":["falseshare"]}`, &causes); bad || len(causes.Causes) != 1 || causes.Causes[0].Before == "" || causes.Causes[0].After == "" || causes.Causes[0].Wrong == "" || !strings.HasPrefix(text, "falseshare: ") {
		t.Errorf("explain: %+v, %q", causes, text)
	}
	if text, bad := s.tool(t, "explain", `{}`, &causes); bad || len(causes.All) < 10 || !strings.Contains(text, "falseshare") {
		t.Errorf("explain: %+v, %q", causes, text)
	}
	if text, bad := s.tool(t, "explain", `{"causes":["falsesharing"]}`, nil); !bad || !strings.Contains(text, "did you mean falseshare") {
		t.Errorf("explain of what is no cause: %q", text)
	}

	all, err := s.ListResources(t.Context(), nil)
	if err != nil || len(all.Resources) != 1 || all.Resources[0].URI != "payoff://run/"+measured.Run || !strings.HasSuffix(all.Resources[0].Description, ", payoff mcp measure .") {
		t.Fatalf("%+v, %v", all, err)
	}
	res, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: all.Resources[0].URI + "/json"})
	var doc report.Doc
	if err := errors.Join(err, json.Unmarshal([]byte(res.Contents[0].Text), &doc)); err != nil || len(doc.Comparisons) != 1 {
		t.Errorf("the report has %d comparisons, %v", len(doc.Comparisons), err)
	}

	s.commit(t)
	type changes struct {
		Summary string
		Same    bool
		Changes []struct{ Package, Benchmark, Word string }
	}
	var same, changed changes
	if text, bad := s.tool(t, "compare", `{"procs":[1]}`, &same); bad || !same.Same || !strings.Contains(text, "nothing to compare") {
		t.Errorf("compare of the same code: %+v, %q", same, text)
	}
	put(t, filepath.Join(s.dir, "step_test.go"), "package m\n\nconst step = 2\n")
	if text, bad := s.tool(t, "compare", `{"procs":[1],"budget_seconds":20}`, &changed); bad || changed.Same || len(changed.Changes) != 2 || changed.Changes[0].Word == "" || !strings.HasPrefix(text, changed.Summary+"\n") {
		t.Errorf("compare: %+v, %q", changed, text)
	}

	if err := os.Symlink(filepath.Join(s.dir, "..", "elsewhere"), filepath.Join(s.dir, "linked")); err == nil { // Windows may not let us
		for _, x := range [][2]string{{"list_benchmarks", `{"packages":["./linked"]}`}, {"measure", `{"packages":["./linked"]}`}} {
			if text, bad := s.tool(t, x[0], x[1], nil); !bad || !strings.Contains(text, "only packages below "+s.dir+" may be measured: name one of them, or ./... for all") {
				t.Errorf("%s of a package that a link leads to: %q", x[0], text)
			}
		}
	}
	if text, bad := s.tool(t, "measure", `{"packages":["strings"]}`, nil); !bad || !strings.Contains(text, "package strings lies in ") {
		t.Errorf("measure of the standard library: %q", text)
	}
	s.Close()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, s.stderr)
	}
}

// TestServedEnds: a call that is cancelled, whose client goes, or whose server is asked
// to end, leaves no process.
func TestServedEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds a package")
	}
	ways := []string{"cancel", "client"}
	if runtime.GOOS != "windows" {
		ways = append(ways, "signal")
	}
	for _, how := range ways {
		t.Run(how, func(t *testing.T) {
			s := connected(t, func(string) {})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			first := make(chan error, 1)
			go func() {
				_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "measure", Arguments: json.RawMessage(`{"packages":["./hang"],"budget_seconds":600}`)})
				first <- err
			}()
			pid := 0
			for pid == 0 { // as long as the build takes
				select {
				case err := <-first:
					t.Fatalf("the call ended with %v: %s", err, s.stderr)
				case <-time.After(10 * time.Millisecond):
				}
				data, _ := os.ReadFile(s.pid)
				pid, _ = strconv.Atoi(string(data))
			}
			const busy = "two at once would measure each other"
			if text, bad := s.tool(t, "list_benchmarks", `{}`, nil); !bad || !strings.Contains(text, "list_benchmarks: measure works since ") || !strings.Contains(text, busy) {
				t.Errorf("a call beside one that works: %q", text)
			}
			if !running(pid) {
				t.Fatal("the benchmark has ended by itself")
			}
			switch how {
			case "cancel":
				cancel()
				if err := <-first; !errors.Is(err, context.Canceled) {
					t.Errorf("the call ended with %v", err)
				}
				for { // until the server has heard of it
					text, bad := s.tool(t, "list_benchmarks", `{"packages":["."]}`, nil)
					if bad && strings.Contains(text, busy) {
						continue
					}
					if bad {
						t.Errorf("a call after one that was cancelled: %q", text)
					}
					break
				}
				if running(pid) {
					t.Error("the benchmark's process goes on")
				}
				s.Close()
			case "client":
				s.stdin.Close()
			case "signal":
				s.cmd.Process.Signal(os.Interrupt)
			}
			if err := s.cmd.Wait(); err != nil {
				t.Errorf("the server ended with %v: %s", err, s.stderr)
			}
			if running(pid) {
				t.Error("the benchmark's process outlives the server")
			}
			if left, err := os.ReadDir(s.temp); err != nil || len(left) > 0 {
				t.Errorf("left among the temporary files: %v, %v", left, err)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, ".payoff", "runs", "*", "*progress*")); len(left) > 0 {
				t.Errorf("%q says that a run goes on", left)
			}
		})
	}
}

// TestServedGarbage: what is no message ends the server with a word on standard error,
// and none on standard output.
func TestServedGarbage(t *testing.T) {
	s, out, in := serverOf(t)
	io.WriteString(in, "GET / HTTP/1.1\n")
	said, _ := io.ReadAll(out)
	err := s.cmd.Wait()
	if code := s.cmd.ProcessState.ExitCode(); code != exitFailed || len(said) > 0 || !strings.Contains(s.stderr.String(), "payoff: the client sent what is no message") {
		t.Errorf("exit code %d (%v), output %q, errors %q", code, err, said, s.stderr)
	}
}

// TestServedRuns: a program sees the runs of the module and those that it made, not
// those of others in the user's cache, nor what is no run or is still written.
func TestServedRuns(t *testing.T) {
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n"})
	for _, name := range []string{"HOME", "USERPROFILE", "LocalAppData", "XDG_CACHE_HOME"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "home"))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	own, others := filepath.Join(dir, ".payoff", "runs"), filepath.Join(cache, "payoff", "runs")
	for _, run := range []string{filepath.Join(own, "20260101-000000"), filepath.Join(own, "20260105-000000"), filepath.Join(others, "20260102-000000"), filepath.Join(dir, "linked")} {
		if err := os.CopyFS(run, os.DirFS(filepath.Join("testdata", "fix"))); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(own, "20260103-000000", "tune.json"), "{}")
	put(t, filepath.Join(own, "20260104-000000", "run.json"), "damaged")
	put(t, filepath.Join(own, "20260105-000000", "progress.json"), "{}")
	_ = os.Symlink(filepath.Join(dir, "linked"), filepath.Join(own, "20260106-000000")) // Windows may not let us
	b := &bench{tc: tc, dir: dir}
	names := func(most int) (names []string) {
		runs, err := b.Runs(t.Context(), most)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			names = append(names, r.Name)
		}
		return names
	}
	if got, want := names(0), []string{"20260101-000000"}; !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	if doc, err := b.Why(t.Context(), "20260102-000000", ""); err == nil {
		t.Errorf("the run of another: %+v", doc)
	}
	b.made = append(b.made, filepath.Join(others, "20260102-000000"))
	if got, want := names(0), []string{"20260102-000000", "20260101-000000"}; !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	if got, want := names(1), []string{"20260102-000000"}; !slices.Equal(got, want) {
		t.Errorf("the newest run is %q, want %q", got, want)
	}
	if doc, err := b.Why(t.Context(), "20260101-000000", ""); err != nil || len(doc.Comparisons) == 0 {
		t.Errorf("a run of the module: %v", err)
	}
	if err := os.RemoveAll(own); err != nil {
		t.Fatal(err)
	}
	b.made = nil
	put(t, own, "a file where the runs are to be")
	if runs, err := b.Runs(t.Context(), 0); err == nil || !strings.Contains(err.Error(), own) {
		t.Errorf("runs that cannot be read: %v, %v, want an error that names %s", runs, err, own)
	}
}

// TestServedTry: patches of a client are judged, and those that would change a file
// elsewhere are refused, whatever leads there.
func TestServedTry(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds and tests a package")
	}
	s := connected(t, func(string) {})
	put(t, filepath.Join(s.dir, "t", "t.go"), "package t\n\n// F doubles.\nfunc F(n int) int { return 2 * n }\n")
	put(t, filepath.Join(s.dir, "t", "t_test.go"), "package t\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif F(2) != 4 {\n\t\tt.Error(1)\n\t}\n}\n\nfunc BenchmarkF(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tF(i)\n\t}\n}\n")
	if err := os.Symlink(filepath.Join(s.dir, "..", "elsewhere"), filepath.Join(s.dir, "link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	edit := func(file, old, new string) string {
		return "--- a/" + file + "\n+++ b/" + file + "\n@@ -3,2 +3,2 @@\n // F doubles.\n-" + old + "\n+" + new + "\n"
	}
	const is = "func F(n int) int { return 2 * n }"
	for _, tt := range []struct {
		patch, outcome, summary string
		bad                     string
	}{
		{edit("t/t.go", is, "func F(n int) int { return 2 * n } // it does"), "no difference", "No difference: ", ""},
		// 2 is squared as it is doubled: the benchmark's inputs tell.
		{edit("t/t.go", is, "func F(n int) int { return n * n }"), "a gate failed", "A gate failed: results: t.F(", ""},
		{edit("t/t.go", is, "func F(n int) int { return n"), "a gate failed", "A gate failed: build: ", ""},
		{edit("t/t.go", is+" ", is), "", "", "try_patch: patch: t/t.go, hunk 1"},
		{edit("../elsewhere/x_test.go", is, is+"//"), "", "", "it is outside of "},
		{edit("link/x_test.go", "x", "y"), "", "", "it does not lie below the folder of the server"},
		{"--- /dev/null\n+++ b/link/new.go\n@@ -0,0 +1 @@\n+package elsewhere\n", "", "", "it does not lie below the folder of the server"},
	} {
		args, err := json.Marshal(map[string]any{"patch": tt.patch, "packages": []string{"./t"}, "procs": []int{1}, "budget_seconds": 10})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Summary, Outcome string }
		text, bad := "", false
		if tt.bad != "" {
			text, bad = s.tool(t, "try_patch", string(args), nil)
		} else {
			text, bad = s.tool(t, "try_patch", string(args), &got)
		}
		if bad != (tt.bad != "") || bad && !strings.Contains(text, tt.bad) || got.Outcome != tt.outcome || !strings.HasPrefix(got.Summary, tt.summary) {
			t.Errorf("%s: error %t, %q, %+v, want %q, %q", tt.patch, bad, text, got, tt.outcome, tt.summary+tt.bad)
		}
	}
	if text, err := os.ReadFile(filepath.Join(s.dir, "t", "t.go")); err != nil || !strings.Contains(string(text), is) {
		t.Errorf("the file was written: %s, %v", text, err)
	}
}
