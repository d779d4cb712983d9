package evidence

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// maxLocks bounds what is kept of a profile.
const maxLocks = 16

// ReadLocks digests a mutex or block profile, less what stood in it before the
// timed region. name is "mutex" or "block"; user reports whether a frame is the
// user's.
func ReadLocks(name string, now, before io.Reader, user func(fn, file string) bool) ([]Lock, error) {
	p, err := profile.Parse(now)
	if err != nil {
		return nil, fmt.Errorf("%s profile: %w: measure again with payoff run", name, err)
	}
	old, err := profile.Parse(before)
	if err != nil {
		return nil, fmt.Errorf("%s profile from before the timed region: %w: measure again with payoff run", name, err)
	}
	if len(p.SampleType) != 2 || p.SampleType[0].Type != "contentions" {
		return nil, fmt.Errorf("%s profile: holds no contentions: it is another kind of profile", name)
	}
	type waits struct {
		source.Place
		call string
	}
	by := map[waits]*Lock{}
	add := func(p *profile.Profile, sign int64) {
		for _, s := range p.Sample {
			site, call := place(s, user)
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

// place returns the user's frame nearest to the leaf and what it called.
func place(s *profile.Sample, user func(fn, file string) bool) (source.Place, string) {
	call := ""
	var nearest source.Place
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if line.Function == nil {
				continue
			}
			f := line.Function
			if user(f.Name, f.Filename) {
				return source.Place{Func: f.Name, File: f.Filename, Line: int(line.Line)}, call
			}
			call = f.Name
			if nearest.Func == "" {
				nearest = source.Place{Func: f.Name, File: f.Filename, Line: int(line.Line)}
			}
		}
	}
	return nearest, call
}
