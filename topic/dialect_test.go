package topic_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/gopayoff/payoff/topic"
)

// Patterns and subjects that meet or do not, for each rule of a dialect.
func TestRules(t *testing.T) {
	long := strings.Repeat("x.", MaxTokens-1) + "x"
	tests := []struct {
		d       Dialect
		pattern string
		yes, no string // subjects, with blanks between them
	}{
		{NATS, "orders", "orders", "order orders.new Orders"},
		{NATS, "orders.new", "orders.new", "orders orders.new.eu orders.newer new.orders"},
		{NATS, "*", "orders new >x x*", "orders.new"},
		{NATS, "orders.*", "orders.new orders.12345678 orders.123456789", "orders orders.new.eu other.new"},
		{NATS, "*.new", "orders.new", "new orders.old orders.new.new"},
		{NATS, "a.*.c", "a.b.c a.longer-than-eight-bytes.c", "a.c a.b.b.c a.b.d b.b.c"},
		{NATS, "*.*", "a.b", "a a.b.c"},
		{NATS, ">", "a a.b a.b.c", ""},
		{NATS, "a.>", "a.b a.b.c", "a b.a ab.c"},
		{NATS, "*.>", "a.b a.b.c", "a"},
		{NATS, "a.*.>", "a.b.c a.b.c.d", "a.b a"},
		{NATS, "*.b.*.>", "a.b.c.d a.b.c.d.e", "a.b.c b.a.c.d"},

		// A token is a wildcard only if it is nothing else.
		{NATS, "a.*b", "a.*b", "a.b a.xb a.**b"},
		{NATS, "a.b*", "a.b*", "a.bx a.b"},
		{NATS, "a.>b", "a.>b", "a.b a.x.b"},
		{NATS, "a.**", "a.**", "a.b a.*x"},
		{NATS, "a.>>", "a.>>", "a.b.c"},

		// What is no subject is matched by nothing.
		{NATS, ">", "a", ".a a. a..b . .. a.*.b a.> > *"},
		{NATS, "*.*", "a.b", "a. .b *.b a.*"},

		{NATS, long, long, long + ".x"},
		{NATS, "x.>", long + " " + long + "." + long, "x"},
		{NATS, "*.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.*.>", long, "x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x"},
		{NATS, "$SYS.*", "$SYS.x", "SYS.x"},
		{NATS, "*.x", "$SYS.x", ""},

		{MQTT, "sport/tennis", "sport/tennis", "sport sport/tennis/1 sport/tennis/ /sport/tennis sport//tennis"},
		{MQTT, "sport/+", "sport/a sport/", "sport sport/a/b"},
		{MQTT, "+", "a", "/a a/ a/b /"},
		{MQTT, "+/+", "/a a/ a/b /", "a a/b/c"},
		{MQTT, "/+", "/a /", "a a/b"},
		{MQTT, "a//b", "a//b", "a/b a/x/b"},
		{MQTT, "a/+/b", "a//b a/x/b", "a/b"},
		{MQTT, "sport/#", "sport sport/ sport/a sport/a/b", "sports a/sport"},
		{MQTT, "sport/+/#", "sport/a sport/a/b sport/ sport//x", "sport"},
		{MQTT, "#", "a /a a/b /", "$a $a/b"},
		{MQTT, "+/#", "a a/b /", "$a $a/b"},
		{MQTT, "+/b", "a/b x$/b", "$a/b"},
		{MQTT, "$SYS/#", "$SYS $SYS/a", "SYS/a"},
		{MQTT, "$SYS/+", "$SYS/a $SYS/$b", "$SYS"},
		{MQTT, "a/#", "a/$b", ""},
		{MQTT, "a/*/>", "a/*/>", "a/b/c"},
		{MQTT, "#", "a.b", "a/+ a/# +"},
	}
	for _, test := range tests {
		for _, h := range hashes {
			if len(test.pattern) > 40 && h.mask == 0 {
				continue // every choice of wildcards has the same key
			}
			ix := New[string](test.d)
			ix.Cut(h.mask)
			s, err := ix.Subscribe(test.pattern, "found")
			if err != nil {
				t.Error(err)
				continue
			}
			ask := func(subject string, want bool) {
				t.Helper()
				if got := slices.Collect(ix.Match(subject)); (len(got) == 1 && got[0] == "found") != want || len(got) > 1 {
					t.Errorf("%v: %q: Match(%q) = %q, want %t", test.d, test.pattern, subject, got, want)
				}
				if want && test.d.CheckSubject(subject) != nil {
					t.Errorf("%v: CheckSubject(%q) = %v", test.d, subject, test.d.CheckSubject(subject))
				}
			}
			for _, subject := range strings.Fields(test.yes) {
				ask(subject, true)
			}
			for _, subject := range append(strings.Fields(test.no), "") {
				ask(subject, false)
			}
			s.Unsubscribe()
			for _, subject := range strings.Fields(test.yes) {
				ask(subject, false)
			}
		}
	}
}

// An error names the token.
func TestCheck(t *testing.T) {
	long := strings.Repeat("a.", MaxTokens)
	tests := []struct {
		d            Dialect
		kind, text   string
		token        int
		reason       string
		otherKindToo bool
	}{
		{NATS, "pattern", "", 0, "is empty", true},
		{NATS, "pattern", ".", 1, "is empty", true},
		{NATS, "pattern", ".a", 1, "is empty", true},
		{NATS, "pattern", "a.", 2, "is empty", true},
		{NATS, "pattern", "a..b", 2, "is empty", true},
		{NATS, "pattern", "a.*.", 3, "is empty", false},
		{NATS, "pattern", "a.>.b", 2, "is >, which must be the last", false},
		{NATS, "pattern", ">.>", 1, "is >, which must be the last", false},
		{NATS, "pattern", "a.b c", 2, `("b c") has white space`, true},
		{NATS, "pattern", "a.\t", 2, `("\t") has white space`, true},
		{NATS, "pattern", "a.b\r\n.c", 2, `("b\r\n") has white space`, true},
		{NATS, "pattern", "a.b\x00", 2, `("b\x00") has a zero byte`, true},
		{NATS, "pattern", "\x00", 1, `("\x00") has a zero byte`, true},
		{NATS, "pattern", long + "b", MaxTokens + 1, "is one more than 64", false},
		{NATS, "pattern", long + ">", MaxTokens + 1, "is one more than 64", false},
		{NATS, "subject", "a.*", 2, "is the wildcard *", false},
		{NATS, "subject", "a.b.>", 3, "is the wildcard >", false},
		{MQTT, "pattern", "", 0, "is empty", true},
		{MQTT, "pattern", "a/#/b", 2, "is #, which must be the last", false},
		{MQTT, "pattern", "a/b#", 2, `("b#") has a wildcard beside other characters`, true},
		{MQTT, "pattern", "a+/b", 1, `("a+") has a wildcard beside other characters`, true},
		{MQTT, "pattern", "a/++", 2, `("++") has a wildcard beside other characters`, true},
		{MQTT, "pattern", "a/b\x00", 2, `("b\x00") has a zero byte`, true},
		{MQTT, "pattern", "a/\xff", 0, "is not UTF-8", true},
		{MQTT, "subject", "a/+", 2, "is the wildcard +", false},
		{MQTT, "subject", "#", 1, "is the wildcard #", false},
		{MQTT, "pattern", strings.Repeat("a", 65536), 0, "has 65536 bytes, more than MQTT's 65535", true},
	}
	check := map[string]func(Dialect, string) error{"pattern": Dialect.CheckPattern, "subject": Dialect.CheckSubject}
	for _, test := range tests {
		kinds := []string{test.kind}
		if test.otherKindToo {
			kinds = []string{"pattern", "subject"}
		}
		for _, kind := range kinds {
			err := check[kind](test.d, test.text)
			want := Error{kind, test.text, test.token, test.reason}
			var e *Error
			if !errors.As(err, &e) || *e != want {
				t.Errorf("%v: %s %.20q: got %v, want %v", test.d, kind, test.text, err, &want)
			}
		}
		if test.kind == "pattern" {
			ix := New[int](test.d)
			if s, err := ix.Subscribe(test.text, 1); err == nil || s != nil || ix.Len() != 0 || ix.Nodes() != 0 {
				t.Errorf("%v: Subscribe(%.20q) = %v, %v, and there are %d", test.d, test.text, s, err, ix.Nodes())
			}
			if _, err := ix.Overlaps(test.text); err == nil {
				t.Errorf("%v: Overlaps(%.20q) has no error", test.d, test.text)
			}
			if _, err := ix.Snapshot().Overlaps(test.text); err == nil {
				t.Errorf("%v: Snapshot.Overlaps(%.20q) has no error", test.d, test.text)
			}
		}
	}
	for _, ok := range []struct {
		d    Dialect
		kind string
		text string
	}{
		{NATS, "pattern", ">"}, {NATS, "pattern", "*.*.>"}, {NATS, "pattern", "a*.>b.*c"}, {NATS, "pattern", "ünï.漢字"},
		{NATS, "subject", "a*.b>"}, {NATS, "subject", long + "b"}, {NATS, "pattern", long[:len(long)-1]},
		{MQTT, "pattern", "/"}, {MQTT, "pattern", "//+/#"}, {MQTT, "pattern", "a b/>"}, {MQTT, "subject", "/ /"},
		{MQTT, "pattern", "+/a/#"}, {MQTT, "subject", "$SYS/x"}, {MQTT, "subject", "ü/*"},
	} {
		if err := check[ok.kind](ok.d, ok.text); err != nil {
			t.Errorf("%v: %v", ok.d, err)
		}
	}
	want := `topic: pattern "orders..new": token 2 is empty`
	if got := fmt.Sprint(NATS.CheckPattern("orders..new")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = `topic: subject "" is empty`
	if got := fmt.Sprint(NATS.CheckSubject("")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCheckGroup(t *testing.T) {
	for _, d := range dialects {
		ix := New[int](d.Dialect)
		for _, g := range []string{"", "a b", "a/b", "a+", "\xff", "a\x00", "g"} {
			_, err := ix.SubscribeGroup("x", g, 1)
			bad := g == "" || g == "a\x00" || d.Dialect == NATS && g == "a b" || d.Dialect == MQTT && (strings.ContainsAny(g, "/+") || !utf8.ValidString(g))
			var e *Error
			if bad != errors.As(err, &e) || bad && e.Kind != "group" {
				t.Errorf("%v: SubscribeGroup of %q: %v", d.Dialect, g, err)
			}
		}
	}
}

// Pairs of patterns that some subject matches both of, or none.
func TestOverlaps(t *testing.T) {
	tests := []struct {
		d       Dialect
		p       string
		yes, no string
	}{
		{NATS, "a.b", "a.b a.* *.b *.* > a.> *.>", "a a.b.c a.c b.> a.b.> *.*.* *.*.>"},
		{NATS, "a.*", "a.b *.b a.> *.*", "b.* a.*.c a"},
		{NATS, "a.>", "a.b a.b.c *.*.c > a.*.>", "a * b.>"},
		{NATS, "*.b.>", "a.b.c a.*.c a.> *.*.*", "a.b *.* a.c.>"},
		{NATS, ">", "a a.b * >", ""},
		{MQTT, "a/#", "a a/b a/+/c + +/b # a/b/#", "b /a"},
		{MQTT, "+", "a # a/# +", "$a $a/# /a +/+"},
		{MQTT, "#", "a +/b # a/#", "$a $SYS/#"},
		{MQTT, "$a/+", "$a/b $a/# $a/+", "+/b # +/+"},
		{MQTT, "+/b", "a/+ /b a/b/#", "$x/b a/c"},
		{MQTT, "/#", "/ /a # +/+ +/# //b", "+ a a/#"}, // + would match it in a subject without a byte
	}
	for _, test := range tests {
		ix := New[bool](test.d)
		for i, list := range []string{test.no, test.yes} {
			for _, p := range strings.Fields(list) {
				if _, err := ix.Subscribe(p, i == 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		all, err := ix.Overlaps(test.p)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for s := range all {
			got = append(got, s.Pattern())
		}
		slices.Sort(got)
		want := strings.Fields(test.yes)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: Overlaps(%q) = %q, want %q", test.d, test.p, got, want)
		}
		for s := range all {
			_ = s
			break // and may end early
		}
	}
}
