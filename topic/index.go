package topic

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/counter"
)

// An Index has subscriptions and finds those that a subject matches.
//
// Make one with [New]; the zero Index is not ready. An Index must not be copied.
// All its methods may be called by any number of goroutines at once. It takes some
// 5 KiB, and starts no goroutine.
type Index[T any] struct {
	dialect Dialect
	hash    hasher

	// guide says where subscriptions are found. It is stored while mu and all
	// stripes are locked, and loaded by those who write under any stripe's lock.
	guide atomic.Pointer[guide[T]]
	table table[T]
	count counter.Int // subscriptions

	// plain and marked are the origins of subscriptions in no group.
	plain, marked *origin[T]

	mu    sync.Mutex // before the stripes' locks
	trial trial[T]

	stripes []stripe // as many as the table has
}

// New returns an empty Index for patterns and subjects of the dialect.
func New[T any](d Dialect) *Index[T] {
	ix := &Index[T]{dialect: d, hash: newHasher(d.grammar()), table: newTable[T](runtime.GOMAXPROCS(0))}
	ix.stripes = make([]stripe, len(ix.table.slots))
	ix.plain = &origin[T]{ix: ix}
	ix.marked = &origin[T]{ix: ix, marked: true}
	ix.guide.Store(new(guide[T]))
	ix.trial.begin(ix)
	return ix
}

// Subscribe adds value v under a pattern. The same value may be added any number
// of times, under the same pattern too.
//
// The error is an [*Error] if the pattern is not one of the Index's dialect;
// nothing is added then. The Index keeps the string.
func (ix *Index[T]) Subscribe(pattern string, v T) (*Sub[T], error) {
	return ix.subscribe(pattern, "", v)
}

// SubscribeGroup adds value v under a pattern as a member of a queue group, of
// which each Match yields one member, chosen at random.
//
// In the NATS dialect all subscriptions with the group's name belong to one group,
// whatever their patterns are. Of those that a subject matches, Match chooses one. In
// the MQTT dialect the members of a group are those with the same pattern, as with
// $share/group/pattern. Subscribe does not know that syntax.
func (ix *Index[T]) SubscribeGroup(pattern, group string, v T) (*Sub[T], error) {
	if err := ix.dialect.checkGroup(group); err != nil {
		return nil, err
	}
	return ix.subscribe(pattern, group, v)
}

func (ix *Index[T]) subscribe(pattern, group string, v T) (*Sub[T], error) {
	if err := ix.dialect.CheckPattern(pattern); err != nil {
		return nil, err
	}
	p := ix.hash.parse(pattern)
	s := &Sub[T]{pattern: pattern, value: v}
	st := ix.lead(p.shape, p.key, s)
	switch {
	case group != "":
		s.in = &origin[T]{ix, group, s.in.marked}
	case s.in.marked:
		s.in = ix.marked
	}
	if s.in.marked {
		st.Unlock()
		ix.addMarks(pattern, 1)
		st.Lock()
	}
	old := ix.table.lookup(p.key, pattern, false)
	ix.change(st, p.key, old, nodeWith(old, s), s.in.marked)
	st.Unlock()
	ix.count.Add(1)
	return s, nil
}

// lead makes sure that subscription s is found by the guide, and goes on to be:
// it is counted for its shape, or for the marks. It returns with the stripe of the
// key locked, and s's origin that of one that is in no group.
func (ix *Index[T]) lead(sh shape, key uint64, s *Sub[T]) *stripe {
	st := &ix.stripes[ix.table.stripe(key)]
	for tried := false; ; tried = true {
		st.Lock()
		g := ix.guide.Load()
		if refs := g.find(sh); refs != nil {
			refs.Add(1)
			s.in = ix.plain
			return st
		}
		if g.marks != nil && (tried || !g.room(sh)) {
			g.marks.Add(1)
			s.in = ix.marked
			return st
		}
		st.Unlock()
		ix.register(sh)
	}
}

// register publishes a guide that has the shape or leads to marks.
func (ix *Index[T]) register(sh shape) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.guide.Load().find(sh) != nil {
		return
	}
	ix.lockAll()
	defer ix.unlockAll()
	ix.guide.Store(ix.guide.Load().with(sh, &ix.hash))
}

func (ix *Index[T]) lockAll() {
	for i := range ix.stripes {
		ix.stripes[i].Lock()
	}
}

func (ix *Index[T]) unlockAll() {
	for i := range ix.stripes {
		ix.stripes[i].Unlock()
	}
}

// remove ends subscription s.
func (ix *Index[T]) remove(s *Sub[T]) bool {
	p := ix.hash.parse(s.pattern)
	st := &ix.stripes[ix.table.stripe(p.key)]
	st.Lock()
	if s.place == gone {
		st.Unlock()
		return false
	}
	old := ix.table.lookup(p.key, s.pattern, false)
	ix.change(st, p.key, old, nodeWithout(old, s), s.in.marked)
	s.place = gone
	g := ix.guide.Load()
	if !s.in.marked {
		g.find(p.shape).Add(-1)
	}
	st.Unlock()
	if s.in.marked {
		// The count comes last: as long as it is not 0, marks are looked for.
		ix.addMarks(s.pattern, -1)
		g.marks.Add(-1)
	}
	ix.count.Add(-1)
	return true
}

// change puts a node in the place of another under the stripe's lock, and notes it
// for those who have results.
func (ix *Index[T]) change(st *stripe, key uint64, old, node *Sub[T], marked bool) {
	c := ix.guide.Load().cache
	if c != nil && !c.over.Load() {
		c.begin(key, marked)
		defer c.end()
	}
	ix.table.put(st, key, old, node, ix.keyOf)
}

// keyOf returns the key of a node.
func (ix *Index[T]) keyOf(n *Sub[T]) uint64 {
	if n.isMark() {
		return ix.hash.markKey(n.pattern)
	}
	return ix.hash.parse(n.pattern).key
}

func (ix *Index[T]) view() view[T] {
	return view[T]{&ix.hash, &ix.table, ix.guide.Load(), &ix.trial}
}

// Len returns the number of subscriptions. While some come and go, it may be off by
// those.
func (ix *Index[T]) Len() int { return int(ix.count.Value()) }

// Match returns an iterator over the values of the subscriptions that a subject
// matches, and of one member of each group, in no particular order. It looks anew
// each time it is used. It allocates nothing, but to keep a result, and where a subject
// of which none is kept matches more than 8 patterns.
//
// A subject with an empty token, where the dialect has none, or with a token that is
// a wildcard matches nothing. What else [Dialect.CheckSubject] finds is not looked
// for.
func (ix *Index[T]) Match(subject string) iter.Seq[T] {
	return func(yield func(T) bool) {
		v := ix.view()
		values, rest, all := v.kept(subject)
		var m *matching[T]
		if !all {
			m = &matching[T]{view: v, subject: subject, more: rest}
		}
		for {
			for _, value := range values {
				if !yield(value) {
					return
				}
			}
			if m == nil {
				return
			}
			if values, all = m.next(); all {
				m = nil
			}
		}
	}
}

// AppendMatch appends to dst what Match yields, and returns the extended slice. It
// allocates nothing where dst has room, but to keep a result, and for subjects of
// which more than four matching patterns have groups.
func (ix *Index[T]) AppendMatch(dst []T, subject string) []T {
	v := ix.view()
	return v.appendMatch(dst, subject)
}

// Has reports whether Match would yield anything.
func (ix *Index[T]) Has(subject string) bool {
	v := ix.view()
	return v.has(subject)
}

// Count returns how many values Match would yield.
func (ix *Index[T]) Count(subject string) int {
	v := ix.view()
	return v.count(subject)
}

// All returns an iterator over the subscriptions, in no particular order. It takes
// a snapshot first, if an O(1) one.
func (ix *Index[T]) All() iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) { ix.Snapshot().All()(yield) }
}

// Overlaps returns an iterator over the subscriptions with patterns that overlap
// the given one: there is a subject that both match. It looks at all
// subscriptions, in a snapshot that it takes each time it is used. The
// error is an [*Error] if the pattern is none.
func (ix *Index[T]) Overlaps(pattern string) (iter.Seq[*Sub[T]], error) {
	if err := ix.dialect.CheckPattern(pattern); err != nil {
		return nil, err
	}
	return func(yield func(*Sub[T]) bool) { ix.Snapshot().overlaps(pattern, yield) }, nil
}
