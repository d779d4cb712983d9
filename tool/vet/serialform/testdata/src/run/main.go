// Goldens show the edit parts alone.

// The program has serial forms beside concurrent ones, and parts of them.
package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

func start() {
	var wg sync.WaitGroup
	wg.Go(func() {})
	wg.Wait()
}

// A Table knows words.
type Table struct {
	known map[string]int
	rules []rule
}

type rule interface{ ok(string) bool }

func (t *Table) fine(w string) bool {
	for _, r := range t.rules {
		if !r.ok(w) {
			return false
		}
	}
	return t.known[w] > 0
}

// Fine returns the words that are fine.
func (t *Table) Fine(words []string) []string {
	var out []string
	for _, w := range words {
		if t.fine(w) {
			out = append(out, w)
		}
	}
	return out
}

// FineConcurrent is Fine, at once.
func (t *Table) FineConcurrent(words []string) []string { start(); return t.Fine(words) } // want "Fine is its serial form"

// Lengths are those of the words.
func Lengths(words []string) []int {
	out := make([]int, len(words))
	for i := range words {
		out[i] = len(strings.TrimSpace(words[i]))
	}
	return out
}

// LengthsParallel are those of the words.
func LengthsParallel(words []string, workers int) []int { start(); return Lengths(words) } // want "Lengths is its serial form"

// A Report sums words up.
type Report struct {
	Words, Letters int
	Longest        int
	By             map[string]int
	Empty          []int
	Names          []string
}

// Sum makes a report.
func Sum(words []string) Report {
	r := Report{By: make(map[string]int)}
	for _, w := range words {
		if w == "" {
			continue
		}
		r.Words++
		r.Letters += len(w)
		if len(w) > r.Longest {
			r.Longest = len(w)
		}
		r.By[w[:1]] += len(w)
		r.Names = append(r.Names, w[:1])
	}
	return r
}

// SumAll makes a report, with a goroutine for each word.
func SumAll(words []string) Report { start(); return Sum(words) } // want "Sum is its serial form"

var errEmpty = errors.New("empty")

// Index is where each word stands, and how many letters there are.
func Index(words []string) (map[string]int, int, error) {
	if len(words) == 0 {
		return nil, 0, errEmpty
	}
	all := make(map[string]int, len(words))
	letters := 0
	for _, w := range words {
		if w == "" {
			return nil, 0, errEmpty
		}
		all[w] = len(w)
		letters += len(w)
	}
	return all, letters, nil
}

// IndexConcurrent is Index, at once.
func IndexConcurrent(words []string) (map[string]int, int, error) { start(); return Index(words) } // want "Index is its serial form"

// scale has a result in what it is given.
func scale(out, xs []int) {
	for i, x := range xs {
		out[i] = 3 * x
	}
}

func scaleAtOnce(out, xs []int) { start(); scale(out, xs) } // want "scale is its serial form"

// double changes the numbers themselves.
func double(xs []int) {
	for i := range xs {
		xs[i] *= 2
	}
}

func doubleAtOnce(xs []int) { start(); double(xs) } // want "double is its serial form"

// pairs takes several, and groups by the first letter.
func pairs(words ...string) map[byte][]string {
	m := map[byte][]string{}
	for i := 0; i < len(words); i++ {
		m[words[i][0]] = append(m[words[i][0]], words[i])
	}
	return m
}

func pairsAtOnce(words ...string) map[byte][]string { start(); return pairs(words...) } // want "pairs is its serial form"

// A Tally counts.
type Tally struct {
	n    int
	by   map[int]int
	over totals
}

type totals struct{ sum, most int }

func (t *totals) take(x int) {
	t.sum += x
	t.most = max(t.most, x)
}

func newTally() *Tally { return &Tally{by: map[int]int{}} }

func (t *Tally) add(x int) {
	t.n++
	t.by[x%10]++
	t.over.take(x)
}

// Tallied counts numbers.
func Tallied(xs []int) *Tally {
	t := newTally()
	for _, x := range xs {
		t.add(x)
	}
	return t
}

// TalliedAll counts numbers, at once.
func TalliedAll(xs []int) *Tally { start(); return Tallied(xs) } // want "Tallied is its serial form"

type short int

func (s short) ok(w string) bool { return len(w) < int(s) }

func main() {
	for _, n := range []int{0, 1, 31, 32, 33, 512, 1000, 1001, 5000} {
		words, xs := make([]string, n), make([]int, n)
		for i := range n {
			words[i], xs[i] = strconv.Itoa(i*i%977), i*i%977
		}
		t := &Table{known: map[string]int{"1": 1, "4": 0, "16": 2, "100": 1}, rules: []rule{short(3)}}
		fmt.Println(n, t.FineConcurrent(words), LengthsParallel(words, 4), len(LengthsParallel(words, 0)))
		r := SumAll(words)
		slices.Sort(r.Names)
		fmt.Println(r)
		fmt.Println(IndexConcurrent(words))
		if n > 40 {
			words[n-2] = ""
			fmt.Println(IndexConcurrent(words))
			words[n-2] = "7"
		}
		all := pairsAtOnce(words...)
		for _, k := range slices.Sorted(maps.Keys(all)) {
			slices.Sort(all[k])
			fmt.Println(k, all[k])
		}
		fmt.Println(*TalliedAll(xs))
		loops(words, xs)
		doubleAtOnce(xs)
		tripled := make([]int, n)
		scaleAtOnce(tripled, xs)
		fmt.Println(tripled)
		fmt.Println(xs)
	}
}
