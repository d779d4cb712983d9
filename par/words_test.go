package par

import (
	"fmt"
	"math/bits"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// words are those of some lines: how many lines, and how many different words.
type words struct{ lines, words int }

const (
	lineCost = 600 * time.Nanosecond
	joinCost = 30 * time.Nanosecond // for a word
	growCost = 70 * time.Nanosecond // for a word that is new to a map
	allWords = 5000
	perLine  = 10
)

// more puts so many lines to v, and returns what that takes: the fewer words are
// left, the fewer are new.
func (v *words) more(lines int) (took time.Duration) {
	for range lines {
		took += lineCost
		if fresh := perLine * (allWords - v.words) / allWords; fresh > 0 {
			v.words += fresh
			took += time.Duration(fresh) * growCost
		}
		v.lines++
	}
	return took
}

// TestJoinsAreFew: where a join takes as long as its operands are large, and a part
// costs something to begin, a caller that gets no help cuts few parts; after
// the first calls, when that is known, next to none. So short calls are not divided at
// all, but once in a while, to ask whether it is still so. Fold does not join at all.
func TestJoinsAreFew(t *testing.T) {
	if stress.Race {
		t.Skip("long, and in one goroutine")
	}
	for _, c := range []struct {
		n, calls   int
		idle, fold bool
	}{
		{20_000, 10, false, false}, {20_000, 10, false, true}, {20_000, 10, true, false}, {20_000, 10, true, true},
		{200, 1000, false, false}, {200, 1000, false, true}, {200, 1000, true, false}, {200, 1000, true, true},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			n, calls, idle, fold := c.n, c.calls, c.idle, c.fold
			w := newWorld(t)
			w.idle = idle
			joins, most := 0, 0
			join := func(a, b words) words {
				w.now += time.Duration(b.words) * joinCost
				joins++
				return words{a.lines + b.lines, max(a.words, b.words)}
			}
			part := func(lo, hi int) (v words) {
				w.now += v.more(hi - lo)
				return v
			}
			var one words
			serial := time.Duration(calls) * one.more(n)
			from := w.now
			for range calls {
				before := joins
				var got words
				if fold {
					got = Fold(make([]struct{}, n), func() words { return words{} }, func(v words, _ struct{}) words {
						w.now += v.more(1)
						return v
					}, join)
				} else {
					got = ReduceN(n, part, join)
				}
				if got.lines != n {
					t.Fatalf("%d lines, want %d", got.lines, n)
				}
				most = max(most, joins-before)
			}
			took := w.now - from
			t.Logf("%v for %v of work, %d joins in %d calls, at most %d in one", took, serial, joins, calls, most)
			limit := time.Duration(110)
			switch {
			case n < 1000:
				limit = 105
				if joins > calls/8 {
					t.Errorf("%d joins in %d short calls", joins, calls)
				}
			case idle:
				limit = 120 // who offers the rest cuts it so that others can come
			}
			mostJoins := 8 + bits.Len(uint(n))
			if fold {
				mostJoins, limit = 0, 105
			}
			if most > mostJoins {
				t.Errorf("%d joins in a call, want %d at most", most, mostJoins)
			}
			if took > serial*limit/100 {
				t.Errorf("calls take %v, and %v are enough", took, serial)
			}
		})
	}
}

// TestReduceAlone: with one processor there is one part, and no join.
func TestReduceAlone(t *testing.T) {
	newWorld(t).single = true
	parts := 0
	ReduceN(1<<20, func(lo, hi int) int { parts++; return hi - lo }, func(a, b int) int { return a + b })
	if parts != 1 {
		t.Errorf("%d parts", parts)
	}
}
