package c

import "testing"

func Test(t *testing.T) {
	words := []string{"a", "bb", "a", "c", "dd ee", "a--b", "", "a", "f  g"}
	if a, b, c := uppers(words), early(words), lengths(words); a != 966 || b != 966 || c != 19 {
		t.Errorf("got %d, %d and %d, want 966, 966 and 19", a, b, c)
	}
}
