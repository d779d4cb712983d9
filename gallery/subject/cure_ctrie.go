package subject

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gopayoff/payoff/ctrie"
)

// forest is the trie without a lock: each branch has those below it in a [ctrie.Map].
//
// A branch is there as long as it is counted. Who subscribes counts one for each branch
// of the pattern, from the root on, and adds the subscription to the last; who
// unsubscribes takes all of this back, in the opposite order. So a branch that
// somebody has counted stays, and where there is a subscription there is the way to it.
type forest struct {
	branches branches

	// stars and tails are how many patterns begin with a wildcard.
	stars, tails atomic.Int64
}

// branches are those below a branch, by token.
type branches = ctrie.Map[string, *branch]

// A branch is immutable, but for what is below it.
type branch struct {
	count int // patterns that begin with this, or are this

	// stars and tails are how many of them go on with a wildcard: most matches need
	// not look for one.
	stars, tails int

	below *branches // the same as long as the branch is there; nil if it ends all of them
	subs  []*leaf   // to the pattern that ends here
}

// A leaf is one subscription.
type leaf struct {
	in    *forest
	path  []step
	value int
	over  atomic.Bool
}

// A step is a token, and where its branch is.
type step struct {
	token string
	in    *branches
}

// NewCtrie returns a Matcher in which nobody waits for anybody.
func NewCtrie() Matcher { return new(forest) }

func (f *forest) Subscribe(pattern string, value int) Subscription {
	tokens := strings.Split(pattern, ".")
	l := &leaf{in: f, path: make([]step, len(tokens)), value: value}
	for i, token := range tokens {
		l.path[i].token = token
	}
	f.start(tokens[0], 1)
	in := &f.branches
	for i := range l.path {
		l.path[i].in = in
		in = l.count(i, 1).below
	}
	return l
}

func (l *leaf) Unsubscribe() bool {
	if l.over.Swap(true) {
		return false
	}
	for i := range slices.Backward(l.path) {
		l.count(i, -1)
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

// count counts l in the branch that step i leads to, by 1 or -1, and returns the branch
// that is there then, or nil. At the last step it adds l or takes it away.
func (l *leaf) count(i, by int) *branch {
	b, _ := l.path[i].in.Compute(l.path[i].token, func(old *branch, ok bool) (*branch, bool) {
		b := new(branch)
		if ok {
			*b = *old
		}
		b.count += by
		if i == len(l.path)-1 {
			b.subs = with(b.subs, l, by)
			return b, b.count > 0
		}
		if b.below == nil {
			b.below = new(branches)
		}
		switch l.path[i+1].token {
		case "*":
			b.stars += by
		case ">":
			b.tails += by
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
	return match(dst, &f.branches, f.stars.Load() > 0, f.tails.Load() > 0, subject)
}

// match appends the values of the subscriptions in these branches that the rest of a
// subject matches. It is told whether there are branches for wildcards.
func match(dst []int, in *branches, star, tail bool, rest string) []int {
	if tail {
		if b, ok := in.Load(">"); ok {
			dst = b.values(dst)
		}
	}
	token, rest, more := strings.Cut(rest, ".")
	if b, ok := in.Load(token); ok {
		dst = b.match(dst, rest, more)
	}
	if star {
		if b, ok := in.Load("*"); ok {
			dst = b.match(dst, rest, more)
		}
	}
	return dst
}

// match appends the values below b, or those that b has if the subject ends here.
func (b *branch) match(dst []int, rest string, more bool) []int {
	switch {
	case !more:
		return b.values(dst)
	case b.below == nil:
		return dst
	}
	return match(dst, b.below, b.stars > 0, b.tails > 0, rest)
}

func (b *branch) values(dst []int) []int {
	for _, l := range b.subs {
		dst = append(dst, l.value)
	}
	return dst
}
