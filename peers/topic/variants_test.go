package topic

import (
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats-server/v2/server/gsl"

	"github.com/gopayoff/payoff/topic"
)

// A subscription is what subscribe returned, for unsubscribe.
type subscription any

// A client is what one goroutine does with an index that others use too.
type client interface {
	subscribe(pattern string, it *item) subscription
	unsubscribe(subscription)

	// match returns how many items a subject matches, and the sum of their ids.
	match(subject string) (n int, sum int64)
}

// A variant makes an empty index, and returns what makes clients of it.
type variant struct {
	name  string
	index func() func() client
	// most is how many subscriptions it is measured with, at most; 0: any number.
	most int
}

// The first is the base.
var variants = []variant{
	{name: "nats-cache", index: func() func() client {
		c := newNATS(server.NewSublistWithCache())
		return func() client { return c }
	}},
	{name: "payoff", index: func() func() client {
		ix := topic.New[*item](topic.NATS)
		return func() client { return &ours{ix: ix} }
	}},
	{name: "nats-l1", index: func() func() client {
		c := newNATS(server.NewSublistWithCache())
		return func() client { return newL1(c) }
	}},
	{name: "nats-nocache", index: func() func() client {
		c := newNATS(server.NewSublistNoCache())
		return func() client { return c }
	}},
	{name: "nats-gsl", index: func() func() client {
		sl := gsl.NewSublist[*item]()
		return func() client { return natsGSL{sl} }
	}},
	{name: "locked", most: 1000, index: func() func() client {
		m := &locked{subs: map[string][]*item{}}
		return func() client { return m }
	}},
}

// ours keeps a slice for what AppendMatch finds, as a goroutine that publishes does.
type ours struct {
	ix  *topic.Index[*item]
	dst []*item
}

func (c *ours) subscribe(pattern string, it *item) subscription {
	return must(c.ix.Subscribe(pattern, it))
}

func (c *ours) unsubscribe(s subscription) { s.(*topic.Sub[*item]).Unsubscribe() }

func (c *ours) match(subject string) (n int, sum int64) {
	c.dst = c.ix.AppendMatch(c.dst[:0], subject)
	for _, it := range c.dst {
		sum += it.id
	}
	return len(c.dst), sum
}

// natsGSL is nats-server's list for values of any type.
type natsGSL struct {
	*gsl.GenericSublist[*item]
}

type gslSub struct {
	pattern string
	it      *item
}

func (c natsGSL) subscribe(pattern string, it *item) subscription {
	check(c.Insert(pattern, it))
	return &gslSub{pattern, it}
}

func (c natsGSL) unsubscribe(s subscription) {
	sub := s.(*gslSub)
	check(c.Remove(sub.pattern, sub.it))
}

func (c natsGSL) match(subject string) (n int, sum int64) {
	c.Match(subject, func(it *item) {
		n++
		sum += it.id
	})
	return n, sum
}

// locked is the map behind a lock that the article begins with: it is asked for each
// of its patterns.
type locked struct {
	mu   sync.RWMutex
	subs map[string][]*item
}

func (l *locked) subscribe(pattern string, it *item) subscription {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.subs[pattern] = append(l.subs[pattern], it)
	return &gslSub{pattern, it}
}

func (l *locked) unsubscribe(s subscription) {
	sub := s.(*gslSub)
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.subs[sub.pattern]
	i := slices.Index(all, sub.it)
	all[i] = all[len(all)-1]
	if all = all[:len(all)-1]; len(all) == 0 {
		delete(l.subs, sub.pattern)
	} else {
		l.subs[sub.pattern] = all
	}
}

func (l *locked) match(subject string) (n int, sum int64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for pattern, all := range l.subs {
		if !matches(pattern, subject) {
			continue
		}
		for _, it := range all {
			n++
			sum += it.id
		}
	}
	return n, sum
}

// matches takes the rules at their word.
func matches(pattern, subject string) bool {
	for {
		p, prest, pmore := strings.Cut(pattern, ".")
		s, srest, smore := strings.Cut(subject, ".")
		switch {
		case p == ">":
			return true
		case p != "*" && p != s, pmore != smore:
			return false
		case !pmore:
			return true
		}
		pattern, subject = prest, srest
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
