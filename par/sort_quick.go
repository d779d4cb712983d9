package par

import "slices"

// quickLeaf is the length up to which quickSort leaves all to the standard
// library: a task of a few hundred microseconds.
const quickLeaf = 1 << 12

// quickSort sorts x in place, as Hoare did in 1961, and shares the parts. After
// bad partitions in vain the standard library goes on alone: it knows what to do
// about patterns.
func quickSort[E any](x []E, cmp func(a, b E) int, bad int) {
	if len(x) <= quickLeaf || bad == 0 {
		slices.SortFunc(x, cmp)
		return
	}
	m := partition(x, cmp)
	less, greater := x[:m], x[m+1:]
	few := len(x) / 8
	if len(less) < few {
		// Hardly any is less than the pivot: maybe many are equal.
		greater = greater[equals(greater, x[m], cmp):]
	}
	if max(len(less), len(greater)) > len(x)-few {
		bad--
	}
	Do(
		func() { quickSort(less, cmp, bad) },
		func() { quickSort(greater, cmp, bad) },
	)
}

// equals moves those elements of x that are not greater than v to its front,
// and returns how many there are.
func equals[E any](x []E, v E, cmp func(a, b E) int) int {
	i, j := 0, len(x)-1
	for {
		for i <= j && cmp(v, x[i]) >= 0 {
			i++
		}
		for i <= j && cmp(v, x[j]) < 0 {
			j--
		}
		if i > j {
			return i
		}
		x[i], x[j] = x[j], x[i]
		i++
		j--
	}
}

// partition moves elements and returns m: none of x[:m] is greater than x[m], and
// none of x[m+1:] is less. It does no more than to exchange elements.
func partition[E any](x []E, cmp func(a, b E) int) (m int) {
	// The median of three medians of three is the pivot, and comes first.
	eighth := len(x) / 8
	median := func(i int) int {
		a, b, c := i-eighth/2, i, i+eighth/2
		if cmp(x[b], x[a]) < 0 {
			a, b = b, a
		}
		if cmp(x[c], x[b]) < 0 {
			if b = c; cmp(x[b], x[a]) < 0 {
				b = a
			}
		}
		return b
	}
	a, b, c := median(2*eighth), median(4*eighth), median(6*eighth)
	if cmp(x[b], x[a]) < 0 {
		a, b = b, a
	}
	if cmp(x[c], x[b]) < 0 {
		if b = c; cmp(x[b], x[a]) < 0 {
			b = a
		}
	}
	x[0], x[b] = x[b], x[0]

	i, j := 1, len(x)-1
	for {
		for i <= j && cmp(x[i], x[0]) < 0 {
			i++
		}
		for i <= j && cmp(x[j], x[0]) >= 0 {
			j--
		}
		if i > j {
			break
		}
		x[i], x[j] = x[j], x[i]
		i++
		j--
	}
	x[0], x[j] = x[j], x[0]
	return j
}
