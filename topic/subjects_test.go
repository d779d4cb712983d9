package topic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	. "github.com/gopayoff/payoff/topic"
)

// TestSubjects: Subjects answer as a map does, of which all are looked at.
func TestSubjects(t *testing.T) {
	seed := stress.Seed(t)
	ops := 3000
	if stress.Long() {
		ops = 50_000
	}
	for _, r := range dialects {
		for _, depth := range []int{2, 4, 8} {
			t.Run(fmt.Sprintf("%v/depth=%d", r.Dialect, depth), func(t *testing.T) {
				m := maker{rand.New(rand.NewPCG(seed, uint64(depth))), r, depth, 12}
				s, want := NewSubjects[int](r.Dialect), map[string]int{}
				// Bytes before the separator and after it are in tokens, too.
				text := func() string {
					return strings.NewReplacer("ab", "a-b", "ba", "a0", "cc", "a!").Replace(m.subject())
				}
				texts := make([]string, 200)
				for i := range texts {
					texts[i] = text()
				}
				any := func() string { return texts[m.IntN(len(texts))] }
				for i := range ops {
					switch text := any(); m.IntN(8) {
					case 0, 1:
						if err := s.Store(text, i); err != nil {
							t.Fatal(err)
						}
						want[text] = i
					case 2:
						_, there := want[text]
						if got := s.Delete(text); got != there {
							t.Fatalf("Delete(%q) = %t, want %t", text, got, there)
						}
						delete(want, text)
					case 3:
						v, there := want[text]
						if got, ok := s.Load(text); got != v || ok != there {
							t.Fatalf("Load(%q) = %d, %t, want %d, %t", text, got, ok, v, there)
						}
					default:
						pattern := m.pattern()
						if m.IntN(2) == 0 { // of a subject that may be there
							tokens := strings.Split(text, r.sep)
							tokens[m.IntN(len(tokens))] = r.star
							if m.IntN(2) == 0 {
								tokens = append(tokens[:m.IntN(len(tokens))], r.tail)
							}
							pattern = strings.Join(tokens, r.sep)
						}
						checkSubjects(t, s, want, r, pattern)
					}
					if s.Len() != len(want) {
						t.Fatalf("Len() = %d, want %d", s.Len(), len(want))
					}
				}
				n := 0
				for text, v := range s.All() {
					if n++; want[text] != v {
						t.Errorf("All yields %q, %d, want %d", text, v, want[text])
					}
				}
				if n != len(want) {
					t.Errorf("All yields %d subjects, want %d", n, len(want))
				}
			})
		}
	}
}

func checkSubjects(t *testing.T, s *Subjects[int], all map[string]int, r rules, pattern string) {
	t.Helper()
	var want, got []string
	for text := range all {
		if r.matches(pattern, text) {
			want = append(want, text)
		}
	}
	slices.Sort(want)
	match, err := s.Match(pattern)
	if err != nil {
		t.Fatalf("Match(%q): %v", pattern, err)
	}
	for text, v := range match {
		if got = append(got, text); v != all[text] {
			t.Fatalf("Match(%q) yields %q with %d, want %d", pattern, text, v, all[text])
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("Match(%q) = %q, want %q", pattern, got, want)
	}
	// A loop may end early.
	few := 0
	for range match {
		if few++; few > len(want)/2 {
			break
		}
	}
	if few > len(want)/2+1 {
		t.Fatalf("Match(%q) goes on after a break", pattern)
	}
}

func TestSubjectsRefuse(t *testing.T) {
	s := NewSubjects[int](NATS)
	for _, text := range []string{"", "a..b", "a.*", "a.>", "a b"} {
		if s.Store(text, 1) == nil {
			t.Errorf("Store(%q) returns no error", text)
		}
	}
	if _, err := s.Match("a.>.b"); err == nil || s.Len() != 0 {
		t.Errorf("Match(%q) returns no error, or Len() = %d", "a.>.b", s.Len())
	}
}

// TestSubjectsOfOneMoment: whatever comes and goes, a loop over Match sees subjects as they
// are at one moment: of two of which one is stored before the other is deleted, never none.
func TestSubjectsOfOneMoment(t *testing.T) {
	s := NewSubjects[int](NATS)
	for i := range 100 {
		s.Store(fmt.Sprintf("all.%02d", i), i)
	}
	match, _ := s.Match("all.*")
	seen := 0
	for text, i := range match {
		if i != seen || text != fmt.Sprintf("all.%02d", i) {
			t.Fatalf("subject %d is %q, %d", seen, text, i)
		}
		seen++
		s.Delete(fmt.Sprintf("all.%02d", (7*i+1)%100))
		s.Store(fmt.Sprintf("all.%02d-", i), -1)
	}
	if seen != 100 {
		t.Errorf("a loop that changes what it is over yields %d subjects, want 100", seen)
	}

	s = NewSubjects[int](NATS)
	s.Store("stay.a.x", 0)
	rounds := 2000
	if stress.Long() {
		rounds = 100_000
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range rounds {
			from, to := "stay.a.x", "stay.b.x"
			if i%2 == 1 {
				from, to = to, from
			}
			s.Store(to, i)
			s.Store(fmt.Sprint("other.", i%100), i)
			s.Delete(from)
		}
	})
	for range 3 {
		wg.Go(func() {
			for range rounds {
				n := 0
				match, _ := s.Match("stay.*.x")
				for range match {
					n++
				}
				if n < 1 || n > 2 {
					t.Errorf("Match yields %d subjects, want one or two", n)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestMembersByChance: each member of a group is the first about as often as the others,
// and each loop has all of them once.
func TestMembersByChance(t *testing.T) {
	ix := New[int](NATS)
	const members, rounds = 6, 6000
	for i := range members {
		if _, err := ix.SubscribeGroup([]string{"a.*", "a.b", "a.>"}[i%3], "g", i); err != nil {
			t.Fatal(err)
		}
	}
	var first [members]int
	for range rounds {
		for g := range ix.Lookup("a.b").Groups() {
			var seen [members]bool
			n := 0
			for sub := range g.Members() {
				if n == 0 {
					first[sub.Value()]++
				}
				n++
				seen[sub.Value()] = true
			}
			if n != members || seen != [members]bool{true, true, true, true, true, true} {
				t.Fatalf("Members yields %d, of each %v", n, seen)
			}
		}
	}
	for i, n := range first { // nine standard deviations
		if n < rounds/members-260 || n > rounds/members+260 {
			t.Errorf("member %d is the first %d times, want about %d", i, n, rounds/members)
		}
	}
}
