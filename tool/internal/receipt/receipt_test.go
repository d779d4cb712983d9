package receipt

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

func number(x float64) *float64 { return &x }

func gain(procs int, value, low, high float64) report.FixGain {
	return report.FixGain{Name: "BenchmarkX", Procs: procs, Ratio: report.Interval{Value: number(value), Low: number(low), High: number(high)}}
}

// made is a receipt of a trial.
func made() *Receipt {
	doc := &report.Doc{Payoff: "v1", Environment: machine.Env{Time: time.Unix(1e9, 5), OS: "linux", Arch: "amd64", CPU: "a <processor>", UsableCPUs: 2, Go: "go1.26", Commit: "abc", Dirty: true},
		Outcome: report.EditFaster, Cured: "The edit pays", Fixes: []report.Fixes{{Package: "m", Notes: []string{"note"}, Findings: []report.FixFinding{{Finding: edit.Finding{Check: prescribe.Given}, Fixes: []report.Fix{
			{Edit: edit.Edit{ID: "try:p"}, Word: verify.Kept, Checks: []string{"build", "tests"}, Gains: []report.FixGain{gain(1, 2, 1.9, 2.1), gain(2, 3, 2.5, 3.5)}, Signs: []edit.Refusal{{Name: "keeps", Why: "it does"}}}}}}}}}
	r := Of(doc, []string{"try", "-patch", "p"})
	r.Seed, r.Rule, r.Bounds, r.Asked = 1<<63+1, stats.DefaultRule, stats.DefaultBounds, Asked{Packages: []string{"."}, Budget: time.Minute}
	r.Edits = []Edit{{Name: "p", Patch: "--- a\n+++ b\n", Sum: Sum("--- a\n+++ b\n"), Files: []File{{Name: "m.go", Before: Sum("1"), After: Sum("2")}}, Before: "b", After: "a"}}
	return r
}

// What was written is read back, and nothing else is: not with a byte that is another,
// not a part of it, nor more.
func TestRead(t *testing.T) {
	r := made()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "r.json")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(file); err != nil || !reflect.DeepEqual(got, r) {
		t.Fatalf("%+v, %v, want %+v", got, err, r)
	}
	whole := b.Bytes()
	is := func(data []byte) *Receipt {
		got, err := parse(data)
		if err == nil && !reflect.DeepEqual(got, r) {
			t.Fatalf("%s is read as %+v", data, got)
		}
		if err != nil && !strings.Contains(err.Error(), ": write it anew by payoff try -receipt") && !strings.Contains(err.Error(), ": check it with payoff ") {
			t.Fatalf("%v: no next step", err)
		}
		return got
	}
	for i := range whole {
		if got := is(whole[:i]); got != nil && i < len(whole)-1 {
			t.Fatalf("%d of %d bytes are read", i, len(whole))
		}
		x := slices.Clone(whole)
		x[i] ^= 1
		is(x)
	}
	if got := is(append(slices.Clone(whole), '{')); got != nil {
		t.Error("more than a receipt is read")
	}
	// A forger may write the checksum anew, and the patch has one of its own.
	for _, change := range []func(*Receipt){
		func(r *Receipt) { r.Edits[0].Patch += " " },
		func(r *Receipt) { r.Edits = nil },
		func(r *Receipt) { r.Outcome = "" },
	} {
		x := made()
		change(x)
		var b bytes.Buffer
		if err := x.Write(&b); err != nil {
			t.Fatal(err)
		}
		if got, err := parse(b.Bytes()); err == nil {
			t.Errorf("%+v is read", got)
		}
	}
}

// A trial that is repeated differs where the answer, a gate or an interval is another.
func TestDiffers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Receipt)
		want   string
	}{
		{"nothing", func(*Receipt) {}, ""},
		{"other figures", func(r *Receipt) {
			r.Packages[0].Gains = []report.FixGain{gain(1, 1.95, 1.8, 2.0), gain(2, 2.6, 2.4, 2.7)}
		}, ""},
		{"fewer processors", func(r *Receipt) { r.Packages[0].Gains = r.Packages[0].Gains[:1] }, ""},
		{"an interval without an end", func(r *Receipt) { r.Packages[0].Gains[0].Ratio = report.Interval{Value: number(1), Low: number(0.1)} }, ""},
		{"the answer", func(r *Receipt) { r.Outcome = report.EditSlower }, "the answer was faster, and here it is slower"},
		{"an interval", func(r *Receipt) { r.Packages[0].Gains[1] = gain(2, 1.5, 1.2, 1.9) }, "X at 2: the intervals have nothing in common: [2.5, 3.5], here [1.2, 1.9]"},
		{"a gate", func(r *Receipt) { r.Packages[0].Word, r.Packages[0].Why = verify.Fails, "race: a data race" }, "m: it passed all gates, and here one fails: race: a data race"},
		{"no package", func(r *Receipt) { r.Packages = nil }, "m was not tried here"},
	} {
		now := made()
		tt.change(now)
		if got := strings.Join(made().Differs(now), "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	was := made()
	was.Packages[0].Word, was.Packages[0].Why = verify.Fails, "tests: TestX fails"
	if got, want := strings.Join(was.Differs(made()), "; "), "m: it failed a gate, and passes all of them here: tests: TestX fails"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Each field of a receipt has a name in JSON that docs/try.md tells of.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/try.md"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(made())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/try.md says nothing of the field %q", name)
		}
	}
}
