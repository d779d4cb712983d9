package snapmap

import "github.com/gopayoff/payoff/internal/keyhash"

// Compute sets the value of key to what f makes of it, or deletes key. It returns
// the value that key then has, and whether it has one.
//
// f gets the value, and whether there is one. It returns the new value and whether to
// keep one; if not, Compute deletes key. No lock is held while f runs, so no other call
// waits for it, however long it takes. So if another goroutine changed the value
// meanwhile, Compute calls f again with the new one. It may do so several times, and
// what f did the last time counts. Do what is to be done once after Compute, or by
// [Map.LoadOrCompute].
//
// f may use the Map, but must not change the value of key, itself or by a goroutine
// that it waits for. Compute would call it for ever. Instead, a write to key by f
// panics when f is called again, on amd64, 386 and arm64.
func (m *Map[K, V]) Compute(key K, f func(old V, ok bool) (new V, keep bool)) (value V, ok bool) {
	for call := f; ; call = m.calledAgain(key, f) {
		old := m.peek(key)
		value, keep := call(old.value, old.ok)
		if !old.ok && !keep || m.commit(key, old, value, keep) {
			if !keep {
				var none V
				return none, false
			}
			return value, true
		}
	}
}

// LoadOrCompute returns the value of key and true, if there is one; else it stores
// what f returns and returns it and false.
//
// f is called once at most, and may use the Map. If key has got a value meanwhile,
// LoadOrCompute returns that, with true, and drops what f returned. Goroutines that ask
// for the same key at once may all call f. Where one of them is to call it and the
// others are to wait for that one, have functions for values:
//
//	v, _ := m.LoadOrStore(key, sync.OnceValue(f))
//	return v()
func (m *Map[K, V]) LoadOrCompute(key K, f func() V) (actual V, loaded bool) {
	if actual, loaded = m.Load(key); loaded {
		return actual, true
	}
	return m.LoadOrStore(key, f())
}

// calledAgain returns f, with which what f writes to key panics: it would be called
// for ever.
func (m *Map[K, V]) calledAgain(key K, f func(V, bool) (V, bool)) func(V, bool) (V, bool) {
	return func(old V, ok bool) (V, bool) {
		defer m.again.End(m.again.Begin(key))
		return f(old, ok)
	}
}

// check panics where a function that is called again for key writes to it.
func (m *Map[K, V]) check(key K) {
	if m.again.Mine(key) {
		panic("snapmap.Map.Compute: the function writes to its own key")
	}
}

// CompareAndSwap sets the value of key to new if it is old, and reports whether it
// did. It panics if the key has a value, and values cannot be compared.
func (m *Map[K, V]) CompareAndSwap(key K, old, new V) (swapped bool) {
	for {
		now := m.peek(key)
		if !now.ok || any(now.value) != any(old) {
			return false
		}
		if m.commit(key, now, new, true) {
			return true
		}
	}
}

// CompareAndDelete deletes key if its value is old, and reports whether it did. It
// panics if the key has a value, and values cannot be compared.
func (m *Map[K, V]) CompareAndDelete(key K, old V) (deleted bool) {
	for {
		now := m.peek(key)
		if !now.ok || any(now.value) != any(old) {
			return false
		}
		if m.commit(key, now, old, false) {
			return true
		}
	}
}

// A sight is what there was of a key.
type sight[K comparable, V any] struct {
	ok    bool
	value V
	entry *entry[K, V] // where pages have entries
}

// peek returns what there is of a key.
func (m *Map[K, V]) peek(key K) (now sight[K, V]) {
	s := m.shards.Load()
	if s == nil {
		checkKey(key)
		return now
	}
	h := hash(s.hasher, key)
	var p *page[K, V]
	if x := m.index.Load(); x != nil {
		p = x.of(h).Load()
	}
	if p == nil {
		p = s.walk(h)
	}
	if s.hasher.flat {
		now.value, now.ok = p.loadAny(s.hasher, h, key)
	} else if now.entry, _ = p.find(h, key); now.entry != nil {
		now.value, now.ok = load(s.hasher.value, &now.entry.value), true
	}
	return now
}

// commit sets the value of key, or deletes key, if nothing has happened to it since
// peek returned seen, and reports whether it did. Two values of a word's size that are
// the same are as good as one that was never changed; and no entry has the place in
// memory of another while that is in use.
func (m *Map[K, V]) commit(key K, seen sight[K, V], value V, keep bool) bool {
	m.check(key)
	x := m.hasher()
	h := hash(x, key)
	if x.flat {
		return m.commitFlat(h, key, seen, value, keep)
	}
	old := seen.entry
	var e *entry[K, V]
	if keep && x.value == boxed {
		e = &entry[K, V]{key, value} // not under the lock
	}
	s, sh := m.lock(h)
	p := m.page(s, sh, h)
	now, at := p.find(h, key)
	if now != old || now != nil && !same(x.value, load(x.value, &now.value), seen.value) {
		sh.unlock()
		return false
	}
	if keep {
		m.unlock(s, sh, m.write(s, sh, p, h, old, at, e, key, value))
	} else {
		m.unlock(s, sh, m.remove(s, sh, p, h, old, at))
	}
	return true
}

// commitFlat is commit where pages are flat.
func (m *Map[K, V]) commitFlat(h uint64, key K, seen sight[K, V], value V, keep bool) bool {
	s, sh := m.lock(h)
	p := m.page(s, sh, h)
	f := p.flat()
	at, ok := f.find(h, keyhash.WordOf(&key))
	if ok != seen.ok || ok && f.value(at).Load() != keyhash.WordOf(&seen.value) {
		sh.unlock()
		return false
	}
	if keep {
		m.unlock(s, sh, m.writeFlat(s, sh, f, h, at, key, value))
	} else {
		m.unlock(s, sh, m.remove(s, sh, p, h, nil, at))
	}
	return true
}
