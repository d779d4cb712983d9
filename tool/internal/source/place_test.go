package source

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		place       Place
		want, short string
	}{
		{Place{}, "", ""},
		{Place{"/m/x.go", 7, "m.f"}, "/m/x.go:7", "x.go:7"},
		{Place{Func: "runtime.memmove"}, "runtime.memmove", "runtime.memmove"},
	} {
		if got := test.place.String(); got != test.want {
			t.Errorf("String() = %q, want %q", got, test.want)
		}
		if got := test.place.Short(); got != test.short {
			t.Errorf("Short() = %q, want %q", got, test.short)
		}
		if got, want := test.place.IsZero(), test.want == ""; got != want {
			t.Errorf("IsZero() of %+v = %v, want %v", test.place, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	abs := func(parts ...string) string {
		name, err := filepath.Abs(filepath.Join(append([]string{"a"}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, test := range []struct{ file, dir, want string }{
		{abs("b", "x.go"), abs("b"), "x.go"},
		{abs("b", "x.go"), abs("b", "c", "d"), filepath.Join("..", "..", "x.go")},
		{abs("b", "x.go"), abs("b", "c", "d", "e"), abs("b", "x.go")}, // too far
		{abs("b", "x.go"), "", abs("b", "x.go")},
		{"x.go", abs("b"), "x.go"},                // trimmed
		{abs("b", "x.go"), "b", abs("b", "x.go")}, // from nowhere that is known
		{"", abs("b"), ""},
	} {
		if got := (Place{test.file, 7, "f"}).Near(test.dir); got != (Place{test.want, 7, "f"}) {
			t.Errorf("%s near %s: %+v, want %s", test.file, test.dir, got, test.want)
		}
	}
}

func TestCompare(t *testing.T) {
	sorted := []Place{{}, {"a.go", 2, "z"}, {"a.go", 10, "f"}, {"a.go", 10, "g"}, {"b.go", 1, "f"}}
	got := []Place{sorted[3], sorted[1], sorted[4], sorted[0], sorted[2]}
	slices.SortFunc(got, Place.Compare)
	if !slices.Equal(got, sorted) {
		t.Errorf("sorted: %v, want %v", got, sorted)
	}
	if got, want := sorted[2].Spot(), (Place{File: "a.go", Line: 10}); got != want || got != sorted[3].Spot() {
		t.Errorf("Spot() = %+v, want %+v", got, want)
	}
	if p := (Place{Func: "f"}); p.Spot() != p {
		t.Errorf("Spot() of a function alone = %+v, want it", p.Spot())
	}
	if !sorted[2].OnLine(sorted[3]) || sorted[1].OnLine(sorted[2]) || sorted[2].OnLine(Place{"b.go", 10, "f"}) {
		t.Error("OnLine: want the same file and line, whatever the function")
	}
}

// Records of before have the fields of a place beside those of the thing that
// is there, or in an object of its own, in either case of letters.
func TestJSON(t *testing.T) {
	type line struct {
		Place
		Share float64 `json:"share"`
	}
	want := line{Place{"x.go", 7, "f"}, 0.5}
	for _, in := range []string{
		`{"func":"f","file":"x.go","line":7,"share":0.5}`,
		`{"Func":"f","File":"x.go","Line":7,"share":0.5}`,
	} {
		var got line
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", in, got.Place, err, want)
		}
	}
	out, err := json.Marshal(want)
	if err != nil || string(out) != `{"file":"x.go","line":7,"func":"f","share":0.5}` {
		t.Errorf("Marshal = %s, %v", out, err)
	}
}
