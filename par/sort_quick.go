package par

import "slices"

// quickLeaf elements are not worth another partition: a task of a few hundred
// microseconds.
const quickLeaf = 1 << 12

// A quicksort sorts in place, as Hoare did in 1961, and shares the parts.
// Up to leaf elements it leaves to the standard library.
type quicksort[E any] struct {
	cmp  func(a, b E) int
	leaf int
}

// A section is what a quicksort has to sort, and how many more bad partitions
// it may suffer before the standard library goes on alone: that knows what to do
// about patterns.
type section[E any] struct {
	x   []E
	bad int
}

// quickSort sorts x.
func quickSort[E any](x []E, cmp func(a, b E) int, bad int) {
	q := quicksort[E]{cmp, max(quickLeaf, len(x)/64)}
	New(q.sort).Call(section[E]{x, bad})
}

func (q quicksort[E]) sort(t *Task[section[E], struct{}], s section[E]) (none struct{}) {
	x, cmp := s.x, q.cmp
	if len(x) <= q.leaf || s.bad == 0 {
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
		s.bad--
	}
	t.Join(section[E]{less, s.bad}, section[E]{greater, s.bad})
	return
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
