package report_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// The rows of several machines say on which it pays, by what those have in common on
// which it does not, and by their names where that is nothing.
func TestSeveral(t *testing.T) {
	type m struct {
		cores   int
		arch    string
		verdict judge.Word
	}
	for _, tt := range []struct {
		machines []m
		want     string
	}{
		{[]m{{2, "amd64", judge.Loses}, {4, "amd64", judge.Pays}, {8, "amd64", judge.Pays}}, "B/variant=par pays on 2 of 3 machines against B/variant=serial: not on 2-processor machines"},
		{[]m{{2, "amd64", judge.Loses}, {4, "arm64", judge.Even}, {8, "amd64", judge.Pays}}, "B/variant=par pays on 1 of 3 machines against B/variant=serial: not on machines of up to 4 processors"},
		{[]m{{2, "amd64", judge.Pays}, {64, "arm64", judge.Loses}, {128, "amd64", judge.CannotSay}}, "B/variant=par pays on 1 of 3 machines against B/variant=serial: not on machines of 64 processors or more"},
		{[]m{{4, "amd64", judge.Pays}, {4, "arm64", judge.Loses}, {4, "arm64", judge.Loses}}, "B/variant=par pays on 1 of 3 machines against B/variant=serial: not on arm64"},
		{[]m{{4, "amd64", judge.Pays}, {4, "amd64", judge.Loses}}, "B/variant=par pays on 1 of 2 machines against B/variant=serial: not on machine 1"},
		{[]m{{4, "amd64", judge.Pays}, {2, "amd64", judge.Pays}}, "B/variant=par pays on 2 of 2 machines against B/variant=serial"},
		{[]m{{4, "amd64", judge.Loses}, {2, "amd64", judge.Even}}, "B/variant=par pays on 0 of 2 machines against B/variant=serial"},
	} {
		var s report.Several
		for i, x := range tt.machines {
			doc := &report.Doc{Environment: machine.Env{Arch: x.arch, UsableCPUs: x.cores}}
			// At fewer processors, and in scaling, it says something else.
			other := judge.Pays
			if x.verdict == judge.Pays {
				other = judge.Loses
			}
			for _, c := range []report.Comparison{
				{Kind: measure.Variant, Procs: 1, Verdict: other},
				{Kind: measure.Variant, Procs: x.cores, Verdict: x.verdict},
				{Kind: measure.Scaling, Procs: x.cores + 1, Verdict: other},
			} {
				c.Package, c.Name, c.BaseName = "p", "B/variant=par", "B/variant=serial"
				doc.Comparisons = append(doc.Comparisons, c)
			}
			s.Machines = append(s.Machines, report.Measured{Kind: string(rune('a' + i)), Machine: "machine " + string(rune('0'+i)), Doc: doc})
		}
		s.Machines = append(s.Machines, report.Measured{Kind: "gone", Machine: "one that is gone", Err: "it went away"})
		s.Sum()
		if len(s.Summary) != 1 || s.Summary[0] != tt.want {
			t.Errorf("%v: %q, want %q", tt.machines, s.Summary, tt.want)
		}
		if len(s.Rows) != 1 || len(s.Rows[0].Cells) != len(tt.machines) {
			t.Errorf("%v: rows %+v, want one with a cell for each machine that measured", tt.machines, s.Rows)
		}
	}
}
