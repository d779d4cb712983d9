package topic

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A workload makes subjects and patterns, which meet.
type workload interface {
	subject() string
	pattern() string
}

// newWorkload returns the workload of a name for n subscriptions, always the same.
func newWorkload(name string, n int) workload {
	r := rand.New(rand.NewPCG(1, 2))
	switch name {
	case "devices":
		return devices{r, n}
	case "many":
		return many{r, n}
	case "stars":
		return stars{devices{r, n}}
	}
	panic(name)
}

// devices has subjects of four tokens, svc.region.dev.evt. Half of the patterns are
// literal, the others have a wildcard in one place or end in the tail, and seven
// shapes fit a subject, which matches about one.
type devices struct {
	*rand.Rand
	n int // patterns, or so
}

func (d devices) name() [4]string {
	return [4]string{
		fmt.Sprint("svc", d.IntN(20)), fmt.Sprint("region", d.IntN(8)),
		fmt.Sprint("dev", d.IntN(max(1, d.n/160))), fmt.Sprint("evt", d.IntN(8)),
	}
}

func (d devices) subject() string {
	n := d.name()
	return strings.Join(n[:], ".")
}

func (d devices) pattern() string {
	n := d.name()
	switch p := d.IntN(100); {
	case p < 55:
	case p < 63:
		n[1] = "*"
	case p < 78:
		n[3] = "*"
	case p < 92:
		return n[0] + "." + n[1] + "." + n[2] + ".>"
	case p < 93:
		return n[0] + "." + n[1] + ".>"
	case p < 94 && d.IntN(2) == 0:
		n[2] = "*"
	case p < 95:
		n[0] = "*"
	default:
		return strings.Join(n[:], ".") + ".x"
	}
	return strings.Join(n[:], ".")
}

// many has patterns of six tokens with up to four wildcards anywhere: some sixty
// shapes fit a subject, and a trie has as many ways to go.
type many struct {
	*rand.Rand
	n int
}

func (m many) tokens() []string {
	width := 4
	for width*width*width < m.n {
		width++
	}
	t := make([]string, 6)
	for i := range t {
		t[i] = fmt.Sprint("t", m.IntN(width))
	}
	return t
}

func (m many) subject() string { return strings.Join(m.tokens(), ".") }

func (m many) pattern() string {
	t := m.tokens()
	stars := 0
	for i := range t {
		if stars < 4 && m.IntN(10) < 3 {
			t[i] = "*"
			stars++
		}
	}
	if m.IntN(10) == 0 {
		t[5] = ">"
	}
	return strings.Join(t, ".")
}

// stars is devices without tails.
type stars struct{ devices }

func (s stars) pattern() string {
	for {
		if p := s.devices.pattern(); !strings.HasSuffix(p, ">") {
			return p
		}
	}
}

// An item is what is subscribed.
type item struct{ id int64 }

// An input is what a benchmark works with, made before the clock starts.
type input struct {
	patterns []string // filled with
	items    []item   // a value for each
	subjects []string
	own      []string // patterns of those who subscribe meanwhile
}

// hot and uni are how many subjects there are: those that fit any cache, and those
// that exceed it.
var subjectCounts = map[string]int{"hot": 256, "uni": 100_000}

func newInput(set string, n int) *input {
	w := newWorkload(set, n)
	in := &input{make([]string, n), make([]item, n), make([]string, subjectCounts["uni"]), make([]string, 4096)}
	for i := range in.patterns {
		in.patterns[i] = w.pattern()
		in.items[i].id = int64(i) + 1
	}
	for i := range in.subjects {
		in.subjects[i] = w.subject()
	}
	for i := range in.own {
		in.own[i] = w.pattern()
	}
	return in
}
