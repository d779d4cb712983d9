package plain

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"
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

// What is no plain data is refused, whatever it is; an interface that holds nothing and
// a list of none stay.
func TestAllRefuses(t *testing.T) {
	for name, v := range map[string]any{"a channel": make(chan int), "a function": func() {}, "an address": unsafe.Pointer(nil)} {
		func() {
			defer func() {
				if got, want := fmt.Sprint(recover()), fmt.Sprintf("plain.All: %T is no plain data", v); got != want {
					t.Errorf("All of %s: %s, want %s", name, got, want)
				}
			}()
			All(v)
		}()
	}
	type some struct {
		Any  any
		List []any
		Map  map[string]*Inner
	}
	in := some{nil, []any{nil, "a\x1b", 3}, map[string]*Inner{"b\x1b": nil, "c": {"d\x1b"}}}
	want := some{nil, []any{nil, `a\x1b`, 3}, map[string]*Inner{`b\x1b`: nil, "c": {`d\x1b`}}}
	if got := All(in); !reflect.DeepEqual(got, want) {
		t.Errorf("All = %+v, want %+v", got, want)
	}
	// A copy shares no list, no map and no array with what it was made of.
	got := All(in)
	got.List[1], got.Map["e"] = "x", nil
	if in.List[1] != "a\x1b" || len(in.Map) != 2 {
		t.Errorf("All shares with what it was given: %+v", in)
	}
}
