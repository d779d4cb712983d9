package snapmap_test

import (
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// The model of a bucket is one slot and its tag, in a page that may be changed: a writer
// deletes the key that is there and stores it again, some times, each time with a
// greater value; readers look one after the other, as often as they like. It explores
// all orders of these actions, with stores that are seen at once, as those of sync/atomic
// are, and with stores that are seen late, in their order, by an unlock at the latest:
// more than Go allows.
//
// What is right: the key has the last value that was stored, or none; it may be gone only
// if a Delete has begun since the value that any reader has returned.

// A bucketFault is one that is planted.
type bucketFault int

const (
	soundBucket  bucketFault = iota
	tagFirst                 // where an entry goes, its tag goes before its slot is nil: that is right, too
	slotFirst                // a new entry is in the slot before its tag
	slotStays                // where an entry goes, the slot keeps it
	blindReaders             // what a slot holds is not compared
	bucketFaults
)

func (f bucketFault) String() string {
	return [...]string{"sound", "tag goes before slot", "slot before tag", "slot stays", "readers do not compare"}[f]
}

type bucketModel struct {
	fault   bucketFault
	weak    bool
	rounds  int8 // of the writer: Delete, Store of the key, and at times of another
	readers int8
}

// A bucketState is one. Entries are numbers: 2n+1 is the key with value n, and 2n another
// key that has the same tag.
type bucketState struct {
	tag, slot int8
	pc, round int8
	begun     int8 // Deletes
	stored    int8 // the last value whose Store has begun
	floor     int8 // the greatest value that was returned, or whose Store has
	gone      int8 // the last Delete that has returned
	buffer    [4][2]int8
	buffered  int8
	reader    [3]bucketReader
	wrong     string
}

type bucketReader struct {
	pc, tag     int8
	floor, gone int8 // when it began
	n           int8
}

func (s *bucketState) set(what, value int8) {
	if what == 0 {
		s.tag = value
	} else {
		s.slot = value
	}
}

func (m *bucketModel) store(s *bucketState, what, value int8) {
	if !m.weak {
		s.set(what, value)
		return
	}
	s.buffer[s.buffered] = [2]int8{what, value}
	s.buffered++
}

func (m *bucketModel) moves(s bucketState, move func(bucketState)) {
	if s.buffered > 0 {
		to := s
		to.set(s.buffer[0][0], s.buffer[0][1])
		copy(to.buffer[:], s.buffer[1:])
		to.buffer[3] = [2]int8{}
		to.buffered--
		move(to)
	}
	m.writer(s, move)
	for i := range m.readers {
		m.read(s, i, move)
	}
}

// writer deletes the key, puts another with its tag there in every second round and
// takes it out again, and stores the key.
func (m *bucketModel) writer(s bucketState, move func(bucketState)) {
	const tag, slot = 0, 1
	if s.round == m.rounds {
		return
	}
	value := s.round + 2
	in := func(e int8) [2][2]int8 {
		if m.fault == slotFirst {
			return [2][2]int8{{slot, e}, {tag, 1}}
		}
		return [2][2]int8{{tag, 1}, {slot, e}}
	}
	out := [2][2]int8{{slot, 0}, {tag, 0}}
	if m.fault == tagFirst {
		out = [2][2]int8{{tag, 0}, {slot, 0}}
	}
	step := func(w [2]int8) {
		if m.fault == slotStays && w[0] == slot && w[1] == 0 {
			return
		}
		m.store(&s, w[0], w[1])
	}
	other := s.round%2 == 1
	switch pc := s.pc; pc {
	case 0, 1:
		s.begun = s.round + 1
		step(out[pc])
	case 3, 4:
		if other {
			step(in(2 * value)[pc-3])
		}
	case 6, 7:
		if other {
			step(out[pc-6])
		}
	case 9, 10:
		s.stored = value
		step(in(2*value + 1)[pc-9])
	case 2, 5, 8, 11: // an unlock, which waits for all stores
		if s.buffered > 0 {
			return
		}
		if pc == 2 {
			s.gone = s.round + 1
		}
		if pc == 11 {
			s.floor = max(s.floor, value)
			s.round++
			s.pc = -1
		}
	}
	s.pc++
	move(s)
}

func (m *bucketModel) read(s bucketState, i int8, move func(bucketState)) {
	r := &s.reader[i]
	if r.n == 2 {
		return
	}
	result := int8(-1)
	switch r.pc {
	case 0:
		r.floor, r.gone = s.floor, s.gone
		r.tag, r.pc = s.tag, 1
		if r.tag == 0 {
			result = 0
		}
	case 1:
		result = 0
		if e := s.slot; e&1 == 1 || m.fault == blindReaders && e != 0 {
			result = e / 2
		}
	}
	if result >= 0 {
		switch {
		case result == 0 && r.floor > s.begun:
			s.wrong = fmt.Sprintf("the key had %d, and is gone after %d Deletes", r.floor, s.begun)
		case result > 0 && result < r.floor:
			s.wrong = fmt.Sprintf("the key had %d, and has %d", r.floor, result)
		case result > 0 && result <= r.gone:
			s.wrong = fmt.Sprintf("the key has %d, which was deleted", result)
		case result > s.stored:
			s.wrong = fmt.Sprintf("the key has %d, which nobody has stored", result)
		}
		s.floor = max(s.floor, result)
		*r = bucketReader{n: r.n + 1}
	}
	move(s)
}

func (m *bucketModel) explore() (states int, wrong string) {
	first := bucketState{tag: 1, slot: 3, stored: 1, floor: 1}
	return explore(first, m.moves, func(s *bucketState) string { return s.wrong })
}

// explore goes through all states that moves lead to, until one is wrong.
func explore[S comparable](first S, moves func(S, func(S)), wrong func(*S) string) (states int, why string) {
	seen := map[S]bool{first: true}
	for list := []S{first}; len(list) > 0; {
		s := list[len(list)-1]
		list = list[:len(list)-1]
		if why := wrong(&s); why != "" {
			return len(seen), why
		}
		moves(s, func(to S) {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		})
	}
	return len(seen), ""
}

// A key that is deleted and stored again is there for all or for none, in any order of
// the steps, and each fault is found.
func TestBucketModel(t *testing.T) {
	m := bucketModel{rounds: 2, readers: 2}
	if stress.Long() {
		m.rounds, m.readers = 3, 3
	}
	for _, m.weak = range []bool{false, true} {
		for m.fault = range bucketFaults {
			n, wrong := m.explore()
			if (wrong == "") != (m.fault <= tagFirst) {
				t.Errorf("weak %t, %v: after %d states: %q", m.weak, m.fault, n, wrong)
			}
			t.Logf("weak %t, %v: %d states: %s", m.weak, m.fault, n, wrong)
		}
	}
}
