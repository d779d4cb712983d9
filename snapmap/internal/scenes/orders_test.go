package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
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
var faults = []struct {
	name, order string
	change      overlay.Change
	racing      bool // only the detector of races finds it
}{
	{"pages get into the tree before the index", "resize", overlay.Change{File: "snapmap/map.go",
		Old: "	x := m.index.Load()\n	for _, p := range pages {\n		x.set(p.hash, p.page)\n	}\n	root := sh.root.Load()\n",
		New: "	x := m.index.Load()\n	defer func() {\n		for _, p := range pages {\n			x.set(p.hash, p.page)\n		}\n	}()\n	root := sh.root.Load()\n"}, false},
	{"the last view goes after the change", "view", overlay.Change{File: "snapmap/map.go",
		Old: "	m.touch()\n	x := m.index.Load()\n", New: "	defer m.touch()\n	x := m.index.Load()\n"}, false},
	{"the index is replaced without locks", "resize", overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	if pages := s.allPages(); m.index.Load().wrong(pages) {\n		m.index.Store(newIndex[K, V](s.hasher, pages))\n	}\n	m.unlockAll()\n",
		New: "	s := m.shards.Load()\n	if pages := s.allPages(); m.index.Load().wrong(pages) {\n		m.index.Store(newIndex[K, V](s.hasher, pages))\n	}\n"}, false},
	{"a snapshot takes no locks", "view", overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	if f := m.last.Load(); f != nil {\n", New: "	s := m.shards.Load()\n	if f := m.last.Load(); f != nil {\n"}, false},
	{"a snapshot unlocks each shard at once", "moment", overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	if f := m.last.Load(); f != nil {\n", New: "	s := m.lockAll()\n	m.unlockAll()\n	if f := m.last.Load(); f != nil {\n"}, false},
	{"a snapshot begins no generation", "store", overlay.Change{File: "snapmap/map.go",
		Old: "	s.generation = g\n	m.last.Store(f)\n", New: "	_ = g\n	m.last.Store(f)\n"}, false},
	{"the entries of a copy are fresh", "store", overlay.Change{File: "snapmap/page.go",
		Old: "		b.setMeta(b.meta.Load() &^ allFresh)\n", New: "		b.setMeta(b.meta.Load())\n"}, false},
	{"a writer stays with shards that were", "lockOne -walks=20", overlay.Change{File: "snapmap/lock.go",
		Old: "	return !m.gate.shut.Load() && m.shards.Load() == s\n", New: "	return !m.gate.shut.Load()\n"}, false},
	{"a writer passes a gate that is shut", "locks", overlay.Change{File: "snapmap/lock.go",
		Old: "	return !m.gate.shut.Load() && m.shards.Load() == s\n", New: "	return m.shards.Load() == s\n"}, false},
	{"shards are looked at before the gate", "lockOne -walks=20", overlay.Change{File: "snapmap/lock.go",
		Old: "	return !m.gate.shut.Load() && m.shards.Load() == s\n", New: "	return m.shards.Load() == s && !m.gate.shut.Load()\n"}, false},
	{"the gate is looked at before the lock is taken", "locks", overlay.Change{File: "snapmap/lock.go",
		Old: "		s := m.shards.Load()\n		sh := s.of(hash)\n		waited := !sh.try()\n		if waited {\n			sh.slow()\n		}\n		if m.open(s) {\n",
		New: "		s := m.shards.Load()\n		sh := s.of(hash)\n		open := m.open(s)\n		waited := !sh.try()\n		if waited {\n			sh.slow()\n		}\n		if open {\n"}, false},
	{"the gate is shut after the locks are looked at", "locks", overlay.Change{File: "snapmap/lock.go",
		Old: "	m.gate.shut.Store(true)\n	s := m.shards.Load()\n", New: "	s := m.shards.Load()\n	defer m.gate.shut.Store(true)\n"}, false},
	{"a lock that is held is passed over", "locks", overlay.Change{File: "snapmap/lock.go",
		Old: "			sh.free()\n", New: "			_ = sh\n"}, false},
	{"the gate opens before the generation begins", "view", overlay.Change{File: "snapmap/map.go",
		Old: "	s.generation = g\n	m.last.Store(f)\n", New: "	m.gate.shut.Store(false)\n	s.generation = g\n	m.last.Store(f)\n"}, false},
	{"an entry is there before its tag", "return", overlay.Change{File: "snapmap/page.go",
		Old: "	b := &p.buckets[at.bucket]\n	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot) | freshBit(at.slot))\n",
		New: "	b := &p.buckets[at.bucket]\n	b.slots[at.slot].Store(e)\n	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot) | freshBit(at.slot))\n"}, false},
	{"shards grow without locks", "growOne", overlay.Change{File: "snapmap/shard.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	if s != seen {\n		return\n	}\n	bits := ", New: "	s := m.shards.Load()\n	if s != seen {\n		return\n	}\n	bits := "}, false},
	{"two begin", "first", overlay.Change{File: "snapmap/map.go",
		Old: "		m.shards.CompareAndSwap(nil, s)\n", New: "		m.shards.Store(s)\n"}, false},
	{"Compute does not look at the value", "add", overlay.Change{File: "snapmap/compute.go",
		Old: "if now != old || now != nil && !same(x.value, load(x.value, &now.value), seen.value) {", New: "if now != old {"}, false},
	{"Compute does not look at the entry", "adds", overlay.Change{File: "snapmap/compute.go",
		Old: "if now != old || now != nil", New: "if (now == nil) != (old == nil) || now != nil"}, false},
	{"Len takes no locks", "len", overlay.Change{File: "snapmap/map.go",
		Old: "	s := m.lockAll()\n	defer m.unlockAll()\n	return s.size()\n", New: "	return m.shards.Load().size()\n"}, true},
	{"an entry is published before it is whole", "pairs", overlay.Change{File: "snapmap/map.go",
		Old: "		b := &p.buckets[at.bucket]\n		b.slots[at.slot].Store(e)\n", New: "		b := &p.buckets[at.bucket]\n		v := e.value\n		e.value = *new(V)\n		b.slots[at.slot].Store(e)\n		e.value = v\n"}, true},
	{"a page is published before it is whole", "store", overlay.Change{File: "snapmap/map.go",
		Old: "	p.set(h, at, e, true)\n	m.publish(s, sh, placed[K, V]{h, p})\n", New: "	m.publish(s, sh, placed[K, V]{h, p})\n	p.set(h, at, e, true)\n"}, true},
	{"the Map of a view has its generation", "continue", overlay.Change{File: "snapmap/view.go",
		Old: "	s.generation = newGeneration[K, V]()\n", New: "	s.generation = v.f.roots[0].of\n"}, false},
}

// ofFlat are faults of flat pages.
var ofFlat = []struct {
	name, order string
	change      overlay.Change
	slow        bool // in what Load does behind other buckets, and without an index
}{
	{"a slot gets another key without being counted", "reuse", overlay.Change{File: "snapmap/flat.go",
		Old: "		row.reuses.Store(row.reuses.Load() + 1)\n", New: ""}, false},
	{"a slot is counted when the key is there", "reuse", overlay.Change{File: "snapmap/flat.go",
		Old: "		row.reuses.Store(row.reuses.Load() + 1)\n		b.keys[at.slot].Store(key)\n		row.values[at.slot].Store(value)\n",
		New: "		b.keys[at.slot].Store(key)\n		row.values[at.slot].Store(value)\n		row.reuses.Store(row.reuses.Load() + 1)\n"}, false},
	{"a slot that had a key is taken for new", "reuse", overlay.Change{File: "snapmap/flat.go",
		Old: "	b.Store(b.Load()&^(0xff<<(8*at.slot)) | freshBit(at.slot))\n", New: "	b.Store(b.Load() &^ (0xff << (8 * at.slot)))\n"}, false},
	{"the tag is not looked at again", "reuse -delays=3 -most=30000", overlay.Change{File: "snapmap/map.go",
		Old: "for same := b.meta.Load() == meta; set != 0; set &= set - 1 {", New: "for same := true; set != 0; set &= set - 1 {"}, false},
	{"the count is not looked at again", "reuse", overlay.Change{File: "snapmap/map.go",
		Old: "if same && row.reuses.Load() == n {", New: "if _ = n; same {"}, false},
	{"the tag is not looked at again", "reuse -delays=3 -most=30000", overlay.Change{File: "snapmap/flat.go",
		Old: "if b.meta.Load()>>(8*at.slot)&0xff == tagOf(hash) && b.keys", New: "if b.keys"}, true},
	{"the count is not looked at again", "reuse", overlay.Change{File: "snapmap/flat.go",
		Old: "if row.reuses.Load() == n {", New: "if n+1 > 0 {"}, true},
	{"a key is there before its value", "reuse", overlay.Change{File: "snapmap/flat.go",
		Old: "	b := &f.buckets[at.bucket]\n	if b.meta.Load()&freshBit(at.slot) == 0 {\n",
		New: "	b := &f.buckets[at.bucket]\n	b.keys[at.slot].Store(key)\n	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot))\n	if b.meta.Load()&freshBit(at.slot) == 0 {\n"}, false},
	{"values that a view has are changed", "view", overlay.Change{File: "snapmap/map.go",
		Old: "	own := *f.generation() == g\n", New: "	own := true\n"}, false},
	{"a key that a view has is removed", "len", overlay.Change{File: "snapmap/map.go",
		Old: "	if *f.generation() == s.generation.number {\n", New: "	if true {\n"}, false},
	{"Compute does not look at the value", "add", overlay.Change{File: "snapmap/compute.go",
		Old: "	if ok != seen.ok || ok && f.value(at).Load() != keyhash.WordOf(&seen.value) {\n", New: "	if ok != seen.ok {\n"}, false},
}

// slow is a change by which Load never finds a number at once.
var slow = overlay.Change{File: "snapmap/map.go", Old: "			if set := matches(meta, tagOf(h)); set != 0 {\n",
	New: "			if set := matches(meta, tagOf(h)); set != 0 {\n				return p.loadAny(&x.hasher, h, key)\n			} else if set != 0 {\n"}

// flatFaults are those of ofFlat, and at last one that is none: slow.
func flatFaults() (planted [][]overlay.Change) {
	for _, f := range ofFlat {
		changes := []overlay.Change{f.change}
		if f.slow {
			changes = append(changes, slow)
		}
		planted = append(planted, changes)
	}
	return append(planted, []overlay.Change{slow})
}

// TestOrders: whatever the order of their steps, operations happen at one moment each,
// and views are of one. Orders find each of faults.
func TestOrders(t *testing.T) {
	args, flags := []string{"-delays=1", "-walks=20", "-most=60"}, []string(nil)
	if stress.Long() {
		args, flags = []string{"-delays=2", "-walks=1000", "-most=6000"}, []string{"-race"}
	}
	var planted [][]overlay.Change
	for _, f := range faults {
		planted = append(planted, []overlay.Change{f.change})
	}
	flat := build(t, slices.Concat(priced[:3], grown, small), flatFaults(), flags...)
	for name := range orders {
		t.Run("flat/"+name, func(t *testing.T) {
			t.Parallel()
			out, err := run(flat, 1, append(args, "-order", name)...)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
	t.Run("flat/reuse, slow", func(t *testing.T) {
		t.Parallel()
		if out, err := runWith(len(ofFlat), flat, 1, append(args, "-order", "reuse", "-delays=2")...); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	for i, f := range ofFlat {
		t.Run("flat/"+f.name, func(t *testing.T) {
			if strconv.IntSize < 64 {
				t.Skip("no page is flat where words have 32 bits")
			}
			t.Parallel()
			args := strings.Fields("-delays=2 -walks=2000 -most=10000 -order " + f.order)
			out, err := runWith(i, flat, 1, args...)
			if err == nil {
				t.Errorf("nothing was found:\n%s", out)
			}
			t.Log(strings.Join(strings.SplitN(out, "\n", 3)[:2], ": "))
		})
	}
	program := build(t, slices.Concat(priced[:3], grown, small, apart), planted, flags...)
	for name := range orders {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := run(program, 1, append(args, "-order", name)...)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
	for i, f := range faults {
		if f.racing && !stress.Long() {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields("-delays=2 -walks=2000 -most=10000 -order " + f.order)
			out, err := runWith(i, program, 1, args...)
			if err == nil {
				t.Errorf("nothing was found:\n%s", out)
			}
			t.Log(strings.Join(strings.SplitN(out, "\n", 3)[:2], ": "))
		})
	}
}
