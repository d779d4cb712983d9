package sortiface

import "sort"

// Interfaces is Sort of a slice of interfaces. Each comparison calls two methods more,
// whose receivers lie anywhere on the heap, and elements are twice as large.
func Interfaces(l *list) { sort.Sort(anyByNumber(l.any)) }

type anyByNumber []numbered

func (s anyByNumber) Len() int           { return len(s) }
func (s anyByNumber) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s anyByNumber) Less(i, j int) bool { return s[i].Number() < s[j].Number() }

// Slice sorts the entries with sort.Slice: a function compares, and another,
// which reflection makes, swaps.
func Slice(l *list) {
	s := l.entries
	sort.Slice(s, func(i, j int) bool { return s[i].Number() < s[j].Number() })
}
