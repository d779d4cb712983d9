package size

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// A row is a load of the table.
type row struct {
	name  string
	kinds []kind // in turn, each for a while
	each  time.Duration
	short bool // also in the short form of the test
}

// A kind is what the tasks of a load are like.
type kind struct {
	cpu, io, spread time.Duration // io to io + spread
	half            *kind         // half of the tasks are of this one instead
	lines, knee     int           // of the server
}

var rows = []row{
	{name: "cpu 20 µs", kinds: []kind{{cpu: 20 * us}}},
	{name: "cpu 1 ms", kinds: []kind{{cpu: ms}}, short: true},
	{name: "io 1–10 ms", kinds: []kind{{io: ms, spread: 9 * ms}}},
	{name: "io 100 ms", kinds: []kind{{io: 100 * ms}}, short: true},
	{name: "cpu 200 µs + io 5 ms", kinds: []kind{{cpu: 200 * us, io: 5 * ms}}, short: true},
	{name: "cpu 1 ms + io 1 ms", kinds: []kind{{cpu: ms, io: ms}}, short: true},
	{name: "half cpu 500 µs, half io 1–10 ms", kinds: []kind{{cpu: 500 * us, half: &kind{io: ms, spread: 9 * ms}}}, short: true},
	{name: "io 5 ms, 32 connections", kinds: []kind{{io: 5 * ms, lines: 32}}, short: true},
	{name: "io 5 ms, slows past 24", kinds: []kind{{io: 5 * ms, knee: 24}}, short: true},
	{name: "changes each 10 s", each: 10 * time.Second,
		kinds: []kind{{cpu: ms}, {io: 100 * ms}, {cpu: 200 * us, io: 5 * ms}, {io: 5 * ms, lines: 32}}},
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
		if k.half != nil && r.IntN(2) == 0 {
			k = *k.half
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

// spans are how long the cold part of a run lasts, and all of it: 2 and 8 s; for less
// where tasks are many, and for twice as long as it takes to see each kind.
func (w row) spans(procs int) (cold, all int64) {
	k := w.kinds[0]
	switch {
	case w.each > 0:
		return int64(w.each), int64(w.each) * int64(2*len(w.kinds))
	case k.io == 0 && k.half == nil:
		cold = min(max(20_000*int64(k.cpu)/int64(procs), int64(100*ms)), int64(2*time.Second))
		return cold, 4 * cold
	}
	return int64(2 * time.Second), int64(8 * time.Second)
}

// sizes are those that a person might pick.
var sizes = []int{1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024}

// rates returns how many tasks a pool ends in a second, from cold and after that. Its size
// is fixed, or found by the rule if that is 0.
func (w row) rates(procs, size int, n noise) (cold, steady float64, m *machine) {
	var rule *Rule
	if size == 0 {
		rule = New(0, 0)
	}
	m = newMachine(procs, w.load(n), rule, size, 1)
	from, to := w.spans(procs)
	m.run(from)
	ended := m.ended
	m.run(to)
	return float64(ended) / float64(from) * 1e9, float64(m.ended-ended) / float64(to-from) * 1e9, m
}

// best is the size that does most, by runs a quarter as long.
func (w row) best(procs int, n noise) (best int) {
	var most float64
	for _, size := range sizes {
		from, to := w.spans(procs)
		if w.each == 0 {
			from, to = from/4, to/4
		} else if size < 256 {
			continue // too few for some of the kinds
		}
		m := newMachine(procs, w.load(n), nil, size, 1)
		m.run(from)
		ended := m.ended
		if m.run(to); float64(m.ended-ended) > 1.005*most { // the least of those that do the same
			best, most = size, float64(m.ended-ended)
		}
	}
	return best
}

// A line is one of the table.
type line struct {
	row
	procs int
	noise string
}

// noises are how task times vary, and what is to be reached then. In the last two it is
// less from cold: a window has to be four times as long before it shows a gain (doubt),
// and a few tasks are so long that a server which slows down is let go late.
var noises = map[string]struct {
	noise
	steady, cold float64
}{
	"none":          {uniform(0), 0.95, 0.85},
	"± 30 %":        {uniform(30), 0.95, 0.85},
	"1 in 100 × 10": {stalls(uniform(10)), 0.95, 0.83},
	"exponential":   {exponential, 0.95, 0.78},
}

func (l line) key() string { return fmt.Sprintf("| %s | %s | %d |", l.name, l.noise, l.procs) }

// simulate returns the line, by the best size.
func (l line) simulate(t *testing.T, best int) string {
	n := noises[l.noise]
	coldBest, steadyBest, _ := l.rates(l.procs, best, n.noise)
	cold, steady, m := l.rates(l.procs, 0, n.noise)
	cold /= coldBest
	steady /= steadyBest
	if steady < n.steady || cold < n.cold {
		t.Errorf("%s steady %.2f, from cold %.2f; want %.2f, %.2f", l.key(), steady, cold, n.steady, n.cold)
	}
	return fmt.Sprintf("%s %d | %.0f | %.2f | %.2f | %.0f | %d |", l.key(), best, steadyBest, steady, cold, m.sizes.area/float64(m.now), m.sizes.most)
}

// lines are those of the table.
func lines() (all []line) {
	for _, w := range rows {
		for _, p := range []int{1, 2, 4, 8, 16, 64, 256} {
			all = append(all, line{w, p, "± 30 %"})
		}
		for _, noise := range []string{"none", "1 in 100 × 10", "exponential"} {
			for _, p := range []int{2, 16} {
				all = append(all, line{w, p, noise})
			}
		}
	}
	return all
}

var update = flag.Bool("update", false, "write the table of the rows; with PAYOFF_LONG")

const (
	table = "../../record/simulated/size.md"
	head  = `Simulated: what share of the best fixed size's tasks a pool does that the rule of internal/size sizes.
No line is a measurement. The best size is one of 1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024. From cold is
the first 2 s of both, or 20,000 tasks where they only compute (100 ms at least), and the first
kind of those that change; steady is three times as long after that, or the next 70 s.
Write it with PAYOFF_LONG=1 go test ./internal/size -run Rows -update

| tasks | their times vary | P | best size | its tasks/s | steady | from cold | mean workers | most |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`
)

// TestRows: what the rule finds does nearly as much as the best fixed size, for each kind
// of load and each number of processors, and is what the record says. The short form
// trusts the record for the best sizes.
func TestRows(t *testing.T) {
	data, err := os.ReadFile(table)
	if err != nil && !*update {
		t.Fatal(err)
	}
	recorded := make(map[string]string)
	for s := range strings.SplitSeq(string(data), "\n") {
		for _, l := range lines() {
			if strings.HasPrefix(s, l.key()) {
				recorded[l.key()] = s
			}
		}
	}
	var mu sync.Mutex // of recorded
	t.Run("all", func(t *testing.T) {
		for _, l := range lines() {
			if !stress.Long() && (!l.short || l.procs != 2 || l.noise != "± 30 %") {
				continue
			}
			want := recorded[l.key()]
			t.Run(fmt.Sprintf("%s/%s/%d", l.name, l.noise, l.procs), func(t *testing.T) {
				t.Parallel()
				best := 0
				if stress.Long() {
					best = l.best(l.procs, noises[l.noise].noise)
				} else {
					fmt.Sscanf(strings.TrimPrefix(want, l.key()), "%d", &best)
				}
				got := l.simulate(t, max(best, 1))
				if got != want && !*update {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				mu.Lock()
				recorded[l.key()] = got
				mu.Unlock()
			})
		}
	})
	if *update && stress.Long() {
		text := head
		for _, l := range lines() {
			text += recorded[l.key()] + "\n"
		}
		if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
