// Package m15 sorts through reflection.
package m15

import (
	"cmp"
	"slices"
	"sort"
)

type player struct {
	name  string
	score int
}

func ranked(ps []player) player {
	ps = slices.Clone(ps)
	slices.SortFunc(ps, func(a, b player) int { return cmp.Compare(a.score, b.score) })
	return ps[0]
}

func rankedSlice(ps []player) player {
	ps = slices.Clone(ps)
	sort.Slice(ps, func(i, j int) bool { return ps[i].score < ps[j].score }) // mistake: sortiface
	return ps[0]
}
