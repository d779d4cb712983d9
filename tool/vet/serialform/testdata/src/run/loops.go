// Goldens show the edit parts alone.

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A shelf has what its methods go over.
type shelf struct {
	books []string
	names map[string]int
}

// titles go over a field, and are sorted after the loop.
func (s *shelf) titles(least int) []string {
	var out []string
	for i, b := range s.books {
		if len(b) >= least && s.names[b] >= 0 {
			out = append(out, fmt.Sprint(i, b))
		}
	}
	slices.Sort(out)
	return out
}

func (s *shelf) titlesAtOnce(least, names int) []string { start(); return s.titles(least) } // want "titles is its serial form"

// ranks begin with a call, and end with another.
func (h *shelf) ranks(of []string) (best int, sums []int, err error) {
	if len(of) == 3 {
		return 0, nil, errEmpty
	}
	weight := len(of) / 2
	list := make([]int, len(h.books))
rows:
	for i := range h.books {
		for _, w := range of {
			if w == "none" {
				continue rows
			}
			if err := found(h.books[i], w); err != nil {
				return i, []int{i}, err
			}
			list[i] += strings.Count(h.books[i], w) * weight
		}
		best = max(h.names[h.books[i]], best)
	}
	sums = append(sums, list...)
	return
}

func (s *shelf) ranksAtOnce(words []string) (int, []int, error) { start(); return s.ranks(words) } // want "ranks is its serial form"

func found(book, w string) error {
	if w == book && w == "16" {
		return fmt.Errorf("found %s: %w", w, errors.ErrUnsupported)
	}
	return nil
}

// firstLong ends early with a result.
func firstLong(words []string, least int) (int, bool) {
	for i, w := range words {
		if len(w) > least {
			return i, true
		}
	}
	return len(words), false
}

func firstLongAtOnce(words []string, least int) (int, bool) { start(); return firstLong(words, least) } // want "firstLong is its serial form"

// letters go to a literal, and to a function.
func letters(words []string) (map[rune]int, map[int][]string) {
	by := map[rune]int{}
	long := map[int][]string{}
	for _, w := range words {
		eachLetter(w, func(r rune) bool { by[r]++; return true })
		keep(long, w)
	}
	return by, long
}

func lettersAtOnce(words []string) (map[rune]int, map[int][]string) { start(); return letters(words) } // want "letters is its serial form"

func eachLetter(w string, f func(rune) bool) {
	for _, r := range w {
		_ = f(r)
	}
}

func keep(to map[int][]string, w string) {
	if len(w) > 2 {
		to[len(w)] = append(to[len(w)], w)
	}
}

// squares count to a number, from what a call comes to.
func squares(n int) int {
	sum := 0
	for i := range half(n) {
		sum += i*i - n
	}
	return sum / (n + 1)
}

func squaresAtOnce(n int) int { start(); return squares(n) } // want "squares is its serial form"

func half(n int) int { return n / 2 }

// rises look at the element before, and the first.
func rises(xs []int) int {
	n := 0
	for i, x := range xs {
		if i > 0 && xs[i-1] < x-xs[0] {
			n += len(xs)
		}
	}
	return n / max(len(xs), 1)
}

func risesAtOnce(xs []int) int { start(); return rises(xs) } // want "rises is its serial form"

// padded has room for one more.
func padded(xs []int) []int {
	out := make([]int, len(xs)+1)
	k := 3
	if len(xs) > 1000 {
		k = 4
	}
	for i, x := range xs {
		out[i] = k * x
	}
	out[len(xs)] = out[0]
	return out
}

func paddedAtOnce(xs []int) []int { start(); return padded(xs) } // want "padded is its serial form"

// odd goes over what a call gives, and names nothing.
func odd(xs []int) (n int) {
	for range tail(xs) {
		n++
	}
	return n
}

func oddAtOnce(xs []int) (n int) { start(); return odd(xs) } // want "odd is its serial form"

func tail(xs []int) []int { return xs[len(xs)/3:] }

// total never fails, and average divides by what it is given whole.
func total(words []string) (n int, ok bool, err error) {
	for _, w := range words {
		n += len(w)
	}
	return n, true, nil
}

func totalAtOnce(words []string) (n int, ok bool, err error) { start(); return total(words) } // want "total is its serial form"

func average(words []string) (n int) {
	for _, w := range words {
		n += 1000 * len(w) / len(words)
	}
	return n
}

func averageAtOnce(words []string) int { start(); return average(words) } // want "average is its serial form"

// Of these a part is more than a call: they number, end early, and do more afterwards.

func numbered(words []string) (out []string) {
	for i, w := range words {
		out = append(out, fmt.Sprint(i, w))
	}
	return out
}

func numberedAtOnce(words []string) []string { start(); return numbered(words) } // want "numbered is its serial form"

func filled(words []string) int {
	n := 0
	for _, w := range words {
		if w == "" {
			return -1
		}
		n += len(w)
	}
	return n
}

func filledAtOnce(words []string) int { start(); return filled(words) } // want "filled is its serial form"

func sorted(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, w[:1])
	}
	slices.Sort(out)
	return out
}

func sortedAtOnce(words []string) []string { start(); return sorted(words) } // want "sorted is its serial form"

func halved(words []string) int {
	n := 0
	m := 0
	for _, w := range words {
		n += len(w)
		m += len(w)
	}
	return n
}

func halvedAtOnce(words []string) int { start(); return halved(words) } // want "halved is its serial form"

func told(words []string) (int, bool) {
	n := 0
	for _, w := range words {
		n += len(w)
	}
	return n, tell(len(words))
}

func tell(n int) bool { fmt.Println("told", n); return true }

func toldAtOnce(words []string) (int, bool) { start(); return told(words) } // want "told is its serial form"

type list []string

// letters of a list, which is the receiver.
func (l list) letters() int {
	n := 0
	for _, w := range l {
		n += len(w)
	}
	return n
}

func (l list) lettersAtOnce() int { start(); return l.letters() } // want "letters is its serial form" // refuse "threshold: nothing that it takes tells how much there is to do"

func loops(words []string, xs []int) {
	s := &shelf{words, map[string]int{"1": 1, "4": 7}}
	fmt.Println(s.titlesAtOnce(3, 1))
	fmt.Println(s.ranksAtOnce([]string{"1", "22"}))
	fmt.Println(s.ranksAtOnce([]string{"1", "16", "4"}))
	fmt.Println(s.ranksAtOnce([]string{"1", "16"}))
	fmt.Println(s.ranksAtOnce([]string{"1", "none"}))
	fmt.Println(firstLongAtOnce(words, 2))
	fmt.Println(firstLongAtOnce(words, 8))
	fmt.Println(lettersAtOnce(words))
	fmt.Println(squaresAtOnce(len(words)), risesAtOnce(xs), paddedAtOnce(xs), oddAtOnce(xs))
	fmt.Println(totalAtOnce(words))
	fmt.Println(averageAtOnce(words))
	fmt.Println(numberedAtOnce(words), filledAtOnce(words), sortedAtOnce(words), halvedAtOnce(words), list(words).lettersAtOnce())
	fmt.Println(toldAtOnce(words))
}
