package articles

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// share is the part of the processor time of a cell, in percent, that a function
// itself took, by the profiles in the folder of the run.
func (r Run) share(c measure.Cell, fn string) (percent float64, missing string) {
	files, err := filepath.Glob(filepath.Join(r.Dir, "*-"+path.Base(r.Series.Package), "evidence", "*"+gather.ProfileName(c)))
	if err != nil || r.Dir == "" || len(files) == 0 {
		return 0, "no profile was kept"
	}
	var own, all int64
	for _, file := range files {
		o, a, err := flat(file, fn)
		if err != nil {
			return 0, fmt.Sprintf("%s: %v", filepath.Base(file), err)
		}
		own, all = own+o, all+a
	}
	if all == 0 {
		return 0, "the profile is empty"
	}
	return 100 * float64(own) / float64(all), ""
}

// flat adds up the time in a CPU profile that a function itself took, and all.
func flat(file, fn string) (own, all int64, err error) {
	data, err := record.Profile(file)
	if err != nil {
		return 0, 0, err
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return 0, 0, err
	}
	if err := p.CheckValid(); err != nil {
		return 0, 0, err
	}
	for _, s := range p.Sample {
		ns := s.Value[len(s.Value)-1]
		all += ns
		if len(s.Location) == 0 || len(s.Location[0].Line) == 0 {
			continue
		}
		if f := s.Location[0].Line[0].Function; f != nil && f.Name == fn { // the innermost of what was inlined
			own += ns
		}
	}
	return own, all, nil
}
