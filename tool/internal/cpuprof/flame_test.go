package cpuprof

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/pprof/profile"
)

// The stacks are one tree, callers first, most time first.
func TestFlame(t *testing.T) {
	var all []*profile.Profile
	for _, stack := range [][]string{
		{"main.leaf", "main.a", "main.run"},
		{"main.leaf", "main.a", "main.run"},
		{"main.leaf", "main.b", "main.run"},
		{"main.a", "main.run"},
		{"runtime.gcBgMarkWorker"},
	} {
		all = append(all, build(stack))
	}
	p, err := profile.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read(encode(t, p), Options{})
	want := []Frame{{0, "main.run", 0.8}, {1, "main.a", 0.6}, {2, "main.leaf", 0.4}, {1, "main.b", 0.2}, {2, "main.leaf", 0.2}, {0, "runtime.gcBgMarkWorker", 0.2}}
	if err != nil || !slices.Equal(d.Flame, want) {
		t.Errorf("%+v, %v; want %+v", d.Flame, err, want)
	}
}

// Of many and deep stacks a digest holds a part, in which every frame has its caller.
func TestFlameIsBounded(t *testing.T) {
	var all []*profile.Profile
	for i := range 3 * maxFrames {
		stack := []string{fmt.Sprint("main.leaf", i), fmt.Sprint("main.f", i%7), "main.run"}
		p := build(stack)
		p.Sample[0].Value[1] *= int64(1 + i)
		all = append(all, p)
	}
	var deep []string
	for i := range 3 * maxDepth {
		deep = append(deep, fmt.Sprint("main.deep", i))
	}
	p := build(deep)
	p.Sample[0].Value[1] *= 100_000
	p, err := profile.Merge(append(all, p))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read(encode(t, p), Options{})
	if err != nil {
		t.Fatal(err)
	}
	last, deepest := -1, 0
	for i, f := range d.Flame {
		if f.Depth > last+1 || f.Share <= 0 || f.Share > 1 {
			t.Errorf("frame %d, %+v, follows one of depth %d", i, f, last)
		}
		last, deepest = f.Depth, max(deepest, f.Depth)
	}
	var equal []*profile.Profile
	for i := range 2 * maxFrames {
		equal = append(equal, build([]string{fmt.Sprint("main.leaf", i), "main.run"}))
	}
	if p, err = profile.Merge(equal); err != nil {
		t.Fatal(err)
	}
	if e, err := Read(encode(t, p), Options{}); err != nil || len(e.Flame) != 1 {
		t.Errorf("%d frames of equals, %v; want the one that called them", len(e.Flame), err)
	}
	if n := len(d.Flame); n > maxFrames || n < maxDepth || deepest != maxDepth-1 {
		t.Errorf("%d frames, %d deep; want at most %d, to %d", n, deepest+1, maxFrames, maxDepth)
	}
}
