package topic

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
)

const (
	ringSize  = 64   // changes that a cache remembers
	cacheSize = 2048 // results, at most; a power of two
	slack     = 16   // changes to look at, besides one for each probe of a Match
	few       = 32   // values of one pattern that a result has itself
)

// A cache has results: for a subject, the nodes that it matches.
//
// Changes find no results; results find changes. A change notes the key that it
// concerns in a ring, and a result has a stamp: all changes before that are in it.
// Who comes to a result looks at the changes since then, which takes as long as
// looking at as many shapes, and if one may concern the subject, or there are too
// many, the result is worth nothing any more. So a change costs the same however
// many results there are, and those that it does not concern stay.
//
// A cache belongs to one guide, since a result knows the keys of that one's
// shapes.
type cache[T any] struct {
	// What all who come read. over says that the cache is of no use: its results are
	// not believed, and changes not noted any more. It is stored once, by whoever finds
	// so, and needs no lock: who read it before began before the first change that was
	// not noted.
	over atomic.Bool
	watch

	_ cacheline.Pad

	// begun counts the changes that were begun: it is stored before the change is
	// made. All who come to a result read it.
	begun atomic.Uint64

	_ cacheline.Pad

	// mu is held by who makes a change, from begin to end. It comes after the
	// stripes' locks.
	mu sync.Mutex

	// ended counts the changes that were made. It is begun, or one less while mu
	// is held.
	ended atomic.Uint64

	// ring has the key of change i at i%ringSize, or 0 for one that may concern
	// any subject. It is stored before begun counts the change.
	ring [ringSize]atomic.Uint64

	_ cacheline.Pad

	// A result is in one of two slots. A door has the hash of the subject
	// that was last turned away there: results are kept of those that come again.
	slots [cacheSize]atomic.Pointer[result[T]]
	doors [cacheSize]atomic.Uint32
}

// A result is immutable but for its stamp. What most need of it is on one line, and
// the filter on the next.
type result[T any] struct {
	hash uint64

	// stamp: this is what a Match found after all changes before the stamp
	// had ended, and none since then up to the one before the stamp concerns the subject.
	stamp atomic.Uint64

	subject string

	// values are those of nodes that have few and no groups, and rest, which is nil if
	// there are none, the others.
	values []T

	// keys are a Bloom filter of the keys of the patterns that the subject can
	// match, and probes how many those are, or what takes as long.
	probes int
	keys   []uint64
	own    [4]uint64 // the filter's, if it is that small
	rest   *[]*Sub[T]
}

func newCache[T any]() *cache[T] { return new(cache[T]) }

// nodes returns those that the result has no values of.
func (r *result[T]) nodes() []*Sub[T] {
	if r.rest == nil {
		return nil
	}
	return *r.rest
}

// subjects is the seed of hashes of subjects, which choose where results are.
var subjects = maphash.MakeSeed()

// begin notes a change that is about to be made, and blocks others. A wide one may
// concern any subject.
func (c *cache[T]) begin(key uint64, wide bool) {
	if wide {
		key = 0
	}
	c.mu.Lock()
	i := c.begun.Load()
	c.ring[i%ringSize].Store(key)
	c.begun.Store(i + 1)
}

// end says that the change was made.
func (c *cache[T]) end() {
	i := c.begun.Load()
	c.ended.Store(i)
	c.mu.Unlock()
	c.sweep(i)
}

// sweep lets go of results that are of no use, in one of ringSize parts of the
// cache. So what they keep alive is let go after two rounds of the ring. It reads as many
// lines as it sees results, and so nobody waits for it at mu.
func (c *cache[T]) sweep(i uint64) {
	const part = cacheSize / ringSize
	first := i % ringSize * part
	for j := first; j < first+part; j++ {
		if r := c.slots[j].Load(); r != nil && int64(i-r.stamp.Load()) >= ringSize {
			c.slots[j].CompareAndSwap(r, nil)
		}
	}
}

// places returns where the result for a hash may be.
func places(hash uint64) (i, j uint64) {
	return hash % cacheSize, (hash >> 32) % cacheSize
}

// get returns the result for a subject, or nil, and whether it holds now.
func (c *cache[T]) get(hash uint64, subject string) (r *result[T], holds bool) {
	i, j := places(hash)
	r = c.slots[i].Load()
	if r == nil || r.hash != hash || r.subject != subject {
		r = c.slots[j].Load()
		if r == nil || r.hash != hash || r.subject != subject {
			return nil, false
		}
	}
	return r, c.holds(r)
}

// The rule: a result holds as long as no change since it was made concerns its subject.
//
// holds reports whether a result holds at the moment when begun is loaded here: no
// change that began before concerns the subject, unless it had ended before the
// result was made.
func (c *cache[T]) holds(r *result[T]) bool {
	stamp := r.stamp.Load()
	now := c.begun.Load()
	since := now - stamp
	if since == 0 {
		return true
	}
	if since > uint64(r.probes)+slack {
		return false
	}
	for i := stamp; i != now; i++ {
		if key := c.ring[i%ringSize].Load(); key == 0 || r.may(key) {
			return false
		}
	}
	// Some may have been overwritten while they were read. The next change is
	// noted before it is counted.
	if c.begun.Load()-stamp >= ringSize {
		return false
	}
	if since >= slack/4 {
		r.stamp.Store(now) // another's older stamp is right too
	}
	return true
}

// may reports whether the subject may match a pattern of this key. Where it does
// not, the answer is wrong once in some thousand times.
func (r *result[T]) may(key uint64) bool {
	word, bits := place(key, len(r.keys))
	return r.keys[word]&bits == bits
}

// place returns where a filter of that many words has a key.
func place(key uint64, words int) (word, bits uint64) {
	return key >> 24 & uint64(words-1), 1<<(key&63) | 1<<(key>>8&63) | 1<<(key>>16&63)
}

// result returns a result for the subject that holds, or nil if none is kept.
func (v *view[T]) result(subject string) *result[T] {
	c := v.guide.cache
	if c == nil || c.over.Load() {
		if v.trial != nil && rand.Uint32()%64 == 0 {
			v.trial.rested(c)
		}
		return nil
	}
	hash := maphash.String(subjects, subject)
	r, holds := c.get(hash, subject)
	saved := -missCost
	switch {
	case holds:
		saved = r.probes + splitCost
	case r != nil || !c.turnAway(hash):
		r = v.keep(hash, subject)
		saved = -keepCost
	}
	if seen := c.seen.Load(); seen != 0 {
		v.trial.note(c, seen, saved)
	}
	if !holds && rand.Uint32()%16 == 0 {
		c.missed(c.begun.Load())
	}
	return r
}

// turnAway reports whether the subject comes for the first time since others came
// that have its place.
func (c *cache[T]) turnAway(hash uint64) bool {
	i, _ := places(hash)
	door, card := &c.doors[i], uint32(hash>>16)
	if door.Load() == card {
		return false
	}
	door.Store(card)
	return true
}

// keep makes a result for the subject and keeps it.
func (v *view[T]) keep(hash uint64, subject string) *result[T] {
	r := v.guide.cache.draft(hash)
	v.fill(r, subject)
	v.guide.cache.put(r)
	return r
}

// draft returns a result that is yet to be filled.
func (c *cache[T]) draft(hash uint64) *result[T] {
	r := &result[T]{hash: hash}
	// A change that goes on may be in what a Match is about to find or not.
	r.stamp.Store(c.ended.Load())
	return r
}

// fill sets what the subject matches.
func (v *view[T]) fill(r *result[T], subject string) {
	v.each(subject, func(n *Sub[T]) bool {
		switch {
		case n.more == nil:
			r.values = append(r.values, n.value)
		case n.more.groups == nil && n.more.plain.n <= few:
			r.values = n.more.plain.root.appendTo(r.values)
		default:
			if r.rest == nil {
				r.rest = new([]*Sub[T])
			}
			*r.rest = append(*r.rest, n)
		}
		return true
	})
	r.subject = strings.Clone(subject)
	v.setKeys(r)
}

// put keeps a result, in place of another where there is no room.
func (c *cache[T]) put(r *result[T]) {
	i, j := places(r.hash)
	first, second := c.slots[i].Load(), c.slots[j].Load()
	switch {
	case first == nil || first.hash == r.hash:
	case second == nil || second.hash == r.hash || rand.Uint32()%2 == 0:
		i = j
	}
	c.slots[i].Store(r)
}

// setKeys sets the filter of a result. Its keys are those of the shapes that fit;
// changes of patterns that are found through marks may concern any result.
func (v *view[T]) setKeys(r *result[T]) {
	var (
		sums [shapeTokens + 1]uint64
		ends [shapeTokens]int32
	)
	n := v.hash.split(r.subject, sums[:], ends[:])
	fit := v.guide.fit[min(n, shapeTokens+1)]
	r.probes = len(fit)
	if v.guide.marks != nil {
		r.probes += markCost
	}
	// 32 bits for each key, and a power of two of words.
	words := 1 << bits.Len(uint(len(fit)/2))
	if r.keys = r.own[:]; words > len(r.own) {
		r.keys = make([]uint64, words)
	}
	for _, p := range fit {
		key := p.key(&sums) & v.hash.cut
		word, bits := place(key, len(r.keys))
		r.keys[word] |= bits
	}
}
