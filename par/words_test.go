package par

import (
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
// the first calls, when that is known, next to none. Fold does not join at all.
func TestJoinsAreFew(t *testing.T) {
	if stress.Race {
		t.Skip("long, and in one goroutine")
	}
	const n, calls = 20_000, 10
	for _, idle := range []bool{false, true} {
		for _, fold := range []bool{false, true} {
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
			serial := calls * one.more(n)
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
			t.Logf("idle %t, fold %t: %v for %v of work, %d joins in %d calls, at most %d in one", idle, fold, took, serial, joins, calls, most)
			limit := time.Duration(110)
			if idle {
				limit = 120 // who offers the rest cuts it so that others can come
			}
			mostJoins := 8 + bits.Len(n)
			if fold {
				mostJoins, limit = 0, 105
			}
			if most > mostJoins {
				t.Errorf("idle %t, fold %t: %d joins in a call, want %d at most", idle, fold, most, mostJoins)
			}
			if took > serial*limit/100 {
				t.Errorf("idle %t, fold %t: calls take %v, and %v are enough", idle, fold, took, serial)
			}
		}
	}
}
