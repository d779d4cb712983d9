package evidence

import (
	"fmt"
	"math"
	"reflect"
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
	case s.Counters != nil && (s.Counters.Instructions <= 0 || s.Counters.Cycles <= 0):
		return fmt.Errorf("counters that counted nothing")
	}
	return figures(reflect.ValueOf(s).Elem())
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
