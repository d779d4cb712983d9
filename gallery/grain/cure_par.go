package grain

import "github.com/gopayoff/payoff/par"

var forking = par.New(fork)

// ParFork is [GoroutinePerHalf] in package par. Each division may become two
// goroutines, and becomes some where a processor is idle and enough is left to sort.
// There is no threshold.
func ParFork(s []int) { forking.Call(s) }

func fork(t *par.Task[[]int, struct{}], s []int) (none struct{}) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	if t.Serial() { // nearly always
		fork(t, s[:mid])
		fork(t, s[mid:])
	} else {
		t.Fork(s[:mid], s[mid:])
	}
	merge(s, mid)
	return
}

// ParSort is what to use where the aim is a sorted slice.
func ParSort(s []int) { par.Sort(s) }
