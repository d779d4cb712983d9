// Package m14 keeps numbers in interfaces: each is allocated.
package m14

func reversed(xs []int) (h int) {
	var stack []int
	for _, x := range xs {
		stack = append(stack, x<<10)
	}
	for len(stack) > 0 {
		h = h*31 + stack[len(stack)-1]
		stack = stack[:len(stack)-1]
	}
	return h
}

func reversedBoxed(xs []int) (h int) {
	var stack []any
	for _, x := range xs {
		stack = append(stack, x<<10) // mistake: hotalloc
	}
	for len(stack) > 0 {
		h = h*31 + stack[len(stack)-1].(int)
		stack = stack[:len(stack)-1]
	}
	return h
}
