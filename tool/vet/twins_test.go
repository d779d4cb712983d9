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
	"fewworkers_waiting.(*crew)":   number,
	"fewworkers_waiting.newProber": number,
	"goperelem_a.eachError":        "which error is the first is left to chance",
	"goperelem_a.fill":             "rows that share memory race",
	"goperelem_refused.jumps":      race,
	"hotslot_a.watched":            race,
	"hotslot_tags.values":          race,
	"inplace_a.(*crew)":            "a task that panics ends the program, and would keep its place in one that goes on",
	"owner_answers.(*elsewhere)":   unanswered,
	"owner_answers.(*keeping)":     unanswered,
	"owner_answers.(*looping)":     unanswered,
	"owner_answers.(*seldom)":      unanswered,
	"owner_answers.(*lot)":         "asks what has been told to stop",
	"owner_answers.(*seller)":      unanswered,
	"owner_answers.(*switching)":   unanswered,
	"owner_answers.(*workingOn)":   unanswered,
	"owner_run.(*hall)":            "asks what has been told to stop",
	"owner_run.(*log)":             idle,
	"owner_run.(*table)":           idle,
	"recgo_a.span":                 told,
	"recgo_a.sumRange":             told,
	"recgo_refused.lengths":        told,
	"rwtiny_cow.(*given)":          written,
	"inplace_forms.prices":         noParts,
	"inplace_forms.totals":         noParts,
	"lockslow_before.count":        "a function is called under the lock alone",
	"rwtiny_cow.(*flags)":          "a method is called under the lock alone",
	"sharedacc_a.serve":            uncounted,
	"sharedacc_a.timed":            "turns until a second is over",
	"sharedacc_own.histograms":     told,
	"sharedacc_parts.othersOf":     "adds floats, in whatever order",
	"sharedacc_parts.refuses":      "may wait for ever",
	"sharedacc_own.notMeant":       "counts nothing in an object that is not there",
	"sharedacc_run.(*item)":        uncounted,
	"staticsplit_a.(*crew)":        told,
	"staticsplit_a.(*plan)":        parts,
	"staticsplit_a.divide":         parts,
	"staticsplit_a.others":         parts,
	"staticsplit_a.products":       told,
	"staticsplit_a.shadowed":       told,
	"staticsplit_a.started":        parts,
	"staticsplit_a.within":         told,
	"timerloop_a.later":            "ends the process",
}

// The checks need not mind a data race: nobody can say what comes of it.
const race = "races with itself"

// number is what the edit is there for.
const number = "it says how many workers there are"

// written functions do what the edit is offered without.
const written = "others write to what it reads"

// idle is a value without its goroutine, which what asks waits for for ever.
const idle = "no constructor made it"

// unanswered is what no answer comes to: the edit is offered for requests that get one.
const unanswered = "waits for an answer for ever"

const uncounted = "the counter that is gone is never read"

// parts is what the edit is there for.
const parts = "its result has more parts"

// noParts is told by the edit as its condition.
const noParts = "goes over all, even if there is no part"

// told functions start as many goroutines as they are told to, which may be too many.
const told = "starts so many goroutines as it is told"

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
