// Package readings grades what sensors measured.
package readings

import "sync"

// grade is how far a reading lies from the middle of its band, squared.
func grade(reading int) int {
	off := reading%997 - 498
	return off * off
}

// Total adds up the grades of all readings.
func Total(readings []int) int {
	total := 0
	for _, r := range readings {
		total += grade(r)
	}
	return total
}

// TotalParallel does so with several goroutines, each with a part of the readings
// and a place of its own in totals.
func TotalParallel(readings []int, goroutines int) int {
	totals := make([]int, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			from, to := g*len(readings)/goroutines, (g+1)*len(readings)/goroutines
			for _, r := range readings[from:to] {
				totals[g] += grade(r)
			}
		})
	}
	wg.Wait()
	total := 0
	for _, t := range totals {
		total += t
	}
	return total
}
