package heat

import (
	"path/filepath"
	"reflect"
	"testing"
)

func TestIn(t *testing.T) {
	m := &Map{Benches: []Bench{
		{Name: "BenchmarkA", Procs: 2, Causes: map[string]float64{"falseshare": 0.5, "grain": 0.3}, Lines: []Line{
			{File: "/a.go", Line: 10, Share: 0.2, Causes: map[string]float64{"falseshare": 0.3}},
			{File: "/a.go", Line: 12, Share: 0.2, Causes: map[string]float64{"falseshare": 0.2, "rmw": 0.1}},
			{File: "/a.go", Line: 30, Share: 0.06},
			{File: "/a.go", Line: 40, Share: 0.01},
		}},
		{Name: "BenchmarkB", Procs: 2, Causes: map[string]float64{"lock": 0.9}, Lines: []Line{
			{File: "/a.go", Line: 11, Share: 0.9, Causes: map[string]float64{"lock": 0.9}},
		}},
	}}
	for _, tt := range []struct {
		name     string
		causes   []string
		from, to int
		want     Evidence
		hot      bool
	}{
		{"summed over lines", []string{"falseshare"}, 9, 12, Evidence{"BenchmarkA", 2, 0.4, "falseshare", 0.5, false, false, 0, ""}, true},
		{"the largest of the causes", []string{"rmw", "falseshare"}, 12, 12, Evidence{"BenchmarkA", 2, 0.2, "falseshare", 0.2, false, false, 0, ""}, true},
		{"of the benchmark with most", []string{"lock", "falseshare"}, 9, 12, Evidence{"BenchmarkB", 2, 0.9, "lock", 0.9, false, false, 0, ""}, true},
		{"not placed", []string{"grain"}, 30, 30, Evidence{"BenchmarkA", 2, 0.06, "grain", 0.3, true, false, 0, ""}, true},
		{"not placed and cold", []string{"grain"}, 40, 40, Evidence{"BenchmarkA", 2, 0.01, "grain", 0.3, true, false, 0, ""}, false},
		{"another cause", []string{"gc"}, 9, 12, Evidence{"BenchmarkB", 2, 0.9, "", 0, false, false, 0, ""}, false},
		{"nothing ran there", []string{"lock"}, 50, 60, Evidence{}, false},
	} {
		got := m.In(tt.causes, Stretch{File: "/a.go", From: tt.from, To: tt.to})
		if got != tt.want || got.Hot() != tt.hot {
			t.Errorf("%s: %+v, hot %v; want %+v, %v", tt.name, got, got.Hot(), tt.want, tt.hot)
		}
	}
	own, others := Stretch{File: "/a.go", From: 40, To: 40}, Stretch{File: "/a.go", From: 9, To: 12, Shared: true}
	if got := m.In([]string{"falseshare"}, own, others); got.Bench != "BenchmarkA" || got.Lost != 0.5 || got.Elsewhere || got.Share < 0.4 {
		t.Errorf("with what others share: %+v, want half of what BenchmarkA loses", got)
	}
	if got := m.In([]string{"falseshare"}, Stretch{File: "/a.go", From: 50, To: 60}, others); got != (Evidence{}) {
		t.Errorf("in what others share alone: %+v", got)
	}
	if got := (*Map)(nil).In([]string{"lock"}, Stretch{File: "/a.go", From: 1, To: 99}); got.Hot() || got.String() != "no evidence" {
		t.Errorf("without a map: %+v", got)
	}
}

func TestEscapes(t *testing.T) {
	m := &Map{Benches: []Bench{{Lines: []Line{{File: "/a.go", Line: 1, Escapes: []string{"x escapes", "a escapes"}}, {File: "/a.go", Line: 2, Escapes: []string{"x escapes"}}, {File: "/b.go", Line: 1, Escapes: []string{"other"}}}}}}
	if got := m.Escapes(Stretch{File: "/a.go", From: 1, To: 2}); !reflect.DeepEqual(got, []string{"a escapes", "x escapes"}) {
		t.Errorf("%q", got)
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "heat.json")
	m := &Map{Run: "r", Benches: []Bench{{Name: "B", Procs: 1, Lines: []Line{{File: "/a.go", Line: 3, Share: 0.5, Escapes: []string{"e"}}}}}}
	if err := m.Write(name); err != nil {
		t.Fatal(err)
	}
	got, err := Read(name)
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, %v; want %+v", got, err, m)
	}
	if _, err := Read(filepath.Join("testdata", "none.json")); err == nil {
		t.Error("a file that is not there was read")
	}
}
