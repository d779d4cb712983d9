package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// A catalogue is a Lister without a machine: each function has sub-benchmarks
// that take so long, and the clock moves with them.
type catalogue struct {
	now  time.Time
	subs map[string][]time.Duration
	cost map[string]time.Duration // so far
	runs map[string]int
}

func (l *catalogue) List(_ context.Context, fn discover.Func, _ int, quiet, whole time.Duration) (found []Listed, problems []problem.Problem, err error) {
	if quiet <= 0 || whole < quiet {
		panic(fmt.Sprint("no time for ", fn.Name, ": ", quiet, whole))
	}
	began := l.now
	defer func() { l.cost[fn.Name] += l.now.Sub(began) }()
	l.runs[fn.Name]++
	for i, d := range l.subs[fn.Name] {
		name := fmt.Sprintf("%s/%d", fn.Name, i)
		left := whole - l.now.Sub(began)
		switch {
		case d > left && quiet >= left:
			l.now = l.now.Add(left)
			return found, problems, &Late{problem.Problem{Benchmark: fn.Name, Reason: "late"}}
		case d > quiet:
			l.now = l.now.Add(quiet)
			problems = append(problems, problem.Problem{Benchmark: name, Reason: "hangs"})
		default:
			l.now = l.now.Add(d)
			found = append(found, Listed{Name: name, PerOp: float64(d)})
		}
	}
	return found, problems, nil
}

// shelve lists functions named by the lengths of their sub-benchmarks.
func shelve(t *testing.T, budget, timeout time.Duration, subs ...[]time.Duration) (l *catalogue, names []string, problems string, took time.Duration) {
	t.Helper()
	l = &catalogue{now: time.Unix(0, 0), subs: map[string][]time.Duration{}, cost: map[string]time.Duration{}, runs: map[string]int{}}
	var funcs []discover.Func
	for i, ds := range subs {
		name := fmt.Sprintf("F%d", i)
		l.subs[name] = ds
		funcs = append(funcs, discover.Func{Name: name})
	}
	o := Listing{Procs: 2, Budget: budget, Timeout: timeout, Begin: func(discover.Func, int, int) {}, Now: func() time.Time { return l.now }}
	found, wrong, err := o.List(t.Context(), l, funcs)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range found {
		if slices.Contains(names, x.Name) {
			t.Errorf("%s is listed twice", x.Name)
		}
		names = append(names, x.Name)
	}
	for _, p := range wrong {
		problems += p.Benchmark + " " + p.Reason + "; "
	}
	slices.Sort(names)
	return l, names, problems, l.now.Sub(time.Unix(0, 0))
}

const hour = time.Hour

func lengths(d ...time.Duration) []time.Duration { return d }

// TestListingHangs: a benchmark that hangs costs no more than its share of the
// budget, and no other its place, wherever it stands.
func TestListingHangs(t *testing.T) {
	const ms = time.Millisecond
	quick := lengths(10*ms, 10*ms)
	for _, tt := range []struct {
		name     string
		subs     [][]time.Duration
		found    string
		problems string
		most     time.Duration
	}{
		{"first of four", [][]time.Duration{lengths(hour), quick, quick, quick}, "F1/0 F1/1 F2/0 F2/1 F3/0 F3/1", "F0/0 hangs; ", 10 * time.Second},
		{"last of four", [][]time.Duration{quick, quick, quick, lengths(hour)}, "F0/0 F0/1 F1/0 F1/1 F2/0 F2/1", "F3/0 hangs; ", 10 * time.Second},
		{"a variant of one", [][]time.Duration{lengths(10*ms, hour, 10*ms)}, "F0/0 F0/2", "F0/1 hangs; ", 11 * time.Second},
		{"two of two", [][]time.Duration{lengths(hour), lengths(hour)}, "", "F0/0 hangs; F1/0 hangs; ", 20 * time.Second},
		{"every variant", [][]time.Duration{quick, lengths(hour, hour, hour, hour)}, "F0/0 F0/1", "F1/0 hangs; F1 late; ", 20 * time.Second},
		{"slow", [][]time.Duration{lengths(3 * time.Second), quick, quick, quick}, "F0/0 F1/0 F1/1 F2/0 F2/1 F3/0 F3/1", "", 6 * time.Second},
	} {
		_, names, problems, took := shelve(t, 40*time.Second, 0, tt.subs...)
		if got := strings.Join(names, " "); got != tt.found || problems != tt.problems || took > tt.most {
			t.Errorf("%s: found %q, problems %q, in %v; want %q, %q, %v at most", tt.name, got, problems, took, tt.found, tt.problems, tt.most)
		}
	}
}

// TestListingShares: functions that are slow leave the quick ones their place,
// and all together half the budget.
func TestListingShares(t *testing.T) {
	subs := make([][]time.Duration, 30)
	for i := range subs {
		subs[i] = lengths(20 * time.Millisecond)
		if i < 25 {
			subs[i] = slices.Repeat(lengths(time.Second), 10)
		}
	}
	_, names, problems, took := shelve(t, time.Minute, 0, subs...)
	quick := 0
	for _, n := range names {
		var f, sub int
		fmt.Sscanf(n, "F%d/%d", &f, &sub)
		if f >= 25 {
			quick++
		}
	}
	if quick != 5 || took > 30*time.Second || len(names) < 5+10 {
		t.Errorf("%d of 5 quick benchmarks and %d others listed in %v, want all and some in half a minute; %s", quick, len(names)-quick, took, problems)
	}
}

// TestListingTimeout: who says how long a benchmark may take is obeyed.
func TestListingTimeout(t *testing.T) {
	_, names, problems, took := shelve(t, 40*time.Second, 30*time.Second, lengths(25*time.Second), lengths(time.Second), lengths(hour))
	if got := strings.Join(names, " "); got != "F0/0 F1/0" || problems != "half the budget" && !strings.Contains(problems, "left out") {
		t.Errorf("found %q, problems %q, in %v", got, problems, took)
	}
	l, names, problems, _ := shelve(t, 40*time.Second, time.Second, lengths(3*time.Second), lengths(hour))
	if len(names) != 0 || problems != "F0/0 hangs; F1/0 hangs; " || l.runs["F0"] != 1 {
		t.Errorf("found %q, problems %q, %d runs; want both given up after a second, once", names, problems, l.runs["F0"])
	}
}
