package d

import (
	"regexp"
	"testing"
)

func Test(t *testing.T) {
	lines := []string{"ab cd", "e", "", "X9 yz"}
	for range 2 { // what is shared is used again
		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"words", words(lines), 4},
			{"Clean", Clean("a1b-"), "a_b_"},
			{"digits", len((&parser{"12"}).digits("3 4")), 2},
			{"exes", exes("wxx"), true},
			{"escape", escape("<a>"), "&lt;a&gt;"},
			{"each", each(lines), 2},
			{"again", again("c") && again("") && !again("d"), true},
			{"value", value("v"), true},
			{"called", called("g"), true},
			{"written", written("aa"), "bb"},
			{"literal", literal("l"), true},
			{"longest", longest("ab"), "ab"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
			}
		}
		if ok, err := checked("ab"); !ok || err != nil {
			t.Errorf("checked: %t, %v", ok, err)
		}
		if a, b := sum("abc"), sum("abc"); a != b || a == 0 {
			t.Errorf("sum: %d and %d", a, b)
		}
	}
}

func helper(s string) bool { return regexp.MustCompile("h").MatchString(s) }

func TestHelper(t *testing.T) {
	if !helper("h") {
		t.Error("helper")
	}
}
