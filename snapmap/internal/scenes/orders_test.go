package main

import (
	"slices"
	"strconv"
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// small are changes that make the rare common: a bucket has one slot, an entry lies in
// its home bucket, pages are divided and become one with a few entries, and who waits
// for a lock soon parks; and an index is replaced whenever somebody asks. A few keys then
// are several pages and several indexes.
var small = []overlay.Change{
	{File: "snapmap/page.go", Old: "	return ^meta & tagged\n", New: "	return ^meta & tagged & 0x80\n"},
	{File: "snapmap/page.go", Old: "	reach = 3\n", New: "	reach = 1\n"},
	{File: "snapmap/map.go", Old: "	splitAt = 44\n	mergeAt = 38\n", New: "	splitAt = 1\n	mergeAt = 2\n"},
	{File: "snapmap/index.go", Old: "	return indexBits(pages) > bits || bits > minIndexBits && indexBits(4*pages) < bits\n", New: "	return bits > 0 || pages > 0\n"},
	{File: "snapmap/lock.go", Old: "shortTries = 8", New: "shortTries = 1"},
	{File: "internal/wait/backoff.go", Old: "const Tries = 32", New: "const Tries = 1"},
}

// apart is a change by which numbers have entries, as other values have.
var apart = []overlay.Change{
	{File: "snapmap/hash.go", Old: "	flatPages = true\n", New: "	flatPages = false\n"},
}

// faults are planted in the protocol.
var faults = []orders.Fault{
	{Name: "pages get into the tree before the index", Order: "resize", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	x := m.index.Load()\n	for _, p := range pages {\n		x.set(p.hash, p.page)\n	}\n	root := sh.root.Load()\n",
		New: "	x := m.index.Load()\n	defer func() {\n		for _, p := range pages {\n			x.set(p.hash, p.page)\n		}\n	}()\n	root := sh.root.Load()\n"}},
	{Name: "the last view goes after the change", Order: "view", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	m.touch()\n	x := m.index.Load()\n", New: "	defer m.touch()\n	x := m.index.Load()\n"}},
	{Name: "the index is replaced without locks", Order: "resize", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	if pages := s.allPages(); m.index.Load().wrong(pages) {\n		m.index.Store(newIndex[K, V](s.hasher, pages))\n	}\n	m.unlockAll()\n",
		New: "	s := m.shards.Load()\n	if pages := s.allPages(); m.index.Load().wrong(pages) {\n		m.index.Store(newIndex[K, V](s.hasher, pages))\n	}\n"}},
	{Name: "a snapshot takes no locks", Order: "view", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	if f := m.last.Load(); f != nil {\n", New: "	s := m.shards.Load()\n	if f := m.last.Load(); f != nil {\n"}},
	{Name: "a snapshot unlocks each shard at once", Order: "moment", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	if f := m.last.Load(); f != nil {\n", New: "	s := m.lockAll()\n	m.unlockAll()\n	if f := m.last.Load(); f != nil {\n"}},
	{Name: "a snapshot begins no generation", Order: "store", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	s.generation = g\n	m.last.Store(f)\n", New: "	_ = g\n	m.last.Store(f)\n"}},
	{Name: "the entries of a copy are fresh", Order: "store", Change: overlay.Change{File: "snapmap/page.go",
		Old: "		b.setMeta(b.meta.Load() &^ allFresh)\n", New: "		b.setMeta(b.meta.Load())\n"}},
	{Name: "a writer stays with shards that were", Order: "lockOne", Change: overlay.Change{File: "snapmap/lock.go",
		Old: "	return !m.gate.shut.Load() && m.shards.Load() == s\n", New: "	return !m.gate.shut.Load()\n"},
		Depth: orders.Depth{Delays: 2, Walks: 20, Most: 10000}},
	{Name: "a writer passes a gate that is shut", Order: "locks", Change: overlay.Change{File: "snapmap/lock.go",
		Old: "	return !m.gate.shut.Load() && m.shards.Load() == s\n", New: "	return m.shards.Load() == s\n"}},
	{Name: "shards are looked at before the gate", Order: "lockOne", Change: overlay.Change{File: "snapmap/lock.go",
		Old: "	return !m.gate.shut.Load() && m.shards.Load() == s\n", New: "	return m.shards.Load() == s && !m.gate.shut.Load()\n"},
		Depth: orders.Depth{Delays: 2, Walks: 20, Most: 10000}},
	{Name: "the gate is looked at before the lock is taken", Order: "locks", Change: overlay.Change{File: "snapmap/lock.go",
		Old: "		s := m.shards.Load()\n		sh := s.of(hash)\n		waited := !sh.try()\n		if waited {\n			sh.slow()\n		}\n		if m.open(s) {\n",
		New: "		s := m.shards.Load()\n		sh := s.of(hash)\n		open := m.open(s)\n		waited := !sh.try()\n		if waited {\n			sh.slow()\n		}\n		if open {\n"}},
	{Name: "the gate is shut after the locks are looked at", Order: "locks", Change: overlay.Change{File: "snapmap/lock.go",
		Old: "	m.gate.shut.Store(true)\n	s := m.shards.Load()\n", New: "	s := m.shards.Load()\n	defer m.gate.shut.Store(true)\n"}},
	{Name: "a lock that is held is passed over", Order: "locks", Change: overlay.Change{File: "snapmap/lock.go",
		Old: "			sh.free()\n", New: "			_ = sh\n"}},
	{Name: "the gate opens before the generation begins", Order: "view", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	s.generation = g\n	m.last.Store(f)\n", New: "	m.gate.shut.Store(false)\n	s.generation = g\n	m.last.Store(f)\n"}},
	{Name: "an entry is there before its tag", Order: "return", Change: overlay.Change{File: "snapmap/page.go",
		Old: "	b := &p.buckets[at.bucket]\n	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot) | freshBit(at.slot))\n",
		New: "	b := &p.buckets[at.bucket]\n	b.slots[at.slot].Store(e)\n	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot) | freshBit(at.slot))\n"}},
	{Name: "shards grow without locks", Order: "growOne", Change: overlay.Change{File: "snapmap/shard.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	if s != seen {\n		return\n	}\n	bits := ", New: "	s := m.shards.Load()\n	if s != seen {\n		return\n	}\n	bits := "}},
	{Name: "two begin", Order: "first", Change: overlay.Change{File: "snapmap/map.go",
		Old: "		m.shards.CompareAndSwap(nil, s)\n", New: "		m.shards.Store(s)\n"}},
	{Name: "Compute does not look at the value", Order: "add", Change: overlay.Change{File: "snapmap/compute.go",
		Old: "if now != old || now != nil && !same(x.value, load(x.value, &now.value), seen.value) {", New: "if now != old {"}},
	{Name: "Compute does not look at the entry", Order: "adds", Change: overlay.Change{File: "snapmap/compute.go",
		Old: "if now != old || now != nil", New: "if (now == nil) != (old == nil) || now != nil"}},
	{Name: "Len takes no locks", Order: "len", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	return s.size()\n", New: "	return m.shards.Load().size()\n"}, Racing: true},
	{Name: "an entry is published before it is whole", Order: "stores", Change: overlay.Change{File: "snapmap/map.go",
		Old: "		b := &p.buckets[at.bucket]\n		b.slots[at.slot].Store(e)\n", New: "		b := &p.buckets[at.bucket]\n		v := e.value\n		e.value = *new(V)\n		b.slots[at.slot].Store(e)\n		e.value = v\n"}, Racing: true},
	{Name: "a page is published before it is whole", Order: "store", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	p.set(h, at, e, true)\n	m.publish(s, sh, placed[K, V]{h, p})\n", New: "	m.publish(s, sh, placed[K, V]{h, p})\n	p.set(h, at, e, true)\n"}, Racing: true},
	{Name: "the Map of a view has its generation", Order: "continue", Change: overlay.Change{File: "snapmap/view.go",
		Old: "	s.generation = newGeneration[K, V]()\n", New: "	s.generation = v.f.roots[0].of\n"}},
}

// slow is a change by which Load never finds a number at once.
var slow = overlay.Change{File: "snapmap/map.go", Old: "			if set := matches(meta, tagOf(h)); set != 0 {\n",
	New: "			if set := matches(meta, tagOf(h)); set != 0 {\n				return p.loadAny(&x.hasher, h, key)\n			} else if set != 0 {\n"}

// ofFlat are faults of flat pages.
var ofFlat = []orders.Fault{
	{Name: "a slot gets another key without being counted", Order: "reuse", Change: overlay.Change{File: "snapmap/flat.go",
		Old: "		row.reuses.Store(row.reuses.Load() + 1)\n", New: ""}},
	{Name: "a slot is counted when the key is there", Order: "reuse", Change: overlay.Change{File: "snapmap/flat.go",
		Old: "		row.reuses.Store(row.reuses.Load() + 1)\n		b.keys[at.slot].Store(key)\n		row.values[at.slot].Store(value)\n",
		New: "		b.keys[at.slot].Store(key)\n		row.values[at.slot].Store(value)\n		row.reuses.Store(row.reuses.Load() + 1)\n"}},
	{Name: "a slot that had a key is taken for new", Order: "reuse", Change: overlay.Change{File: "snapmap/flat.go",
		Old: "	b.Store(b.Load()&^(0xff<<(8*at.slot)) | freshBit(at.slot))\n", New: "	b.Store(b.Load() &^ (0xff << (8 * at.slot)))\n"}},
	{Name: "the tag is not looked at again", Order: "reuse", Change: overlay.Change{File: "snapmap/map.go",
		Old: "for same := b.meta.Load() == meta; set != 0; set &= set - 1 {", New: "for same := true; set != 0; set &= set - 1 {"},
		Depth: orders.Depth{Delays: 3, Walks: 2000, Most: 30000}},
	{Name: "the count is not looked at again", Order: "reuse", Change: overlay.Change{File: "snapmap/map.go",
		Old: "if same && row.reuses.Load() == n {", New: "if _ = n; same {"}},
	{Name: "the tag is not looked at again", Order: "reuse", Change: overlay.Change{File: "snapmap/flat.go",
		Old: "if b.meta.Load()>>(8*at.slot)&0xff == tagOf(hash) && b.keys", New: "if b.keys"},
		Depth: orders.Depth{Delays: 3, Walks: 2000, Most: 30000}, With: []overlay.Change{slow}},
	{Name: "the count is not looked at again", Order: "reuse", Change: overlay.Change{File: "snapmap/flat.go",
		Old: "if row.reuses.Load() == n {", New: "if n+1 > 0 {"}, With: []overlay.Change{slow}},
	{Name: "a key is there before its value", Order: "reuse", Change: overlay.Change{File: "snapmap/flat.go",
		Old: "	b := &f.buckets[at.bucket]\n	if b.meta.Load()&freshBit(at.slot) == 0 {\n",
		New: "	b := &f.buckets[at.bucket]\n	b.keys[at.slot].Store(key)\n	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot))\n	if b.meta.Load()&freshBit(at.slot) == 0 {\n"}},
	{Name: "values that a view has are changed", Order: "view", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	own := *f.generation() == g\n", New: "	own := true\n"}},
	{Name: "a key that a view has is removed", Order: "len", Change: overlay.Change{File: "snapmap/map.go",
		Old: "	if *f.generation() == s.generation.number {\n", New: "	if true {\n"}},
	{Name: "Compute does not look at the value", Order: "add", Change: overlay.Change{File: "snapmap/compute.go",
		Old: "	if ok != seen.ok || ok && f.value(at).Load() != keyhash.WordOf(&seen.value) {\n", New: "	if ok != seen.ok {\n"}},
	{Name: "Load never finds a number at once", Order: "reuse", Change: slow, Harmless: true, Depth: orders.Depth{Delays: 2, Walks: 20, Most: 60}},
}

// TestOrders: whatever the order of their steps, operations happen at one moment each,
// and views are of one. Orders find each of faults.
func TestOrders(t *testing.T) {
	run := func(t *testing.T, changes []overlay.Change, of []orders.Fault) {
		orders.Run(t, orders.Tests{
			Program: &orders.Program{Package: "./snapmap", Changes: slices.Concat(priced[:3], grown, small, changes)},
			Faults:  of,
			Short:   orders.Depth{Delays: 1, Walks: 20, Most: 60},
			Long:    orders.Depth{Delays: 2, Walks: 1000, Most: 6000},
			Find:    orders.Depth{Delays: 2, Walks: 2000, Most: 10000},
		}, scenes)
	}
	t.Run("flat", func(t *testing.T) {
		if strconv.IntSize < 64 {
			run(t, nil, nil) // no page is flat where words have 32 bits
			return
		}
		run(t, nil, ofFlat)
	})
	t.Run("entries", func(t *testing.T) { run(t, apart, faults) })
}
