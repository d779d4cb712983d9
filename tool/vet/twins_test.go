package vet_test

import (
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/twintest"
)

// What an edit makes returns what the code did before, for any input.
func TestTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	folders, err := filepath.Glob("*/testdata/src/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no goldens (%v)", err)
	}
	twintest.Run(t, folders...)
}
