package sortiface

import (
	"cmp"
	"slices"
)

// SortFunc sorts the entries with slices.SortFunc, which moves them itself and
// calls a function for each comparison only.
func SortFunc(l *list) { slices.SortFunc(l.entries, compare) }

func compare(a, b entry) int { return cmp.Compare(a.Number(), b.Number()) }
