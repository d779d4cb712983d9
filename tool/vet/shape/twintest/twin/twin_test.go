package twin

import "testing"

// A variable of the first form that one edit leaves as it is, and another makes
// something else of, is what it was when the second edit gets its turn.
func TestKeep(t *testing.T) {
	first, same := 7, 7
	other := "7"
	get := func(v *int) map[string]any { return map[string]any{"get": func() int { return *v }} }
	forms = map[string]Form{
		"before": {Funcs: get(&first), Vars: map[string]any{"v": &first}},
		"same":   {Funcs: get(&same), Vars: map[string]any{"v": &same}},
		"other":  {Funcs: map[string]any{"get": func() int { return int(other[0] - '0') }}, Vars: map[string]any{"v": &other}},
	}
	restore := keep()
	for _, after := range []string{"same", "other"} {
		u := &unit{Unit: Unit{Before: "before", After: after, Name: "get"}, t: t, seed: 1, calls: func(int, bool) {}}
		if why := u.find(); why != "" {
			t.Fatal(after, why)
		}
		restore()
		e := u.try(50)
		if e.Kind != Done || e.Inputs == 0 {
			t.Errorf("%s: %+v", after, e)
		}
	}
	restore()
	if first != 7 || same != 7 {
		t.Errorf("the variables are left at %d and %d", first, same)
	}
}
