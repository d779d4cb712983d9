package snapmap

import (
	"iter"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/keyhash"
)

// A Map is a map that any number of goroutines may use at once. A [View], its state at
// one moment, can be had at any time for next to nothing.
//
// The zero Map is empty and ready. A Map must not be copied after first use.
//
// In the words of the Go memory model, a write synchronizes before any operation that
// reads what it wrote. It does so before any Snapshot whose View has it, too.
type Map[K comparable, V any] struct {
	// index is where Load begins; nil: nothing was stored, or a View made this Map
	// and nobody has needed one. Replaced under all locks; never nil again.
	index atomic.Pointer[index[K, V]]

	// shards is where those who write begin. Replaced under all locks of those that
	// were; never nil again. What was there before the first shards nobody had.
	shards atomic.Pointer[shards[K, V]]

	// last is the view that has all that the Map has, or nil. Stored under all
	// locks; nil is stored by whoever changes something, before that can be seen.
	last atomic.Pointer[frozen[K, V]]

	// again has the keys for which Computes call their functions once more.
	again goroutine.Keys[K]

	gate gate
}

// Load returns the value of key, and whether there is one. It never waits.
func (m *Map[K, V]) Load(key K) (value V, ok bool) {
	x := m.index.Load()
	if x == nil {
		return m.loadSlow(key)
	}
	var h uint64
	if x.Kind == keyhash.Word {
		w := keyhash.WordOf(&key)
		h = x.Word(w) // as hash does, without a call
		if x.flat {
			// As below, for a page that has keys and values.
			p := x.of(h).Load()
			if p == nil {
				return m.miss(h).loadAny(&x.hasher, h, key)
			}
			f, i := p.flat(), home(h)
			b, row := &f.buckets[i], &f.rows[i]
			meta := b.meta.Load()
			if set := matches(meta, tagOf(h)); set != 0 {
				n := row.reuses.Load() // as flatPage.load does
				for same := b.meta.Load() == meta; set != 0; set &= set - 1 {
					if j := slotOf(set); b.keys[j].Load() == w {
						v := row.values[j].Load()
						if same && row.reuses.Load() == n {
							return fromWord[V](v), true
						}
						return p.loadAny(&x.hasher, h, key)
					}
				}
			}
			if meta&passed != 0 {
				return p.loadAny(&x.hasher, h, key)
			}
			return value, false
		}
	} else if x.Kind == keyhash.Text {
		h = x.Text(keyhash.TextOf(&key))
	} else {
		h = keyhash.HashOther(&x.Hasher, key)
	}
	p := x.of(h).Load()
	if p == nil {
		return m.miss(h).load(x.value, h, key)
	}
	// As find does, without a call for the bucket where nearly all keys are. That p is
	// not nil the compiler knows: else it would have the first bucket read, too.
	b := &p.buckets[home(h)]
	meta := b.meta.Load()
	for set := matches(meta, tagOf(h)); set != 0; set &= set - 1 {
		if e := b.slots[slotOf(set)].Load(); e != nil && e.key == key {
			return load(x.value, &e.value), true
		}
	}
	if meta&passed != 0 {
		return p.load(x.value, h, key)
	}
	return value, false
}

// loadSlow is Load without an index.
func (m *Map[K, V]) loadSlow(key K) (value V, ok bool) {
	s := m.shards.Load()
	if s == nil {
		checkKey(key)
		return value, false
	}
	h := hash(s.hasher, key)
	return s.walk(h).loadAny(s.hasher, h, key)
}

// walk returns the page of a hash.
func (s *shards[K, V]) walk(hash uint64) *page[K, V] {
	return s.of(hash).root.Load().walk(hash, level(s.bits))
}

// miss returns the page of a hash that the index does not have, and puts it there
// if nobody is in the way.
func (m *Map[K, V]) miss(hash uint64) *page[K, V] {
	s := m.shards.Load()
	p := s.walk(hash)
	if x := m.index.Load(); p.depth() <= x.bits() {
		if sh := s.of(hash); sh.try() {
			if m.open(s) {
				m.page(s, sh, hash)
			}
			sh.unlock()
		}
	}
	return p
}

// page returns the page of a hash whose shard is locked.
func (m *Map[K, V]) page(s *shards[K, V], sh *shard[K, V], hash uint64) *page[K, V] {
	x := m.index.Load()
	at := x.of(hash)
	p := at.Load()
	if p == nil {
		p = sh.root.Load().walk(hash, level(s.bits))
		if p.depth() <= x.bits() {
			at.Store(p)
		}
	}
	return p
}

// begin makes what a Map needs before the first write, and returns its hasher.
func (m *Map[K, V]) begin() *hasher {
	if m.shards.Load() == nil {
		s := newShards[K, V](newHasher[K, V](), 0)
		s.begin()
		m.shards.CompareAndSwap(nil, s)
	}
	s := m.lockAll()
	if m.index.Load() == nil {
		m.index.Store(newIndex[K, V](s.hasher, s.allPages()))
	}
	m.unlockAll()
	return s.hasher
}

// begin makes an empty page, in one shard.
func (s *shards[K, V]) begin() {
	s.generation = newGeneration[K, V]()
	s.list[0].root.Store(newNode(s.generation, emptyPage(s.hasher, s.generation, 0)))
	s.list[0].pages.Store(1)
}

// hasher returns the hasher of a Map that can be written to.
func (m *Map[K, V]) hasher() *hasher {
	if x := m.index.Load(); x != nil {
		return &x.hasher
	}
	return m.begin()
}

// resize makes an index that fits.
func (m *Map[K, V]) resize() {
	s := m.lockAll()
	if pages := s.allPages(); m.index.Load().wrong(pages) {
		m.index.Store(newIndex[K, V](s.hasher, pages))
	}
	m.unlockAll()
}

// Store sets the value of key.
func (m *Map[K, V]) Store(key K, value V) { m.store(key, value, false) }

// Swap sets the value of key and returns the one before, and whether there was one.
func (m *Map[K, V]) Swap(key K, value V) (previous V, loaded bool) {
	return m.store(key, value, false)
}

// LoadOrStore returns the value of key and true, if there is one; else it stores
// value and returns it and false.
func (m *Map[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) {
	if actual, loaded = m.Load(key); loaded {
		return actual, true
	}
	if actual, loaded = m.store(key, value, true); loaded {
		return actual, true
	}
	return value, false
}

// store sets the value of key, if there is none or it is to be replaced, and returns
// the one before.
func (m *Map[K, V]) store(key K, value V, keep bool) (previous V, loaded bool) {
	x := m.hasher()
	h := hash(x, key)
	m.check(key)
	var e *entry[K, V]
	if x.value == boxed && !x.flat {
		e = &entry[K, V]{key, value} // not under the lock
	}
	s, sh := m.lock(h)
	p := m.page(s, sh, h)
	if x.flat {
		f := p.flat()
		at, ok := f.find(h, keyhash.WordOf(&key))
		if ok {
			previous = fromWord[V](f.value(at).Load())
			if keep {
				sh.unlock()
				return previous, true
			}
		}
		m.unlock(s, sh, m.writeFlat(s, sh, f, h, at, key, value))
		return previous, ok
	}
	old, at := p.find(h, key)
	if old != nil {
		previous = load(x.value, &old.value)
		if keep {
			sh.unlock()
			return previous, true
		}
	}
	m.unlock(s, sh, m.write(s, sh, p, h, old, at, e, key, value))
	return previous, old != nil
}

// write sets the value of key in its page p, which has it at that place if old is
// not nil. If e is not nil, it is key's new entry. The shard is locked.
func (m *Map[K, V]) write(s *shards[K, V], sh *shard[K, V], p *page[K, V], h uint64, old *entry[K, V], at place, e *entry[K, V], key K, value V) maintenance {
	kind := s.hasher.value
	own := p.generation().Load() == s.generation
	if own && old != nil && kind != boxed && p.buckets[at.bucket].meta.Load()&freshBit(at.slot) != 0 {
		store(kind, &old.value, value)
		return nothing
	}
	if e == nil {
		e = &entry[K, V]{key, value}
	}
	if old == nil {
		sh.size++
		var ok bool
		if at, ok = p.room(h, reach); !ok && p.len(s.hasher) < splitAt {
			at, ok = p.room(h, buckets)
		}
		if !ok {
			return m.rebuild(s, sh, p, h, nil, e)
		}
		if own {
			p.add(h, at, e)
			return nothing
		}
	}
	if own {
		b := &p.buckets[at.bucket]
		b.slots[at.slot].Store(e)
		if kind != boxed {
			b.meta.Store(b.meta.Load() | freshBit(at.slot))
		}
		return nothing
	}
	if p.generation().Load().excess != nil {
		return m.rebuild(s, sh, p, h, old, e)
	}
	p = p.copyOf(s.generation)
	p.set(h, at, e, true)
	m.publish(s, sh, placed[K, V]{h, p})
	return nothing
}

// writeFlat is write for a flat page, which has the key at that place if it has it.
func (m *Map[K, V]) writeFlat(s *shards[K, V], sh *shard[K, V], f *flatPage, h uint64, at place, key K, value V) maintenance {
	v := keyhash.WordOf(&value)
	g := s.generation.number
	own := *f.generation() == g
	if !own {
		f = f.copyOf(g)
	}
	if at.bucket >= 0 {
		f.value(at).Store(v)
	} else {
		sh.size++
		at, ok := f.room(h, reach)
		if !ok && pageOf[K, V](f).len(s.hasher) < splitAt {
			at, ok = f.room(h, buckets)
		}
		if !ok {
			return m.divide(s, sh, f, h, key, value)
		}
		f.add(h, at, keyhash.WordOf(&key), v)
	}
	if !own {
		m.publish(s, sh, placed[K, V]{h, pageOf[K, V](f)})
	}
	return nothing
}

// divide makes two pages or more of a flat one and one key more.
func (m *Map[K, V]) divide(s *shards[K, V], sh *shard[K, V], f *flatPage, h uint64, key K, value V) maintenance {
	b := builder[K, V]{x: s.hasher}
	depth := pageOf[K, V](f).depth()
	if depth >= maxFlatDepth || !b.halveFlat(s.generation, h, f, depth, keyhash.WordOf(&key), keyhash.WordOf(&value)) {
		b.gatherFlat(f)
		b.entries = append(b.entries, hashed[K, V]{h, &entry[K, V]{key, value}, true})
		b.build(s.generation, h, depth, true)
	}
	return m.replace(s, sh, 1, b.pages)
}

// rebuild makes new pages in the place of p, without the entry old and with e, if
// these are not nil.
func (m *Map[K, V]) rebuild(s *shards[K, V], sh *shard[K, V], p *page[K, V], h uint64, old, e *entry[K, V]) maintenance {
	b := builder[K, V]{x: s.hasher}
	more := old == nil && e != nil
	if more && p.depth() < maxDepth && p.generation().Load().excess == nil && b.halve(s.generation, h, p, e) {
		return m.replace(s, sh, 1, b.pages)
	}
	b.gather(s.generation, h, p, old)
	if e != nil {
		b.entries = append(b.entries, hashed[K, V]{h, e, true})
	}
	b.build(s.generation, h, p.depth(), more)
	return m.replace(s, sh, 1, b.pages)
}

// replace puts new pages in the place of n old ones.
func (m *Map[K, V]) replace(s *shards[K, V], sh *shard[K, V], n int, pages []placed[K, V]) maintenance {
	m.publish(s, sh, pages...)
	if len(pages) == n {
		return nothing
	}
	sh.pages.Add(int64(len(pages) - n))
	if m.index.Load().wrong(s.allPages()) {
		return resize
	}
	return nothing
}

// publish lets others see pages, which together are for the hashes of those that
// were there.
func (m *Map[K, V]) publish(s *shards[K, V], sh *shard[K, V], pages ...placed[K, V]) {
	m.touch()
	x := m.index.Load()
	for _, p := range pages {
		x.set(p.hash, p.page)
	}
	root := sh.root.Load()
	r := root
	for _, p := range pages {
		r = r.put(s.generation, p.hash, level(s.bits), p.page)
	}
	if r != root {
		sh.root.Store(r)
	}
}

// touch says that the Map is about to be no longer what its last view has.
func (m *Map[K, V]) touch() {
	if m.last.Load() != nil {
		m.last.Store(nil)
	}
}

// unlock unlocks a shard and does what it told to do.
func (m *Map[K, V]) unlock(s *shards[K, V], sh *shard[K, V], do maintenance) {
	if sh.ops >= window && do == nothing {
		do = sh.look(s)
	}
	sh.unlock()
	if do != nothing {
		m.do(s, do)
	}
}

// do does what needs all locks.
func (m *Map[K, V]) do(s *shards[K, V], do maintenance) {
	switch do {
	case resize:
		m.resize()
	case growShards:
		m.growShards(s)
	case shrinkShards:
		m.shrinkShards(s)
	}
}

// LoadAndDelete deletes key, and returns the value that it had, and whether it had
// one.
func (m *Map[K, V]) LoadAndDelete(key K) (value V, loaded bool) {
	if _, ok := m.Load(key); !ok {
		return value, false
	}
	m.check(key)
	h := hash(m.hasher(), key)
	s, sh := m.lock(h)
	p := m.page(s, sh, h)
	var e *entry[K, V]
	var at place
	var ok bool
	if s.hasher.flat {
		if at, ok = p.flat().find(h, keyhash.WordOf(&key)); ok {
			value = fromWord[V](p.flat().value(at).Load())
		}
	} else if e, at = p.find(h, key); e != nil {
		value, ok = load(s.hasher.value, &e.value), true
	}
	if !ok {
		sh.unlock()
		return value, false
	}
	m.unlock(s, sh, m.remove(s, sh, p, h, e, at))
	return value, true
}

// Delete deletes key.
func (m *Map[K, V]) Delete(key K) { m.LoadAndDelete(key) }

// remove deletes the entry e, which is at that place in its page p; a flat one has
// none. The shard is locked.
func (m *Map[K, V]) remove(s *shards[K, V], sh *shard[K, V], p *page[K, V], h uint64, e *entry[K, V], at place) maintenance {
	sh.size--
	if s.hasher.flat {
		p = m.removeFlat(s, sh, p, h, at)
	} else {
		switch g := p.generation().Load(); {
		case g.excess != nil:
			return m.rebuild(s, sh, p, h, e, nil)
		case g == s.generation:
			p.remove(at)
		default:
			p = p.copyOf(s.generation)
			p.remove(at)
			m.publish(s, sh, placed[K, V]{h, p})
		}
	}
	if at.bucket != home(h) {
		p.settle(s.hasher)
	}
	if p.buckets[at.bucket].meta.Load()&tagged == 0 {
		return m.merge(s, sh, p, h)
	}
	return nothing
}

// removeFlat deletes what is at that place in a flat page, and returns the page that
// is there then.
func (m *Map[K, V]) removeFlat(s *shards[K, V], sh *shard[K, V], p *page[K, V], h uint64, at place) *page[K, V] {
	f := p.flat()
	if *f.generation() == s.generation.number {
		f.remove(at)
		return p
	}
	f = f.copyOf(s.generation.number)
	f.remove(at)
	p = pageOf[K, V](f)
	m.publish(s, sh, placed[K, V]{h, p})
	return p
}

// A page with no room near an entry's home is split if it has splitAt entries, and two
// neighbours become one page if they have mergeAt at most. The further these are
// apart, the less work there is where entries come and go; and the closer to a page's
// 55 slots, the fewer pages there are, and the more buckets a Load may have to see.
const (
	splitAt = 44
	mergeAt = 38
)

// merge makes one page of p and its neighbour, as long as they have few entries.
func (m *Map[K, V]) merge(s *shards[K, V], sh *shard[K, V], p *page[K, V], h uint64) (do maintenance) {
	for n := p.len(s.hasher); n <= mergeAt; n = p.len(s.hasher) {
		depth := p.depth()
		if depth <= s.bits {
			if n == 0 && s.bits > 0 && sh.waits <= sh.ops/256 {
				do = shrinkShards
			}
			break
		}
		other := h ^ 1<<(64-depth)
		q := sh.root.Load().walk(other, level(s.bits))
		if q.depth() != depth || n+q.len(s.hasher) > mergeAt {
			break
		}
		b := builder[K, V]{x: s.hasher}
		b.gather(s.generation, h, p, nil)
		b.gather(s.generation, other, q, nil)
		b.build(s.generation, h, depth-1, false)
		do = max(do, m.replace(s, sh, 2, b.pages))
		if len(b.pages) != 1 {
			break
		}
		p = b.pages[0].page
	}
	return do
}

// Len returns how many keys there are, at one moment as a Snapshot: writes wait meanwhile,
// for some nanoseconds a shard. Where nothing was written since the last Snapshot, none
// waits. A program that asks all the time counts with package counter.
func (m *Map[K, V]) Len() int {
	if f := m.last.Load(); f != nil {
		return f.size
	}
	if m.shards.Load() == nil {
		return 0
	}
	s := m.lockAll()
	defer m.unlockAll()
	return s.size()
}

func (s *shards[K, V]) size() (n int) {
	for i := range s.list {
		n += s.list[i].size
	}
	return n
}

// Clear deletes all keys, and returns what the Map had until then. No write at the same
// time is lost between the two.
func (m *Map[K, V]) Clear() View[K, V] {
	if m.shards.Load() == nil {
		return View[K, V]{}
	}
	s := m.lockAll()
	defer m.unlockAll()
	f := m.last.Load()
	if f == nil {
		f = newFrozen[K, V](len(s.list))
		f.fill(s)
	}
	t := newShards[K, V](s.hasher, 0)
	t.begin()
	m.touch()
	m.index.Store(newIndex[K, V](t.hasher, 1))
	m.shards.Store(t)
	return View[K, V]{f}
}

// All returns the entries that the Map has when the loop begins: it is
// m.Snapshot().All(), taken then.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.Snapshot().All()(yield) }
}

// Snapshot returns what the Map has now. If nothing was written since the last
// Snapshot, it is the same View.
func (m *Map[K, V]) Snapshot() View[K, V] {
	if f := m.last.Load(); f != nil {
		return View[K, V]{f}
	}
	if m.shards.Load() == nil {
		return View[K, V]{}
	}
	g := newGeneration[K, V]()
	f := newFrozen[K, V](len(m.shards.Load().list))
	s := m.lockAll()
	defer m.unlockAll()
	if f := m.last.Load(); f != nil {
		return View[K, V]{f}
	}
	f.fill(s)
	s.generation = g
	m.last.Store(f)
	return View[K, V]{f}
}
