package topic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/topic"
)

// What nats-server and we say of a text differs where we say more:
//
//   - A pattern of ours has 64 tokens at most. The server has no limit.
//   - Ours has no zero byte, as the server's files of streams have none. Where a client
//     subscribes or publishes, the server does not look for one.
//   - The server checks a subject to publish to for empty tokens and wildcards only if
//     asked to (pedantic), and white space ends it in the protocol before that.
//   - SubjectsCollide and SubjectMatchesFilter take a token that begins with a wildcard, as >a and *a do, for
//     the wildcard, which Sublist does not: a.>b and a.c collide, though no subject
//     matches both.

// texts makes patterns, subjects and what is neither, few enough that they meet.
type texts struct{ *rand.Rand }

func (r texts) text() string {
	tokens := make([]string, 1+r.IntN(5))
	for i := range tokens {
		tokens[i] = r.token()
	}
	return strings.Join(tokens, ".")
}

func (r texts) token() string {
	switch r.IntN(24) {
	case 0:
		return ""
	case 1:
		return []string{" ", "a b", "\t", "a\n", "\r", "\f"}[r.IntN(6)]
	case 2:
		return []string{"*a", "a*", "**", ">>", "a>", ">a"}[r.IntN(6)]
	case 3, 4, 5, 6, 7:
		return "*"
	case 8, 9:
		return ">"
	case 10:
		return []string{"ü", "a\x00", "\x00"}[r.IntN(3)]
	}
	return []string{"a", "b", "foo"}[r.IntN(3)]
}

// agree holds what we say of two texts against what nats-server says.
func agree(t *testing.T, a, b string) {
	t.Helper()
	pattern := topic.NATS.CheckPattern(a) == nil
	tokens := strings.Count(a, ".") + 1
	if want := server.IsValidSubject(a) && !hasZero(a); pattern != want && tokens <= topic.MaxTokens {
		t.Fatalf("CheckPattern(%q) = %v, IsValidSubject = %t", a, topic.NATS.CheckPattern(a), want)
	}
	subject := topic.NATS.CheckSubject(b) == nil
	if want := server.IsValidPublishSubject(b) && !hasZero(b); subject != want {
		t.Fatalf("CheckSubject(%q) = %v, IsValidPublishSubject = %t", b, topic.NATS.CheckSubject(b), want)
	}
	if !pattern {
		return
	}
	ix := matcherOf(a)
	if subject {
		sl := newNATS(server.NewSublistWithCache())
		sl.subscribe(a, new(item))
		want, _ := sl.match(b)
		if got := ix.Count(b); got != want {
			t.Fatalf("%q matches %q %d times, Sublist %d times", b, a, got, want)
		}
		if got := server.SubjectMatchesFilter(b, a); got != ix.Has(b) && !(got && (likeWildcard(a) || likeWildcard(b))) {
			t.Fatalf("%q matches %q: %t, SubjectMatchesFilter: %t", b, a, ix.Has(b), got)
		}
	}
	if topic.NATS.CheckPattern(b) == nil {
		over := slices.Collect(must(ix.Overlaps(b)))
		got, want := len(over) == 1, server.SubjectsCollide(a, b)
		if got != want && !(want && (likeWildcard(a) || likeWildcard(b))) {
			t.Fatalf("%q overlaps %q: %t, SubjectsCollide: %t", a, b, got, want)
		}
	}
}

func hasZero(text string) bool { return strings.IndexByte(text, 0) >= 0 }

// likeWildcard reports whether a token begins with a wildcard and goes on.
func likeWildcard(text string) bool {
	return slices.ContainsFunc(strings.Split(text, "."), func(t string) bool {
		return len(t) > 1 && (t[0] == '*' || t[0] == '>')
	})
}

// Texts are taken, matched and overlap as nats-server says.
func TestRules(t *testing.T) {
	r := texts{rand.New(rand.NewPCG(stress.Seed(t), 1))}
	n := 20_000
	if stress.Long() {
		n = 2_000_000
	}
	for range n {
		agree(t, r.text(), r.text())
	}
}

func FuzzRules(f *testing.F) {
	for _, s := range [][2]string{
		{"foo.*", "foo.bar"}, {"foo.>", "foo"}, {">", "a.b"}, {"*.*", "a"}, {"foo..bar", "foo.bar"}, {".", "."},
		{"foo.*bar", "foo.*bar"}, {"foo.>.bar", "foo.a.bar"}, {"foo bar", "foo bar"}, {"a.*.c", "*.b.c"}, {"a.>", "*.*.*"},
		{"\u00a0", "\v"}, {"a\x00", "a\x00"}, {strings.Repeat("a.", 70) + "a", strings.Repeat("a.", 70) + "a"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(agree)
}

// Sets of patterns find what nats-server's Sublist and gsl find, while patterns come and
// go; and of them those overlap a pattern that SubjectsCollide says.
func TestSets(t *testing.T) {
	r := texts{rand.New(rand.NewPCG(stress.Seed(t), 2))}
	rounds := 30
	if stress.Long() {
		rounds = 3000
	}
	valid := func(check func(string) error) string {
		for {
			if s := r.text(); check(s) == nil {
				return s
			}
		}
	}
	for range rounds {
		var clients []client
		for _, v := range variants {
			clients = append(clients, v.index()())
		}
		index := clients[slices.IndexFunc(variants, func(v variant) bool { return v.name == "payoff" })].(*ours).ix
		var subs [][]subscription
		var patterns []string
		for i := range 200 {
			switch {
			case r.IntN(3) > 0 || len(subs) == 0:
				p, it := valid(topic.NATS.CheckPattern), &item{int64(i)}
				var s []subscription
				for _, c := range clients {
					s = append(s, c.subscribe(p, it))
				}
				subs, patterns = append(subs, s), append(patterns, p)
			default:
				j := r.IntN(len(subs))
				for k, c := range clients {
					c.unsubscribe(subs[j][k])
				}
				subs, patterns = slices.Delete(subs, j, j+1), slices.Delete(patterns, j, j+1)
			}
			s := valid(topic.NATS.CheckSubject)
			want, wantSum := clients[0].match(s)
			for k, c := range clients[1:] {
				if n, sum := c.match(s); n != want || sum != wantSum {
					t.Fatalf("%q in %q: %s has %d with the sum %d, %s %d with %d", s, patterns, variants[k+1].name, n, sum, variants[0].name, want, wantSum)
				}
			}
		}
		p := valid(topic.NATS.CheckPattern)
		var got, want []string
		for s := range must(index.Overlaps(p)) {
			got = append(got, s.Pattern())
		}
		for _, q := range patterns {
			if one := matcherOf(q); server.SubjectsCollide(p, q) && (!likeWildcard(p) && !likeWildcard(q) || len(slices.Collect(must(one.Overlaps(p)))) == 1) {
				want = append(want, q)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("Overlaps(%q) = %q, want %q", p, got, want)
		}
	}
}

func matcherOf(pattern string) *topic.Index[*item] {
	ix := topic.New[*item](topic.NATS)
	must(ix.Subscribe(pattern, new(item)))
	return ix
}

// The rules above are rules: a differing answer is found.
func TestRulesDiffer(t *testing.T) {
	if fmt.Sprint(server.SubjectsCollide("a.*", "*.b"), server.SubjectsCollide("a.*", "b.*")) != "true false" {
		t.Error("SubjectsCollide says the same of all")
	}
}
