package results_test

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/results"
)

// TestMark: of which edits it can be told what runs them, and where marks stand.
func TestMark(t *testing.T) {
	const old = "package p\n\nimport \"math/rand\"\n\nfunc min(a, b int) int { return a }\n\nfunc K() int { return min(1, rand.Int()) }\n\nvar limit = 3\n\ntype T struct{ n int }\n\nfunc (t *T) Add() { t.n++ }\n\nfunc F() int { return limit }\n\nfunc G() int { return F() }\n\nfunc W(xs []int) int { return len(xs) }\n"
	for _, tt := range []struct {
		name    string
		was, is string
		tell    bool
		marks   string // as they stand in the code, in order
	}{
		{"a body", "return limit", "return limit + 0", true, "func F() int { payoffTouched(0);  return limit }\n\nfunc G() int { payoffTouched(1);"},
		{"that of a method", "t.n++", "t.n += 1", true, "func (t *T) Add() { payoffTouched(0);"},
		{"a signature, and who calls it", "F() int { return limit }\n\nfunc G() int { return F() }", "F(n int) int { return n }\n\nfunc G() int { return F(limit) }", true, "func F() int { payoffTouched(0);  return limit }\n\nfunc G() int { payoffTouched(1);"},
		{"a directive", "func F()", "//go:noinline\nfunc F()", true, "func F() int { payoffTouched(0);  return limit }\n\nfunc G() int { payoffTouched(1);"},
		{"a body, and a function and a variable beside it", "func F() int { return limit }", "var more = 4\n\nfunc H() int { return more }\n\nfunc F() int { return H() }", true, "func F() int { payoffTouched(0);  return limit }\n\nfunc G() int { payoffTouched(1);"},
		{"a body, and what it alone used goes", "func min(a, b int) int { return a }\n\nfunc K() int { return min(1, rand.Int()) }", "func K() int { return rand.Int() }", true, "func K() int { payoffTouched(0);"},
		{"another package of the same name", "\"math/rand\"", "rand \"math/rand/v2\"", false, ""},
		{"an import for what it does, not named", "\"math/rand\"", "\"math/rand\"\n\nimport _ \"embed\"", false, ""},
		{"a function whose name means another then", "func min(a, b int) int { return a }\n\n", "", false, ""},
		{"a function that is a variable then", "func G() int { return F() }", "var G = F", false, ""},
		{"a type", "n int }", "n int; _ [64]byte }", false, ""},
		{"a variable", "limit = 3", "limit = 4", false, ""},
		{"an init more", "func G()", "func init() { limit++ }\n\nfunc G()", false, ""},
		{"a function whose name meant another before", "func G()", "func len(xs []int) int { return 0 }\n\nfunc G()", false, ""},
		{"a method more", "func G()", "func (t *T) String() string { return \"\" }\n\nfunc G()", false, ""},
		{"a method less", "func (t *T) Add() { t.n++ }\n", "", false, ""},
		{"nothing", "return limit", "return  limit", false, ""},
	} {
		new := strings.Replace(old, tt.was, tt.is, 1)
		if !tt.tell && tt.name != "nothing" { // a body alone could be told
			new = strings.NewReplacer("t.n++", "t.n += 1", "return limit", "return limit + 0").Replace(new)
		}
		m, err := results.Mark([][]results.Pair{nil, {{Path: "example.com/p", Old: map[string][]byte{"/p/p.go": []byte(old)}, New: map[string][]byte{"/p/p.go": []byte(new)}}}})
		if err != nil {
			t.Fatal(err)
		}
		text := string(m.Code["/p/p.go"])
		if n := strings.Count(text, "payoffTouched("); m.Tell(1) != tt.tell || m.Tell(0) || !strings.Contains(text, tt.marks) || n != strings.Count(tt.marks, "payoffTouched(") {
			t.Errorf("%s: tell %t, %d marks, want %t and %q:\n%s", tt.name, m.Tell(1), n, tt.tell, tt.marks, text)
		}
		if got := m.Of(1, nil); got == tt.tell || m.Of(1, map[string][]byte{"0": nil}) != true || !m.Of(0, nil) {
			t.Errorf("%s: of a process without marks: %t", tt.name, got)
		}
	}
}
