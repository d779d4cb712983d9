package queue_test

import (
	"fmt"
	"hash/maphash"
	"strings"
	"testing"
)

// The model is the protocol of protocol.md, action by action as the code does
// them, small enough that all interleavings can be looked at. What it leaves out:
// the values' types, counts that go round, and that an action may be short or
// long.

// A model is processes that take turns. S is the whole state: what they share,
// where each of them is, and what it remembers.
type model[S comparable] interface {
	start() S
	// moves calls move with each state that one action leads to. An action that
	// may come but need not is free: nobody can count on it.
	moves(s S, move func(to S, who, what string, free bool))
	// wrong says what must not be so. atRest: only free actions are left.
	wrong(s S, atRest bool) string
}

// A finding is a way to a state that is wrong.
type finding struct {
	wrong string
	way   []string
}

func (f *finding) String() string {
	return fmt.Sprintf("%s\n\t%s", f.wrong, strings.Join(f.way, "\n\t"))
}

// explore visits all states that m can be in, the nearest first, up to one that
// is wrong, and returns how many it has seen. More than limit are too many. It
// knows states by a hash of 64 bits: with two million of them the chance is 1 in
// ten million that two have the same, so that one is taken for seen.
func explore[S comparable](m model[S], limit int) (states int, f *finding, err error) {
	type visit struct {
		s  S
		at int32
	}
	type origin struct {
		from int32 // the state before
		turn int32 // which of its moves
	}
	from := []origin{{from: -1}}
	seed := maphash.MakeSeed()
	seen := map[uint64]struct{}{maphash.Comparable(seed, m.start()): {}}
	wave := []visit{{s: m.start()}}
	for len(wave) > 0 {
		var next []visit
		for _, v := range wave {
			turn, atRest := int32(0), true
			m.moves(v.s, func(to S, _, _ string, free bool) {
				atRest = atRest && free
				h := maphash.Comparable(seed, to)
				if _, ok := seen[h]; !ok {
					seen[h] = struct{}{}
					next = append(next, visit{to, int32(len(from))})
					from = append(from, origin{v.at, turn})
				}
				turn++
			})
			if wrong := m.wrong(v.s, atRest); wrong != "" {
				f := &finding{wrong: wrong}
				var turns []int32
				for at := v.at; from[at].from >= 0; at = from[at].from {
					turns = append(turns, from[at].turn)
				}
				s := m.start()
				for i := len(turns) - 1; i >= 0; i-- {
					turn, before := int32(0), s
					m.moves(before, func(to S, who, what string, _ bool) {
						if turn == turns[i] {
							s = to
							f.way = append(f.way, who+": "+what)
						}
						turn++
					})
				}
				return len(from), f, nil
			}
			if len(from) > limit {
				return len(from), nil, fmt.Errorf("more than %d states", limit)
			}
		}
		wave = next
	}
	return len(from), nil, nil
}

// tooMany bounds the time of an exploration.
const tooMany = 2_000_000

// holds explores m and wants nothing wrong.
func holds[S comparable](t *testing.T, m model[S]) {
	t.Helper()
	n, f, err := explore(m, tooMany)
	switch {
	case err != nil:
		t.Errorf("after %d states: %v", n, err)
	case f != nil:
		t.Errorf("after %d states: %v", n, f)
	default:
		t.Logf("%d states", n)
	}
}

// fails explores m, where something was planted, and wants it found.
func fails[S comparable](t *testing.T, m model[S]) {
	t.Helper()
	n, f, err := explore(m, tooMany)
	switch {
	case err != nil:
		t.Errorf("after %d states: %v", n, err)
	case f == nil:
		t.Errorf("nothing is wrong in %d states, want a finding", n)
	default:
		t.Logf("after %d states, %d actions: %s", n, len(f.way), f.wrong)
	}
}
