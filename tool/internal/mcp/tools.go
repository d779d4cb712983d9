package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
)

// Bounds of what a client may ask for.
const (
	mostArguments = 64 << 10 // bytes
	mostPatch     = 1 << 20  // likewise, of the arguments of try_patch
	mostWords     = 100      // of a list
	mostLetters   = 1000     // of a word
)

// usual is the time to measure where a call names none.
const usual = time.Minute

// What the tools take. Descriptions are for the client.
type (
	listArgs struct {
		Packages []string `json:"packages,omitempty" jsonschema:"package patterns as of go test, below the folder of the server; default ./..."`
		Bench    string   `json:"bench,omitempty" jsonschema:"regular expression as of go test -bench; default all"`
	}
	measureArgs struct {
		Packages []string `json:"packages,omitempty" jsonschema:"package patterns as of go test, like ./queue; default the package in the folder of the server"`
		Bench    string   `json:"bench,omitempty" jsonschema:"regular expression as of go test -bench; default all"`
		Base     string   `json:"base,omitempty" jsonschema:"regular expression of the benchmarks that others are compared with; default by the names, as variant=serial"`
		Vs       string   `json:"vs,omitempty" jsonschema:"regular expression of the benchmarks that are compared with base; default all others"`
		Procs    []int    `json:"procs,omitempty" jsonschema:"GOMAXPROCS values; default 1, 2, 4 and so on up to the processors of the machine"`
		Budget   int      `json:"budget_seconds,omitempty" jsonschema:"seconds to measure all packages in, once they are built; looking for causes takes as many again at most; default 60"`
	}
	whyArgs struct {
		Run   string `json:"run,omitempty" jsonschema:"name of a recorded run, as measure returns it; default the newest"`
		Bench string `json:"bench,omitempty" jsonschema:"regular expression as of go test -bench, or the name of a variant; default all"`
	}
	explainArgs struct {
		Causes []string `json:"causes,omitempty" jsonschema:"slugs of causes, as falseshare; default a list of all"`
	}
	compareArgs struct {
		Old      string   `json:"old,omitempty" jsonschema:"commit to compare with; default HEAD"`
		New      string   `json:"new,omitempty" jsonschema:"commit that is compared; default the working tree as it stands"`
		Packages []string `json:"packages,omitempty" jsonschema:"package patterns as of go test, like ./queue; default the package in the folder of the server"`
		Bench    string   `json:"bench,omitempty" jsonschema:"regular expression as of go test -bench; default all"`
		Procs    []int    `json:"procs,omitempty" jsonschema:"GOMAXPROCS values; default 1, 2, 4 and so on up to the processors of the machine"`
		Budget   int      `json:"budget_seconds,omitempty" jsonschema:"seconds to measure all packages in, once they are built; default 60"`
	}
	tryArgs struct {
		Patch    string   `json:"patch,omitempty" jsonschema:"the edit, as git diff writes it, of the files as they are; needed; 1 MiB at most"`
		Packages []string `json:"packages,omitempty" jsonschema:"package patterns as of go test, like ./queue, whose benchmarks judge the edit; default the package in the folder of the server"`
		Bench    string   `json:"bench,omitempty" jsonschema:"regular expression as of go test -bench; default all: those that spend time in a file which changes judge, and the others are controls"`
		Procs    []int    `json:"procs,omitempty" jsonschema:"GOMAXPROCS values; default 1, 2, 4 and so on up to the processors of the machine"`
		Strict   bool     `json:"strict,omitempty" jsonschema:"let a sign of a hollow gain be a gate that failed"`
		Budget   int      `json:"budget_seconds,omitempty" jsonschema:"seconds to test and measure all packages in, once they are built; default 60"`
	}
)

// most is how many bytes the arguments may have.
func (tryArgs) most() int { return mostPatch }

// addTools adds the tools, one call of add for each.
func (s *server) addTools(x *sdk.Server) {
	add(s, x, "list_benchmarks", "Find the benchmarks of Go packages. Nothing of them is run.", looks, s.list)
	add(s, x, "measure", "Build and run Go benchmarks over processors and variants, and say of each whether concurrency pays, with an interval, and what it loses by. Takes about twice budget_seconds and the time to build. The run is recorded: why reads it.", works, s.measure)
	add(s, x, "why", "Show what the benchmarks of a recorded run lost, by cause and source line, with the evidence. Runs nothing.", looks, s.why)
	add(s, x, "explain", "Tell what a cause is, how it shows, code before and after a cure, and when the cure is wrong. Without causes, list them.", tells, s.explain)
	add(s, x, "try_patch", "Judge an edit before it is made: a patch has to pass gofmt, build, go vet, the tests also under the race detector, the functions that it changes have to come to the same results, and it is measured against the code as it is in interleaved pairs, confirmed by fresh ones. Answers faster, slower, no difference, cannot say, or which gate failed, and names signs of a hollow gain. No file is changed.", works, s.try)
	add(s, x, "compare", "Build two states of the code and measure their benchmarks as interleaved pairs: faster, slower, no difference, or cannot say. Use it after each change. The code has to be in git; no file is changed.", works, s.compare)
}

// An effort says what a tool takes.
type effort int

const (
	tells effort = iota // a table: it may be read while others work
	looks               // the machine, for a moment
	works               // the machine, and it runs code of the packages
)

// add adds a tool that takes an In and answers with an Out and a text.
func add[In, Out any](s *server, x *sdk.Server, name, about string, e effort, f func(ctx context.Context, tell Tell, in In) (out *Out, text string, err error)) {
	takes, gives := schema[In](), schema[Out]()
	for _, p := range takes.Properties {
		if slices.Contains(p.Types, "array") { // or null, which not every client takes
			p.Type, p.Types = "array", nil
		}
	}
	yes, no := true, false
	hints := &sdk.ToolAnnotations{ReadOnlyHint: e != works, IdempotentHint: e != works, DestructiveHint: &no, OpenWorldHint: &no}
	if e == works { // a benchmark can do anything
		hints.OpenWorldHint = &yes
	}
	t := &sdk.Tool{Name: name, Description: about, InputSchema: takes, OutputSchema: gives, Annotations: hints}
	x.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		began := time.Now()
		res := new(sdk.CallToolResult)
		out, says, err := func() (out *Out, says string, err error) {
			var in In
			if err := decode(req.Params.Arguments, &in, slices.Sorted(maps.Keys(takes.Properties))); err != nil {
				return nil, "", err
			}
			if e == tells {
				return f(ctx, nil, in)
			}
			ctx, leave, err := s.desk.take(ctx, s.ends, name)
			if err != nil {
				return nil, "", err
			}
			defer leave()
			return f(ctx, teller(ctx, req, s.Log), in)
		}()
		switch {
		case err != nil:
			res.SetError(fmt.Errorf("%s: %s", name, plain.Lines(err.Error())))
		default:
			res.Content = []sdk.Content{&sdk.TextContent{Text: says}}
			res.StructuredContent = out
			res.IsError = failed(out)
		}
		fmt.Fprintf(s.Log, "payoff: %s: %s in %v\n", name, outcome(res, err), time.Since(began).Round(time.Millisecond))
		return res, nil
	})
}

func schema[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // the types are ours
	}
	return s
}

// failed reports whether an answer tells of nothing but problems.
func failed(out any) bool {
	f, ok := out.(interface{ failed() bool })
	return ok && f.failed()
}

// outcome is how a call ended, for the log.
func outcome(res *sdk.CallToolResult, err error) string {
	switch {
	case err != nil:
		return "refused: " + plain.Clean(err.Error())
	case res.IsError:
		return "answered with problems"
	}
	return "answered"
}

// progressEvery is seldom enough not to disturb what is measured.
const progressEvery = time.Second

// teller sends how far a call is to a client that asked for it, and what is important
// to the log as well.
func teller(ctx context.Context, req *sdk.CallToolRequest, log io.Writer) Tell {
	token, began := req.Params.GetProgressToken(), time.Now()
	var last time.Time
	return func(line string, important bool) {
		line = plain.Clean(line)
		if important {
			fmt.Fprintln(log, "payoff:", line)
		}
		now := time.Now()
		if token == nil || !important && now.Sub(last) < progressEvery {
			return
		}
		last = now
		// Seconds grow, as the protocol wants it. How many there will be is not known.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: now.Sub(began).Seconds(), Message: line}) // a client that does not hear it gets the answer
	}
}

// decode reads the arguments of a call, which may be named as known.
func decode(data json.RawMessage, into any, known []string) error {
	most, less := mostArguments, "name fewer packages, or ./... for all"
	if x, ok := into.(interface{ most() int }); ok {
		most, less = x.most(), "give a smaller patch, of source alone"
	}
	if n := len(data); n > most {
		return fmt.Errorf("the arguments have %d bytes, and %d is the most: %s", n, most, less)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		is := map[string]string{"[]string": "a list of strings", "[]int": "a list of whole numbers", "int": "a whole number", "bool": "true or false", "string": "a string"}
		err = fmt.Errorf("%s is a JSON %s, and should be %s", cmp.Or(wrong.Field, "it"), wrong.Value, cmp.Or(is[wrong.Type.String()], "an object"))
	}
	if err != nil {
		return fmt.Errorf("the arguments cannot be read: %s: it takes %s, all optional", strings.TrimPrefix(err.Error(), "json: "), strings.Join(known, ", "))
	}
	return nil
}

// words refuses what is too much, too long or no text.
func words(what string, all ...string) error {
	if len(all) > mostWords {
		return fmt.Errorf("%d %s, and %d is the most: name fewer, or a pattern for them", len(all), what, mostWords)
	}
	for _, s := range all {
		if len(s) > mostLetters {
			return fmt.Errorf("%s: %.20q… has %d bytes, and %d is the most: name less", what, s, len(s), mostLetters)
		}
		if plain.Clean(s) != s {
			return fmt.Errorf("%s: %q has characters that cannot be printed: leave them out", what, s)
		}
	}
	return nil
}

// packages refuses patterns that do not name packages below the server's folder as
// they are written. Where links lead is seen when the packages are found.
func packages(patterns []string) error {
	if err := words("packages", patterns...); err != nil {
		return err
	}
	for _, p := range patterns {
		slashed := strings.ReplaceAll(p, `\`, "/")
		drive := len(p) > 1 && p[1] == ':' // of Windows, wherever this runs
		switch {
		case p == "":
			return errors.New("packages: one is empty: name a folder like ./queue, or ./... for all")
		case p[0] == '-':
			return fmt.Errorf("packages: %q looks like a flag: name a folder like ./queue", p)
		case filepath.IsAbs(p) || path.IsAbs(slashed) || drive:
			return fmt.Errorf("packages: %q is an absolute path: name it from the folder of the server, like ./queue", p)
		case slices.Contains(strings.Split(slashed, "/"), ".."):
			return fmt.Errorf("packages: %q leads out of the folder of the server: name packages below it, like ./queue, or start the server in a folder above", p)
		case path.Ext(p) == ".go":
			return fmt.Errorf("packages: %q is a file: name its folder", p)
		}
	}
	return nil
}

// ask checks what measure and compare have in common.
func (s *server) ask(patterns []string, bench string, procs []int, seconds int) (a Ask, err error) {
	if err := packages(patterns); err != nil {
		return a, err
	}
	if err := words("bench", bench); err != nil {
		return a, err
	}
	if len(procs) > mostWords {
		return a, fmt.Errorf("procs: %d values, and %d is the most: name fewer", len(procs), mostWords)
	}
	for _, n := range procs {
		if n < 1 || n > cmdline.MostProcs {
			return a, fmt.Errorf("procs: %d: want numbers from 1 to %d, like 1 and 2", n, cmdline.MostProcs)
		}
	}
	if most := int(s.Budget.Seconds()); seconds < 0 || seconds > most {
		return a, fmt.Errorf("budget_seconds: %d: want 1 to %d; payoff mcp -budget allows more", seconds, most)
	}
	a = Ask{Packages: patterns, Bench: bench, Procs: procs, Budget: time.Duration(seconds) * time.Second}
	if seconds == 0 {
		a.Budget = min(usual, s.Budget)
	}
	if len(procs) > 0 {
		a.Procs = slices.Compact(slices.Sorted(slices.Values(append([]int{1}, procs...)))) // 1 separates overhead from sharing
	}
	return a, nil
}

func (s *server) list(ctx context.Context, _ Tell, in listArgs) (*listed, string, error) {
	a, err := s.ask(in.Packages, in.Bench, nil, 0)
	if err != nil {
		return nil, "", err
	}
	if len(a.Packages) == 0 {
		a.Packages = []string{"./..."}
	}
	ctx, stop := context.WithTimeoutCause(ctx, grace, errTime)
	defer stop()
	targets, problems, err := s.source.Benchmarks(ctx, a)
	if err != nil {
		return nil, "", err
	}
	out := s.listed(targets, problems)
	return out, out.text(), nil
}

func (s *server) measure(ctx context.Context, tell Tell, in measureArgs) (*measured, string, error) {
	a, err := s.ask(in.Packages, in.Bench, in.Procs, in.Budget)
	if err != nil {
		return nil, "", err
	}
	if err := errors.Join(words("base", in.Base), words("vs", in.Vs)); err != nil {
		return nil, "", err
	}
	a.Base, a.Vs = in.Base, in.Vs
	ctx, stop := context.WithTimeoutCause(ctx, 2*a.Budget+grace, errTime) // once more for causes
	defer stop()
	doc, err := s.source.Measure(ctx, a, tell)
	return s.measured(doc, err, text.Report, false)
}

func (s *server) why(ctx context.Context, _ Tell, in whyArgs) (*measured, string, error) {
	if err := errors.Join(words("run", in.Run), words("bench", in.Bench)); err != nil {
		return nil, "", err
	}
	ctx, stop := context.WithTimeoutCause(ctx, grace, errTime)
	defer stop()
	run, err := s.run(ctx, in.Run)
	if err != nil {
		return nil, "", err
	}
	doc, err := s.source.Why(ctx, run, in.Bench)
	if doc != nil && doc.Compared != nil {
		return nil, "", fmt.Errorf("%s compares two states of the code, and no causes were sought: measure looks for them", run)
	}
	return s.measured(doc, err, text.Why, true)
}

// measured makes the answer of a report and of the error beside it.
func (s *server) measured(doc *report.Doc, err error, w write, evidence bool) (*measured, string, error) {
	if doc == nil {
		return nil, "", err
	}
	out := s.answer(doc, evidence)
	out.Problems = append(out.Problems, also(err)...)
	says, err := written(doc, w)
	return out, says, err
}

func (s *server) compare(ctx context.Context, tell Tell, in compareArgs) (*compared, string, error) {
	a, err := s.ask(in.Packages, in.Bench, in.Procs, in.Budget)
	if err != nil {
		return nil, "", err
	}
	for name, ref := range map[string]string{"old": in.Old, "new": in.New} {
		if err := words(name, ref); err != nil {
			return nil, "", err
		}
		if strings.HasPrefix(ref, "-") {
			return nil, "", fmt.Errorf("%s: %q is no commit: name one as git does, like HEAD~1", name, ref)
		}
	}
	ctx, stop := context.WithTimeoutCause(ctx, a.Budget+grace, errTime)
	defer stop()
	doc, err := s.source.Compare(ctx, a, cmp.Or(in.Old, "HEAD"), in.New, tell)
	if same := (Same{}); errors.As(err, &same) {
		return &compared{Summary: same.Why, Same: true}, same.Why, nil
	}
	if doc == nil {
		return nil, "", err
	}
	out := s.changes(doc)
	out.Problems = append(out.Problems, also(err)...)
	says, err := written(doc, text.Compare)
	return out, says, err
}

func (s *server) try(ctx context.Context, tell Tell, in tryArgs) (*tried, string, error) {
	a, err := s.ask(in.Packages, in.Bench, in.Procs, in.Budget)
	if err != nil {
		return nil, "", err
	}
	if strings.TrimSpace(in.Patch) == "" {
		return nil, "", errors.New("patch: it is empty: give the edit as git diff writes it")
	}
	ctx, stop := context.WithTimeoutCause(ctx, 2*a.Budget+grace, errTime) // builds with the race detector are no part of it
	defer stop()
	doc, err := s.source.Try(ctx, a, in.Patch, in.Strict, tell)
	if doc == nil {
		return nil, "", err
	}
	out := s.tried(doc)
	out.Problems = append(out.Problems, also(err)...)
	says, err := written(doc, text.Fix)
	return out, says, err
}

func (s *server) explain(_ context.Context, _ Tell, in explainArgs) (*explained, string, error) {
	if err := words("causes", in.Causes...); err != nil {
		return nil, "", err
	}
	causes, says, err := s.source.Explain(in.Causes)
	if err != nil {
		return nil, "", err
	}
	out := new(explained)
	if len(in.Causes) > 0 {
		out.Causes = causes
		return out, says, nil
	}
	for _, c := range causes {
		out.All = append(out.All, named{c.Slug, c.Title})
	}
	return out, says, nil
}

// A write writes a report for a person.
type write = func(io.Writer, *report.Doc, text.Options) error

// written is the text of a report. Lines are as long as they come, as in a file.
func written(doc *report.Doc, w write) (string, error) {
	var b strings.Builder
	err := w(&b, doc, text.Options{Bars: text.NoBars})
	return b.String(), err
}

// also is an error beside a report.
func also(err error) []string {
	if err == nil {
		return nil
	}
	return []string{plain.Clean(err.Error())}
}
