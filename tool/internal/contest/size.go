package contest

import (
	"math"
	"slices"
	"time"
)

const (
	// Shortest is a sample unless a shorter one is asked for.
	Shortest = 10 * time.Millisecond
	// Wanted is how many rounds of all that is compared a budget should hold.
	Wanted = 24

	alike   = 1.35 // sides whose times differ by less run as many operations
	untimed = 3    // processes may take this many times the length of their sample
	mostN   = 1e9  // operations
)

// Fits is how long samples are of which so many have to fit into a time: as asked for,
// or shorter. A process takes longer than its sample.
func Fits(asked, left time.Duration, samples int) time.Duration {
	return min(asked, max(Shortest, left/time.Duration(max(1, samples))*3/4))
}

// Operations is how many of so many ns make a sample of a length. whole is what one
// takes with all that is not timed, 0 if that is no more.
func Operations(length time.Duration, each, whole float64) int64 {
	if !(each > 0) {
		return 1
	}
	n := int64(min(max(1, math.Round(float64(length)/each)), mostN))
	if most := untimed * float64(length); whole*float64(n) > most {
		n = max(1, int64(most/whole)) // much work outside the timer
	}
	return n
}

// Alike reports whether sides that take so long run as many operations in a sample.
//
// It is tempting to give each its own number: a process that runs longer spreads its
// warm-up and the growth of its heap over more operations, and code that allocates
// then comes out some percent faster than itself.
func Alike(one, other float64) bool { return one < alike*other && other < alike*one }

// Groups divides sides, which take or run so many, into those that get one number:
// those of a pair that are alike, and what is so joined to either. Each group has the
// indexes of its sides in rising order.
func Groups(of []float64, pairs [][2]int) (groups [][]int) {
	at := make([]int, len(of)) // the group of each
	for i := range of {
		at[i] = i
		groups = append(groups, []int{i})
	}
	for _, p := range pairs {
		if x, y := min(at[p[0]], at[p[1]]), max(at[p[0]], at[p[1]]); x != y && Alike(of[p[0]], of[p[1]]) {
			for _, i := range groups[y] {
				at[i] = x
			}
			groups[x], groups[y] = append(groups[x], groups[y]...), nil
		}
	}
	groups = slices.DeleteFunc(groups, func(g []int) bool { return g == nil })
	for _, g := range groups {
		slices.Sort(g)
	}
	return groups
}

// Mean is the geometric mean of the sides of a group.
func Mean(of []float64, group []int) float64 {
	sum := 0.0
	for _, i := range group {
		sum += math.Log(of[i])
	}
	return math.Exp(sum / float64(len(group)))
}
