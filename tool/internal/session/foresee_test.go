package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// withPredictions is a copy of a recorded run in which predictions are kept.
func withPredictions(t *testing.T, data string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(dir, os.DirFS(recordOf("2026-11-22-epyc-2cpu/session"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "01-falseshare", foreseenPart), []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestForeseenReplay: what a run predicted is in the report of its replay; where it is
// damaged the rest is, and the error names the file.
func TestForeseenReplay(t *testing.T) {
	const bench = "BenchmarkSum/variant=channel/n=1000000"
	data, err := json.Marshal([]predict.Prediction{{Package: "p", Benchmark: bench, Points: []predict.Point{{Procs: 4, Value: 3, Low: 2.9, High: 3.1}, {Procs: 8, Value: 5, Low: 2, High: 9}}}})
	if err != nil {
		t.Fatal(err)
	}
	end := last(t, Plan{From: withPredictions(t, string(data)), Causes: Wanted})
	if end.Err != nil {
		t.Fatal(end.Err)
	}
	want := report.Predicted{Package: "p", Name: bench, Procs: 4, Value: 3, Low: 2.9, High: 3.1}
	if got := end.Doc.Predicted; len(got) != 1 || got[0] != want {
		t.Errorf("predicted %+v, want %+v alone", got, want)
	}
	end = last(t, Plan{From: withPredictions(t, "[{"), Causes: Wanted})
	if end.Err == nil || !strings.Contains(end.Err.Error(), foreseenPart) || end.Doc == nil || len(end.Doc.Comparisons) == 0 {
		t.Errorf("of damaged predictions: %v, want an error that names %s, and the report", end.Err, foreseenPart)
	}
}
