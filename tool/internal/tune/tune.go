// Package tune finds the value of a constant under which benchmarks are
// fastest, and the region around it in which the value does not matter.
//
// A value is tried as any other change of code is: an overlay, a test binary,
// pairs of samples interleaved with those of the present value. Few rounds over
// all values drop those that are slower beyond doubt; those that are left are
// compared once more in rounds of their own, from which alone the region is
// read; and the value that is chosen is measured a last time against the
// present one before it is recommended.
//
// It is not for choosing between algorithms, nor for constants that change what
// a program computes: only the package's own tests stand between a value that
// is fast because it is wrong and a recommendation. To tune one constant over 13
// values costs as many builds and one to two minutes.
package tune

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Ask is a constant to tune and the values to try.
type Ask struct {
	// Name is that of a constant or variable of a package, Threshold, or of one
	// in a function, Sort.threshold. Before it may stand the package, by its name
	// or its import path, and a dot.
	Name string `json:"name"`
	Grid Grid   `json:"grid"`
	Text string `json:"text"` // as typed
}

// A Grid says which values are tried: those listed, or values from Low to High
// in geometric steps.
type Grid struct {
	Low, High int64   `json:",omitempty"`
	List      []int64 `json:",omitempty"`
	Duration  bool    `json:",omitempty"` // the values are durations, in ns
}

// ParseAsk reads what -const says: Threshold=16..65536, Threshold=16,64,256, or
// Wait=1ms..1s.
func ParseAsk(s string) (Ask, error) {
	name, grid, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return Ask{}, fmt.Errorf("%q: want a name and values, like Threshold=16..65536", s)
	}
	g, err := ParseGrid(grid)
	if err != nil {
		return Ask{}, fmt.Errorf("%s: %w", name, err)
	}
	return Ask{strings.TrimSpace(name), g, s}, nil
}

// ParseGrid reads 16..65536, 16,64,256, or the same of durations.
func ParseGrid(s string) (g Grid, err error) {
	low, high, isRange := strings.Cut(s, "..")
	words := []string{low, high}
	if !isRange {
		words = strings.Split(s, ",")
	}
	durations := 0
	for _, w := range words {
		v, isDuration, err := parseValue(strings.TrimSpace(w))
		if err != nil {
			return g, err
		}
		if isDuration {
			durations++
		}
		g.List = append(g.List, v)
	}
	switch {
	case durations > 0 && durations < len(words):
		return g, fmt.Errorf("%q: want durations or numbers, not both", s)
	case isRange && g.List[0] >= g.List[1]:
		return g, fmt.Errorf("%q: want a range from less to more, like 16..65536", s)
	case !isRange && len(g.List) < 2:
		return g, fmt.Errorf("%q: want a range like 16..65536, or values like 16,64,256", s)
	}
	g.Duration = durations > 0
	if isRange {
		g.Low, g.High, g.List = g.List[0], g.List[1], nil
	}
	return g, nil
}

func parseValue(s string) (v int64, duration bool, err error) {
	if v, err = strconv.ParseInt(s, 0, 64); err != nil {
		var d time.Duration
		if d, err = time.ParseDuration(s); err != nil {
			return 0, false, fmt.Errorf("%q: want a whole number like 4096, or a duration like 10ms", s)
		}
		v, duration = int64(d), true
	}
	if v < 0 {
		return 0, false, fmt.Errorf("%q: want 0 or more", s)
	}
	return v, duration, nil
}

// Values returns the values to try, rising, at most n of a range. The present
// one is always among them.
//
// A range whose ends are powers of two has powers of two: sizes of rings and
// masks are often no others. Steps are geometric because what a constant like
// this costs depends on its order of magnitude; 0 stands before the first step.
func (g Grid) Values(n int, present int64) []int64 {
	values := append([]int64{present}, g.List...)
	if len(g.List) == 0 {
		low := max(g.Low, 1)
		if g.Low == 0 {
			values = append(values, 0)
			n--
		}
		values = append(values, steps(low, g.High, max(n, 2), !g.Duration)...)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// steps are at most n values from low, which is above 0, to high.
func steps(low, high int64, n int, powers bool) (values []int64) {
	if log := func(v int64) int { return bits.Len64(uint64(v)) - 1 }; powers && low == 1<<log(low) && high == 1<<log(high) {
		first, all := log(low), log(high)-log(low)+1
		n = min(n, all)
		for i := range n {
			values = append(values, 1<<(first+i*(all-1)/max(1, n-1)))
		}
		return values
	}
	for i := range n {
		v := float64(low) * math.Pow(float64(high)/float64(low), float64(i)/float64(n-1))
		unit := math.Pow(10, max(0, math.Floor(math.Log10(v))-2)) // three digits say enough
		values = append(values, min(max(int64(math.Round(v/unit)*unit), low), high))
	}
	values[0], values[n-1] = low, high
	return values
}
