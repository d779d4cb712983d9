package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// Who looks on sees how far a run is while it is written, and no longer.
func TestProgress(t *testing.T) {
	d, err := Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	if _, ok := Running(d.Path, now); ok {
		t.Error("a run that has said nothing is running")
	}
	d.Progress(Progress{At: now, Step: "building the test binary of example.com/m/a/very/long/path"})
	d.Progress(Progress{At: now, Rounds: &measure.Progress{Package: "p", Round: 3}})
	if p, ok := Running(d.Path, now.Add(Stale-1)); !ok || p.Step != "" || p.Rounds == nil || p.Rounds.Round != 3 {
		t.Errorf("%+v, %v", p, ok)
	}
	if _, ok := Running(d.Path, now.Add(Stale)); ok {
		t.Error("who was killed is running")
	}
	if err := os.WriteFile(filepath.Join(d.Path, progressFile), []byte(`{"at":"2026`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := Running(d.Path, now); ok {
		t.Error("half of a file says something")
	}
	d.Ended()
	if _, err := os.Stat(filepath.Join(d.Path, progressFile)); !os.IsNotExist(err) {
		t.Errorf("the file is there after the end: %v", err)
	}
}
