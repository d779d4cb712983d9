package topic_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	. "github.com/gopayoff/payoff/topic"
)

// rules are a dialect's, for the oracle.
type rules struct {
	Dialect
	sep, star, tail string
}

var (
	natsRules = rules{NATS, ".", "*", ">"}
	mqttRules = rules{MQTT, "/", "+", "#"}
	dialects  = []rules{natsRules, mqttRules}
)

// matches is the oracle: it takes the rules at their word.
func (r rules) matches(pattern, subject string) bool {
	p, s := strings.Split(pattern, r.sep), strings.Split(subject, r.sep)
	if r.Dialect == MQTT && strings.HasPrefix(subject, "$") && (p[0] == r.star || p[0] == r.tail) {
		return false
	}
	return r.tokensMatch(p, s)
}

func (r rules) tokensMatch(p, s []string) bool {
	switch {
	case len(p) == 0:
		return len(s) == 0
	case p[0] == r.tail:
		return len(s) > 0 || r.Dialect == MQTT
	case len(s) == 0:
		return false
	}
	return (p[0] == r.star || p[0] == s[0]) && r.tokensMatch(p[1:], s[1:])
}

// A naive is a slice of subscriptions.
type naive struct {
	rules
	subs []*Sub[int]
}

// match returns the values of those in no group, and the members of each group. In
// the MQTT dialect the name is the pattern too.
func (n naive) match(subject string) (plain []int, groups map[string][]int) {
	groups = make(map[string][]int)
	for _, s := range n.subs {
		if !n.matches(s.Pattern(), subject) {
			continue
		}
		switch name := s.Group(); {
		case name == "":
			plain = append(plain, s.Value())
		case n.Dialect == MQTT:
			groups[name+" "+s.Pattern()] = append(groups[name+" "+s.Pattern()], s.Value())
		default:
			groups[name] = append(groups[name], s.Value())
		}
	}
	slices.Sort(plain)
	return plain, groups
}

// matcher is what Index and Snapshot have in common.
type matcher interface {
	AppendMatch(dst []int, subject string) []int
	Has(subject string) bool
	Count(subject string) int
	Lookup(subject string) Found[int]
}

// check holds what a matcher says of a subject against the oracle.
func (n naive) check(t testing.TB, m matcher, subject string) {
	t.Helper()
	plain, groups := n.match(subject)
	want := len(plain) + len(groups)
	got := m.AppendMatch([]int{-1}, subject)
	if got[0] != -1 {
		t.Fatalf("AppendMatch changed what was there")
	}
	rest := slices.Clone(got[1:])
	slices.Sort(rest)
	for name, members := range groups {
		chosen := 0
		rest = slices.DeleteFunc(rest, func(v int) bool {
			if slices.Contains(members, v) {
				chosen++
				return true
			}
			return false
		})
		if chosen != 1 {
			t.Fatalf("%v: AppendMatch(%q) has %d of group %q, want 1", n.Dialect, subject, chosen, name)
		}
	}
	if !slices.Equal(rest, plain) {
		t.Fatalf("%v: AppendMatch(%q) = %v, want %v", n.Dialect, subject, rest, plain)
	}
	if c := m.Count(subject); c != want {
		t.Fatalf("%v: Count(%q) = %d, want %d", n.Dialect, subject, c, want)
	}
	if h := m.Has(subject); h != (want > 0) {
		t.Fatalf("%v: Has(%q) = %t, want %t", n.Dialect, subject, h, want > 0)
	}
	n.checkFound(t, m.Lookup(subject), subject, plain, groups)
}

// checkFound holds what is found of a subject against what there is: all of those in no
// group, and of each group all members.
func (n naive) checkFound(t testing.TB, found Found[int], subject string, plain []int, groups map[string][]int) {
	t.Helper()
	var got []int
	for s := range found.Plain() {
		got = append(got, s.Value())
	}
	slices.Sort(got)
	if !slices.Equal(got, plain) {
		t.Fatalf("%v: Lookup(%q).Plain() has %v, want %v", n.Dialect, subject, got, plain)
	}
	seen := 0
	for g := range found.Groups() {
		seen++
		odd := func(s *Sub[int]) bool { return s.Value()%2 == 1 }
		got, key, evens := []int(nil), g.Name(), 0
		for s := range g.Prefer(odd) {
			got = append(got, s.Value())
			if n.Dialect == MQTT {
				key = g.Name() + " " + s.Pattern()
			}
			if !odd(s) {
				evens++
			} else if evens > 0 {
				t.Fatalf("%v: Lookup(%q): Prefer yields %v: %d is preferred, and comes late", n.Dialect, subject, got, s.Value())
			}
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values(groups[key]))
		if !slices.Equal(got, want) || g.Len() != len(want) {
			t.Fatalf("%v: Lookup(%q): group %q has %v, %d in all, want %v", n.Dialect, subject, key, got, g.Len(), want)
		}
	}
	if seen != len(groups) {
		t.Fatalf("%v: Lookup(%q) has %d groups, want %d", n.Dialect, subject, seen, len(groups))
	}
}

// A maker makes random patterns and subjects, few enough that they meet.
type maker struct {
	*rand.Rand
	rules
	depth int // tokens, at most
	words int
}

func (m maker) word() string {
	words := []string{"a", "b", "cc", "eventful", "eventfulness", "$x", "x*", "ab", "ba", "a+b", "0123456789abcdef0", "ü"}
	w := words[m.IntN(min(m.words, len(words)))]
	if m.Dialect == MQTT {
		w = strings.NewReplacer("+", "-").Replace(w)
		if m.IntN(12) == 0 {
			w = ""
		}
	}
	return w
}

func (m maker) pattern() string {
	for {
		var tokens []string
		for range 1 + m.IntN(m.depth) {
			switch m.IntN(4) {
			case 0:
				tokens = append(tokens, m.star)
			default:
				tokens = append(tokens, m.word())
			}
		}
		if m.IntN(4) == 0 {
			tokens[len(tokens)-1] = m.tail
		}
		if p := strings.Join(tokens, m.sep); m.CheckPattern(p) == nil {
			return p
		}
	}
}

func (m maker) subject() string {
	for {
		var tokens []string
		for range 1 + m.IntN(m.depth) {
			tokens = append(tokens, m.word())
		}
		if s := strings.Join(tokens, m.sep); m.CheckSubject(s) == nil {
			return s
		}
	}
}

// hashes are what the keys of an Index have of their hash.
var hashes = []struct {
	name string
	mask uint64
}{{"real", ^uint64(0)}, {"bits", 0x8000_0000_0000_0007}, {"constant", 0}}

// TestOracle: an Index and its Snapshots answer as a slice of subscriptions does,
// with any hash, with and without a cache, with shapes and with marks.
func TestOracle(t *testing.T) {
	seed := stress.Seed(t)
	ops := 1500
	if stress.Long() {
		ops = 10_000
	}
	for _, r := range dialects {
		for _, h := range hashes {
			for _, cached := range []bool{false, true} {
				for _, depth := range []int{4, 7, 20} {
					name := fmt.Sprintf("%v/hash=%s/cache=%t/depth=%d", r.Dialect, h.name, cached, depth)
					t.Run(name, func(t *testing.T) {
						m := maker{rand.New(rand.NewPCG(seed, uint64(depth))), r, depth, 3 + 9*(depth%2)}
						n := ops
						if h.mask != ^uint64(0) && depth > 4 {
							n /= 10 // each Match looks at everything
						}
						runOracle(t, m, h.mask, cached, n)
					})
				}
			}
		}
	}
}

func runOracle(t *testing.T, m maker, mask uint64, cached bool, ops int) {
	ix := New[int](m.Dialect)
	ix.Cut(mask)
	ix.SetCache(cached)
	want := naive{rules: m.rules}
	var (
		photo  *View[int]
		photod naive
		next   int
		ended  []*Sub[int]
	)
	subjects := make([]string, 20)
	for i := range subjects {
		subjects[i] = m.subject()
	}
	subject := func() string {
		if m.IntN(3) == 0 {
			return m.subject()
		}
		return subjects[m.IntN(len(subjects))]
	}
	for i := range ops {
		grow := 3
		if i/500%2 == 1 {
			grow = 1 // shrink
		}
		switch op := m.IntN(12); {
		case op < grow:
			next++
			var s *Sub[int]
			var err error
			p := m.pattern()
			if len(want.subs) > 0 && m.IntN(4) == 0 {
				p = want.subs[m.IntN(len(want.subs))].Pattern()
			}
			if m.IntN(4) == 0 {
				s, err = ix.SubscribeGroup(p, fmt.Sprint("g", m.IntN(3)), next)
			} else {
				s, err = ix.Subscribe(p, next)
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.Value() != next || s.Pattern() != p {
				t.Fatalf("Subscribe(%q, %d) has %q and %d", p, next, s.Pattern(), s.Value())
			}
			want.subs = append(want.subs, s)
		case op < 4 && len(want.subs) > 0:
			j := m.IntN(len(want.subs))
			s := want.subs[j]
			if !s.Unsubscribe() {
				t.Fatalf("Unsubscribe of %q reports false", s.Pattern())
			}
			ended = append(ended, s)
			want.subs = slices.Delete(want.subs, j, j+1)
		case op == 4 && len(ended) > 0:
			if s := ended[m.IntN(len(ended))]; s.Unsubscribe() {
				t.Fatalf("Unsubscribe of %q reports true twice", s.Pattern())
			}
		case op == 5 && m.IntN(20) == 0:
			photo, photod = ix.Snapshot(), naive{m.rules, slices.Clone(want.subs)}
		case op == 6 && photo != nil:
			photod.check(t, photo, subject())
		case op == 7 && m.IntN(20) == 0:
			p := m.pattern()
			all, err := ix.Overlaps(p)
			if err != nil {
				t.Fatal(err)
			}
			sameSubs(t, "Overlaps", all, slices.DeleteFunc(slices.Clone(want.subs), func(s *Sub[int]) bool {
				return !m.overlap(p, s.Pattern())
			}))
			sameSubs(t, "All", ix.All(), want.subs)
			if photo != nil {
				sameSubs(t, "Snapshot.All", photo.All(), photod.subs)
			}
		default:
			want.check(t, ix, subject())
		}
		if ix.Len() != len(want.subs) {
			t.Fatalf("Len() = %d, want %d", ix.Len(), len(want.subs))
		}
	}
	for _, s := range want.subs {
		s.Unsubscribe()
	}
	if n := ix.Nodes(); n != 0 || ix.Slots() > ix.MinSlots() || ix.Len() != 0 {
		t.Fatalf("%d nodes in %d slots, and Len() = %d, when all are gone", n, ix.Slots(), ix.Len())
	}
	if photo != nil {
		sameSubs(t, "Snapshot.All", photo.All(), photod.subs)
		for range 20 {
			photod.check(t, photo, subject())
		}
	}
}

// sameSubs fails t unless the sequence has the subscriptions, each once.
func sameSubs(t *testing.T, what string, seq func(func(*Sub[int]) bool), want []*Sub[int]) {
	t.Helper()
	left := make(map[*Sub[int]]int)
	for _, s := range want {
		left[s]++
	}
	for s := range seq {
		left[s]--
	}
	maps.DeleteFunc(left, func(_ *Sub[int], n int) bool { return n == 0 })
	for s, n := range left {
		t.Errorf("%s: %q is missed %d times", what, s.Pattern(), n)
	}
}

// overlap is the oracle of Overlaps: each pattern is a machine that reads tokens,
// and it looks for tokens after which both accept.
func (r rules) overlap(p, q string) bool {
	a, b := strings.Split(p, r.sep), strings.Split(q, r.sep)
	words := append([]string{"other", "$other"}, append(slices.Clone(a), b...)...)
	type states [2]int
	seen := make(map[states]bool)
	for next := []states{{0, 0}}; len(next) > 0; next = next[1:] {
		for _, w := range words {
			if w == r.star || w == r.tail {
				continue
			}
			s := states{r.read(a, next[0][0], w), r.read(b, next[0][1], w)}
			if s[0] < 0 || s[1] < 0 || seen[s] {
				continue
			}
			empty := w == "" && next[0] == states{} // the text has no byte
			if r.accepts(a, s[0]) && r.accepts(b, s[1]) && !empty {
				return true
			}
			seen[s] = true
			next = append(next, s)
		}
	}
	return false
}

// read returns the state after a token, or -1. A state is how many tokens of the
// pattern were used, and one more than all once the tail was.
func (r rules) read(p []string, state int, token string) int {
	switch {
	case state > len(p):
		return state
	case state == len(p):
		return -1
	case state == 0 && r.Dialect == MQTT && strings.HasPrefix(token, "$") && (p[0] == r.star || p[0] == r.tail):
		return -1
	case p[state] == r.tail:
		return len(p) + 1
	case p[state] == r.star || p[state] == token:
		return state + 1
	}
	return -1
}

func (r rules) accepts(p []string, state int) bool {
	return state >= len(p) || r.Dialect == MQTT && p[state] == r.tail
}
