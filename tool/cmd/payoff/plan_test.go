package main

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// parsed calls f with the flags of a command as the line after "payoff" has them.
func parsed(t *testing.T, flags []cli.Flag, f func(*cli.Command) error, line ...string) error {
	t.Helper()
	verb := &cli.Command{Name: "verb", Flags: flags, Action: func(_ context.Context, c *cli.Command) error { return f(c) }}
	root := &cli.Command{Name: "payoff", Commands: []*cli.Command{verb}, ExitErrHandler: func(context.Context, *cli.Command, error) {}}
	return root.Run(t.Context(), slices.Concat([]string{"payoff", "verb"}, line))
}

// command is a command of payoff. Its flags keep what they were set to: each line wants
// its own.
func command(t *testing.T, name string) *cli.Command {
	t.Helper()
	for _, c := range rootCommand(nil, nil).Commands {
		if c.Name == name {
			return c
		}
	}
	t.Fatal("no command ", name)
	return nil
}

// errSays reports whether an error is what was wanted: none for "".
func errSays(err error, want string) bool {
	if err == nil {
		return want == ""
	}
	return want != "" && strings.Contains(err.Error(), want)
}

// A plan has what the flags say, in the units that the plan has; on the command line
// zero is a mistake where a plan would take it for the default.
func TestPlanOf(t *testing.T) {
	defaults := session.Plan{Budget: 2 * time.Minute, Bounds: stats.DefaultBounds, Layouts: 24}
	with := func(change func(*session.Plan)) *session.Plan { p := defaults; change(&p); return &p }
	for _, tt := range []struct {
		line string
		want *session.Plan
		err  string
	}{
		{"", &defaults, ""},
		{"-budget 0s", nil, "-budget 0s: want more than 0, like 30s"}, {"-budget -1ns", nil, "-budget -1ns: want"}, {"-budget 1ns", with(func(p *session.Plan) { p.Budget = 1 }), ""},
		{"-sample 0s", nil, "-sample 0s: want more than 0, like 20ms"}, {"-sample 1ns", with(func(p *session.Plan) { p.Sample = 1 }), ""},
		{"-timeout 0s", nil, "-timeout 0s: want more than 0, like 30s"}, {"-timeout 1ns", with(func(p *session.Plan) { p.Timeout = 1 }), ""},
		{"-layouts 0", nil, "-layouts 0: want 1 or more"}, {"-layouts 1", with(func(p *session.Plan) { p.Layouts = 1 }), ""},
		{"-margin 0 -precision 0", nil, "-margin and -precision: want percent between 0 and 100"},
		{"-margin 50", with(func(p *session.Plan) { p.Bounds.Margin = 0.5 }), ""}, {"-precision 25", with(func(p *session.Plan) { p.Bounds.Precision = 0.25 }), ""},
		{"-procs 0", nil, `-procs "0": want numbers of processors`}, {"-procs 1", with(func(p *session.Plan) { p.Procs = []int{1} }), ""},
		{"-wait 0s", with(func(p *session.Plan) { p.Wait = -1 }), ""}, {"-wait -5s", with(func(p *session.Plan) { p.Wait = -1 }), ""}, {"-wait 5s", with(func(p *session.Plan) { p.Wait = 5 * time.Second }), ""},
		{"-base A -vs B -tags x,y -o out -seed 7 -plain", with(func(p *session.Plan) {
			p.Base, p.Vs, p.Tags, p.Record, p.Seed, p.Plain = "A", "B", "x,y", "out", 7, true
		}), ""},
	} {
		var got session.Plan
		err := parsed(t, slices.Concat(pairFlags(), measureFlags()), func(c *cli.Command) (err error) { got, err = planOf(c); return err }, strings.Fields(tt.line)...)
		if !errSays(err, tt.err) {
			t.Errorf("%q: %v, want %q", tt.line, err, tt.err)
			continue
		}
		got.Payoff, got.Command = "", nil
		if tt.want != nil && !reflect.DeepEqual(got, *tt.want) {
			t.Errorf("%q: %+v, want %+v", tt.line, got, *tt.want)
		}
	}
}

// A run goes on as it was asked for: each flag may say again what the record has, and
// nothing else; how long and how long to wait is free.
func TestAsBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	d, err := store.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	run := store.Run{Seed: 7, Bounds: stats.Bounds{Margin: 0.5, Precision: 0.25}, Asked: &cmdline.Asked{Packages: []string{"./a", "./b"}, Bench: "Sum", Base: "A", Vs: "B", Procs: []int{1},
		Tags: "x", Sample: 20e6, Timeout: 30e9, Plain: true}}
	run.Rule.Alpha, run.Rule.Looks = 0.05, []int{8}
	if err := d.Put(run); err != nil {
		t.Fatal(err)
	}
	other := map[string]bool{}
	for _, tt := range []struct{ same, not, name string }{
		{"-base A", "-base B", "base"}, {"-vs B", "-vs A", "vs"}, {"-procs 1", "-procs 1,2", "procs"}, {"-sample 20ms", "-sample 20us", "sample"}, {"-timeout 30s", "-timeout 20ms", "timeout"},
		{"-margin 50", "-margin 25", "margin"}, {"-precision 25", "-precision 50", "precision"}, {"-layouts 24", "-layouts 23", "layouts"}, {"-tags x", "-tags y", "tags"},
		{"-seed 7", "-seed 8", "seed"}, {"-plain", "-plain=false", "plain"}, {"-o " + dir + "/.", "-o other", "o"},
		{"", "-on kind=a", "on"}, {"-budget 1h", "", "budget"}, {"-wait 1h", "", "wait"},
		{"-bench Sum", "-bench Sort", ""}, {"./a ./b", "./b ./a", ""}, {"./a ./b", "./a", ""}, {"", "", ""},
	} {
		other[tt.name] = true
		for i, line := range []string{tt.same, tt.not} {
			if i == 1 && line == "" {
				continue
			}
			want := ""
			if i == 1 {
				if want = "leave out -" + tt.name; tt.name == "" {
					want = "-resume takes packages and benchmarks from the run: name none"
				}
			}
			flags := slices.Concat([]cli.Flag{&cli.StringFlag{Name: "bench", Value: "."}}, pairFlags(), measureFlags())
			err := parsed(t, flags, func(c *cli.Command) error {
				p, err := planOf(c)
				if err != nil {
					return err
				}
				p.Resume, p.Packages, p.Bench = dir, c.Args().Slice(), c.String("bench")
				err = goesOn(c, &p)
				if budget := map[bool]time.Duration{true: time.Hour}[c.IsSet("budget")]; err == nil && p.Budget != budget {
					t.Errorf("%q: a budget of %v, want %v", line, p.Budget, budget)
				}
				return err
			}, strings.Fields(line)...)
			if !errSays(err, want) {
				t.Errorf("%q: %v, want %q", line, err, want)
			}
		}
	}
	for _, f := range slices.Concat(pairFlags(), measureFlags()) {
		if name := f.Names()[0]; !other[name] && name != argsFlag { // which the parser never sees
			t.Errorf("-%s is not tried", name)
		}
	}
	p := &session.Plan{Layouts: 3}
	if run.Asked.Layouts = 3; !asBefore("layouts", p, run) || asBefore("nosuch", p, run) || !asBefore("nosuch", p, store.Run{}) {
		t.Error("3 layouts as before, an unknown flag, or a record that the session refuses")
	}
	if err := parsed(t, nil, func(c *cli.Command) error { return goesOn(c, &session.Plan{Resume: filepath.Join(dir, "none")}) }); err == nil {
		t.Error("a folder without a run: no error")
	}
}

// What is compared are two commits, or two folders, the old one first.
func TestCompared(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"a", "b"} {
		put(t, filepath.Join(dir, "run.json"), "{}")
	}
	put(t, "empty/note.txt", "")
	for _, tt := range []struct {
		refs string
		want *session.Compare
	}{
		{"HEAD", &session.Compare{Old: "HEAD"}}, {"v1 v2", &session.Compare{Old: "v1", New: "v2"}}, {"a b", &session.Compare{OldRun: "a", NewRun: "b"}}, {"b a", &session.Compare{OldRun: "b", NewRun: "a"}},
		{"empty v2", &session.Compare{Old: "empty", New: "v2"}}, // a branch of the name of a folder
		{"a", nil}, {"a v2", nil}, {"v1 b", nil}, {"a empty", nil},
	} {
		got, err := compared(strings.Fields(tt.refs))
		if !reflect.DeepEqual(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("compared(%s) = %+v, %v, want %+v", tt.refs, got, err, tt.want)
		}
	}
	for line, want := range map[string][2][]string{
		"HEAD":                {{"HEAD"}, nil},
		"v1 v2 -- ./a ./...":  {{"v1", "v2"}, {"./a", "./..."}},
		"-bench X v1 -- ./a":  {{"v1"}, {"./a"}},
		"v1 --":               {{"v1"}, {}},
		"-- ./a":              {{}, {"./a"}},
		"-bench X v1 -- v1":   {{"v1"}, {"v1"}},
		"-bench X v1 v2 -- .": {{"v1", "v2"}, {"."}},
	} {
		err := parsed(t, codeFlags(), func(c *cli.Command) error {
			refs, packages := cutPackages(c)
			if !slices.Equal(refs, want[0]) || !slices.Equal(packages, want[1]) {
				t.Errorf("%q: of %q the packages %q, want %q", line, refs, packages, want)
			}
			p, err := codePlan(c, packages)
			if !slices.Equal(p.Packages, packages) || p.Bench != c.String("bench") || p.Causes != session.None {
				t.Errorf("%q: the plan is %+v", line, p)
			}
			return err
		}, strings.Fields(line)...)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// Of the time for payoff fix a sixth is to measure and a sixth to explain; a benchmark
// that is named is cured alone, among all of its function.
func TestFixPlan(t *testing.T) {
	type plan struct {
		bench, cure   string
		packages      []string
		only          []string
		budget, whole time.Duration
		lib, fresh    bool
	}
	for line, want := range map[string]plan{
		"":                                    {bench: ".", budget: 30 * time.Second, whole: 3 * time.Minute},
		"-budget 6s ./a ./b":                  {bench: ".", packages: []string{"./a", "./b"}, budget: time.Second, whole: 6 * time.Second},
		"BenchmarkSum ./a":                    {bench: "^BenchmarkSum$", cure: "BenchmarkSum", packages: []string{"./a"}, budget: 30 * time.Second, whole: 3 * time.Minute},
		"-lib BenchmarkSum/variant=a":         {bench: "^BenchmarkSum$", cure: "BenchmarkSum/variant=a", budget: 30 * time.Second, whole: 3 * time.Minute, lib: true},
		"-bench . -fresh BenchmarkSum":        {bench: ".", cure: "BenchmarkSum", budget: 30 * time.Second, whole: 3 * time.Minute, fresh: true},
		"-only recgo,,falseshare Benchmarks/": {bench: "^Benchmarks$", cure: "Benchmarks/", only: []string{"recgo", "falseshare"}, budget: 30 * time.Second, whole: 3 * time.Minute},
	} {
		err := parsed(t, command(t, "fix").Flags, func(c *cli.Command) error {
			p, err := fixPlan(c)
			if err != nil {
				return err
			}
			got := plan{p.Bench, p.Cure.Bench, p.Packages, p.Cure.Only, p.Budget, p.Cure.Budget, p.Cure.Library, p.Cure.Fresh}
			if len(got.packages) == 0 {
				got.packages = nil
			}
			if !reflect.DeepEqual(got, want) || len(p.Cure.Checks) == 0 || p.Causes != session.Wanted {
				t.Errorf("%q: %+v, want %+v", line, got, want)
			}
			return nil
		}, strings.Fields(line)...)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	for line, want := range map[string]string{
		"-from d -only recgo": "leave out -only", "-from d -lib": "leave out -lib", "-from d -fresh": "leave out -fresh", "-from d -budget 1s": "leave out -budget", "-from d -procs 1": "leave out -procs",
		"-from d ./a": "name none", "-from d": "", "-only nosuch": "no check has that name", "-budget 0s": "want more than 0",
	} {
		err := parsed(t, command(t, "fix").Flags, func(c *cli.Command) error {
			p, err := fixPlan(c)
			if err == nil && (p.From != "d" || p.Cure != nil || p.Causes != session.Wanted) {
				t.Errorf("%q: %+v", line, p)
			}
			return err
		}, strings.Fields(line)...)
		if !errSays(err, want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

// The plan of payoff tune: without 1 among the processors each counts for itself.
func TestTuningOf(t *testing.T) {
	for _, tt := range []struct {
		line, err string
		check     func(session.Plan) bool
	}{
		{"", "", func(x session.Plan) bool {
			return x.Tune.Values == 13 && x.Budget == 110*time.Second && x.Sample == 25*time.Millisecond && x.Bounds == stats.DefaultBounds && x.Layouts == 4 && x.Procs == nil
		}},
		{"-values 1", "-values 1: want 2 or more", nil}, {"-values 2", "", func(x session.Plan) bool { return x.Tune.Values == 2 }},
		{"-layouts 0", "-layouts 0: want 1 or more", nil}, {"-layouts 1", "", func(x session.Plan) bool { return x.Layouts == 1 }},
		{"-budget 0s", "-budget 0s: want more than 0, like 90s", nil}, {"-timeout 0s", "-timeout 0s: want", nil}, {"-sample 0s", "-sample 0s: want", nil},
		{"-budget 1ns -timeout 2ns -sample 3ns", "", func(x session.Plan) bool { return x.Budget == 1 && x.Timeout == 2 && x.Sample == 3 }},
		{"-margin 50", "", func(x session.Plan) bool {
			return x.Bounds == stats.Bounds{Margin: 0.5, Precision: stats.DefaultBounds.Precision}
		}},
		{"-procs 1", "", func(x session.Plan) bool { return slices.Equal(x.Procs, []int{1}) }},
		{"-procs nope", "want numbers of processors", nil}, {"-const x=", "-const ", nil},
		{"-const N=1..8 -const M=1,2 ./a", "", func(x session.Plan) bool {
			return len(x.Tune.Asks) == 2 && x.Tune.Asks[0].Name == "N" && x.Tune.Asks[1].Name == "M" && slices.Equal(x.Packages, []string{"./a"})
		}},
	} {
		var got session.Plan
		tune := command(t, "tune")
		tune.Action = func(_ context.Context, c *cli.Command) (err error) { got, err = tuningOf(c); return err }
		root := &cli.Command{Name: "payoff", Commands: []*cli.Command{tune}, ExitErrHandler: func(context.Context, *cli.Command, error) {}}
		if err := root.Run(t.Context(), append([]string{"payoff", "tune"}, strings.Fields(tt.line)...)); !errSays(err, tt.err) {
			t.Errorf("%q: %v, want %q", tt.line, err, tt.err)
		} else if tt.check != nil && !tt.check(got) {
			t.Errorf("%q: %+v", tt.line, got)
		}
	}
}
