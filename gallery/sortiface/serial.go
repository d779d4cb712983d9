package sortiface

import "sort"

// An entry is what is sorted, by its number.
type entry struct{ number int }

// Number returns the number that entries are sorted by.
func (e entry) Number() int { return e.number }

// numbered is all that an interface lets package sort know of an entry.
type numbered interface{ Number() int }

// A list has the same entries in both forms. A variant sorts one of them.
type list struct {
	entries []entry
	any     []numbered
}

// Sort sorts the entries with sort.Sort and the three methods it asks for.
func Sort(l *list) { sort.Sort(byNumber(l.entries)) }

type byNumber []entry

func (s byNumber) Len() int           { return len(s) }
func (s byNumber) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s byNumber) Less(i, j int) bool { return s[i].Number() < s[j].Number() }
