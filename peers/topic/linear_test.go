package topic

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/topic"
)

// A step is one call: the subscribe or unsubscribe of subscription sub, or a match, of
// which each subscription that the subject concerns has a step of its own.
type step struct {
	call    string
	sub     int64
	pattern string // of sub
	subject string // of a match
}

// lives is the model of one subscription: it is not there yet, there, or gone, and seen
// while it is there.
var lives = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, in, out any) (bool, any) {
		switch in.(step).call {
		case "subscribe":
			return state == 0, 1
		case "unsubscribe":
			return state == 1 && out == true, 2
		}
		return out == (state == 1), state
	},
}

// meet are patterns and the subjects that many of them match: by their shape, and the
// long ones by marks.
var (
	long = strings.Repeat(".x", 16)
	meet = []string{"a.b.c", "a.*.c", "*.b.c", "a.b.*", "a.>", "*.*.c", "a.b.>", "*" + long + ".>", "a" + long + ".*", ">"}
	asks = []string{"a.b.c", "a.q.c", "a" + long + ".y"}
)

// play returns a history of an index: what several goroutines did at once, stamped by a
// counter, since clocks of two processors may differ. Subscriptions are ended again.
func play(ix *topic.Index[*item], rnd *rand.Rand, players, n int, next *int64) []porcupine.Operation {
	var clock atomic.Int64
	var ready atomic.Int32
	histories := make([][]porcupine.Operation, players)
	var left sync.WaitGroup
	for p := range players {
		rnd := rand.New(rand.NewPCG(rnd.Uint64(), 0))
		first := *next
		*next += int64(n)
		left.Go(func() {
			type open struct {
				*topic.Sub[*item]
				id int64
			}
			var subs []open
			ready.Add(1)
			for i := 0; ready.Load() < int32(players) && i < 1000; i++ {
				runtime.Gosched()
			}
			note := func(in step, f func() any) {
				called := clock.Add(1)
				out := f()
				histories[p] = append(histories[p], porcupine.Operation{ClientId: p, Input: in, Call: called, Output: out, Return: clock.Add(1)})
			}
			unsubscribe := func(i int) {
				s := subs[i]
				subs = slices.Delete(subs, i, i+1)
				note(step{call: "unsubscribe", sub: s.id, pattern: s.Pattern()}, func() any { return s.Unsubscribe() })
			}
			for i := range n {
				for rnd.IntN(4) == 0 {
					runtime.Gosched()
				}
				switch rnd.IntN(5) {
				case 0:
					id, pattern := first+int64(i), meet[rnd.IntN(len(meet))]
					note(step{call: "subscribe", sub: id, pattern: pattern}, func() any {
						subs = append(subs, open{must(ix.Subscribe(pattern, &item{id})), id})
						return nil
					})
				case 1:
					if len(subs) > 0 {
						unsubscribe(rnd.IntN(len(subs)))
					}
				default:
					subject := asks[rnd.IntN(len(asks))]
					note(step{call: "match", subject: subject}, func() any {
						switch rnd.IntN(8) {
						case 0:
							return ix.Snapshot().AppendMatch(nil, subject)
						case 1:
							return slices.Collect(ix.Match(subject))
						}
						return ix.AppendMatch(nil, subject)
					})
				}
			}
			for len(subs) > 0 {
				unsubscribe(0)
			}
		})
	}
	left.Wait()
	return slices.Concat(histories...)
}

// lifeOf is what a history has about one subscription.
func lifeOf(s step, history []porcupine.Operation) (part []porcupine.Operation) {
	for _, o := range history {
		switch in := o.Input.(step); {
		case in.call == "match":
			if !matches(s.pattern, in.subject) {
				continue
			}
			o.Output = slices.ContainsFunc(o.Output.([]*item), func(it *item) bool { return it.id == s.sub })
		case in.sub != s.sub:
			continue
		}
		part = append(part, o)
	}
	return part
}

// judge returns what is wrong with a history: the subscription that did not come at one
// moment and go at one.
func judge(history []porcupine.Operation) string {
	for _, o := range history {
		s := o.Input.(step)
		if s.call != "subscribe" {
			continue
		}
		part := lifeOf(s, history)
		if r := porcupine.CheckOperationsTimeout(lives, part, 10*time.Second); r != porcupine.Ok {
			var b strings.Builder
			fmt.Fprintf(&b, "%v: subscription %d of %q:\n", r, s.sub, s.pattern)
			for _, o := range part {
				fmt.Fprintf(&b, "%d: [%d, %d] %s %s → %v\n", o.ClientId, o.Call, o.Return, o.Input.(step).call, o.Input.(step).subject, o.Output)
			}
			return b.String()
		}
	}
	return ""
}

// histories is how many the index is held to.
//
//	go test ./peers/topic -run Linearizable -histories 100000
var histories = flag.Int("histories", 0, "hold the index to this `number` of histories")

// Each subscription comes at one moment and goes at one, on which all agree.
//
// Half of them are of an index whose subjects came often enough that it keeps results,
// and which goes on from one history to the next.
func TestLinearizable(t *testing.T) {
	rounds := 150
	if stress.Long() {
		rounds = 1_500
	}
	if *histories > 0 {
		rounds = *histories / 6 // two indexes, three numbers of processors
	}
	seed := stress.Seed(t)
	stress.Procs(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		var next int64
		for name, index := range map[string]func() *topic.Index[*item]{
			"new": func() *topic.Index[*item] { return topic.New[*item](topic.NATS) },
			"old": func() func() *topic.Index[*item] {
				ix := topic.New[*item](topic.NATS)
				return func() *topic.Index[*item] { return ix }
			}(),
		} {
			t.Run(name, func(t *testing.T) {
				for i := range rounds {
					ix := index()
					if name == "old" && i%100 == 0 {
						for _, p := range []string{"a.b.c.*", "a.*", "*.b", "*.*.*.*", "*.b.*"} {
							defer must(ix.Subscribe(p, &item{-1})).Unsubscribe() // enough shapes
						}
						for i := range 20_000 {
							ix.Has(asks[i%2])
						}
					}
					if why := judge(play(ix, rnd, 2+rnd.IntN(3), 10, &next)); why != "" {
						t.Fatal(why)
					}
				}
			})
		}
	})
}

// A subscription that is missed once, or seen once too often, is found.
func TestWrongMatchIsFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	var next int64
	missed, extra := false, false
	for range 2000 {
		h := play(topic.New[*item](topic.NATS), rnd, 3, 10, &next)
		if judge(h) != "" {
			t.Fatal(judge(h))
		}
		for i, o := range h {
			found, ok := o.Output.([]*item)
			if !ok {
				continue
			}
			if len(found) > 0 {
				h[i].Output = found[1:]
				missed = missed || judge(h) != ""
			}
			for _, s := range h {
				if s := s.Input.(step); s.call == "subscribe" && matches(s.pattern, o.Input.(step).subject) {
					h[i].Output = append(slices.Clone(found), &item{s.sub})
					extra = extra || judge(h) != ""
				}
			}
			h[i].Output = found
		}
		if missed && extra {
			return
		}
	}
	t.Errorf("a missed subscription was found: %t, one too many: %t", missed, extra)
}
