package explain

import (
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/stack"
)

func TestTake(t *testing.T) {
	a, b := bucket{AtOne, stack.User}, bucket{kind: IdleReady}
	l := &ledger{opened: map[bucket]float64{a: 3, b: 2}, left: map[bucket]float64{a: 3, b: 2}, spent: map[bucket]map[string]float64{}}
	for _, x := range []struct {
		by         string
		want, left float64
		got        float64
	}{{"work", 1, 4, 1}, {"grain", 3, 1, 3}, {"serial", 5, 0, 1}, {"alloc", 1, 0, 0}, {"alloc", -1, 0, 0}, {"alloc", math.NaN(), 0, 0}} {
		l.by = x.by
		if got := l.take(x.want, a, b); got != x.got || l.left[a]+l.left[b] != x.left {
			t.Errorf("%s takes %v of %v, leaving %v; want %v and %v", x.by, got, x.want, l.left[a]+l.left[b], x.got, x.left)
		}
	}
	if l.spent[a]["grain"] != 2 || l.spent[b]["grain"] != 1 || l.spent[b]["serial"] != 1 {
		t.Errorf("spent %v; want the first bucket emptied first", l.spent)
	}
}

// What the variant saves in one category lowers what it spends in others: the
// buckets hold what was lost together, and none less than nothing.
func TestOpen(t *testing.T) {
	side := func(cpu float64, by shares) *Side {
		x := &Side{CPU: cpu, By: map[stack.Category]float64{}}
		for c, ns := range by {
			x.By[c] = ns
		}
		return x
	}
	for _, tt := range []struct {
		name           string
		base, one, new *Side
		idle           float64
		want           map[bucket]float64
	}{
		{"more of both", side(10, shares{stack.User: 10}), side(15, shares{stack.User: 10, stack.Chan: 5}), side(22, shares{stack.User: 14, stack.Chan: 8}), 6,
			map[bucket]float64{{AtOne, stack.Chan}: 5, {AtOnce, stack.User}: 4, {AtOnce, stack.Chan}: 3, {kind: IdleUnknown}: 6}},
		{"work done another way", side(10, shares{stack.User: 10}), side(22, shares{stack.User: 4, stack.Copy: 8, stack.Chan: 10}), side(22, shares{stack.User: 4, stack.Copy: 8, stack.Chan: 10}), 0,
			map[bucket]float64{{AtOne, stack.Copy}: 2, {AtOne, stack.Chan}: 10}},
		{"more saved in work than spent on it", side(10, shares{stack.User: 10}), side(12, shares{stack.User: 4, stack.Copy: 2, stack.Chan: 3, stack.Spawn: 3}), side(12, shares{stack.User: 4, stack.Copy: 2, stack.Chan: 3, stack.Spawn: 3}), 0,
			map[bucket]float64{{AtOne, stack.Chan}: 1, {AtOne, stack.Spawn}: 1}},
		{"less of it at once", side(10, shares{stack.User: 10}), side(16, shares{stack.User: 10, stack.Chan: 6}), side(14, shares{stack.User: 10, stack.Chan: 4}), 0,
			map[bucket]float64{{AtOne, stack.Chan}: 4}},
		{"looking for work is idle", side(10, shares{stack.User: 10}), side(10, shares{stack.User: 10}), side(13, shares{stack.User: 10, stack.Idle: 3}), 4,
			map[bucket]float64{{kind: IdleUnknown}: 7}},
	} {
		f := &facts{base: tt.base, one: tt.one, new: tt.new, idle: tt.idle}
		got := f.open().opened
		sum, lost := 0.0, tt.idle+tt.new.CPU-tt.base.CPU
		for b, ns := range got {
			sum += ns
			if math.Abs(ns-tt.want[b]) > 1e-9 {
				t.Errorf("%s: %v holds %v, want %v", tt.name, b, ns, tt.want[b])
			}
		}
		if math.Abs(sum-lost) > 1e-9 {
			t.Errorf("%s: the buckets hold %v, want the %v that were lost", tt.name, sum, lost)
		}
	}
}
