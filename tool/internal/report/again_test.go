package report

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// Each report tells how it is made again, with the command that made it.
func TestAgain(t *testing.T) {
	asked := &cmdline.Asked{Packages: []string{"./m"}, Procs: []int{1, 2}, Budget: 30e9}
	compared := &cmdline.Asked{Packages: []string{"./m"}, Procs: []int{1, 2}, Budget: 30e9, Verdicts: true}
	here := &cmdline.Asked{Packages: []string{"."}, Verdicts: true}
	both := func(new discover.Code) *Compared {
		return &Compared{Old: discover.Code{Name: "the merge base", Commit: "abc"}, New: new}
	}
	for want, d := range map[string]*Doc{
		"payoff run -budget 30s -procs 1,2 ./m":                {Asked: asked},
		"payoff run example.com/m":                             {Packages: []Package{{Package: "example.com/m"}}},
		"payoff run -budget 30s -procs 1,2 ./m ":               {Asked: asked, Fixes: []Fixes{{}}},
		"payoff fix -procs 1,2 ./m":                            {Asked: asked, Fixes: []Fixes{{}, {Tried: true}}},
		"payoff compare -budget 30s -procs 1,2 abc def -- ./m": {Asked: compared, Compared: both(discover.Code{Commit: "def"})},
		"payoff compare abc def":                               {Asked: here, Compared: both(discover.Code{Commit: "def"})},
		"payoff compare -budget 30s -procs 1,2 abc -- ./m":     {Asked: compared, Compared: both(discover.Code{Commit: "def", Dirty: true})},
		"payoff compare 'my old' new":                          {Compared: &Compared{Apart: true, Old: discover.Code{Run: "my old", Commit: "abc"}, New: discover.Code{Run: "new"}}},
		"payoff gallery run -budget 30s -procs 1,2 mutexmap":   {Asked: &cmdline.Asked{Packages: []string{"gallery/mutexmap"}, Gallery: true, Procs: []int{1, 2}, Budget: 30e9}},
	} {
		if want[len(want)-1] == ' ' { // a second way to one command
			want = want[:len(want)-1]
		}
		if got := d.Again(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A comparison has the edits of its places and of its benchmark, those that cure first,
// and none of others.
func TestEditsOf(t *testing.T) {
	at := func(line int) source.Place { return source.Place{File: "m.go", Line: line, Func: "m.f"} }
	d := &Doc{Fixes: []Fixes{
		{Package: "other", Findings: []FixFinding{{Finding: edit.Finding{Place: at(1)}, Fixes: []Fix{{Edit: edit.Edit{ID: "O1"}}}}}},
		{Package: "m", Findings: []FixFinding{
			{Finding: edit.Finding{Place: at(1)}, Fixes: []Fix{{Edit: edit.Edit{ID: "A1"}}, {Edit: edit.Edit{ID: "A2"}, Word: verify.Kept}}},
			{Finding: edit.Finding{Place: at(2)}, Fixes: []Fix{{Edit: edit.Edit{ID: "B1"}, Gains: []FixGain{{Name: "BenchmarkF"}}}}},
			{Finding: edit.Finding{Place: at(3)}, Fixes: []Fix{{Edit: edit.Edit{ID: "C1"}}}, CuredBy: "A2"},
			{Finding: edit.Finding{Place: at(4)}},
			{Finding: edit.Finding{Place: at(5)}, Fixes: []Fix{{Edit: edit.Edit{ID: "E1"}}}},
		}},
	}}
	c := &Comparison{Package: "m", Name: "BenchmarkF", Causes: []Cause{
		{Places: []Place{{Place: source.Place{File: "m.go", Line: 1}}, {Place: at(4)}, {}}},
		{Evidence: []Evidence{{Place: at(3)}}},
	}}
	var got string
	for _, e := range d.EditsOf([]*Comparison{{Package: "m", Name: "BenchmarkG"}, c}) {
		got += e.ID + " "
	}
	if got != "A2 B1 " {
		t.Errorf("edits %q, want A2, which cures the third place, too, and B1", got)
	}
	if got := d.EditsOf([]*Comparison{{Package: "m", Name: "BenchmarkG"}}); len(got) != 0 {
		t.Errorf("%d edits for what loses elsewhere", len(got))
	}
}
