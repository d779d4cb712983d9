package snapmap

import (
	"fmt"
	"math/bits"
)

// SetHash makes maps that are made from now on use only these bits of a hash, until
// what it returns is called.
func SetHash(mask uint64) (restore func()) {
	testMask = mask
	return func() { testMask = ^uint64(0) }
}

// SetFlat says whether maps that are made from now on may have flat pages, until what
// it returns is called.
func SetFlat(may bool) (restore func()) {
	before := flatPages
	flatPages = may
	return func() { flatPages = before }
}

// Flat reports whether the map's pages are flat.
func Flat[K comparable, V any](m *Map[K, V]) bool { return m.hasher().flat }

// Grow makes four shards of each, up to 64, as if goroutines had waited for them.
func Grow[K comparable, V any](m *Map[K, V]) { GrowTo(m, 64) }

// GrowTo makes four shards of each, if there are fewer than that.
func GrowTo[K comparable, V any](m *Map[K, V], shards int) {
	if s := m.shards.Load(); s != nil && len(s.list) < shards {
		m.hasher()
		m.growShards(s)
	}
}

// Shrink makes one shard of all if they have next to nothing.
func Shrink[K comparable, V any](m *Map[K, V]) {
	if s := m.shards.Load(); s != nil && s.bits > 0 {
		m.hasher()
		m.shrinkShards(s)
	}
}

// Pages returns how many pages and shards the map has.
func Pages[K comparable, V any](m *Map[K, V]) (pages, shards int) {
	s := m.shards.Load()
	if s == nil {
		return 0, 0
	}
	return int(s.allPages()), len(s.list)
}

// Check returns what is wrong in m, which nobody writes to meanwhile.
func Check[K comparable, V any](m *Map[K, V]) error {
	if m.shards.Load() == nil {
		return nil
	}
	s := m.lockAll()
	defer m.unlockAll()
	x := m.index.Load()
	size, pages := 0, 0
	for i := range s.list {
		top := uint64(i) << 1 << (63 - s.bits)
		err := checkNode(s.list[i].root.Load(), s.hasher, part(i, s.bits), prefix(top, level(s.bits)), level(s.bits), func(top uint64, p *page[K, V]) error {
			size += p.len(s.hasher)
			pages++
			if x == nil {
				return nil
			}
			for i := range uint64(1) << max(0, x.bits()-p.depth()) {
				at := top + i<<x.shift
				if q := x.of(at).Load(); q != nil && (q != p || p.depth() > x.bits()) {
					return fmt.Errorf("the index has another page for %#x than the tree", at)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if size != s.size() || int64(pages) != s.allPages() {
		return fmt.Errorf("the shards count %d entries in %d pages; there are %d in %d", s.size(), s.allPages(), size, pages)
	}
	if x != nil && x.wrong(int64(pages)) {
		return fmt.Errorf("an index of %d bits for %d pages", x.bits(), pages)
	}
	return nil
}

// CheckView returns what is wrong in v.
func CheckView[K comparable, V any](v View[K, V]) error {
	if v.f == nil {
		return nil
	}
	size := 0
	for i, n := range v.f.roots {
		top := uint64(i) << 1 << (63 - v.f.bits)
		err := checkNode(n, v.f.hasher, part(i, v.f.bits), prefix(top, level(v.f.bits)), level(v.f.bits), func(_ uint64, p *page[K, V]) error {
			size += p.len(v.f.hasher)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if size != v.f.size {
		return fmt.Errorf("%d entries, and Len is %d", size, v.f.size)
	}
	return nil
}

func checkNode[K comparable, V any](n *node[K, V], x *hasher, w extent, top uint64, depth int, each func(uint64, *page[K, V]) error) error {
	for i := w.first; i < w.end; {
		at := top | uint64(i)<<(64-fanBits-depth)
		p, deeper := n.child(i)
		if deeper != nil {
			if err := checkNode(deeper, x, whole, at, depth+fanBits, each); err != nil {
				return err
			}
			i++
			continue
		}
		if d := p.depth(); d < depth || d > depth+fanBits {
			return fmt.Errorf("a page of depth %d at %d", d, depth)
		}
		w := span(p.depth(), depth)
		for j := range w {
			if q, _ := n.child(i + j); q != p {
				return fmt.Errorf("a page of depth %d is not in all its slots", p.depth())
			}
		}
		if err := p.check(x, at); err != nil {
			return err
		}
		if err := each(at, p); err != nil {
			return err
		}
		i += w
	}
	return nil
}

func (f *flatPage) check(x *hasher, top uint64, depth int) error {
	for i := range f.buckets {
		b := &f.buckets[i]
		for j := range b.keys {
			tag := b.meta.Load() >> (8 * j) & 0xff
			key := b.keys[j].Load()
			switch {
			case i == buckets-1 && j == slots-1, tag == 0:
			case tag < 0x80:
				return fmt.Errorf("slot %d of %d has the tag %#x", j, i, tag)
			default:
				h := x.Word(key)
				if prefix(h, depth) != top {
					return fmt.Errorf("%d, %#x, is in the page of %#x, %d", key, h, top, depth)
				}
				if at, ok := f.find(h, key); !ok || at != (place{i, j}) {
					return fmt.Errorf("%d is not found in its page", key)
				}
			}
		}
	}
	return nil
}

func (p *page[K, V]) check(x *hasher, top uint64) error {
	if x.flat {
		return p.flat().check(x, top, p.depth())
	}
	var err error
	p.each(func(e *entry[K, V]) bool {
		if e.key != e.key {
			return true
		}
		h := hash(x, e.key)
		if prefix(h, p.depth()) != top {
			err = fmt.Errorf("%v, %#x, is in the page of %#x, %d", e.key, h, top, p.depth())
		}
		if found, _ := p.find(h, e.key); found != e {
			err = fmt.Errorf("%v is not found in its page", e.key)
		}
		return err == nil
	})
	for i := range p.buckets {
		b := &p.buckets[i]
		for j := range b.slots {
			meta := b.meta.Load()
			if i == buckets-1 && j == slots-1 {
				continue
			}
			if has := meta>>(8*j)&0x80 != 0; has != (b.slots[j].Load() != nil) {
				return fmt.Errorf("slot %d of %d: tagged %t, and the other is not so", j, i, has)
			} else if !has && meta&(0x7f<<(8*j)|freshBit(j)) != 0 {
				return fmt.Errorf("slot %d of %d: %#x", j, i, meta)
			}
		}
	}
	if n := p.len(x); p.generation().Load().excess != nil && n <= bits.OnesCount64(tagged)*buckets-1 {
		return fmt.Errorf("entries in excess of a page that has %d", n)
	}
	return err
}
