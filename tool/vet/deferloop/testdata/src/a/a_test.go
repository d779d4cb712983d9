package a

import (
	"sync"
	"testing"
)

func Test(t *testing.T) {
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
