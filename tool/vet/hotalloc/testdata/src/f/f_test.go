package f

import "testing"

func Test(t *testing.T) {
	for range 2 {
		if !shown || !shownToo || !directly || printed != "a" || !Text("h").hidden() || small("AB") != "aB" {
			t.Error(shown, shownToo, directly, printed, small("AB"))
		}
	}
}
