package grain

import "slices"

// SlicesSort is the ordinary way to a sorted slice. It starts no goroutine.
func SlicesSort(s []int) { slices.Sort(s) }
