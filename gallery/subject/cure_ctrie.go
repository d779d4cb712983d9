package subject

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gopayoff/payoff/ctrie"
)

// forest is the trie without a lock: all edges are in one [ctrie.Map], by the node that
// they begin at and their token.
//
// A branch is there as long as it is counted. Who subscribes counts one for each branch
// of the pattern, from the root down, and adds the subscription to the last one; who
// unsubscribes takes all of this back, in the opposite order. So a branch that
// somebody has counted stays, and a match that finds a subscription has found the way
// to it.
type forest struct {
	edges ctrie.Map[edge, *branch]
	ids   atomic.Uint64 // given to branches so far

	// stars and tails are how many patterns begin with a wildcard.
	stars, tails atomic.Int64
}

// An edge leads from the branch with that id, or from the root, which has 0.
type edge struct {
	from  uint64
	token string
}

// A branch is immutable.
type branch struct {
	id    uint64
	count int // patterns that begin with this, or are this

	// stars and tails are how many of them go on with a wildcard, so that most
	// matches need not look for one.
	stars, tails int

	subs []*leaf // to the pattern that ends here
}

// A leaf is one subscription.
type leaf struct {
	in    *forest
	path  []edge
	value int
	over  atomic.Bool
}

// NewCtrie returns a Matcher that nobody has to wait for.
func NewCtrie() Matcher { return new(forest) }

func (f *forest) Subscribe(pattern string, value int) Subscription {
	tokens := strings.Split(pattern, ".")
	l := &leaf{in: f, path: make([]edge, len(tokens)), value: value}
	var from uint64
	f.start(tokens[0], 1)
	for i, token := range tokens {
		l.path[i] = edge{from, token}
		from = f.change(l, i, 1).id
	}
	return l
}

func (l *leaf) Unsubscribe() bool {
	if l.over.Swap(true) {
		return false
	}
	for i := range slices.Backward(l.path) {
		l.in.change(l, i, -1)
	}
	l.in.start(l.path[0].token, -1)
	return true
}

// start counts a pattern that begins with the token, by 1 or -1.
func (f *forest) start(token string, by int64) {
	switch token {
	case "*":
		f.stars.Add(by)
	case ">":
		f.tails.Add(by)
	}
}

// change counts l for the branch that edge i of its path leads to, by 1 or -1, and
// returns the branch that is there then, or nil. At the last one it adds l or takes it
// away.
func (f *forest) change(l *leaf, i, by int) *branch {
	next := ""
	if i+1 < len(l.path) {
		next = l.path[i+1].token
	}
	b, _ := f.edges.Compute(l.path[i], func(old *branch, ok bool) (*branch, bool) {
		b := new(branch)
		if ok {
			*b = *old
		} else {
			b.id = f.ids.Add(1)
		}
		b.count += by
		switch next {
		case "*":
			b.stars += by
		case ">":
			b.tails += by
		case "":
			b.subs = with(b.subs, l, by)
		}
		return b, b.count > 0
	})
	return b
}

// with returns subs and l, or subs without it if by is -1, and leaves subs as it is.
func with(subs []*leaf, l *leaf, by int) []*leaf {
	if by > 0 {
		return append(slices.Clip(subs), l)
	}
	i := slices.Index(subs, l)
	return slices.Concat(subs[:i], subs[i+1:])
}

func (f *forest) AppendMatch(dst []int, subject string) []int {
	return f.match(dst, 0, f.stars.Load() > 0, f.tails.Load() > 0, subject)
}

// match appends the values below a branch, of which it is told whether edges with
// wildcards begin there.
func (f *forest) match(dst []int, from uint64, stars, tails bool, rest string) []int {
	if tails {
		if b, ok := f.edges.Load(edge{from, ">"}); ok {
			dst = b.values(dst)
		}
	}
	token, rest, more := strings.Cut(rest, ".")
	for _, t := range [...]string{token, "*"} {
		b, ok := f.edges.Load(edge{from, t})
		switch {
		case !ok:
		case more:
			dst = f.match(dst, b.id, b.stars > 0, b.tails > 0, rest)
		default:
			dst = b.values(dst)
		}
		if !stars {
			break
		}
	}
	return dst
}

func (b *branch) values(dst []int) []int {
	for _, l := range b.subs {
		dst = append(dst, l.value)
	}
	return dst
}
