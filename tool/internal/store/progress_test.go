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
	now := time.Now()
	if _, ok := Running(d.Path, now); ok {
		t.Error("a run that has said nothing is running")
	}
	d.Progress(Progress{Step: "building the test binary of example.com/m/a/very/long/path"})
	d.Progress(Progress{Rounds: &measure.Progress{Package: "p", Round: 3}})
	file := filepath.Join(d.Path, progressFile)
	if err := os.Chtimes(file, now, now); err != nil {
		t.Fatal(err)
	}
	if p, ok := Running(d.Path, now.Add(Stale-time.Minute)); !ok || p.Step != "" || p.Rounds == nil || p.Rounds.Round != 3 {
		t.Errorf("%+v, %v", p, ok)
	}
	if _, ok := Running(d.Path, now.Add(Stale+time.Minute)); ok {
		t.Error("who was killed is running")
	}
	if err := os.WriteFile(file, []byte(`{"step":"bui`), 0o644); err != nil {
		t.Fatal(err)
	}
	if p, ok := Running(d.Path, time.Now()); !ok || p.Step != "" {
		t.Errorf("half of a file says %+v, %v", p, ok)
	}
	d.Ended()
	if _, ok := Running(d.Path, now); ok {
		t.Error("it runs after its end")
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file is there after the end: %v", err)
	}
}
