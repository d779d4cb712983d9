package service

import "testing"

// TestCompare: what a cure changes is said, with what was there on one side alone.
func TestCompare(t *testing.T) {
	read := func(name string) *Doc {
		d, err := Explain([]Source{file(name + ".trace.gz"), file(name + ".pprof")}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	old, now := read("fill"), read("fill-cured")
	d := Compare(old, now, "a", "b")
	if d.Old.Name != "a" || d.New.Name != "b" || len(d.Operations) != 1 {
		t.Fatalf("%+v, want a, b and one operation", d)
	}
	if p := d.Operations[0]; p.Old.P50 != old.Operations[0].P50 || p.New.P50 != now.Operations[0].P50 || p.New.P50 >= p.Old.P50 {
		t.Errorf("p50 %v and %v, want %v and a smaller %v", p.Old.P50, p.New.P50, old.Operations[0].P50, now.Operations[0].P50)
	}
	if c := d.Causes[0]; c.What != "lock" || c.Old != old.Causes[0].Share || c.New != 0 || c.Apart {
		t.Errorf("%+v, want lock, which is gone, without a verdict", c)
	}
	sums := [2]float64{}
	for _, x := range d.Account {
		sums[0] += x.Old
		sums[1] += x.New
	}
	for _, s := range sums {
		if s < 0.99 || s > 1.01 {
			t.Errorf("shares sum to %v", sums)
		}
	}
	if same := Compare(old, old, "a", "a"); same.Causes[0].Apart || same.Causes[0].Old != same.Causes[0].New {
		t.Errorf("against itself: %+v", same.Causes[0])
	}
}
