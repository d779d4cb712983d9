package subject

import "strings"

// A Matcher has subscriptions to patterns and finds those that a subject matches.
//
// Subjects and patterns are tokens with dots between them. In a pattern, * stands for
// one token, and > at the end for one or more.
type Matcher interface {
	Subscribe(pattern string, value int) Subscription

	// AppendMatch appends the values that the subject matches to dst, in any order.
	AppendMatch(dst []int, subject string) []int
}

// A Subscription is what Subscribe returned.
type Subscription interface {
	// Unsubscribe ends the subscription, and reports whether this call did.
	Unsubscribe() bool
}

// A trie has a node for each beginning of a pattern. It is for one goroutine.
type trie struct{ root node }

type node struct {
	literal    map[string]*node // by token; nil if there are none
	star, tail *node
	subs       []*sub // to the pattern that ends here
}

// A sub is one subscription. It is at subs[place] of its pattern's node.
type sub struct {
	trie    *trie
	pattern string
	value   int
	place   int // or gone
}

const gone = -1

// NewSerial returns a Matcher for one goroutine.
func NewSerial() Matcher { return new(trie) }

func (t *trie) Subscribe(pattern string, value int) Subscription { return t.add(pattern, value) }

func (t *trie) add(pattern string, value int) *sub {
	n := &t.root
	for rest, more := pattern, true; more; {
		var token string
		token, rest, more = strings.Cut(rest, ".")
		n = n.child(token)
	}
	s := &sub{trie: t, pattern: pattern, value: value, place: len(n.subs)}
	n.subs = append(n.subs, s)
	return s
}

// child returns the node below n for a token of a pattern, made if there is none.
func (n *node) child(token string) *node {
	switch token {
	case "*":
		if n.star == nil {
			n.star = new(node)
		}
		return n.star
	case ">":
		if n.tail == nil {
			n.tail = new(node)
		}
		return n.tail
	}
	c := n.literal[token]
	if c == nil {
		c = new(node)
		if n.literal == nil {
			n.literal = make(map[string]*node)
		}
		n.literal[token] = c
	}
	return c
}

func (t *trie) AppendMatch(dst []int, subject string) []int { return t.root.match(dst, subject) }

// match appends the values of the subscriptions below n that the rest of a subject, of
// one token or more, matches.
func (n *node) match(dst []int, rest string) []int {
	if n.tail != nil {
		dst = n.tail.values(dst)
	}
	token, rest, more := strings.Cut(rest, ".")
	for _, c := range [...]*node{n.literal[token], n.star} {
		switch {
		case c == nil:
		case more:
			dst = c.match(dst, rest)
		default:
			dst = c.values(dst)
		}
	}
	return dst
}

func (n *node) values(dst []int) []int {
	for _, s := range n.subs {
		dst = append(dst, s.value)
	}
	return dst
}

func (s *sub) Unsubscribe() bool {
	if s.place == gone {
		return false
	}
	s.trie.root.remove(s, s.pattern)
	s.place = gone
	return true
}

// remove takes s, of whose pattern this is the rest, away from below n, with the nodes
// that nobody needs then. It reports whether n is one of them.
func (n *node) remove(s *sub, rest string) bool {
	token, rest, more := strings.Cut(rest, ".")
	c := n.child(token)
	if more {
		if !c.remove(s, rest) {
			return false
		}
	} else {
		last := len(c.subs) - 1
		c.subs[s.place] = c.subs[last]
		c.subs[s.place].place = s.place
		c.subs[last] = nil
		c.subs = c.subs[:last]
		if !c.empty() {
			return false
		}
	}
	switch token {
	case "*":
		n.star = nil
	case ">":
		n.tail = nil
	default:
		delete(n.literal, token)
	}
	return n.empty()
}

// empty reports whether nobody needs n.
func (n *node) empty() bool {
	return len(n.subs) == 0 && len(n.literal) == 0 && n.star == nil && n.tail == nil
}
