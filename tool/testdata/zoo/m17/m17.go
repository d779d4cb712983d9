// Package m17 formats numbers with package fmt.
package m17

import (
	"fmt"
	"strconv"
)

func digits(xs []int) (n int) {
	for _, x := range xs {
		n += len(strconv.Itoa(x << 10))
	}
	return n
}

func digitsFormatted(xs []int) (n int) {
	for _, x := range xs {
		n += len(fmt.Sprintf("%d", x<<10)) // mistake: reflecthot
	}
	return n
}
