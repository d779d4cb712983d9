package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// A Progress says how far a run is, for who looks on: one of Step and Rounds. It is in
// the run's folder as long as it is written, and is no part of what was measured.
type Progress struct {
	Step   string            `json:"step,omitempty"`
	Rounds *measure.Progress `json:"rounds,omitempty"`
}

const progressFile = "progress.json"

// Stale is after which time a Progress says nothing: who wrote it was killed. A step
// may take long.
const Stale = time.Hour

// Progress keeps p in the place of the one before. Nothing depends on it, so that
// what goes wrong is nobody's concern.
func (d *Dir) Progress(p Progress) {
	if data, err := json.Marshal(p); err == nil {
		_ = outfile.String(filepath.Join(d.Path, progressFile), string(data))
	}
}

// Ended removes what Progress has kept.
func (d *Dir) Ended() { _ = os.Remove(filepath.Join(d.Path, progressFile)) }

// Running returns how far the run in dir is, and whether it is being written: p may be
// empty for a moment.
func Running(dir string, now time.Time) (p Progress, ok bool) {
	file := filepath.Join(dir, progressFile)
	about, err := os.Stat(file)
	if err != nil || now.Sub(about.ModTime()) >= Stale {
		return p, false
	}
	if err := record.JSON(file, &p); err != nil {
		p = Progress{} // it is just being written
	}
	return p, true
}
