// Package sharing tells false from true sharing without hardware counters: by
// watching which goroutine writes which byte of a cache line, and by moving
// the variables apart for a trial.
//
// Both are build overlays, so no file of the user changes. It answers "why is
// this line slower when run at once", never "is it": ask a profile first, for
// a watched binary's times mean nothing. It sees writes of packages of the
// main module alone, and not those of copy, append or cgo.
//
// Watch and Pad each cost a few calls of go list and a type check. A watched
// write costs an atomic load, and while a window is open, about half of the
// time, some microseconds.
package sharing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// Env is the environment variable that names the file a watched binary writes
// its summary to. The binary takes it out of its own environment, so that its
// children do not write there as well. Without it nothing is recorded.
const Env = "PAYOFF_SHARING"

// LineSize is the size of the cache lines that are told apart.
const LineSize = 64

// A Place is a source line that a profile found hot.
type Place struct {
	File string // absolute
	Line int
}

// A Site is one place in the source that writes memory.
type Site struct {
	Expr   string // sums[w]
	File   string // absolute
	Line   int
	Column int
}

func (s Site) String() string {
	return fmt.Sprintf("%s at %s:%d:%d", s.Expr, s.File, s.Line, s.Column)
}

// A Written is a watched site.
type Written struct {
	Site
	Type string // of what is written, its package's names unqualified
	Size int64  // in bytes; 0 if a type parameter decides it
	Hot  bool   // in a function that holds a place
}

// A Watcher is how to watch the writes of a package.
type Watcher struct {
	// Overlay holds the watched files and the recorder. It is empty if there
	// are no Sites.
	Overlay overlay.Overlay
	// Sites are the writes that are watched, those of the hot functions first.
	Sites []Written
	// Refused are places and writes that are not, each with its reason.
	Refused []string
}

// Met returns the watched sites that met others on a line in the given way,
// "false" or "true", those that met most often first.
func (w *Watcher) Met(s *Seen, kind string) []Written {
	count := map[Site]int{}
	for _, p := range s.Pairs {
		if p.Kind == kind {
			count[p.A] += p.Count
			if p.B != p.A {
				count[p.B] += p.Count
			}
		}
	}
	var met []Written
	for _, site := range w.Sites {
		if count[site.Site] > 0 {
			met = append(met, site)
		}
	}
	slices.SortStableFunc(met, func(a, b Written) int { return cmp.Compare(count[b.Site], count[a.Site]) })
	return met
}
