package evidence

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// maxLocks bounds what is kept of a profile.
const maxLocks = 16

// TraceTime is how long a run is of which there is a trace, or profiles of locks.
const TraceTime = 40 * time.Millisecond

// ReadLocks digests a mutex or block profile, less what stood in it before the
// timed region; nil before: nothing did. name is "mutex" or "block"; user reports whether a frame is the
// user's.
func ReadLocks(name string, now, before io.Reader, user func(fn, file string) bool) ([]Lock, error) {
	p, err := profile.Parse(now)
	if err != nil {
		return nil, fmt.Errorf("%s profile: %w: measure again with payoff run", name, err)
	}
	old := &profile.Profile{}
	if before != nil {
		if old, err = profile.Parse(before); err != nil {
			return nil, fmt.Errorf("%s profile from before the timed region: %w: measure again with payoff run", name, err)
		}
	}
	if len(p.SampleType) != 2 || p.SampleType[0].Type != "contentions" {
		return nil, fmt.Errorf("%s profile: holds no contentions: it is another kind of profile", name)
	}
	type waits struct {
		source.Place
		call string
	}
	by := map[waits]*Lock{}
	stacks := stack.NewReader(user, nil)
	var frames []source.Place
	add := func(p *profile.Profile, sign int64) {
		for _, s := range p.Sample {
			frames = stack.Of(s, frames[:0])
			site, call := place(frames, stacks)
			key := waits{source.Place{File: site.File, Line: site.Line}, call}
			l := by[key]
			if l == nil {
				l = &Lock{Profile: name, Site: site, Call: call}
				by[key] = l
			}
			l.N += sign * s.Value[0]
			l.Delay += float64(sign * s.Value[1])
		}
	}
	add(p, 1)
	if len(old.SampleType) == 2 {
		add(old, -1)
	}
	var out []Lock
	for _, l := range by {
		if l.N > 0 && l.Delay > 0 {
			out = append(out, *l)
		}
	}
	slices.SortFunc(out, func(a, b Lock) int {
		return cmp.Or(cmp.Compare(b.Delay, a.Delay), a.Site.Compare(b.Site))
	})
	return out[:min(len(out), maxLocks)], nil
}

// place returns the user's frame nearest to the leaf and what it called, or the
// leaf where none is the user's.
func place(frames []source.Place, stacks *stack.Reader) (at source.Place, call string) {
	frames = slices.DeleteFunc(frames, func(f source.Place) bool { return f.Func == "" })
	nearest, _ := stacks.Mine(frames)
	below := stack.Below(frames, nearest)
	if len(below) > 0 {
		call = below[len(below)-1].Func
	}
	switch {
	case nearest >= 0:
		at = frames[nearest]
	case len(frames) > 0:
		at = frames[0]
	}
	return at, call
}
