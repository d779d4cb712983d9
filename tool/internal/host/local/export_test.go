package local

import (
	"os"
	"path/filepath"
	"testing"
)

var (
	CountsGoroutines = countsGoroutines
	Unordered        = unordered
)

// RemoveBinaries takes away what was built.
func (h *Host) RemoveBinaries(t *testing.T) {
	for _, b := range h.binaries {
		if err := os.Remove(b.file); err != nil {
			t.Fatal(err)
		}
	}
}

// Left is what processes have left where they write.
func (h *Host) Left(t *testing.T) []string {
	left, err := filepath.Glob(filepath.Join(h.dir, "process-*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}
