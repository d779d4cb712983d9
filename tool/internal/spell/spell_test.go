package spell

import (
	"slices"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"lock", "lock", 0}, {"lokc", "lock", 1}, {"lck", "lock", 1}, {"kitten", "sitting", 3}} {
		if got := Distance(test.a, test.b); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"grain", "ringspsc", "ringmpmc", "sieve", "snapshot"}
	for word, want := range map[string][]string{
		"grian": {"grain"}, "sieves": {"sieve"}, "ringsp": {"ringspsc"}, "snapshto": {"snapshot"}, "xyz": nil, "": nil, "g": nil,
	} {
		if got := Nearest(word, names); !slices.Equal(got, want) {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

// Swaps of neighbours count once, of others twice; each step costs one.
func TestDistances(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"ab", "ba", 1}, {"abc", "cba", 2}, {"abcd", "badc", 2}, {"a", "b", 1}, {"abc", "axc", 1}, {"abc", "abcd", 1}, {"abcd", "bcd", 1}, {"abc", "xyz", 3}, {"ca", "abc", 3}, {"aab", "aba", 1}, {"abb", "bab", 1}, {"xab", "yba", 2}, {"ax", "xb", 2}, {"xa", "bx", 2},
		{"intention", "execution", 5},
	} {
		if got, back := Distance(test.a, test.b), Distance(test.b, test.a); got != test.want || back != test.want {
			t.Errorf("Distance(%q, %q) = %d, and back %d, want %d", test.a, test.b, got, back, test.want)
		}
	}
}

// The likeliest come first, equals in their order, three at most; a name as far off as
// the word is long is none, nor one off by more than two and a third of the word.
func TestNearestOrder(t *testing.T) {
	for _, test := range []struct {
		word  string
		names []string
		want  []string
	}{
		{"abcdef", []string{"abcdxx", "abcdex", "abcdef", "abxdef"}, []string{"abcdef", "abcdex", "abxdef"}},
		{"ab", []string{"xy", "xb", "ax"}, []string{"xb", "ax"}},
		{"abcdef", []string{"abcxyz", "abcdxy"}, []string{"abcdxy"}},
		{"abcdefghi", []string{"abcdefxyz", "abcdewxyz"}, []string{"abcdefxyz"}},
		{"abcdefgh", []string{"abcdexyz", "abcdefxy"}, []string{"abcdefxy"}},
		{"abc", []string{"axy", "xyz"}, []string{"axy"}},
	} {
		if got := Nearest(test.word, test.names); !slices.Equal(got, test.want) {
			t.Errorf("Nearest(%q, %q) = %q, want %q", test.word, test.names, got, test.want)
		}
	}
}
