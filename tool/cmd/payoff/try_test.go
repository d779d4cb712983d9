package main

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Each answer has an exit code, and where something could not be measured it is none.
func TestAnswered(t *testing.T) {
	codes := map[report.Answer]int{report.EditFaster: 0, report.EditSlower: 1, "": 2, report.EditSame: 3, report.EditUnknown: 4, report.EditFails: 5}
	for answer, want := range codes {
		if got := answered(&report.Doc{Outcome: answer}); got != want {
			t.Errorf("%q: exit code %d, want %d", answer, got, want)
		}
		if got := answered(&report.Doc{Outcome: answer, Problems: []problem.Problem{{Reason: "a word", Note: true}}}); got != want {
			t.Errorf("%q with a note: exit code %d, want %d", answer, got, want)
		}
		if got := answered(&report.Doc{Outcome: answer, Problems: []problem.Problem{{Reason: "does not compile"}}}); got != exitFailed {
			t.Errorf("%q with a problem: exit code %d, want %d", answer, got, exitFailed)
		}
	}
}
