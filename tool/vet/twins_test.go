package vet_test

import (
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/twintest"
)

// different are functions of goldens whose two forms may differ.
var different = map[string]string{
	"chanperitem_refused.produced": race,
	"chanperitem_refused.told":     race,
	"goperelem_a.eachError":        "which error is the first is left to chance",
	"goperelem_a.fill":             "rows that share memory race",
	"goperelem_refused.jumps":      race,
	"hotslot_a.watched":            race,
	"hotslot_tags.values":          race,
	"inplace_a.(*crew)":            "a task that panics ends the program, and would keep its place in one that goes on",
	"maplock_a.(*part)":            "a nil map, which the package never gives it, panics, and a shard makes one",
	"sharedacc_a.serve":            uncounted,
	"sharedacc_run.(*item)":        uncounted,
	"sharedacc_run.(*queue)":       "the counter goes on further, which nobody looks at",
}

// The checks need not mind a data race: nobody can say what comes of it.
const race = "races with itself"

const uncounted = "nobody reads the counter that is gone"

// roomy channels have more of what nobody receives.
const roomy = "returns a channel, which gets room"

// iterators come in the place of channels, so that no input is one for both.
const iterators = "gets a channel, or an iterator"

// What an edit makes returns what the code did before, for any input.
func TestTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	folders, err := filepath.Glob("*/testdata/src/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no goldens (%v)", err)
	}
	twintest.Run(t, folders, different)
}
