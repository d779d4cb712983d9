package a

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Somebody watches the counters.
func watched(xs []int, n int) int64 {
	counts := make([]atomic.Int64, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for range xs {
				counts[w].Add(1) // want `counts\[w\] is updated atomically`
			}
		})
	}
	seen := counts[0].Load()
	wg.Wait()
	return seen + counts[0].Load()
}

// A literal cannot have the name of a field that has none.
type pair struct{ a, _ int }

func unkeyed(xs []int, n int) (total int) {
	pairs := make([]pair, n)
	pairs[0] = origin
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				pairs[w].a += x // want `pairs\[w\].a is updated`
			}
		})
	}
	wg.Wait()
	return pairs[0].a
}

// Who prints a slot would see the room in it.
type printed struct{ n int }

func prints(xs []int, n int) {
	slots := make([]printed, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				slots[w].n += x // want `slots\[w\].n is updated` // refuse `pad: its fields may be shown`
			}
		})
	}
	wg.Wait()
	fmt.Println(slots)
}

// What others rely on stays.
type Tally struct{ Lines, Words int }

func (t Tally) String() string { return fmt.Sprintf("%+v", struct{ L, W int }{t.Lines, t.Words}) }

func tally(text []string, n int) (all Tally) {
	parts := make([]Tally, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			part := &parts[w]
			for _, line := range text {
				part.Lines += len(line) // want `part.Lines is updated` // refuse `pad: other packages may write its values without field names`
			}
		})
	}
	wg.Wait()
	for i := range parts {
		all.Lines += parts[i].Lines
	}
	fmt.Println(all)
	return all
}

// Other packages may write its values without field names.
type Shift struct{ Arrived, Busy int }

func (t *Shift) add(u Shift) { t.Arrived += u.Arrived }

func arrive(xs []int, t *Shift) {
	for _, x := range xs {
		t.Arrived += x // want `t.Arrived is updated in memory in each iteration, and its neighbours`
	}
}

func tallied(xs []int, n int) (total Shift) {
	tallies := make([]Shift, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for range 3 {
				arrive(xs, &tallies[w])
			}
		})
	}
	wg.Wait()
	for _, t := range tallies {
		total.add(t)
	}
	return total
}

// They leave the function.
func counted(xs []int, n int) []Shift {
	tallies := make([]Shift, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				tallies[w].Arrived += x // want `tallies\[w\].Arrived is updated` // refuse `pad: other packages may write its values without field names`
			}
		})
	}
	wg.Wait()
	return tallies
}
