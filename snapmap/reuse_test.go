package snapmap_test

import (
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// The model of a flat bucket is one slot with its tag, its key, its value and the count of
// reuses, in a page that may be changed. A writer stores to the key that is there, deletes
// it, puts another key with its tag there and takes it out again, and stores the key,
// some times, each time with a greater value. Readers look one after the other. As the
// model of a bucket, it explores all orders, with stores that are seen at once or late.
//
// What is right: the key has the last value that was stored, or none, and never that of
// the other key; it may be gone only if a Delete has begun since the value that any
// reader has returned.

// A reuseFault is one that is planted.
type reuseFault int

const (
	soundReuse   reuseFault = iota
	onceBefore              // a reader compares the key before, too, as one does that looks in several buckets: that is right
	uncounted               // a slot that gets another key is not counted
	countedLast             // it is counted when key and value are there
	tagBeforeKey            // the tag of a key is there before it
	tagOnce                 // readers look at the tag once
	countOnce               // readers look at the count once
	keyBefore               // readers compare the key before they look at the count, and not again
	reuseFaults
)

func (f reuseFault) String() string {
	return [...]string{"sound", "the key is compared twice", "uncounted", "counted last", "tag before key", "the tag is looked at once",
		"the count is looked at once", "the key is compared first"}[f]
}

type reuseModel struct {
	fault   reuseFault
	weak    bool
	rounds  int8
	readers int8
}

// The words of a reuseState.
const (
	reuseTag = iota
	reuseKey // 1, or that of the other key, 0
	reuseValue
	reuseCount
	reuseWords
)

// The other key has values from here on.
const others = 100

type reuseState struct {
	word      [reuseWords]int8
	pc, round int8
	begun     int8 // Deletes
	stored    int8 // the last value whose Store has begun
	floor     int8 // the greatest value that was returned, or whose Store has
	gone      int8 // the last Delete that has returned
	buffer    [4][2]int8
	buffered  int8
	reader    [2]reuseReader
	wrong     string
}

type reuseReader struct {
	pc, count, value int8
	floor, gone      int8 // when it began
	n                int8
}

// A step of the writer is a store, or an unlock, which waits for all stores.
type reuseStep struct {
	word, value int8
	do          func(*reuseState) // with the first step of an operation, and with its unlock
}

const reuseUnlock = -1

// steps are those of a round: values 2*round+2 and, after a Delete, 2*round+3.
func (m *reuseModel) steps(round int8) (steps []reuseStep) {
	begin := func(value int8) func(*reuseState) {
		return func(s *reuseState) { s.stored = max(s.stored, value) }
	}
	end := func(value int8) func(*reuseState) {
		return func(s *reuseState) { s.floor = max(s.floor, value) }
	}
	none := func(*reuseState) {}
	put := func(key, value int8, begin, end func(*reuseState)) {
		count := reuseStep{reuseCount, 0, begin}
		in := []reuseStep{count, {reuseKey, key, begin}, {reuseValue, value, begin}, {reuseTag, 1, begin}}
		switch m.fault {
		case uncounted:
			in = in[1:]
		case countedLast:
			in[0], in[1], in[2] = in[1], in[2], in[0]
		case tagBeforeKey:
			in[1], in[2], in[3] = in[3], in[1], in[2]
		}
		steps = append(append(steps, in...), reuseStep{reuseUnlock, 0, end})
	}
	take := func(begin, end func(*reuseState)) {
		steps = append(steps, reuseStep{reuseTag, 0, begin}, reuseStep{reuseUnlock, 0, end})
	}
	first, second := 2*round+2, 2*round+3
	steps = append(steps, reuseStep{reuseValue, first, begin(first)}, reuseStep{reuseUnlock, 0, end(first)})
	take(func(s *reuseState) { s.begun = round + 1 }, func(s *reuseState) { s.gone = round + 1 })
	put(0, others+round, none, none)
	take(none, none)
	put(1, second, begin(second), end(second))
	return steps
}

func (m *reuseModel) moves(s reuseState, move func(reuseState)) {
	if s.buffered > 0 {
		to := s
		to.word[s.buffer[0][0]] = s.buffer[0][1]
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

func (m *reuseModel) writer(s reuseState, move func(reuseState)) {
	if s.round == m.rounds {
		return
	}
	steps := m.steps(s.round)
	step := steps[s.pc]
	switch {
	case step.word == reuseUnlock && s.buffered > 0:
		return
	case step.word == reuseUnlock:
	case step.word == reuseCount: // only the writer changes it, and knows its own stores
		now := s.word[reuseCount]
		for _, w := range s.buffer[:s.buffered] {
			if w[0] == reuseCount {
				now = w[1]
			}
		}
		m.store(&s, reuseCount, now+1)
	default:
		m.store(&s, step.word, step.value)
	}
	step.do(&s)
	if s.pc++; int(s.pc) == len(steps) {
		s.pc = 0
		s.round++
	}
	move(s)
}

func (m *reuseModel) store(s *reuseState, word, value int8) {
	if !m.weak {
		s.word[word] = value
		return
	}
	s.buffer[s.buffered] = [2]int8{word, value}
	s.buffered++
}

// deleted returns the number of the Delete that takes a value away.
func deleted(value int8) int8 { return (value + 1) / 2 }

func (m *reuseModel) read(s reuseState, i int8, move func(reuseState)) {
	const gone, again = 0, -1
	r := &s.reader[i]
	if r.n == 2 {
		return
	}
	result := int8(-2) // none yet
	pc := r.pc
	r.pc++
	switch pc {
	case 0: // the tag, first
		r.floor, r.gone = s.floor, s.gone
		fallthrough
	case 6: // the same, when it begins anew
		r.pc = 1
		if s.word[reuseTag] == 0 {
			result = gone
		} else if m.fault != onceBefore && m.fault != keyBefore {
			r.pc = 2
		}
	case 1:
		if s.word[reuseKey] != 1 {
			result = gone
		}
	case 2:
		r.count = s.word[reuseCount]
	case 3: // the tag and the key, which are two loads
		if m.fault != tagOnce && s.word[reuseTag] == 0 {
			result = again
		}
	case 4:
		if m.fault != keyBefore && s.word[reuseKey] != 1 {
			result = gone
			if m.fault == onceBefore {
				result = again
			}
		}
	case 5:
		if r.value == 0 {
			r.value = s.word[reuseValue]
			r.pc = 5
			break
		}
		result = r.value
		if m.fault != countOnce && s.word[reuseCount] != r.count {
			result = again
		}
	}
	switch {
	case result == again:
		r.pc, r.count, r.value = 6, 0, 0
	case result >= gone:
		switch {
		case result >= others:
			s.wrong = "the key has the value of another"
		case result == gone && deleted(r.floor) > s.begun:
			s.wrong = fmt.Sprintf("the key had %d, and is gone after %d Deletes", r.floor, s.begun)
		case result != gone && result < r.floor:
			s.wrong = fmt.Sprintf("the key had %d, and has %d", r.floor, result)
		case result != gone && deleted(result) <= r.gone:
			s.wrong = fmt.Sprintf("the key has %d, which was deleted", result)
		case result > s.stored:
			s.wrong = fmt.Sprintf("the key has %d, which nobody has stored", result)
		}
		s.floor = max(s.floor, result)
		*r = reuseReader{n: r.n + 1}
	}
	move(s)
}

// A key of a flat page that is deleted and stored again, in a slot that another has had
// meanwhile, is there for all or for none, with its own value, in any order of the steps;
// and each fault is found.
func TestReuseModel(t *testing.T) {
	m := reuseModel{rounds: 2, readers: 1}
	if stress.Long() {
		m.readers = 2
	}
	for _, m.weak = range []bool{false, true} {
		for m.fault = range reuseFaults {
			first := reuseState{word: [reuseWords]int8{reuseTag: 1, reuseKey: 1, reuseValue: 1}, stored: 1, floor: 1}
			n, wrong := explore(first, m.moves, func(s *reuseState) string { return s.wrong })
			if (wrong == "") != (m.fault <= onceBefore) {
				t.Errorf("weak %t, %v: after %d states: %q", m.weak, m.fault, n, wrong)
			}
			t.Logf("weak %t, %v: %d states: %s", m.weak, m.fault, n, wrong)
		}
	}
}
