package evidence

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// Sound says what in a set that was read from a file cannot be: figures that
// are negative, infinite or absurd, runs without operations, a trace without
// its parts. Rules trust sets that are sound.
func (s *Set) Sound() error {
	switch {
	case s.Profiled != nil && s.Profiled.N < 1 || s.Traced != nil && s.Traced.N < 1:
		return fmt.Errorf("a run of no operations")
	case s.Trace != nil && (s.Traced == nil || s.Trace.Window <= 0 || len(s.Trace.Running) < 2):
		return fmt.Errorf("a trace without a run, a window or processors")
	case slices.ContainsFunc(s.Told, func(t Told) bool { return t.Procs < 1 || t.N < 1 || !(t.Longer > 0) }):
		return fmt.Errorf("what it was told is no number of processors, or took no time")
	case s.Counters != nil && (s.Counters.Instructions <= 0 || s.Counters.Cycles <= 0):
		return fmt.Errorf("counters that counted nothing")
	case s.CPU != nil && !nested(s.CPU.Flame):
		return fmt.Errorf("frames that nobody calls")
	case s.Trace != nil && s.Trace.Timeline != nil && !even(s.Trace.Timeline):
		return fmt.Errorf("a timeline with columns that do not fit")
	}
	return figures(reflect.ValueOf(s).Elem())
}

// nested reports whether each frame is one deeper than one before it, or begins.
func nested(flame []cpuprof.Frame) bool {
	last := -1
	for _, f := range flame {
		if f.Depth < 0 || f.Depth > last+1 {
			return false
		}
		last = f.Depth
	}
	return true
}

// even reports whether the columns of a timeline are as long as each other, and name
// sites that there are.
func even(t *exectrace.Timeline) bool {
	n := len(t.Running)
	return len(t.System) == n && len(t.Ready) == n && len(t.Alone) == n && len(t.Who) == n &&
		!slices.ContainsFunc(t.Who, func(i int) bool { return i < -1 || i >= len(t.Sites) })
}

// most is more than any figure can be: years in nanoseconds.
const most = 1e18

// figures walks over all floating-point numbers.
func figures(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || f < 0 || f > most {
			return fmt.Errorf("a figure of %v", f)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return figures(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := figures(v.Field(i)); err != nil {
				return fmt.Errorf("%s: %w", v.Type().Field(i).Name, err)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := figures(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := figures(it.Value()); err != nil {
				return err
			}
		}
	}
	return nil
}
