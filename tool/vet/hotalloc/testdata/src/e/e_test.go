package e

import "testing"

func Test(t *testing.T) {
	for range 2 {
		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"joined", joined([]string{"ab", "c"}), "d"},
			{"pointed", pointed("ab"), 2},
			{"encoded", encoded([]string{"ab", "c"}), 9},
			{"decoded", decoded("ab"), 2},
		} {
			if c.got != c.want {
				t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
			}
		}
	}
}
