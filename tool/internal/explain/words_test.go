package explain

import "testing"

// Only absolute positions are shortened; others are as near as they can be.
func TestShorten(t *testing.T) {
	for text, want := range map[string]string{
		"sums at /home/me/m/disease.go:13 have room":         "sums at disease.go:13 have room",
		`sums at C:\me\disease.go:13 have room`:              "sums at disease.go:13 have room",
		"(/m/a.go:1, /m/b.go:2)":                             "(a.go:1, b.go:2)",
		"sums at gallery/falseshare/disease.go:13 have room": "sums at gallery/falseshare/disease.go:13 have room",
		"/m/a.go:1": "a.go:1",
	} {
		if got := shorten(text); got != want {
			t.Errorf("shorten(%q) = %q, want %q", text, got, want)
		}
	}
}
