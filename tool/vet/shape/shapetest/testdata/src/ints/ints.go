// Package ints sorts.
package ints

import (
	"fmt"
	"sort"
)

func sorted(xs []int) []int {
	sort.Ints(xs) // want "sorts through an interface"
	return xs
}

func twice(xs []int) {
	slices := 1
	sort.Ints(xs) // want "sorts through an interface" // refuse "other: nobody wants it"
	fmt.Println(slices)
}

func quiet(xs []int) {
	//payoff:ignore ints it is called once
	sort.Ints(xs)
}
