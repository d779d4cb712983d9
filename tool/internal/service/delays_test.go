package service

import (
	"math"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// TestDelays: what a delay is named for, and what it needs for that. A trace is 1,000 long,
// of two processors that are idle for most of it.
func TestDelays(t *testing.T) {
	at, other := source.Place{File: "a.go", Line: 1}, source.Place{File: "b.go", Line: 1}
	look := exectrace.Look{Site: at, N: 25, Vain: 15, Rows: 10, Time: 3000}
	linger := exectrace.Linger{Site: at, N: 10, Time: 1000, Fired: 100, Handed: 10}
	round := exectrace.Round{Site: at, N: 4, Began: 16, Time: 1000, Slots: 4000, Used: 1000}
	row := exectrace.Op{Name: "op", N: 10, Mean: 100, Row: exectrace.Row{N: 2.5, Time: 80, Longest: 30, Site: at}}
	type facts = exectrace.Facts
	looks := func(change func(*exectrace.Look)) facts {
		return facts{Delays: exectrace.Delays{Looks: changed(look, change)}}
	}
	lingers := func(change func(*exectrace.Linger)) facts {
		return facts{Delays: exectrace.Delays{Lingers: changed(linger, change)}}
	}
	rounds := func(change func(*exectrace.Round)) facts {
		return facts{Delays: exectrace.Delays{Rounds: changed(round, change)}}
	}
	rows := func(change func(*exectrace.Op)) facts { return facts{Ops: changed(row, change)} }
	const sleeps, keeps, slowest, after = "Goroutines sleep until something is there", "A timer keeps back what others wait for", "Rounds that wait for their slowest", "Waits one after the other"
	for _, tt := range []struct {
		name  string
		facts facts
		title string // "": none
		share float64
		most  float64
	}{
		{"looks", looks(func(x *exectrace.Look) {}), sleeps, 0.9, 11.1},
		{"two that look", looks(func(x *exectrace.Look) { x.Time = 2000 }), sleeps, 0.9, 11.1},
		{"fewer that look", looks(func(x *exectrace.Look) { x.Time = 1999 }), "", 0, 0},
		{"few looks", looks(func(x *exectrace.Look) { x.Rows = 9 }), "", 0, 0},
		{"two looks in a row", looks(func(x *exectrace.Look) { x.N, x.Vain = 26, 14 }), "", 0, 0},
		{"one look or two", looks(func(x *exectrace.Look) { x.N, x.Vain = 27, 14 }), sleeps, 0.9, 11.1},
		{"looks that find something", looks(func(x *exectrace.Look) { x.N = 61 }), "", 0, 0},
		{"lingers", lingers(func(x *exectrace.Linger) {}), keeps, 0.5, 11.1},
		{"lingers for little of the time", lingers(func(x *exectrace.Linger) { x.Time = 499 }), "", 0, 0},
		{"lingers seldom", lingers(func(x *exectrace.Linger) { x.N = 9 }), "", 0, 0},
		{"a timer alone", lingers(func(x *exectrace.Linger) { x.Handed = 9 }), "", 0, 0},
		{"rounds", rounds(func(x *exectrace.Round) {}), slowest, 0.9, 4 / 0.9},
		{"rounds with some time between them", rounds(func(x *exectrace.Round) { x.Gap = 250 }), slowest, 0.9, 5 / 0.9},
		{"rounds with much time between them", rounds(func(x *exectrace.Round) { x.Gap = 251 }), "", 0, 0},
		{"few rounds", rounds(func(x *exectrace.Round) { x.N = 3 }), "", 0, 0},
		{"rounds that are even", rounds(func(x *exectrace.Round) { x.Used = 2900 }), "", 0, 0},
		{"rounds of many at once", rounds(func(x *exectrace.Round) { x.Time = 1501 }), "", 0, 0},
		{"rows", rows(func(x *exectrace.Op) {}), after, 0.25, 2 / 0.9},
		{"few operations", rows(func(x *exectrace.Op) { x.N = 9 }), "", 0, 0},
		{"rows of two", rows(func(x *exectrace.Op) { x.Row.N = 2.4 }), "", 0, 0},
		{"rows that are a small part", rows(func(x *exectrace.Op) { x.Row.Time, x.Row.Longest = 59, 20 }), "", 0, 0},
		{"rows with one long wait", rows(func(x *exectrace.Op) { x.Row.Longest = 49 }), "", 0, 0},
	} {
		f := tt.facts
		f.Window, f.Procs = 1000, 2
		f.Served.Unasked = 1800
		e := &evidences{doc: &Doc{Account: []Item{{Kind: Work, Share: 0.1}, {Kind: Free, Share: 0.9}}}, trace: &f}
		e.delays(200)
		got, share, most := "", 0.0, 0.0
		if c := e.doc.Causes; len(c) > 0 {
			got, share, most = c[0].Title, c[0].Share, c[0].AtMost
			if c[0].Evidence[0].Place != at || c[0].Do == "" {
				t.Errorf("%s: %+v", tt.name, c[0])
			}
		}
		if got != tt.title || math.Abs(share-tt.share) > 1e-6 || math.Abs(most-tt.most) > 0.1 {
			t.Errorf("%s: %q with %.3g, at most %.3g; want %q with %.3g, at most %.3g", tt.name, got, share, most, tt.title, tt.share, tt.most)
		}
	}

	// Of two at one line the operation's is told, what is told has its part of the time,
	// and other causes stand where they belong.
	f := facts{Window: 1000, Procs: 2, Ops: []exectrace.Op{row}, Delays: exectrace.Delays{Looks: []exectrace.Look{look, {Site: other, N: 25, Vain: 15, Rows: 10, Time: 5000}}}}
	f.Served.Unasked = 1800
	e := &evidences{doc: &Doc{Account: []Item{{Kind: Work, Share: 0.1}, {Kind: Free, Share: 0.9}}, Causes: []Cause{{Title: "most", NS: 1500}, {Title: "least", NS: 300}}}, trace: &f}
	e.delays(200)
	var titles []string
	for _, c := range e.doc.Causes {
		titles = append(titles, c.Title)
	}
	if want := []string{"most", sleeps, after, "least"}; !slices.Equal(titles, want) || e.doc.Causes[1].NS != 1300 {
		t.Errorf("causes are %q, want %q, the second with what the third leaves: %+v", titles, want, e.doc.Causes)
	}
	// What is not told keeps back nothing.
	short := row
	short.Row.Longest = 40 // not enough of the time
	f = facts{Window: 1000, Procs: 2, Ops: []exectrace.Op{short}, Delays: exectrace.Delays{Looks: []exectrace.Look{look}}}
	f.Served.Unasked = 1800
	e = &evidences{doc: &Doc{Account: []Item{{Kind: Work, Share: 0.1}, {Kind: Free, Share: 0.9}}}, trace: &f}
	if e.delays(200); len(e.doc.Causes) != 1 || e.doc.Causes[0].Title != sleeps {
		t.Errorf("causes are %+v, want the looks", e.doc.Causes)
	}
	// A program that is not idle has none.
	e = &evidences{doc: &Doc{Account: []Item{{Kind: Work, Share: 0.5}, {Kind: Free, Share: 0.5}}}, trace: &f}
	if e.delays(1000); len(e.doc.Causes) > 0 {
		t.Errorf("a program that is busy for half of its time has %+v", e.doc.Causes)
	}
}

// changed is x with a change, alone.
func changed[T any](x T, change func(*T)) []T {
	change(&x)
	return []T{x}
}
