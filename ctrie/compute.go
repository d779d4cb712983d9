package ctrie

import "unsafe"

// Compute sets the value of key to what f makes of it, or deletes key. It returns
// the value that key then has, and whether it has one.
//
// f gets the value, and whether there is one. It returns the new value and whether to
// keep one; if not, Compute deletes key. There is no lock, so no other call waits for
// f, however long it takes. So if another goroutine changed the value meanwhile,
// Compute calls f again with the new one. It may do so several times, and what f did
// the last time counts. A value that changed, and changed back, is unchanged. Do what
// is to be done once after Compute, or by [Map.LoadOrCompute].
//
// f may use the Map, but must not change the value of key, itself or by a goroutine
// that it waits for. Compute would call it for ever. Instead, a write to key by f
// panics when f is called again, on amd64, 386 and arm64.
func (m *Map[K, V]) Compute(key K, f func(old V, ok bool) (new V, keep bool)) (value V, ok bool) {
	var p place[K, V]
	h := m.hashOf(key)
	m.locate(&p, key, h)
	told := p.now()
	value, keep := call(f, told)
	for !m.settle(&p, key, value, keep) {
		m.locate(&p, key, h)
		if now := p.now(); !unchanged(told, now) {
			told = now
			value, keep = m.callAgain(key, f, told)
		}
	}
	if !keep {
		var none V
		return none, false
	}
	return value, true
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

// settle gives the key of a place that value, or none, and reports whether it did.
func (m *Map[K, V]) settle(p *place[K, V], key K, value V, keep bool) bool {
	if keep {
		return m.put(p, key, value)
	}
	return !p.found || m.take(p, key)
}

// now returns the entry of a place, or nil.
func (p *place[K, V]) now() *entry[K, V] {
	if !p.found {
		return nil
	}
	return p.entry()
}

func call[K comparable, V any](f func(V, bool) (V, bool), e *entry[K, V]) (V, bool) {
	if e == nil {
		var none V
		return f(none, false)
	}
	return f(e.value, true)
}

// callAgain is call, and what f then writes to key panics: it would be called for ever.
func (m *Map[K, V]) callAgain(key K, f func(V, bool) (V, bool), e *entry[K, V]) (V, bool) {
	defer m.again.End(m.again.Begin(key))
	return call(f, e)
}

// check panics where a function that is called again for key writes to it.
func (m *Map[K, V]) check(key K) {
	if m.again.Mine(key) {
		panic("ctrie.Map.Compute: the function writes to its own key")
	}
}

// unchanged reports whether two entries of a key, which are nil if it had none, have
// the same value. A write copies its neighbours, so what an entry is cannot be told by
// its place, and not all values can be compared; but what has the same bits is the same.
// An entry that is copied as a variable may get other bits where its type has gaps, once
// for each level it goes up or down: then f is called once more.
func unchanged[K comparable, V any](a, b *entry[K, V]) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bytesOf(&a.value) == bytesOf(&b.value)
}

func bytesOf[V any](v *V) string { return unsafe.String((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) }
