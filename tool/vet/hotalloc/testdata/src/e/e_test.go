package e

import (
	"fmt"
	"testing"
	"time"
)

func Test(t *testing.T) {
	set := Set{{Name: "<a>", Pattern: "a+"}, {Name: "<b>", Pattern: "b"}}
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	var got []any
	add := func(all ...any) { got = append(got, all...) }
	for range 2 { // what is kept is used again
		got = nil
		add(set.Redact("aab"))
		add(set[0].holds("AA"))
		add((&Rule{Pattern: "("}).holds(""))
		add(matches("^a", "ab"))
		add(matches("(", "ab"))
		add(matchesBytes([]byte("aa")))
		add(hour("UTC", noon))
		add(hour("none", noon))
		add(utc(noon), renamed("a"), longest("a|aa", "aa"), greet("you"), page("{{upper .}}", "me"))
		const want = "[<a><b> true <nil> false error parsing regexp: missing closing ): `(?i)(` true <nil> false error parsing regexp: missing closing ): `(` true 12 <nil> 0 unknown time zone none 12 true aa hello you ME]"
		if s := fmt.Sprint(got); s != want {
			t.Errorf("%s, want %s", s, want)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			Set{{Pattern: "("}}.Redact("")
		}()
		for i := range 1100 {
			if s := (Set{{Pattern: fmt.Sprint("^", i, "$")}}).Redact(fmt.Sprint(i)); s != "" {
				t.Errorf("Redact(%d) = %q, want none", i, s)
			}
		}
	}
}
