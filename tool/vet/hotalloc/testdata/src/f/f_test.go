package f

import "testing"

func Test(t *testing.T) {
	for range 2 {
		if !shown || !directly || printed != "a" || !Text("h").hidden() || small("AB") != "aB" {
			t.Error(shown, directly, printed, small("AB"))
		}
	}
}
