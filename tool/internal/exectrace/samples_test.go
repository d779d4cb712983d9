package exectrace

import (
	"bytes"
	"compress/gzip"
	"io"
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
		if !strings.HasSuffix(f.Name(), ".trace.gz") {
			continue
		}
		packed, err := os.ReadFile("testdata/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
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
	if read == 0 {
		t.Error("no recorded traces")
	}
	for _, text := range []string{"", "x"} {
		if p, err := Samples(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "record it again") {
			t.Errorf("Samples(%q) = %v, %v; want an error that says what to do", text, p, err)
		}
	}
}
