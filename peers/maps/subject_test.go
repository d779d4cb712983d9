package maps

import (
	"hash"
	"iter"
	"maps"
	"sync"
	"sync/atomic"

	workiva "github.com/Workiva/go-datastructures/trie/ctrie"
	"github.com/benbjohnson/immutable"
	"github.com/google/btree"
	cmap "github.com/orcaman/concurrent-map/v2"
	"github.com/puzpuzpuz/xsync/v4"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/snapmap"
)

// A kind is a map that is held to histories.
type kind struct {
	name string
	make func() subject
}

var kinds = []kind{
	{"snapmap", snapmapSubject},
	{"ctrie", ctrieSubject},
	{"rwmutex", rwMutexSubject},
	{"syncmap", syncMapSubject},
	{"xsync", xsyncSubject},
	{"orcaman", orcamanSubject},
	{"workiva", func() subject { return workivaSubject(nil) }},
	{"btree", btreeSubject},
	{"hamt", hamtSubject},
}

// highest is the value that Compute deletes.
const highest = 3

func snapmapSubject() subject {
	m := new(snapmap.Map[int, int])
	return subject{
		load: m.Load, store: m.Store, swap: m.Swap, loadOrStore: m.LoadOrStore, loadAndDelete: m.LoadAndDelete,
		cas: m.CompareAndSwap, len: m.Len,
		compute: func(k int) (int, bool) {
			return m.Compute(k, func(v int, _ bool) (int, bool) { return v + 1, v < highest })
		},
		snapshot:  func() func(func(k, v int)) { return entries(m.Snapshot().All()) },
		clearView: func() func(func(k, v int)) { return entries(m.Clear().All()) },
	}
}

// entries returns a loop that begins later.
func entries(all iter.Seq2[int, int]) func(f func(k, v int)) {
	return func(f func(k, v int)) {
		for k, v := range all {
			f(k, v)
		}
	}
}

func ctrieSubject() subject {
	m := new(ctrie.Map[int, int])
	return subject{
		load: m.Load, store: m.Store, swap: m.Swap, loadOrStore: m.LoadOrStore, loadAndDelete: m.LoadAndDelete,
		cas: m.CompareAndSwap, len: m.Len,
		compute: func(k int) (int, bool) {
			return m.Compute(k, func(v int, _ bool) (int, bool) { return v + 1, v < highest })
		},
		snapshot:  func() func(func(k, v int)) { return entries(m.Snapshot().All()) },
		clearView: func() func(func(k, v int)) { return entries(m.Clear().All()) },
	}
}

// rwMutexSubject is the built-in map under a lock.
func rwMutexSubject() subject {
	var mu sync.RWMutex
	m := map[int]int{}
	return subject{
		load: func(k int) (int, bool) {
			mu.RLock()
			defer mu.RUnlock()
			v, ok := m[k]
			return v, ok
		},
		store: func(k, v int) {
			mu.Lock()
			defer mu.Unlock()
			m[k] = v
		},
		loadAndDelete: func(k int) (int, bool) {
			mu.Lock()
			defer mu.Unlock()
			v, ok := m[k]
			delete(m, k)
			return v, ok
		},
		clear: func() {
			mu.Lock()
			defer mu.Unlock()
			clear(m)
		},
		snapshot: func() func(func(k, v int)) {
			mu.RLock()
			defer mu.RUnlock()
			c := maps.Clone(m)
			return func(f func(k, v int)) {
				for k, v := range c {
					f(k, v)
				}
			}
		},
	}
}

// syncMapSubject and xsyncSubject have no snapshot: their Range is none, as they say.
func syncMapSubject() subject {
	m := new(sync.Map)
	value := func(v any, ok bool) (int, bool) {
		n, _ := v.(int)
		return n, ok
	}
	return subject{
		load:          func(k int) (int, bool) { return value(m.Load(k)) },
		store:         func(k, v int) { m.Store(k, v) },
		swap:          func(k, v int) (int, bool) { return value(m.Swap(k, v)) },
		loadOrStore:   func(k, v int) (int, bool) { return value(m.LoadOrStore(k, v)) },
		loadAndDelete: func(k int) (int, bool) { return value(m.LoadAndDelete(k)) },
		cas:           func(k, old, new int) bool { return m.CompareAndSwap(k, old, new) },
	}
}

func xsyncSubject() subject {
	m := xsync.NewMap[int, int]()
	return subject{
		load: m.Load, store: m.Store, loadOrStore: m.LoadOrStore, loadAndDelete: m.LoadAndDelete,
		compute: func(k int) (int, bool) {
			v, ok := m.Compute(k, func(v int, _ bool) (int, xsync.ComputeOp) {
				if v == highest {
					return 0, xsync.DeleteOp
				}
				return v + 1, xsync.UpdateOp
			})
			if !ok {
				v = 0 // it is what was deleted
			}
			return v, ok
		},
	}
}

func orcamanSubject() subject {
	m := cmap.NewWithCustomShardingFunction[int, int](func(k int) uint32 { return uint32(k) })
	return subject{load: m.Get, store: m.Set, loadAndDelete: m.Pop}
}

// workivaSubject takes a hash that may let keys collide.
func workivaSubject(h workiva.HashFactory) subject {
	m := workiva.New(h)
	key := func(k int) []byte { return []byte{byte(k)} }
	value := func(v any, ok bool) (int, bool) {
		n, _ := v.(int)
		return n, ok
	}
	return subject{
		load:          func(k int) (int, bool) { return value(m.Lookup(key(k))) },
		store:         func(k, v int) { m.Insert(key(k), v) },
		loadAndDelete: func(k int) (int, bool) { return value(m.Remove(key(k))) },
		clear:         m.Clear,
		snapshot: func() func(func(k, v int)) {
			view := m.ReadOnlySnapshot()
			return func(f func(k, v int)) {
				for e := range view.Iterator(nil) {
					f(int(e.Key[0]), e.Value.(int))
				}
			}
		},
	}
}

// sameHash is a hash of which all keys have the same.
type sameHash struct{ hash.Hash32 }

func (sameHash) Write(b []byte) (int, error) { return len(b), nil }
func (sameHash) Sum32() uint32               { return 7 }

func btreeSubject() subject {
	var mu sync.RWMutex
	m := btree.NewG(2, func(a, b item[int, int]) bool { return a.key < b.key })
	return subject{
		load: func(k int) (int, bool) {
			mu.RLock()
			defer mu.RUnlock()
			it, ok := m.Get(item[int, int]{key: k})
			return it.value, ok
		},
		store: func(k, v int) {
			mu.Lock()
			defer mu.Unlock()
			m.ReplaceOrInsert(item[int, int]{k, v})
		},
		loadAndDelete: func(k int) (int, bool) {
			mu.Lock()
			defer mu.Unlock()
			it, ok := m.Delete(item[int, int]{key: k})
			return it.value, ok
		},
		snapshot: func() func(func(k, v int)) {
			mu.Lock()
			defer mu.Unlock()
			c := m.Clone()
			return func(f func(k, v int)) {
				c.Ascend(func(it item[int, int]) bool {
					f(it.key, it.value)
					return true
				})
			}
		},
	}
}

func hamtSubject() subject {
	var mu sync.Mutex
	var m atomic.Pointer[immutable.Map[int, int]]
	m.Store(immutable.NewMap[int, int](nil))
	return subject{
		load: func(k int) (int, bool) { return m.Load().Get(k) },
		store: func(k, v int) {
			mu.Lock()
			defer mu.Unlock()
			m.Store(m.Load().Set(k, v))
		},
		loadAndDelete: func(k int) (int, bool) {
			mu.Lock()
			defer mu.Unlock()
			v, ok := m.Load().Get(k)
			m.Store(m.Load().Delete(k))
			return v, ok
		},
		len: func() int { return m.Load().Len() },
		snapshot: func() func(func(k, v int)) {
			c := m.Load()
			return func(f func(k, v int)) {
				for it := c.Iterator(); !it.Done(); {
					k, v, _ := it.Next()
					f(k, v)
				}
			}
		},
	}
}
