package exectrace

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestSamplesErrors: what is no trace, or is cut, is an error and no panic. A
// trace without samples gives a profile without.
func TestSamplesErrors(t *testing.T) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".trace") {
			continue
		}
		data, err := os.ReadFile("testdata/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		read++
		if p, err := Samples(bytes.NewReader(data)); err != nil || len(p.Sample) != 0 {
			t.Errorf("%s: %v, %v; want no samples", f.Name(), p, err)
		}
		for _, n := range []int{0, 1, 10, 17, len(data) / 3} {
			Samples(bytes.NewReader(data[:n]))
		}
	}
	t.Logf("%d traces", read)
	for _, text := range []string{"", "x", "go 1.26 trace\x00\x00\x00\x01"} {
		if p, err := Samples(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "record it again") {
			t.Errorf("Samples(%q) = %v, %v; want an error that says what to do", text, p, err)
		}
	}
}
