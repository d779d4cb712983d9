package jetstream

import (
	"fmt"
	"time"
)

// Stats say what a [Remote] has done until now.
type Stats struct {
	// Items have an answer, and went in so many Messages.
	Items, Messages int
	// Again is how many answers came for items that had one, or whose calls had given up.
	Again int
	// Processes is how many have answered.
	Processes int
	// Work is what functions took for an item there, in the mean; of stages put together
	// by [Then], all of them.
	Work time.Duration
	// Hop is what an item takes of this process, in the mean: to encode it, to hand it
	// over, and to decode its result. What the client of the server does is not in it.
	Hop time.Duration
	// Wait is how long an item was away, in the mean, with all that it had to wait for.
	Wait time.Duration
}

// Verdict says whether the hop pays, in a sentence. It pays this process where functions
// take more than the hop does. Whether a pipe gets faster depends on how many processes
// there are. With one other it hardly does.
func (s Stats) Verdict() string {
	if s.Items == 0 {
		return "no item was answered yet"
	}
	what := fmt.Sprintf("an item costs %v to send and to receive, and its function takes %v there (processes: %d)", s.Hop, s.Work, s.Processes)
	switch {
	case s.Work >= 4*s.Hop:
		return what + ": the hop pays"
	case s.Work > s.Hop:
		return what + ": the hop hardly pays"
	}
	return what + ": the hop does not pay: call the function here"
}

// counts are what Stats are made of, under the mutex of a Remote.
type counts struct {
	items, again    int
	work, hop, wait time.Duration // of all items
	recent          float64       // nanoseconds of work, weighted to what is new; 0: not known
	from            map[string]struct{}
}

func (c *counts) answer(a answer, wait, hop time.Duration) {
	c.items++
	c.work += time.Duration(a.work)
	c.hop += hop
	c.wait += wait
	// Up at once and down slowly: too much in a message keeps other processes waiting.
	w := max(float64(a.work), 1)
	if c.recent = max(w, c.recent); w < c.recent {
		c.recent += (w - c.recent) / 32
	}
}

// portion is how many items the next message may hold.
func (c *counts) portion() int {
	if c.recent == 0 {
		return 1
	}
	return int(min(max(float64(portion)/c.recent, 1), most))
}

// Stats returns what was counted.
func (r *Remote[T, U]) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.count
	s := Stats{Items: c.items, Messages: int(r.sent), Again: c.again, Processes: len(c.from)}
	if n := time.Duration(c.items); n > 0 {
		s.Work, s.Hop, s.Wait = c.work/n, c.hop/n, c.wait/n
	}
	return s
}
