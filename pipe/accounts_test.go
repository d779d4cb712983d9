package pipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Errors are kept up to a bound, and all beyond are counted, however they come.
func TestGathered(t *testing.T) {
	some := func(n int) []error { return slices.Repeat([]error{errors.New("odd")}, n) }
	for _, c := range []struct {
		parts []int // errors that come at a time
		more  int   // were omitted before that came with the last
		err   error // ends the run
		kept  int
		last  string
	}{
		{parts: []int{0}},
		{parts: []int{1}, kept: 1, last: "odd"},
		{parts: []int{mostGathered - 1, 1}, kept: mostGathered, last: "odd"},
		{parts: []int{mostGathered, 1}, kept: mostGathered + 1, last: "pipe: 1 more errors"},
		{parts: []int{mostGathered - 1, 2, 3}, kept: mostGathered + 1, last: "pipe: 4 more errors"},
		{parts: []int{2 * mostGathered}, more: 5, kept: mostGathered + 1, last: fmt.Sprintf("pipe: %d more errors", mostGathered+5)},
		{parts: []int{3}, more: 1, kept: 4, last: "pipe: 1 more errors"},
		{parts: []int{2}, err: errEnded, kept: 3, last: errEnded.Error()},
		{parts: []int{mostGathered + 2}, err: errEnded, kept: mostGathered + 2, last: errEnded.Error()},
	} {
		r, p := &run{err: c.err}, new(pending)
		for i, n := range c.parts {
			errs := some(n)
			p.add(errs)
			if i == len(c.parts)-1 && c.more > 0 {
				errs = append(errs, omitted(c.more))
				p.omitted += c.more
			}
			r.gather(errs)
		}
		kept, last := 0, ""
		if err := r.result(); err != nil {
			lines := strings.Split(err.Error(), "\n")
			kept, last = len(lines), lines[len(lines)-1]
		}
		if kept != c.kept || last != c.last {
			t.Errorf("%v, %d omitted, %v: %d errors, the last is %q, want %d and %q", c.parts, c.more, c.err, kept, last, c.kept, c.last)
		}
		// What waits for items to go with has the same bound, and gives all away.
		through := &run{err: c.err}
		through.gather(p.take())
		if got, want := fmt.Sprint(through.result()), fmt.Sprint(r.result()); got != want {
			t.Errorf("%v: waiting makes %d bytes of errors of %d", c.parts, len(got), len(want))
		}
		if again := p.take(); again != nil {
			t.Errorf("%v: %d errors are taken twice", c.parts, len(again))
		}
	}
}

// What an item is believed to take: slow batches are taken for interruptions until the next
// one is as slow, fast ones are not.
func TestBelieve(t *testing.T) {
	for _, c := range [][4]int64{ // old, seen, last, want
		{0, 70, 0, 70},
		{100, 100, 100, 100},
		{100, 200, 100, 150},
		{100, 201, 100, 150},   // cut at twice as much
		{100, 1000, 300, 200},  // but for what the last one was
		{100, 1000, 2000, 450}, // up to eight times
		{100, 300, 2000, 200},  // and what is seen
		{1600, 1, 1, 850},      // at least a sixteenth
		{1600, 100, 1600, 850}, //
		{1600, 101, 1600, 850}, //
		{1600, 102, 1600, 851}, //
		{1, 1, 1, 1},
	} {
		if got := believe(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("believe(%d, %d, %d) = %d, want %d", c[0], c[1], c[2], got, c[3])
		}
	}
	for _, c := range [][3]int64{ // old, seen, want
		{0, 500, 500},
		{800, 800, 800},
		{800, 1000, 800}, // an eighth more, which is not worth a store
		{800, 1002, 901},
		{800, 600, 800},
		{800, 598, 699},
		{800, 2400, 1600},
		{800, 9000, 1600}, // three times as much at most
		{1, 0, 1},
	} {
		var mean atomic.Int64
		mean.Store(c[0])
		if learn(&mean, c[1]); mean.Load() != c[2] {
			t.Errorf("learn(%d, %d) = %d, want %d", c[0], c[1], mean.Load(), c[2])
		}
	}
}

// Times and numbers of items, in ns and in ps.
func TestTempoUnits(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		n    int
		want int64
	}{{0, 3, 1}, {3, 3, 1000}, {time.Microsecond, 8, 125_000}, {2 * time.Hour, 1, int64(time.Hour) * 1000}} {
		if got := each(c.took, c.n); got != c.want {
			t.Errorf("each(%v, %d) = %d, want %d", c.took, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		n       int
		perItem int64
		want    time.Duration
	}{{0, 1000, 0}, {3, 1000, 3}, {3, 500, 1}, {8, 125_000, time.Microsecond}, {1 << 30, 1 << 50, time.Hour}} {
		if got := worth(c.n, c.perItem); got != c.want {
			t.Errorf("worth(%d, %d) = %v, want %v", c.n, c.perItem, got, c.want)
		}
	}
	for _, c := range []struct {
		perItem int64
		d       time.Duration
		want    int
	}{{1000, 8, 8}, {999, 8, 8}, {8000, 8, 1}, {8001, 8, 1}, {1 << 60, 8, 1}, {1000, 100, 64}, {0, 1, 64}} {
		if p := (tempo{perItem: c.perItem, most: 64}); p.items(c.d) != c.want {
			t.Errorf("%d ps an item: %v are %d items, want %d", c.perItem, c.d, p.items(c.d), c.want)
		}
	}
}

// A batch that is handed on takes 20 µs, or 8 µs for each who may work on it; where there
// is a staff it is one item.
func TestBatchLength(t *testing.T) {
	for _, c := range []struct {
		others  int
		perItem int64
		staffed bool
		want    int
	}{
		{1, 1000_000, false, 20},
		{1, 1001_000, false, 20},
		{1, 10_050_000, false, 2},
		{1, 13_400_000, false, 1},
		{2, 1000_000, false, 24},
		{7, 1000_000, false, 64},
		{1, 20_000_000, false, 1},
		{1, 20_000_001, false, 1},
		{1, 1, false, 2 * 100},
		{7, 1000_000, true, 1},
	} {
		s := &segment{pace: tempo{most: 100}}
		sh := &shared{s: s, most: c.others, perItem: c.perItem}
		sh.staff.on.Store(c.staffed)
		if got := sh.length(); got != c.want {
			t.Errorf("%d others, %d ps an item, staff %v: %d items, want %d", c.others, c.perItem, c.staffed, got, c.want)
		}
	}
}
