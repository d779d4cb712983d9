// Package a allocates again and again.
package a

func squares(xs []int) []int {
	var out []int
	for _, x := range xs {
		out = append(out, x*x) // want "out grows while it is appended to"
	}
	return out
}

func pairs(xs []int) []int {
	out := []int{}
	for i := 0; i < len(xs); i++ {
		out = append(out, i, xs[i]) // want "out grows"
	}
	return out
}

func first(n int) []int {
	out := make([]int, 0)
	for i := range n {
		out = append(out, i) // want "out grows"
	}
	return out
}

// The bound is computed after the slice is made.
func even(xs []int) []int {
	out := []int{}
	xs = xs[len(xs)/2:]
	for _, x := range xs {
		if x%2 == 0 {
			out = append(out, x) // want "out grows"
		}
	}
	return out
}

// Whether it is nil shows nowhere.
func evens(xs []int) (n int) {
	var out []int
	for _, x := range xs {
		if x%2 != 0 {
			continue
		}
		out = append(out, x) // want "out grows"
	}
	return len(out)
}

func count(words []string) map[string]int {
	n := map[string]int{}
	for _, w := range words {
		n[w] = n[w] + 1 // want "n grows while it is filled"
	}
	return n
}

func index[K comparable](keys []K) map[K]int {
	at := make(map[K]int)
Keys:
	for i, k := range keys {
		if i == 100 {
			break Keys
		}
		at[k] = i // want "at grows while it is filled"
	}
	return at
}

func labelled(xs []int) (out2 []int) {
	var out []int
Loop:
	for _, x := range xs {
		out = append(out, x) // want "out grows"
		if x < 0 {
			continue Loop
		}
	}
	return out
}

func hinted(keys []string, hint int) map[string]int {
	m := make(map[string]int, hint)
	for i, k := range keys {
		m[k] = i // want "m grows while it is filled"
	}
	return m
}

// It has room for them.
func roomy(keys []string) map[string]int {
	m := make(map[string]int, 2*len(keys))
	for i, k := range keys {
		m[k] = i
	}
	return m
}

func doubled(xs []int) []int {
	all := xs[:0]
	for _, x := range xs {
		all = append(all, x)
	}
	return all
}
