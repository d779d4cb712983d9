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
