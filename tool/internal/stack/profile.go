package stack

import (
	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// Of appends the frames of a sample to stack. What has no symbols, such as C
// code, is a zero Place.
func Of(s *profile.Sample, stack []source.Place) []source.Place {
	for _, l := range s.Location {
		if len(l.Line) == 0 {
			stack = append(stack, source.Place{}) // not symbolised: C code
		}
		for _, line := range l.Line { // innermost first
			f := source.Place{Line: int(line.Line)}
			if line.Function != nil {
				f.Func, f.File = line.Function.Name, line.Function.Filename
			}
			stack = append(stack, f)
		}
	}
	return stack
}
