package plain

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, test := range [][2]string{
		{"", ""},
		{"Sum/variant=two words/é世/a\\b", "Sum/variant=two words/é世/a\\b"},
		{"\x1b]0;pwned\x07", `\x1b]0;pwned\a`},
		{"\x1b[2K\rfine", `\x1b[2K\rfine`},
		{"\u009b31m", `\u009b31m`},           // CSI as one character of C1
		{"\x9b31m", `\x9b31m`},               // and as one byte
		{"a\u202egnp.exe", `a\u202egnp.exe`}, // written from the right
		{"\u2066\u2069\u2028\u2029\u200b\ufeff", `\u2066\u2069\u2028\u2029\u200b\ufeff`},
		{"one\ntwo\tthree", `one\ntwo\tthree`},
		{"\xff\xc3(", `\xff\xc3(`},
		{"\ufffd", "\ufffd"}, // the character itself is one that can be printed
		{"a\xffb\ufffd\x00c", "a\\xffb\ufffd\\x00c"},
		{`'"`, `'"`},
		{"::error::x", `\x3a:error::x`},
		{"a.go: ::add-mask::x", `a.go: \x3a:add-mask::x`}, // where it is wrapped
		{"a::b, ::1 and :: and # #[x]", "a::b, ::1 and :: and # #[x]"},
		{"a##[error]b ##vso[task.setvariable]c", `a#\x23[error]b #\x23vso[task.setvariable]c`},
	} {
		if got := Clean(test[0]); got != test[1] {
			t.Errorf("Clean(%q) = %q, want %q", test[0], got, test[1])
		}
	}
	if got, want := Lines("m.go:1:\r\n\ta\x1b[m\rb\n"), "m.go:1:\n\ta\\x1b[m\\rb\n"; got != want {
		t.Errorf("Lines = %q, want %q", got, want)
	}
	if got, want := Lines("dir/\r\n::error file=x::y\n \t::warning::z"), "dir/\n\\x3a:error file=x::y\n \t\\x3a:warning::z"; got != want {
		t.Errorf("Lines = %q, want %q", got, want)
	}
}

// Whatever comes in, what comes out can be printed, and stays as it is when it
// is cleaned again. Text that can be printed is not touched.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"plain", "\x1b]8;;http://x\x1b\\link", "\xe2\x80", "\u202e\U000e0041", "a\r\n\tb", "::error::\n ::set-output name=a::b", "::::x ##[x ##x["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, test := range []struct {
			name  string
			clean func(string) string
			keeps string
		}{{"Clean", Clean, ""}, {"Lines", Lines, "\n\t"}} {
			got := test.clean(s)
			if !utf8.ValidString(got) {
				t.Errorf("%s(%q) = %q, which is no UTF-8", test.name, s, got)
			}
			for _, r := range got {
				if !strconv.IsPrint(r) && !strings.ContainsRune(test.keeps, r) {
					t.Errorf("%s(%q) = %q, which holds %q", test.name, s, got, r)
				}
			}
			if runner.MatchString(got) || agent.MatchString(got) {
				t.Errorf("%s(%q) = %q, which has a command", test.name, s, got)
			}
			if again := test.clean(got); again != got {
				t.Errorf("%s(%q) = %q, and cleaned again %q", test.name, s, got, again)
			}
		}
		if quoted := strconv.Quote(s); quoted == `"`+s+`"` && !runner.MatchString(s) && !agent.MatchString(s) && Clean(s) != s {
			t.Errorf("Clean(%q) = %q, want it untouched", s, Clean(s))
		}
	})
}
