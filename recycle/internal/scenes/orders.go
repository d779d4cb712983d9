package main

import (
	"fmt"

	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/recycle"
)

// scenes are lists and pools with goroutines that use them. Each returns what is wrong.
// A list for less than four values has one stripe, and one for four has two.
var scenes = map[string]func() string{
	"one":      func() string { return lists(1, "pgp", "pgp") },
	"oneThree": func() string { return lists(1, "pg", "gp", "pp") },
	"two":      func() string { return lists(2, "ppgg", "pgpg") },
	"stripes":  func() string { return lists(4, "pppg", "ppgg") },
	"beside":   func() string { return lists(4, "pp", "gg", "gg") },
	"full":     func() string { return lists(4, "ppp", "ppp", "gp") },
	"first":    first,
}

// A value belongs to one goroutine, or to a list. It is no atomic: a race between one
// owner and the next shows.
type value struct{ listed bool }

// lists is a list with a goroutine for each script, which puts a value at each p and gets
// one at each g. What was put is got once, and the list has the rest.
func lists(capacity int, scripts ...string) string {
	f := recycle.NewFreeList[*value](capacity)
	puts, gots, wrongs := make([]int, len(scripts)), make([]int, len(scripts)), make([]string, len(scripts))
	var wg shim.WaitGroup
	for i, script := range scripts {
		wg.Go(func() {
			for _, do := range script {
				if do == 'g' {
					if v, ok := f.Get(); ok {
						gots[i]++
						if v == nil || !v.listed {
							wrongs[i] = fmt.Sprintf("Get() = %v, which is not in the list", v)
							return
						}
						v.listed = false
					}
					continue
				}
				if f.Put(&value{true}) {
					puts[i]++
				}
			}
		})
	}
	wg.Wait()
	put, got := 0, 0
	for i := range scripts {
		if wrongs[i] != "" {
			return wrongs[i]
		}
		put += puts[i]
		got += gots[i]
	}
	// No call is under way: what is there is found, and what has room.
	rest := 0
	for v, ok := f.Get(); ok; v, ok = f.Get() {
		if rest++; v == nil || !v.listed || rest > capacity {
			return fmt.Sprintf("Get() = %v, the last of %d, from a list for %d", v, rest, capacity)
		}
		v.listed = false
	}
	if put != got+rest {
		return fmt.Sprintf("%d values were put, %d got, and %d were left", put, got, rest)
	}
	for i := range capacity {
		if !f.Put(&value{true}) {
			return fmt.Sprintf("Put = false with %d values in a list for %d", i, capacity)
		}
	}
	if f.Put(&value{true}) {
		return fmt.Sprintf("Put = true with %d values in a list for as many", capacity)
	}
	return ""
}

// first is the first use of a Slices, by two: neither keeps alive what its array points
// to.
func first() string {
	p := &recycle.Slices[*value]{Max: 64}
	arrays := make([][]*value, 2)
	var wg shim.WaitGroup
	for i := range arrays {
		wg.Go(func() {
			arrays[i] = make([]*value, 64)
			arrays[i][63] = &value{}
			p.Put(arrays[i][:0])
		})
	}
	wg.Wait()
	if arrays[0][63] != nil || arrays[1][63] != nil {
		return "Put kept an array and did not clear it"
	}
	return ""
}
