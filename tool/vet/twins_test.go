package vet_test

import (
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/twintest"
)

// races are functions of goldens with data races, which the checks are not to mind,
// and locks, which random calls would give back where nobody has them.
var races = []string{
	"chanperitem_refused.produced", "chanperitem_refused.told", "goperelem_refused.jumps", "hotslot_a.watched", "hotslot_tags.values",
	"spinwait_b.(*lock)", "spinwait_b.(*looks)", "spinwait_b.(*swapped)",
}

// What an edit makes returns what the code did before, for any input.
func TestTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	folders, err := filepath.Glob("*/testdata/src/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no goldens (%v)", err)
	}
	twintest.Run(t, folders, races)
}
