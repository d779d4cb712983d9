package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet"
)

// A fake is a payoff that measures nothing.
type fake struct {
	work  func(ctx context.Context, a Ask, tell Tell) (*report.Doc, error) // of Measure
	asked []Ask
	refs  [2]string
	patch string
	why   [2]string // run and bench
	runs  []Run
	doc   *report.Doc
	err   error
}

func (f *fake) Benchmarks(_ context.Context, a Ask) ([]discover.Target, []problem.Problem, error) {
	f.asked = append(f.asked, a)
	at := filepath.Join(root, "q", "q_test.go") + ":7"
	return []discover.Target{{Package: "example.com/m/q", Dir: filepath.Join(root, "q"), Funcs: []discover.Func{{Name: "BenchmarkX", Pos: at, Subs: []string{"a"}}}}}, nil, f.err
}

func (f *fake) Measure(ctx context.Context, a Ask, tell Tell) (*report.Doc, error) {
	f.asked = append(f.asked, a)
	if f.work != nil {
		return f.work(ctx, a, tell)
	}
	return f.doc, f.err
}

func (f *fake) Compare(_ context.Context, a Ask, old, new string, _ Tell) (*report.Doc, error) {
	f.asked, f.refs = append(f.asked, a), [2]string{old, new}
	return f.doc, f.err
}

func (f *fake) Try(_ context.Context, a Ask, patch string, strict bool, _ Tell) (*report.Doc, error) {
	f.asked, f.patch = append(f.asked, a), fmt.Sprint(patch, strict)
	return f.doc, f.err
}

func (f *fake) Runs(context.Context, int) ([]Run, error) { return f.runs, nil }

func (f *fake) Why(_ context.Context, run, bench string) (*report.Doc, error) {
	f.why = [2]string{run, bench}
	return f.doc, f.err
}

func (f *fake) Explain(slugs []string) ([]Cause, string, error) {
	return []Cause{{Cause: catalog.Cause{Slug: "falseshare", Title: "false sharing"}}}, fmt.Sprintf("causes %q", slugs), nil
}

var root, _ = filepath.Abs("/some tree") // with the volume, where there are any

// A link is a client and its server, both in this process.
type link struct {
	*sdk.ClientSession
	log   *bytes.Buffer
	stop  context.CancelFunc // ends the server
	ended chan error
}

// connect starts a server and a client, in a bubble in which all ends with the test.
func connect(t *testing.T, f *fake, heard func(*sdk.ProgressNotificationParams)) *link {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	l := &link{log: new(bytes.Buffer), stop: stop, ended: make(chan error, 1)}
	go func() {
		l.ended <- Serve(ctx, f, Options{Version: "devel", Root: root, Budget: 2 * time.Minute, Log: l.log}, in, out)
		out.Close()
	}()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		if heard != nil {
			heard(r.Params)
		}
	}})
	var err error
	if l.ClientSession, err = c.Connect(ctx, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil); err != nil {
		t.Fatal(err)
	}
	return l
}

// close ends the client, and then the server has ended.
func (l *link) close(t *testing.T) {
	t.Helper()
	l.Close()
	if err := <-l.ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	l.stop()
}

// called is the answer to a call of a tool: its text, its data, and whether it is an
// error.
func (l *link) called(ctx context.Context, t *testing.T, tool string, args any) (text string, data map[string]any, bad bool) {
	t.Helper()
	p := &sdk.CallToolParams{Name: tool, Arguments: args}
	res, err := l.CallTool(ctx, p)
	if err != nil {
		t.Errorf("%s: %v", tool, err)
		return "", nil, true
	}
	data, _ = res.StructuredContent.(map[string]any)
	return res.Content[0].(*sdk.TextContent).Text, data, res.IsError
}

// What a client must not ask for is refused before anything is done, by an error that
// says what to ask for.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{runs: []Run{{Name: "20260101-000000"}}}
		l := connect(t, f, nil)
		defer l.close(t)
		long := strings.Repeat("x", mostLetters+1)
		for _, tt := range []struct{ tool, args, want string }{
			{"measure", `{"packages":["../other"]}`, `"../other" leads out of the folder of the server: name packages below it, like ./queue`},
			{"measure", `{"packages":["./a/../../b"]}`, "leads out of the folder"},
			{"measure", `{"packages":["example.com/m/.."]}`, "leads out of the folder"},
			{"measure", `{"packages":["a\\..\\..\\b"]}`, "leads out of the folder"},
			{"measure", `{"packages":["/etc"]}`, `"/etc" is an absolute path: name it from the folder of the server, like ./queue`},
			{"measure", `{"packages":["C:\\x"]}`, "is an absolute path"},
			{"measure", `{"packages":["\\\\host\\x"]}`, "is an absolute path"},
			{"measure", `{"packages":["-exec=x"]}`, `"-exec=x" looks like a flag: name a folder like ./queue`},
			{"measure", `{"packages":[""]}`, "one is empty: name a folder"},
			{"measure", `{"packages":["x_test.go"]}`, `"x_test.go" is a file: name its folder`},
			{"measure", `{"packages":["a\u001b[2J"]}`, "characters that cannot be printed: leave them out"},
			{"measure", `{"packages":["` + long + `"]}`, "has 1001 bytes, and 1000 is the most: name less"},
			{"measure", `{"packages":[` + strings.Repeat(`"./a",`, mostWords) + `"./a"]}`, "101 packages, and 100 is the most: name fewer, or a pattern for them"},
			{"list_benchmarks", `{"packages":["../other"]}`, "leads out of the folder"},
			{"compare", `{"packages":["../other"]}`, "leads out of the folder"},
			{"measure", `{"packages":"./a"}`, "packages is a JSON string, and should be a list of strings: it takes base, bench, budget_seconds, packages, procs, vs, all optional"},
			{"measure", `{"package":["./a"]}`, `unknown field "package": it takes base, bench`},
			{"measure", `["./a"]`, "it is a JSON array, and should be an object: it takes"},
			{"measure", `{"procs":["1"]}`, "procs is a JSON string, and should be"},
			{"measure", `{"procs":[0]}`, "procs: 0: want numbers from 1 to 65536"},
			{"measure", `{"procs":[65537]}`, "procs: 65537: want"},
			{"measure", `{"procs":[` + strings.Repeat("1,", mostWords) + `1]}`, "procs: 101 values, and 100 is the most: name fewer"},
			{"measure", `{"budget_seconds":121}`, "budget_seconds: 121: want 1 to 120; payoff mcp -budget allows more"},
			{"measure", `{"budget_seconds":-1}`, "budget_seconds: -1: want 1 to 120"},
			{"measure", `{"budget_seconds":1.5}`, "budget_seconds is a JSON number 1.5, and should be a whole number"},
			{"compare", `{"budget_seconds":121}`, "budget_seconds: 121: want"},
			{"measure", `{"bench":"` + long + `"}`, "bench: \"xxxxxxxxxxxxxxxxxxxx\"… has 1001 bytes"},
			{"measure", `{"base":"a\u0000"}`, "base: \"a\\x00\" has characters that cannot be printed"},
			{"compare", `{"old":"--upload-pack=x"}`, `old: "--upload-pack=x" is no commit: name one as git does, like HEAD~1`},
			{"compare", `{"new":"-x"}`, `new: "-x" is no commit`},
			{"try_patch", `{}`, "patch: it is empty: give the edit as git diff writes it"},
			{"try_patch", `{"patch":" \n"}`, "patch: it is empty"},
			{"try_patch", `{"patch":["a"]}`, "patch is a JSON array, and should be a string"},
			{"try_patch", `{"patch":"a","strict":1}`, "strict is a JSON number, and should be true or false"},
			{"try_patch", `{"patch":"a","packages":["../other"]}`, "leads out of the folder"},
			{"try_patch", `{"patch":"a","budget_seconds":121}`, "budget_seconds: 121: want"},
			{"try_patch", `{"patch":"` + strings.Repeat("x", 10<<20) + `"}`, "the arguments have 10485772 bytes, and 1048576 is the most: give a smaller patch, of source alone"},
			{"why", `{"run":"../../20260101-000000"}`, `no recorded run is "../../20260101-000000": the newest is 20260101-000000, and resources/list has the others`},
			{"why", `{"bench":"` + long + `"}`, "bench: "},
			{"explain", `{"causes":["` + long + `"]}`, "causes: "},
			{"measure", `{"bench":"` + strings.Repeat("x", mostArguments) + `"}`, "the arguments have 65548 bytes, and 65536 is the most"},
			{"list_benchmarks", `{"bench":"` + strings.Repeat("x", 4<<20) + `"}`, "the arguments have 4194316 bytes"},
		} {
			text, data, bad := l.called(t.Context(), t, tt.tool, json.RawMessage(tt.args))
			if !bad || !strings.HasPrefix(text, tt.tool+": ") || !strings.Contains(text, tt.want) || data != nil {
				t.Errorf("%s %.60s: error %t, %q, data %v, want an error with %q", tt.tool, tt.args, bad, text, data, tt.want)
			}
		}
		if len(f.asked) > 0 || f.why != [2]string{} {
			t.Errorf("asked for %+v and %v, want nothing", f.asked, f.why)
		}
		if _, err := l.CallTool(t.Context(), &sdk.CallToolParams{Name: "run"}); err == nil || !strings.Contains(err.Error(), `unknown tool "run"`) {
			t.Errorf("a tool that is not there: %v", err)
		}
	})
}

// What a call asks for reaches payoff as it was asked for, or with the defaults that the
// arguments tell of.
func TestAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{doc: &report.Doc{Compared: &report.Compared{}}}
		l := connect(t, f, nil)
		defer l.close(t)
		for _, tt := range []struct {
			tool, args string
			want       Ask
		}{
			{"measure", `{}`, Ask{Budget: time.Minute}},
			{"measure", ``, Ask{Budget: time.Minute}},
			{"measure", `{"packages":["./..."],"bench":"X/n=1$","base":"S","vs":"P","procs":[4,2,4],"budget_seconds":120}`, Ask{[]string{"./..."}, "X/n=1$", "S", "P", []int{1, 2, 4}, 2 * time.Minute}},
			{"measure", `{"packages":["example.com/m/...","."],"budget_seconds":1}`, Ask{Packages: []string{"example.com/m/...", "."}, Budget: time.Second}},
			{"list_benchmarks", `{}`, Ask{Packages: []string{"./..."}, Budget: time.Minute}},
			{"compare", `{"old":"HEAD~1","new":"b","bench":"X"}`, Ask{Bench: "X", Budget: time.Minute}},
			{"try_patch", `{"patch":"` + strings.Repeat("p", mostArguments) + `","bench":"X","procs":[2]}`, Ask{Bench: "X", Procs: []int{1, 2}, Budget: time.Minute}},
		} {
			f.asked = nil
			var args any = json.RawMessage(tt.args)
			if tt.args == "" {
				args = nil
			}
			if text, _, _ := l.called(t.Context(), t, tt.tool, args); len(f.asked) != 1 || fmt.Sprint(f.asked[0]) != fmt.Sprint(tt.want) {
				t.Errorf("%s %s: asked for %+v, want %+v; answer %q", tt.tool, tt.args, f.asked, tt.want, text)
			}
		}
		if want := strings.Repeat("p", mostArguments) + "false"; f.patch != want {
			t.Errorf("a patch of %d bytes, want %d", len(f.patch), len(want))
		}
		if f.refs != [2]string{"HEAD~1", "b"} {
			t.Errorf("compared %q", f.refs)
		}
		f.err, f.doc = Same{"nothing to compare: both are commit 1"}, nil
		if text, data, bad := l.called(t.Context(), t, "compare", nil); bad || text != "nothing to compare: both are commit 1" || data["same"] != true || f.refs != [2]string{"HEAD", ""} {
			t.Errorf("the same code: %q, %v, error %t; compared %q", text, data, bad, f.refs)
		}
		f.err = errors.New("broken\x1b")
		if text, _, bad := l.called(t.Context(), t, "measure", nil); !bad || text != `measure: broken\x1b` {
			t.Errorf("an error: %q, error %t", text, bad)
		}
	})
}

// One call works at a time: another is refused at once, what needs no machine is not;
// and one that comes after the first was given up waits until nothing of that is left.
func TestOneJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := make(chan bool)
		working := false
		f := &fake{runs: []Run{{Name: "20260101-000000"}}}
		f.work = func(ctx context.Context, _ Ask, _ Tell) (*report.Doc, error) {
			working = true
			<-ctx.Done()
			<-left // its processes have ended
			working = false
			return nil, context.Cause(ctx)
		}
		l := connect(t, f, nil)
		defer l.close(t)
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error, 1)
		go func() {
			_, err := l.CallTool(ctx, &sdk.CallToolParams{Name: "measure"})
			first <- err
		}()
		synctest.Wait()
		time.Sleep(3 * time.Second)
		const busy = "measure works since 3s, and two at once would measure each other: wait for its answer, or cancel it, and call again"
		for _, tool := range []string{"measure", "compare", "list_benchmarks", "why"} {
			if text, _, bad := l.called(t.Context(), t, tool, nil); !bad || text != tool+": "+busy {
				t.Errorf("%s beside a call that works: %q, error %t", tool, text, bad)
			}
		}
		if _, err := l.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: runURI + "20260101-000000"}); err == nil || !strings.Contains(err.Error(), busy) {
			t.Errorf("a run beside a call that works: %v", err)
		}
		if text, _, bad := l.called(t.Context(), t, "explain", nil); bad {
			t.Errorf("explain beside a call that works: %q", text)
		}
		if all, err := l.ListResources(t.Context(), nil); err != nil || len(all.Resources) != 1 {
			t.Errorf("a list of runs beside a call that works: %v, %v", all, err)
		}
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("a call that was cancelled: %v", err)
		}
		synctest.Wait() // the server has heard of it
		second := make(chan string, 1)
		go func() {
			text, _, _ := l.called(t.Context(), t, "list_benchmarks", nil)
			second <- fmt.Sprint(working, " ", text)
		}()
		synctest.Wait()
		select {
		case got := <-second:
			t.Errorf("a call was answered while processes of another were left: %q", got)
		default:
		}
		close(left)
		if got := <-second; !strings.HasPrefix(got, "false example.com/m/q\n") {
			t.Errorf("a call after one that was cancelled: %q", got)
		}
	})
}

// A call has an end, whatever it does; what there is until then is its answer.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		f.work = func(ctx context.Context, _ Ask, _ Tell) (*report.Doc, error) {
			<-ctx.Done()
			return &report.Doc{Summary: "half", Comparisons: []report.Comparison{{Verdict: judge.Pays}}}, context.Cause(ctx)
		}
		l := connect(t, f, nil)
		defer l.close(t)
		began := time.Now()
		text, data, bad := l.called(t.Context(), t, "measure", map[string]any{"budget_seconds": 10})
		if took := time.Since(began); took != 20*time.Second+grace || bad || data["summary"] != "half" || fmt.Sprint(data["problems"]) != "[the time of the call is up]" {
			t.Errorf("after %v: %q, %v, error %t", took, text, data, bad)
		}
	})
}

// A call ends with the connection and with the server.
func TestEnds(t *testing.T) {
	for _, how := range []string{"connection", "server"} {
		synctest.Test(t, func(t *testing.T) {
			ended := false
			f := &fake{}
			f.work = func(ctx context.Context, _ Ask, _ Tell) (*report.Doc, error) {
				<-ctx.Done()
				ended = true
				return nil, context.Cause(ctx)
			}
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			served := make(chan error, 1)
			go func() {
				served <- Serve(ctx, f, Options{Root: root, Budget: time.Minute, Log: io.Discard}, in, out)
				out.Close()
			}()
			go io.Copy(io.Discard, fromServer)
			for _, m := range []string{
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"measure","arguments":{}}}`,
			} {
				fmt.Fprintln(toServer, m)
			}
			synctest.Wait()
			if len(f.asked) != 1 || ended {
				t.Fatalf("asked for %v, ended %t: want a call that works", f.asked, ended)
			}
			began := time.Now()
			if how == "server" {
				stop()
			} else {
				toServer.Close()
			}
			if err, took := <-served, time.Since(began); err != nil || !ended || took != 0 { // not when the time of the call is up
				t.Errorf("%s: %v after %v, the call has ended: %t", how, err, took, ended)
			}
		})
	}
}

// What is no message ends the server with an error: where the next one begins, nobody
// can know.
func TestNoMessage(t *testing.T) {
	for _, sent := range []string{"no JSON\n", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", mostMessage) + `"}` + "\n"} {
		synctest.Test(t, func(t *testing.T) {
			in, toServer := io.Pipe()
			served := make(chan error, 1)
			go func() {
				served <- Serve(t.Context(), &fake{}, Options{Root: root, Budget: time.Minute, Log: io.Discard}, in, io.Discard)
				in.Close()
			}()
			io.WriteString(toServer, sent)
			toServer.Close()
			if err := <-served; err == nil || !strings.Contains(err.Error(), "more than 16 MiB") || !strings.HasSuffix(err.Error(), ": start the server again") {
				t.Errorf("%.10q: %v", sent, err)
			}
		})
	}
}

// A client that asks for it hears how far a call is, once a second at most, and what is
// important at once; the seconds grow.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		last := -1.0
		f := &fake{doc: &report.Doc{}}
		f.work = func(_ context.Context, _ Ask, tell Tell) (*report.Doc, error) {
			tell("building", false)
			tell("listing", false)
			time.Sleep(time.Second)
			tell("round 1\x1b", false)
			time.Sleep(time.Millisecond)
			tell("waiting for another", true)
			return f.doc, nil
		}
		l := connect(t, f, func(p *sdk.ProgressNotificationParams) {
			if heard = append(heard, fmt.Sprint(p.ProgressToken, " ", p.Message)); p.Progress <= last {
				t.Errorf("progress %v after %v", p.Progress, last)
			}
			last = p.Progress
		})
		defer l.close(t)
		p := &sdk.CallToolParams{Name: "measure"}
		if _, err := l.CallTool(t.Context(), p); err != nil || len(heard) > 0 {
			t.Errorf("who asked for no progress heard %q, %v", heard, err)
		}
		p.SetProgressToken("token")
		if _, err := l.CallTool(t.Context(), p); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if want := []string{"token building", `token round 1\x1b`, "token waiting for another"}; !slices.Equal(heard, want) {
			t.Errorf("heard %q, want %q", heard, want)
		}
		if log := l.log.String(); !strings.Contains(log, "payoff: waiting for another\n") || !strings.Contains(log, "payoff: measure: answered in 1.001s\n") {
			t.Errorf("the log is %q", log)
		}
	})
}

// An answer has what loses first, no more than is read, and places as they are seen from
// the server's folder; evidence where it was asked for.
func TestAnswer(t *testing.T) {
	half, two := 0.5, 2.0
	lost := report.Comparison{Package: "example.com/m", Name: "BenchmarkX/variant=b", BaseName: "BenchmarkX/variant=a", Procs: 2, BaseProcs: 2, Verdict: judge.Loses, Ratio: &half, Low: &half, High: &two,
		Explained: true, Lost: &two, Unexplained: &half, Doubts: []report.Doubt{{Text: "doubtful\x1b"}}, Causes: []report.Cause{{Slug: "falseshare", Title: "false sharing", Share: 0.9, NS: 7, Do: "Sum in a local variable",
			Evidence: []report.Evidence{{Text: "in turns", Place: source.Place{File: filepath.Join(root, "q", "q.go"), Line: 3}}},
			Places:   []report.Place{{Place: source.Place{File: filepath.Join(root, "q", "q.go"), Line: 3, Func: "q.F"}, NS: 6}, {NS: 1}}}}}
	doc := &report.Doc{Summary: "all", Record: filepath.Join(".payoff", "runs", "20260101-000000"), Next: "payoff fix", Problems: []problem.Problem{{Package: "p", Reason: "r", Next: "n", Note: true}}}
	for range mostVerdicts {
		doc.Comparisons = append(doc.Comparisons, report.Comparison{Verdict: judge.Even})
	}
	doc.Comparisons = append(doc.Comparisons, lost)
	s := &server{Options: Options{Root: root}}
	a := s.answer(doc, true)
	if a.Run != "20260101-000000" || len(a.Verdicts) != mostVerdicts || a.More != 1 || len(a.Problems) != 1 || !strings.HasPrefix(a.Problems[0], "note: p") || a.failed() {
		t.Errorf("%+v", a)
	}
	v, _ := json.Marshal(a.Verdicts[0])
	const want = `{"package":"example.com/m","benchmark":"BenchmarkX/variant=b","base":"BenchmarkX/variant=a","procs":2,"base_procs":2,"verdict":"loses","speedup":0.5,"low":0.5,"high":2,"doubts":["doubtful\\x1b"],"lost_ns":2,` +
		`"causes":[{"cause":"falseshare","title":"false sharing","share":0.9,"ns":7,"lines":[{"file":"q/q.go","line":3,"func":"q.F","ns":6},{"ns":1}],"evidence":["q/q.go:3: in turns"],"do":"Sum in a local variable"}],"unexplained":0.5}`
	if string(v) != want {
		t.Errorf("%s\nwant %s", v, want)
	}
	if e := s.answer(doc, false).Verdicts[0].Causes[0].Evidence; e != nil {
		t.Errorf("evidence %q where none was asked for", e)
	}
	if got := s.near(filepath.Join(filepath.Dir(root), "other.go")); got != filepath.Join(filepath.Dir(root), "other.go") {
		t.Errorf("a file elsewhere is %s", got)
	}
	if a := s.answer(&report.Doc{Problems: doc.Problems}, false); !a.failed() {
		t.Error("an answer with problems alone is none that failed")
	}
}

// Answers are what the schemas of the tools say, empty ones too.
func TestSchemas(t *testing.T) {
	valid(t, listed{})
	valid(t, listed{Packages: []benchmarks{{Benchmarks: []benchmark{{Subs: []string{"a"}}}}}})
	valid(t, measured{})
	valid(t, measured{Verdicts: []verdict{{Causes: []loss{{Lines: []line{{}}, Evidence: []string{""}}}}}, Problems: []string{""}})
	valid(t, compared{})
	valid(t, compared{Changes: []change{{}}, Equal: []string{""}})
	valid(t, explained{})
	valid(t, explained{Causes: []Cause{{Edits: []vet.Cure{{}}}}, All: []named{{}}})
}

func valid[T any](t *testing.T, v T) {
	t.Helper()
	data, err := json.Marshal(v)
	var value any
	err = errors.Join(err, json.Unmarshal(data, &value))
	r, err2 := schema[T]().Resolve(nil)
	if err = errors.Join(err, err2); err == nil {
		err = r.Validate(value)
	}
	if err != nil {
		t.Errorf("%T %s: %v", v, data, err)
	}
}

// The tools take one object each, of arguments that have one type and are described.
func TestTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := connect(t, &fake{}, nil)
		defer l.close(t)
		all, err := l.ListTools(t.Context(), nil)
		if err != nil || len(all.Tools) != 6 {
			t.Fatalf("%d tools, %v, want 6", len(all.Tools), err)
		}
		for _, x := range all.Tools {
			in, _ := x.InputSchema.(map[string]any)
			props, _ := in["properties"].(map[string]any)
			if x.Description == "" || in["type"] != "object" || in["required"] != nil || len(props) == 0 || x.OutputSchema == nil {
				t.Errorf("%s: %q takes %v", x.Name, x.Description, in)
			}
			for name, p := range props {
				p := p.(map[string]any)
				if kind, _ := p["type"].(string); kind == "" || p["description"] == nil {
					t.Errorf("%s: %s is %v", x.Name, name, p)
				}
			}
		}
	})
}

// Recorded runs are listed and read by their names alone.
func TestRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{doc: &report.Doc{Summary: "of old"}}
		l := connect(t, f, nil)
		defer l.close(t)
		if text, _, bad := l.called(t.Context(), t, "why", nil); !bad || text != "why: no run is recorded here yet: measure makes one" {
			t.Errorf("without a run: %q, error %t", text, bad)
		}
		f.runs = []Run{{"20260102-000000", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), "run ./x"}, {Name: "20260101-000000"}}
		all, err := l.ListResources(t.Context(), nil)
		if err != nil || len(all.Resources) != 2 || all.Resources[0].URI != "payoff://run/20260102-000000" || all.Resources[0].Description != "2026-01-02 00:00:00, payoff run ./x" {
			t.Errorf("%+v, %v", all, err)
		}
		for _, tt := range []struct{ uri, run, kind, has string }{
			{"payoff://run/20260101-000000", "20260101-000000", "text/plain", "of old\n"},
			{"payoff://run/20260102-000000/json", "20260102-000000", "application/json", `"summary": "of old"`},
		} {
			res, err := l.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: tt.uri})
			if err != nil || f.why != [2]string{tt.run, ""} || res.Contents[0].MIMEType != tt.kind || !strings.Contains(res.Contents[0].Text, tt.has) {
				t.Errorf("%s: %+v, %v; read %q", tt.uri, res, err, f.why)
			}
		}
		f.why = [2]string{}
		for _, uri := range []string{"payoff://run/", "payoff://run/20260103-000000", "payoff://run/..", "payoff://run/%2e%2e%2f20260101-000000", "payoff://run/../20260101-000000", "payoff://run/%zz", "payoff://run/20260101-000000/html", "file:///etc/passwd"} {
			if res, err := l.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil || f.why != [2]string{} {
				t.Errorf("%s: %+v, read %q", uri, res, f.why)
			}
		}
		if _, _, bad := l.called(t.Context(), t, "why", map[string]any{"bench": "X"}); bad || f.why != [2]string{"20260102-000000", "X"} {
			t.Errorf("why of the newest: %q", f.why)
		}
		f.doc = &report.Doc{Compared: &report.Compared{}}
		if text, _, bad := l.called(t.Context(), t, "why", nil); !bad || !strings.Contains(text, "20260102-000000 compares two states of the code, and no causes were sought: measure looks for them") {
			t.Errorf("why of a comparison: %q, error %t", text, bad)
		}
	})
}
