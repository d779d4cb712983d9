package subject

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gopayoff/payoff/ctrie"
)

// forest is the trie without a lock: each branch has those below it in a [ctrie.Map].
type forest struct{ root branch }

// A branch is below another one as long as it is counted.
type branch struct {
	below ctrie.Map[string, *branch] // by token

	// stars and tails are how many patterns go on with a wildcard: most matches need
	// not look for one.
	stars, tails atomic.Int32

	// subs are those to the pattern that ends here. What it points to is immutable.
	subs atomic.Pointer[[]*leaf]

	// count is how many patterns begin with this, or are this. When it has become 0 it
	// stays so, and the branch is taken away: who needs it then makes another one. So
	// where there is a subscription there is the way to it.
	count atomic.Int64
}

// A leaf is one subscription.
type leaf struct {
	pattern string
	value   int
	path    []*branch // from the root on
	over    atomic.Bool
}

// NewCtrie returns a Matcher in which none waits for another.
func NewCtrie() Matcher { return new(forest) }

func (f *forest) Subscribe(pattern string, value int) Subscription {
	l := &leaf{pattern: pattern, value: value, path: make([]*branch, 1, 2+strings.Count(pattern, "."))}
	b := &f.root
	l.path[0] = b
	for rest, more := pattern, true; more; {
		var token string
		token, rest, more = strings.Cut(rest, ".")
		b.wild(token, 1)
		b = b.counted(token)
		l.path = append(l.path, b)
	}
	b.change(func(subs []*leaf) []*leaf { return append(slices.Clip(subs), l) })
	return l
}

func (l *leaf) Unsubscribe() bool {
	if l.over.Swap(true) {
		return false
	}
	last := len(l.path) - 1
	l.path[last].change(func(subs []*leaf) []*leaf {
		i := slices.Index(subs, l)
		return slices.Concat(subs[:i], subs[i+1:])
	})
	rest := l.pattern
	for i := last; i > 0; i-- {
		at := strings.LastIndexByte(rest, '.')
		token := rest[at+1:]
		rest = rest[:max(at, 0)]
		b, parent := l.path[i], l.path[i-1]
		if b.count.Add(-1) == 0 {
			parent.below.CompareAndDelete(token, b)
		}
		parent.wild(token, -1)
	}
	return true
}

// counted returns the branch for a token below b, with one more counted. It makes it if
// there is none.
func (b *branch) counted(token string) *branch {
	for {
		c, ok := b.below.Load(token)
		if !ok {
			c = new(branch)
			c.count.Store(1)
			if c, ok = b.below.LoadOrStore(token, c); !ok {
				return c
			}
		}
		for n := c.count.Load(); n > 0; n = c.count.Load() {
			if c.count.CompareAndSwap(n, n+1) {
				return c
			}
		}
		b.below.CompareAndDelete(token, c) // whoever counted last may be about to
	}
}

// wild counts a pattern that goes on with the token below b, by 1 or -1, if that is a
// wildcard.
func (b *branch) wild(token string, by int32) {
	switch token {
	case "*":
		b.stars.Add(by)
	case ">":
		b.tails.Add(by)
	}
}

// change sets b's subscriptions to what f makes of them. It may call f several times.
func (b *branch) change(f func(subs []*leaf) []*leaf) {
	for {
		old := b.subs.Load()
		var subs []*leaf
		if old != nil {
			subs = *old
		}
		if subs = f(subs); b.subs.CompareAndSwap(old, &subs) {
			return
		}
	}
}

func (f *forest) AppendMatch(dst []int, subject string) []int { return f.root.match(dst, subject) }

// match appends the values of the subscriptions below b that the rest of a subject, of
// one token or more, matches.
func (b *branch) match(dst []int, rest string) []int {
	if b.tails.Load() > 0 {
		dst = b.next(dst, ">", "", false)
	}
	token, rest, more := strings.Cut(rest, ".")
	dst = b.next(dst, token, rest, more)
	if b.stars.Load() > 0 {
		dst = b.next(dst, "*", rest, more)
	}
	return dst
}

// next appends what match does in the branch for a token below b, or the values that
// this branch has if there is no more.
func (b *branch) next(dst []int, token, rest string, more bool) []int {
	c, ok := b.below.Load(token)
	if !ok {
		return dst
	}
	if more {
		return c.match(dst, rest)
	}
	if subs := c.subs.Load(); subs != nil {
		for _, l := range *subs {
			dst = append(dst, l.value)
		}
	}
	return dst
}
