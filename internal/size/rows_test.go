package size

import (
	"math/rand/v2"
	"time"
)

// A row is a load of the table.
type row struct {
	name  string
	task  time.Duration // about as long as one takes
	kinds []kind        // in turn, each for a while
	each  time.Duration
}

// A kind draws the tasks of a load.
type kind struct {
	cpu, io, spread time.Duration // io to io+spread
	other           *kind         // half of the tasks are of this one
	lines, knee     int
}

const (
	us = time.Microsecond
	ms = time.Millisecond
)

var rows = []row{
	{name: "cpu 20 µs", kinds: []kind{{cpu: 20 * us}}},
	{name: "cpu 1 ms", kinds: []kind{{cpu: ms}}},
	{name: "io 1–10 ms", kinds: []kind{{io: ms, spread: 9 * ms}}},
	{name: "io 100 ms", kinds: []kind{{io: 100 * ms}}},
	{name: "cpu 200 µs + io 5 ms", kinds: []kind{{cpu: 200 * us, io: 5 * ms}}},
	{name: "cpu 1 ms + io 1 ms", kinds: []kind{{cpu: ms, io: ms}}},
	{name: "half cpu 500 µs, half io 1–10 ms", kinds: []kind{{cpu: 500 * us, other: &kind{io: ms, spread: 9 * ms}}}},
	{name: "io 5 ms, 32 connections", kinds: []kind{{io: 5 * ms, lines: 32}}},
	{name: "io 5 ms, slows past 24", kinds: []kind{{io: 5 * ms, knee: 24}}},
	{name: "changes each 10 s", each: 10 * time.Second, kinds: []kind{{cpu: ms}, {io: 100 * ms}, {cpu: 200 * us, io: 5 * ms}, {io: 5 * ms, lines: 32}}},
}

// load returns the row's load with that noise.
func (w row) load(n noise) load {
	var l load
	for _, k := range w.kinds {
		l.servers = append(l.servers, server{lines: k.lines, knee: k.knee})
	}
	l.draw = func(r *rand.Rand, now int64) task {
		i := 0
		if w.each > 0 {
			i = int(now/int64(w.each)) % len(w.kinds)
		}
		k := w.kinds[i]
		if k.other != nil && r.IntN(2) == 0 {
			k = *k.other
		}
		t := task{cpu: n(r, int64(k.cpu)), io: int64(k.io), server: -1}
		if k.spread > 0 {
			t.io += r.Int64N(int64(k.spread) + 1)
		}
		if t.io > 0 {
			t.io = n(r, t.io)
			t.server = i
		}
		return t
	}
	return l
}

// spans are how long the cold part and all of a run are.
func (w row) spans(p int) (cold, all int64) {
	cold, all = int64(2*time.Second), int64(8*time.Second)
	if w.each > 0 {
		return int64(10 * time.Second), int64(w.each) * int64(2*len(w.kinds))
	}
	if w.kinds[0].io == 0 && w.kinds[0].other == nil {
		d := max(int64(w.kinds[0].cpu)*20000/int64(p), int64(100*time.Millisecond))
		return min(cold, d), min(all, 4*d)
	}
	return cold, all
}

var tried = []int{1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024}
