// Package m19 allocates a small struct for every pair.
package m19

type pair struct{ lo, hi int }

func spread(xs []int) (n int) {
	var pairs []pair
	for i := 1; i < len(xs); i++ {
		pairs = append(pairs, pair{min(xs[i-1], xs[i]), max(xs[i-1], xs[i])})
	}
	for _, p := range pairs {
		n += p.hi - p.lo
	}
	return n
}

func spreadPointers(xs []int) (n int) {
	var pairs []*pair
	for i := 1; i < len(xs); i++ {
		pairs = append(pairs, &pair{min(xs[i-1], xs[i]), max(xs[i-1], xs[i])}) // mistake: hotalloc
	}
	for _, p := range pairs {
		n += p.hi - p.lo
	}
	return n
}
