// Package a sorts through package sort.
package a

import (
	"sort"
	"strings"
	"time"
)

type person struct {
	name string
	age  int
	born time.Time
	tags [2]string
	key  []byte
}

func byAge(people []person) {
	sort.Slice(people, func(i, j int) bool { return people[i].age < people[j].age }) // want "sort.Slice swaps through reflection"
}

func plain(xs []int) {
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] }) // want "sort.Slice"
}

func down(xs []int) {
	sort.Slice(xs, func(i, j int) bool { return xs[i] > xs[j] }) // want "sort.Slice"
}

func turned(xs []int) {
	sort.Slice(xs, func(i, j int) bool { return xs[j] < xs[i] }) // want "sort.Slice"
}

func stable(people []person) {
	sort.Stable(byNameAge(people)) // want "sort.Stable"
}

type group struct{ members []person }

func (g *group) sort() {
	sort.Slice(g.members, func(i, j int) bool { return g.members[i].born.Before(g.members[j].born) }) // want "sort.Slice"
}

func late(people []person) {
	sort.Slice(people, func(i, j int) bool { return people[i].born.After(people[j].born) }) // want "sort.Slice"
}

// The names that an edit would take mean something already.
func shadows(people []person, a, b, cmp, slices int) int {
	sort.Sort(sort.Reverse(byNameAge(people))) // want "sort.Sort"
	return a + b + cmp + slices
}

func tag(people []person) {
	sort.Slice(people, func(i, j int) bool { return people[i].tags[0] < people[j].tags[0] }) // want "sort.Slice"
}

type byName []person

func (p byName) Len() int           { return len(p) }
func (p byName) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p byName) Less(i, j int) bool { return p[i].name < p[j].name }

func named(people []person) {
	sort.Sort(byName(people)) // want "sort.Sort calls Len, Less and Swap"
}

func reversed(people byName) {
	sort.Stable(sort.Reverse(people)) // want "sort.Stable"
}

func ints(xs []int) {
	sort.Sort(sort.IntSlice(xs)) // want "sort.Sort"
}

func intsDown(xs []int) {
	sort.Sort(sort.Reverse(sort.IntSlice(xs))) // want "sort.Sort"
}

// For sort.Float64Slice a NaN is the least, as for package cmp.
func floats(xs []float64) {
	sort.Sort(sort.Float64Slice(xs))               // want "sort.Sort"
	sort.Sort(sort.Reverse(sort.Float64Slice(xs))) // want "sort.Sort"
}

type byNameAge []person

func (p byNameAge) Len() int      { return len(p) }
func (p byNameAge) Swap(i, j int) { p[j], p[i] = p[i], p[j] }
func (p byNameAge) Less(i, j int) bool {
	if p[i].name != p[j].name {
		return p[i].name < p[j].name
	}
	return p[i].age > p[j].age
}

func folded(people []person) {
	sort.Slice(people, func(i, j int) bool { return strings.ToLower(people[i].name) < strings.ToLower(people[j].name) }) // want "sort.Slice"
}

func oldest(people []person) {
	sort.SliceStable(people, func(i, j int) bool { return people[i].age > people[j].age }) // want "sort.SliceStable"
}

func since(ts []*time.Time) {
	sort.Slice(ts, func(i, j int) bool { return (*ts[i]).Before(*ts[j]) }) // want "sort.Slice"
}
