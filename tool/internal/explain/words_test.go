package explain

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

func TestShorten(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"x at /home/me/m/x.go:7:2 stays", "x at x.go:7:2 stays"},
		{"elements of sums at gallery/falseshare/disease.go:13 have room", "elements of sums at disease.go:13 have room"},
		{`x at C:\m\x.go:7 stays (C:\m\y.go:8)`, "x at x.go:7 stays (y.go:8)"},
		{"goroutines met (m/x.go:7), /a(b)/y.go:8", "goroutines met (x.go:7), y.go:8"},
		{"pad example.com/m/x: no sites at x.go:7, /x.go:8", "pad example.com/m/x: no sites at x.go:7, x.go:8"},
	} {
		if got := shorten(test.text); got != test.want {
			t.Errorf("shorten(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// A trial is worded the same whether its record has notes or, as before, prose.
func TestChanges(t *testing.T) {
	at := func(line int) source.Place { return source.Place{File: "/m/x.go", Line: line} }
	does := []edit.Note{{What: "elements of sums", At: at(13), Says: "have room around them"}, {What: "field n", At: at(3), Says: "has room around it"}}
	leaves := []edit.Note{
		{What: "*p", At: at(20), Says: "it is known by its address alone"},
		{What: "e.n", At: at(21), Says: "its struct type has a literal without field names", Reason: at(30)},
	}
	const done = "elements of sums at x.go:13 have room around them; field n at x.go:3 has room around it"
	const left = "*p at x.go:20 stays: it is known by its address alone; e.n at x.go:21 stays: its struct type has a literal without field names at x.go:30"
	for _, test := range []struct {
		x     evidence.Sharing
		want  string
		whole bool
	}{
		{evidence.Sharing{Pad: &evidence.Trial{Does: does}}, done, true},
		{evidence.Sharing{Pad: &evidence.Trial{Does: does}, Leaves: leaves}, done + "; " + left, false},
		{evidence.Sharing{Leaves: leaves}, left, false},
		{evidence.Sharing{Pad: &evidence.Trial{How: "field n at m/x.go:3 has room around it"}}, "field n at x.go:3 has room around it", true},
		{evidence.Sharing{Pad: &evidence.Trial{How: "field n at m/x.go:3 has room around it; *p at m/x.go:20:3 stays: it is known by its address alone"}}, "field n at x.go:3 has room around it; *p at x.go:20:3 stays: it is known by its address alone", false},
	} {
		if got := changes(&test.x); got != test.want || test.x.Whole() != test.whole {
			t.Errorf("changes = %q, whole %v, want %q, %v", got, test.x.Whole(), test.want, test.whole)
		}
	}
}
