package a

import (
	"sync"
	"testing"
)

func Test(t *testing.T) {
	if got := sum([]int{1, 2, 3}); got != 6 {
		t.Errorf("sum = %d, want 6", got)
	}
	c := &counter{seen: map[string]int{"a": 2, "": 5}}
	c.count([]string{"a", "", "b", "a"})
	if c.n != 4 || !c.mu.TryLock() {
		t.Errorf("counted %d, want 4, and the lock free", c.n)
	}
	var wg sync.WaitGroup
	wg.Add(2)
	if got := each(make([]float64, 6), &wg); got != 0 {
		t.Errorf("each = %v, want 0", got)
	}
	wg.Wait()
	shards := make([]shard, 3)
	shards[1].n = 4
	if got := snapshot(shards); got != 4 {
		t.Errorf("snapshot = %d, want 4", got)
	}
	var rw sync.RWMutex
	if got := nested([][]*shard{{&shards[0], nil}, {&shards[1]}}, &rw); got != 8 {
		t.Errorf("nested = %d, want 8", got)
	}
	if !shards[1].mu.TryLock() || !rw.TryLock() {
		t.Error("a lock is not released")
	}
}
