// Package sharing tells false from true sharing without hardware counters, by
// watching which goroutine reads and writes which byte of a cache line.
//
// It does so under a build overlay, so no file of the user changes. It answers
// "why is this line slower when run at once", never "is it": ask a profile
// first, for a watched binary's times mean nothing. It sees packages of the
// main module alone, and not what copy, append or cgo read and write. Whether
// what it saw matters shows when the variables are moved apart: see padding.
//
// Watch costs a few calls of go list and a type check. A watched
// access costs an atomic load, and while a window is open, half of the time at
// first and less and less, some microseconds.
package sharing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Env is the environment variable that names the file a watched binary writes
// its summary to. The binary takes it out of its own environment, so that its
// children do not write there as well. Without it nothing is recorded.
const Env = "PAYOFF_SHARING"

// A Site is an expression in the source that reads or writes memory.
type Site struct {
	Expr         string // sums[w]
	source.Place        // its line, in no function; the file is absolute
	Column       int
	Read         bool `json:",omitempty"` // it does not write
	Lock         bool `json:",omitempty"` // it is a mutex that is locked or unlocked; records of before do not say
}

func (s Site) String() string {
	return fmt.Sprintf("%s at %v:%d", s.Expr, s.Place, s.Column)
}

// A Watched is a watched site.
type Watched struct {
	Site
	Type   string // of what is accessed, its package's names unqualified
	Size   int64  // in bytes; 0 if a type parameter decides it
	Hot    bool   // in a function that holds a place, or that such a one calls
	Atomic bool   // by package sync/atomic, or a lock
	// Address says that Expr is the address of what is accessed: c in c.Add(1),
	// where c is a pointer.
	Address bool
}

// A Watcher is how to watch the accesses of a program.
type Watcher struct {
	// Overlay holds the watched files and the recorder. It is empty if there
	// are no Sites.
	Overlay overlay.Overlay
	// Sites are the accesses that are watched, those of the hot functions first.
	Sites []Watched
	// Refused are places and accesses that are not, each with its reason.
	Refused []string

	edit  edit.Draft
	reads int // of Sites
}

// Met returns the watched sites that met others on a line in the given way,
// "false" or "true", those that met most often first.
func (w *Watcher) Met(s *Seen, kind string) []Watched {
	count := map[Site]int{}
	for _, p := range s.Pairs {
		if p.Kind == kind {
			count[p.A] += p.Count
			if p.B != p.A {
				count[p.B] += p.Count
			}
		}
	}
	var met []Watched
	for _, site := range w.Sites {
		if count[site.Site] > 0 {
			met = append(met, site)
		}
	}
	slices.SortStableFunc(met, func(a, b Watched) int { return cmp.Compare(count[b.Site], count[a.Site]) })
	return met
}
