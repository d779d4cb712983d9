package report_test

import (
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// The next command repeats what was asked, quoted for the shell, and is never
// the one that was just given.
func TestNext(t *testing.T) {
	told := &cmdline.Asked{Packages: []string{"./..."}, Base: "Serial$", Vs: "it's", Procs: []int{1, 2}, Tags: "slow", Verdicts: true}
	const pays, loses, open = "X+ at 2 pays 1.9 vs Serial-", "X+ at 2 loses 0.5 vs Serial-", "X+ at 2 open 1 vs Serial-"
	type problems = []problem.Problem
	for _, tt := range []struct {
		name     string
		verdicts []string
		asked    *cmdline.Asked
		end      measure.End
		needs    time.Duration
		causes   string // of the first verdict: "-" none was found, "" none was looked for
		pages    bool
		problems problems
		why      string // of what is open
		missing  []string
		base     string // of a replay
		none     bool   // there is not one pair
		want     string
	}{
		{name: "all is well", verdicts: []string{pays}, asked: told, want: `payoff why -procs 1,2 -tags slow -base 'Serial$' -vs 'it'\''s' '^BenchmarkSum$/^variant=X$|^BenchmarkSum$/^variant=Serial$' example.com/p`},
		{name: "all is well, with evidence", verdicts: []string{pays}, asked: told, causes: "-", want: "payoff why -from rec"},
		{name: "a cause", verdicts: []string{loses}, asked: told, causes: "falseshare", want: "payoff explain falseshare"},
		{name: "a cause, and something open for want of time", verdicts: []string{loses, "Y+ at 2 open 1 vs Serial-"}, asked: told, causes: "falseshare", end: measure.Budget, needs: time.Hour, want: "payoff explain falseshare"},
		{name: "a cause, and something open on a busy machine", verdicts: []string{loses, "Y+ at 2 open 1 vs Serial-"}, causes: "falseshare", why: "the machine gave 1.00 of 2 processors", want: "payoff explain falseshare"},
		{name: "no cause was looked for", verdicts: []string{loses}, asked: told, want: `payoff why -procs 1,2 -tags slow -base 'Serial$' -vs 'it'\''s' '^BenchmarkSum$/^variant=X$|^BenchmarkSum$/^variant=Serial$' example.com/p`},
		{name: "no cause was found", verdicts: []string{loses}, asked: told, causes: "-", want: "payoff why -from rec"},
		{name: "slower on more processors", verdicts: []string{"X+ at 2 loses 0.5 vs 1"}, causes: "-", want: "payoff why -from rec"},
		{name: "open for want of time", verdicts: []string{open}, asked: told, end: measure.Budget, needs: 4*time.Minute + time.Second, want: "payoff run -resume rec -budget 5m -verdicts"},
		{name: "not one pair for want of time", verdicts: []string{"X+ at 2 open 1 vs Serial-"}, asked: told, end: measure.Budget, needs: 4*time.Minute + time.Second, none: true, want: "payoff run -resume rec -budget 5m -verdicts"},
		{name: "open, and time does not decide it", verdicts: []string{open}, asked: told, end: measure.Exhausted, want: "payoff machine"},
		{name: "open, an older record", verdicts: []string{open}, end: measure.Budget, want: "payoff run -budget 10m -bench '^BenchmarkSum$' example.com/p"},
		{name: "open on a busy machine", verdicts: []string{open}, asked: told, why: "the machine gave 1.00 of 2 processors", want: "payoff machine"},
		{name: "several open, an older record", verdicts: []string{open, "A.X+ at 2 open 1 vs Serial-", "B.X+ at 2 open 1 vs Serial-", "C.X+ at 2 open 1 vs Serial-"}, end: measure.Budget, want: "payoff run -budget 10m example.com/p"},
		{name: "-bench stays", verdicts: []string{open}, asked: &cmdline.Asked{Bench: "Sum/n=8", Base: "x", Packages: []string{"./..."}, Budget: (3 * time.Minute).Nanoseconds()}, end: measure.Regrouped, want: "payoff run -budget 3m -bench Sum/n=8 -base x ./..."},
		{name: "open of other pairs than those it was measured for", verdicts: []string{open}, asked: &cmdline.Asked{Base: "Chan"}, end: measure.Regrouped, want: "payoff run -bench '^BenchmarkSum$' -base Chan example.com/p"},
		{name: "other pairs of an older record", verdicts: []string{open}, base: "Chan", end: measure.Regrouped, want: "payoff run -bench '^BenchmarkSum$' -base Chan example.com/p"},
		{name: "other pairs", verdicts: []string{open}, asked: told, base: "Chan", end: measure.Regrouped, want: "payoff run -procs 1,2 -tags slow -verdicts -bench '^BenchmarkSum$' -base Chan example.com/p"},
		{name: "interrupted while causes are sought", verdicts: []string{loses}, asked: told, causes: "falseshare", end: measure.Decided, missing: []string{gather.CutShort}, want: "payoff run -resume rec -verdicts"},
		{name: "interrupted", verdicts: []string{open}, asked: told, end: measure.Interrupted, want: "payoff run -resume rec -verdicts"},
		{name: "interrupted, an older record", verdicts: []string{open}, end: measure.Interrupted, want: "payoff run example.com/p"},

		// After why comes neither why nor a run.
		{name: "pages with a cause", verdicts: []string{loses}, asked: told, causes: "handoff", pages: true, want: "payoff explain handoff"},
		{name: "pages of what is even for a cause", verdicts: []string{"X- at 2 even 1 vs 1"}, causes: "serial", pages: true, want: "payoff explain serial"},
		{name: "pages without", verdicts: []string{loses}, asked: told, causes: "-", pages: true, want: "payoff explain"},
		{name: "pages of a record without evidence", verdicts: []string{pays}, pages: true, want: "payoff why '^BenchmarkSum$/^variant=X$|^BenchmarkSum$/^variant=Serial$' example.com/p"},

		{name: "a benchmark fails", verdicts: []string{loses}, asked: told, causes: "handoff", problems: problems{{Package: "example.com/p", Benchmark: "BenchmarkBad/it's", Reason: "panics", Next: "make go test -bench=Bad pass"}},
			want: `go test -run='^$' -timeout=30s -bench='^BenchmarkBad$/^it'\''s$' -tags=slow example.com/p`},
		{name: "two bases", asked: told, problems: problems{{Package: "example.com/p", Reason: "torn", Next: "give one", Pairs: true, Base: "^BenchmarkSumSerial$"}},
			want: `payoff run -procs 1,2 -tags slow -verdicts -base '^BenchmarkSumSerial$' ./...`},
		{name: "a base that matches nothing", verdicts: []string{pays}, asked: told, problems: problems{{Package: "example.com/p", Reason: "no pair", Next: "match", Pairs: true}},
			want: "payoff help run"},
		{name: "go test knows nothing of it", verdicts: []string{loses}, causes: "handoff", problems: problems{{Package: "example.com/p", Benchmark: "BenchmarkBad", Reason: "changes GOMAXPROCS itself", Next: "take the call out"}}, want: "payoff explain handoff"},
		{name: "only an editor mends it", problems: problems{{Package: "example.com/p", Reason: "changes GOMAXPROCS itself", Next: "take the call out"}}, want: "payoff help run"},
		{name: "what a command mends comes first", problems: problems{{Package: "example.com/p", Reason: "x", Next: "make it pass"}, {Package: "example.com/q", Reason: "updates to go.mod needed", Next: "go mod tidy"}}, want: "go mod tidy"},
		{name: "no time to begin", asked: &cmdline.Asked{Budget: 3e6}, problems: problems{{Package: "example.com/p", Reason: "half the budget went into first runs", Next: cmdline.MoreBudget}}, want: "payoff run -budget 10m"},
		{name: "no time to list all", asked: &cmdline.Asked{Budget: 300e9}, problems: problems{{Package: "example.com/p", Benchmark: "BenchmarkSlow", Reason: "did not end", Next: cmdline.MoreBudget}}, want: "payoff run -budget 20m"},
		{name: "a budget is rounded", verdicts: []string{open}, base: "Chan", end: measure.Regrouped, needs: 5720698799, want: "payoff run -budget 6s -bench '^BenchmarkSum$' -base Chan example.com/p"},
		{name: "a budget stays", verdicts: []string{loses}, asked: &cmdline.Asked{Budget: 12e9}, want: "payoff why -budget 12s '^BenchmarkSum$/^variant=X$|^BenchmarkSum$/^variant=Serial$' example.com/p"},
		{name: "a note", verdicts: []string{pays}, problems: problems{{Package: "example.com/p", Reason: "skips itself", Next: "make it run", Note: true}}, want: "payoff why '^BenchmarkSum$/^variant=X$|^BenchmarkSum$/^variant=Serial$' example.com/p"},
	} {
		verdicts := drawn(t, tt.verdicts...)
		var findings []explain.Finding
		for i := range verdicts {
			if tt.none {
				verdicts[i].Pairs = 0
			}
			if verdicts[i].Word == judge.CannotSay && tt.why != "" {
				verdicts[i].Why = tt.why
			}
		}
		if tt.causes != "" {
			f := explain.Finding{Verdict: verdicts[0]}
			if tt.causes != "-" {
				f.Causes = []explain.Cause{{Slug: tt.causes, Title: "A cause", Share: 1}}
			}
			findings = append(findings, f)
		}
		d := report.New(report.Input{
			Env: machine.Env{UsableCPUs: 2}, Record: "rec", Asked: tt.asked, Pages: tt.pages, Base: tt.base,
			Series:   []*measure.Series{{Package: "example.com/p", Procs: []int{1, 2}, End: tt.end, Needs: tt.needs, Problems: tt.problems, Missing: tt.missing}},
			Results:  []judge.Result{{Package: "example.com/p", Verdicts: verdicts}},
			Findings: [][]explain.Finding{findings},
		})
		if d.Next != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, d.Next, tt.want)
		}
	}
}
