package topic_test

import (
	"slices"
	"testing"

	. "github.com/gopayoff/payoff/topic"
)

// FuzzMatch: a pattern and a subject, whatever they are, meet where the rules say
// so; what is refused is matched by nothing and matches nothing.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{
		{"a.*.c", "a.b.c"}, {"a.>", "a.b"}, {">", "a..b"}, {"*.12345678", "x.12345678"}, {"a.*b", "a.*b"},
		{"a/+/c", "a//c"}, {"#", "$a"}, {"a/#", "a"}, {"/", "/"}, {"+", ""}, {"a\x00", "a"}, {"ü.*", "ü.\xff"},
		{"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.*.r", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, subject string) {
		for _, r := range dialects {
			for _, h := range hashes[:2] {
				ix := New[int](r.Dialect)
				ix.Cut(h.mask)
				s, err := ix.Subscribe(pattern, 1)
				if check := r.CheckPattern(pattern); (err == nil) != (check == nil) {
					t.Fatalf("%v: Subscribe(%q): %v; CheckPattern: %v", r.Dialect, pattern, err, check)
				}
				valid := r.CheckSubject(subject) == nil
				if err == nil {
					got := slices.Collect(ix.Match(subject))
					if want := r.matches(pattern, subject); valid && (len(got) == 1) != want || len(got) > 1 {
						t.Fatalf("%v: %q: Match(%q) = %v, want %t", r.Dialect, pattern, subject, got, want)
					}
					all, err := ix.Overlaps(pattern)
					if err != nil || !slices.Equal(slices.Collect(all), []*Sub[int]{s}) {
						t.Fatalf("%v: %q does not overlap itself", r.Dialect, pattern)
					}
					if !s.Unsubscribe() || ix.Has(subject) {
						t.Fatalf("%v: %q is still there", r.Dialect, pattern)
					}
				}
				// A subject is a pattern too, but for its length, and the only one it matches.
				if valid && r.CheckPattern(subject) == nil {
					if _, err := ix.Subscribe(subject, 2); err != nil || !ix.Has(subject) {
						t.Fatalf("%v: %q does not match itself: %v", r.Dialect, subject, err)
					}
				}
			}
		}
	})
}
