package snapmap

import "sync/atomic"

// An index finds the page of most hashes at once, where the tree takes some steps:
// it is a cache of the trees. Views do without.
//
// pages[i], for the hashes whose top bits are i, is their page, or nil: the tree
// has it. It is stored under the shard's lock, before the tree is changed, and an
// index replaces another under all locks.
type index[K comparable, V any] struct {
	pages  []atomic.Pointer[page[K, V]] // 1<<bits
	shift  uint8                        // 64 - bits
	flat   bool                         // the hasher's
	hasher                              // beside them, so that Load reads one line
}

const minIndexBits = 1

// newIndex returns an empty index for so many pages.
func newIndex[K comparable, V any](x *hasher, pages int64) *index[K, V] {
	bits := indexBits(pages)
	return &index[K, V]{
		pages:  make([]atomic.Pointer[page[K, V]], 1<<bits),
		shift:  uint8(64 - bits),
		flat:   x.flat,
		hasher: *x,
	}
}

// indexBits returns how many bits the index for so many pages has. A fifteenth more
// pages than entries, and one hash in 15 is left to the tree.
func indexBits(pages int64) int {
	bits := minIndexBits
	for pages-pages/16 > 1<<bits {
		bits++
	}
	return bits
}

// wrong reports whether an index for so many pages is to be of another size: by so
// much that it will not be so soon again.
func (x *index[K, V]) wrong(pages int64) bool {
	bits := x.bits()
	return indexBits(pages) > bits || bits > minIndexBits && indexBits(4*pages) < bits
}

func (x *index[K, V]) bits() int { return int(64 - x.shift) }

// of returns where the page of a hash is.
func (x *index[K, V]) of(hash uint64) *atomic.Pointer[page[K, V]] {
	return &x.pages[hash>>(x.shift&63)]
}

// set makes p the page of the hashes that begin as this one does.
func (x *index[K, V]) set(hash uint64, p *page[K, V]) {
	depth, bits := p.depth(), x.bits()
	if depth > bits {
		x.of(hash).Store(nil)
		return
	}
	w := 1 << (bits - depth)
	i := int(hash>>x.shift) &^ (w - 1)
	for j := i; j < i+w; j++ {
		x.pages[j].Store(p)
	}
}
