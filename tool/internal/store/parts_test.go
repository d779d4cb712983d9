package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// A part of a package is read back; one that is not there is none.
func TestPart(t *testing.T) {
	dir := t.TempDir()
	d, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Package(plan, newSeries("example.com/m"))
	if err != nil {
		t.Fatal(err)
	}
	type part struct{ N int }
	for n := range 2 { // the second replaces the first
		if err := p.Part("x.json", part{n}); err != nil {
			t.Fatal(err)
		}
	}
	var got part
	if ok, err := Part(dir, "example.com/m", "x.json", &got); !ok || err != nil || got.N != 1 {
		t.Errorf("%v, %v, %v, want 1", got, ok, err)
	}
	for _, x := range [][2]string{{"example.com/m", "y.json"}, {"example.com/n", "x.json"}} {
		if ok, err := Part(dir, x[0], x[1], &got); ok || err != nil {
			t.Errorf("%v: %v, %v, want none", x, ok, err)
		}
	}
	if err := os.WriteFile(p.File("x.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if ok, err := Part(dir, "example.com/m", "x.json", &got); ok || err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("damaged: %v, %v", ok, err)
	}
}

// A package that another run has measured becomes one of this run, whole.
func TestAdopt(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	d, err := Create(from)
	if err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/other")
	s := newSeries("example.com/m")
	s.Binary = "sum"
	p, err := d.Package(plan, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Sample(measure.Cell{Bench: "BenchmarkA/variant=x", Procs: 1}, measure.Sample{Round: 1, N: 1, Wall: 5, ActualProcs: 1}, ""); err != nil {
		t.Fatal(err)
	}
	if Measured(from, "example.com/m", "sum") {
		t.Error("it has no end, and counts as measured")
	}
	if err := p.Close(s); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		pkg, sum string
		want     bool
	}{{"example.com/m", "sum", true}, {"example.com/m", "other", false}, {"example.com/m", "", false}, {"example.com/other", "", false}, {"example.com/none", "sum", false}} {
		if got := Measured(from, test.pkg, test.sum); got != test.want {
			t.Errorf("Measured(%q, %q) = %v", test.pkg, test.sum, got)
		}
	}
	e, err := Create(to)
	if err != nil {
		t.Fatal(err)
	}
	q, got, err := e.Adopt(from, plan, "example.com/m")
	if err != nil {
		t.Fatal(err)
	}
	got.Taken = "from"
	if err := q.Close(got); err != nil {
		t.Fatal(err)
	}
	if err := e.Put(plan); err != nil {
		t.Fatal(err)
	}
	_, all, err := Load(to)
	if err != nil || len(all) != 1 || len(all[0].Samples) != 1 || all[0].Binary != "sum" || all[0].Taken != "from" {
		t.Errorf("%+v, %v", all, err)
	}
	if _, _, err := e.Adopt(from, plan, "example.com/none"); err == nil {
		t.Error("a package that is not there: no error")
	}
}
