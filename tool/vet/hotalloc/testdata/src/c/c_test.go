package c

import "testing"

func Test(t *testing.T) {
	words := []string{"a", "bb", "a", "c", "dd ee", "a--b", "", "a", "f  g"}
	xs := []int{3, 1, 4, 1, 5, 9, 2, 6}
	longest := words2(words)
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"pages", pages(words, 3), 7},
		{"rows", rows(xs), 97410},
		{"thirds", thirds(words)[2], 3},
		{"uppers", uppers(words), 966},
		{"early", early(words), 966},
		{"lengths", lengths(words), 19},
		{"marked", marked(xs), 8},
		{"named", named(xs), 8},
		{"fields", fields(words), 37},
		{"longest", len(longest), 4},
		{"dashes", dashes(words), 16},
		{"anySep", anySep(words, " "), 12},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, c.got, c.want)
		}
	}
}
