package plain

import (
	"math"
	"reflect"
	"testing"
)

type Inner struct{ Name string }

type data struct {
	Inner
	Text    string
	Number  float64
	Nil     []string
	Empty   []string
	List    []Inner
	Pair    [2]string
	Counts  map[string]int
	Pointer *Inner
	NoValue *float64
	Any     any
	hidden  string
}

func TestAll(t *testing.T) {
	const bad, good = "a\x1b", `a\x1b`
	in := data{Inner{bad}, bad, 1.5, nil, []string{}, []Inner{{bad}}, [2]string{bad, "b"}, map[string]int{bad: 1}, &Inner{bad}, nil, map[Inner]any{{bad}: bad}, bad}
	want := data{Inner{good}, good, 1.5, nil, []string{}, []Inner{{good}}, [2]string{good, "b"}, map[string]int{good: 1}, &Inner{good}, nil, map[Inner]any{{good}: good}, bad}
	got := All(in)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("All = %+v, want %+v", got, want)
	}
	got.Pointer.Name, got.List[0].Name = "x", "x"
	if in.Pointer.Name != bad || in.List[0].Name != bad || in.Text != bad {
		t.Errorf("All changed what it was given, or shares it: %+v", in)
	}
	if x := math.Inf(-1); All(&data{NoValue: &x}).NoValue == &x {
		t.Error("All shares a pointer")
	}
	defer func() {
		if recover() == nil {
			t.Error("All of a function did not panic")
		}
	}()
	All(struct{ F func() }{func() {}})
}
