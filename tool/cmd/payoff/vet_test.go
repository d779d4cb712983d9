package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/lint"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Of several recorded runs each package has the newest that measured it; those
// beside the module come before those in the user's cache.
func TestVetRuns(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("m/go.mod", "module m\n")
	put("m/.payoff/runs/20260101-000000/01-a/series.json", `{"package": "m/a"}`)
	put("m/.payoff/runs/20260102-000000/01-a/series.json", `{"package": "m/a"}`)
	put("m/.payoff/runs/20260102-000000/02-b/series.json", `{"package": "m/b"}`)
	put("m/.payoff/runs/20260103-000000/01-b/series.json", `{"package": "m/b"}`)
	put("m/.payoff/runs/20260104-000000/01-b/series.json", `{"package": `) // damaged
	put("m/.payoff/runs/20260105-000000/01-x/series.json", `{"package": "m/other"}`)
	put("m/.payoff/runs/note.txt", "")
	put("cache/payoff/runs/20260201-000000/01-c/series.json", `{"package": "m/c"}`)
	put("cache/payoff/runs/20260202-000000/01-a/series.json", `{"package": "m/a"}`)
	for _, k := range []string{"XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(k, filepath.Join(dir, "cache"))
	}
	t.Setenv("GOWORK", "off")
	cache, err := os.UserCacheDir()
	if err != nil || cache != filepath.Join(dir, "cache") {
		t.Skip("the user's cache is elsewhere: ", cache, err)
	}
	v := vetting{dir: filepath.Join(dir, "m")}
	got, err := v.runs(context.Background(), []string{"m/a", "m/b", "m/c", "m/d"})
	if err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(dir, "m", ".payoff", "runs")
	want := []evidenced{
		{filepath.Join(runs, "20260103-000000"), []string{"m/b"}},
		{filepath.Join(runs, "20260102-000000"), []string{"m/a"}},
		{filepath.Join(cache, "payoff", "runs", "20260201-000000"), []string{"m/c"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}

	// A damaged run is told of and is no evidence.
	var stderr bytes.Buffer
	v.stderr = &stderr
	if has, err := v.read(context.Background(), want[0], &lint.Code{}); err != nil || has || !strings.Contains(stderr.String(), "20260103-000000 has no evidence: ") {
		t.Errorf("%v, %q: want a word on the damage", err, stderr.String())
	}
}

// Of a run the packages count for which it is the newest, and no others.
func TestVetReads(t *testing.T) {
	for _, c := range []struct {
		packages []string
		heat     bool
	}{{[]string{"example.com/demo"}, true}, {[]string{"example.com/other"}, false}, {nil, false}} {
		var stderr bytes.Buffer
		v := vetting{dir: t.TempDir(), stderr: &stderr}
		v.options.Heat = &heat.Map{}
		if _, err := v.read(t.Context(), evidenced{filepath.Join("testdata", "fix"), c.packages}, &lint.Code{}); err != nil {
			t.Fatal(err)
		}
		if got := len(v.options.Heat.Benches) > 0; got != c.heat {
			t.Errorf("of %q there is heat: %t, want %t; it says %q", c.packages, got, c.heat, stderr.String())
		}
	}
}

// What payoff fix confirmed is told with its gains, in the file it is in.
func TestVetConfirmed(t *testing.T) {
	gain := func(ratio float64, procs int) report.FixGain {
		return report.FixGain{Procs: procs, Ratio: report.Interval{Value: &ratio}}
	}
	at := source.Place{File: filepath.Join("sum", "sum.go"), Line: 7}
	doc := &report.Doc{Fixes: []report.Fixes{{Findings: []report.FixFinding{
		{Grade: shape.Confirmed, Finding: edit.Finding{Check: "hotslot", Place: at}, Fixes: []report.Fix{
			{Edit: edit.Edit{Says: "pad"}, Word: verify.Beaten},
			{Edit: edit.Edit{ID: "hotslot:sum.go:7:local", Says: "sum in a local variable"}, Word: verify.Kept, Gains: []report.FixGain{gain(6.3, 1), gain(4.87, 2)}},
		}},
		{Grade: shape.Suspected, Finding: edit.Finding{Check: "recgo", Place: at}, Fixes: []report.Fix{{Word: verify.NoGain}}},
		{Grade: shape.Confirmed, Finding: edit.Finding{Check: "sharedacc", Place: at}, CuredBy: "hotslot:sum.go:7:local"},
	}}}}
	got := confirmed(doc, filepath.FromSlash("/m"))
	want := []lint.Confirmed{{Check: "hotslot", File: filepath.FromSlash("/m/sum/sum.go"), Line: 7, Says: "sum in a local variable: 6.30x as fast at GOMAXPROCS=1, 4.87x as fast at GOMAXPROCS=2"}}
	want = append(want, want[0])
	want[1].Check = "sharedacc"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Source that was changed after its run is told of.
func TestVetSince(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	m := &heat.Map{Benches: []heat.Bench{{Lines: []heat.Line{{File: "gone.go"}, {File: file}}}}}
	now := time.Now()
	for _, tt := range []struct {
		run  time.Time
		want string
	}{{now.Add(-time.Hour), file}, {now.Add(time.Hour), ""}} {
		if got := since([]string{file, "gone.go"}, tt.run, m); got != tt.want {
			t.Errorf("since %v = %q, want %q", tt.run, got, tt.want)
		}
	}
}
