package snapmap_test

import "testing"

// A bucketState is a slot and its tag while one key is deleted and stored again, and
// readers look for it, one after the other: each reads the tag, then the slot. The
// key's states are numbered: it is there, with that value, in the even ones.
type bucketState struct {
	tag, slot int8
	begun     int8 // operations of the writer
	done      int8
	writer    int8 // stores of its operation
	reader    int8 // 1: it has read the tag
	reads     int8 // operations of readers
	floor     int8 // state that some operation that has ended has seen
	least     int8 // that of the reader's: floor when it began
}

// lost looks at all orders of steps, and reports whether a reader sees what cannot be,
// where the slot is stored before the tag, or cleared after it.
func lost(s bucketState, slotFirst, tagFirst bool, seen map[bucketState]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	if s.done < 4 {
		to := s
		to.begun = s.done + 1
		there := to.begun%2 == 0
		if first := there && slotFirst || !there && !tagFirst; first == (s.writer == 0) {
			to.slot = 0
			if there {
				to.slot = to.begun
			}
		} else {
			to.tag = 0
			if there {
				to.tag = 1
			}
		}
		if to.writer++; to.writer == 2 {
			to.writer, to.done = 0, to.begun
			to.floor = max(to.floor, to.done)
		}
		if lost(to, slotFirst, tagFirst, seen) {
			return true
		}
	}
	if s.reads < 3 {
		to := s
		got := int8(0)
		if s.reader == 0 {
			to.least = s.floor
			if s.tag != 0 {
				to.reader = 1
				return lost(to, slotFirst, tagFirst, seen)
			}
		} else {
			got = s.slot
		}
		at := to.least // the first state that it can be
		for at <= s.begun && (got == 0) == (at%2 == 0) {
			at++
		}
		if got != 0 {
			at = max(at, got)
			if got < to.least {
				return true
			}
		}
		if at > s.begun {
			return true
		}
		to.floor = max(to.floor, at)
		to.reader, to.reads, to.least = 0, s.reads+1, 0
		return lost(to, slotFirst, tagFirst, seen)
	}
	return false
}

// A key that is deleted and stored again is not found, and then not there: also not
// by readers that have read its tag before. Where an entry goes, either order is right.
func TestOrderInBucket(t *testing.T) {
	for _, slotFirst := range []bool{false, true} {
		for _, tagFirst := range []bool{false, true} {
			start := bucketState{tag: 1, slot: 2, begun: 2, done: 2, floor: 2}
			wrong := lost(start, slotFirst, tagFirst, map[bucketState]bool{})
			if wrong != slotFirst {
				t.Errorf("slot first where one comes %t, tag first where one goes %t: wrong %t", slotFirst, tagFirst, wrong)
			}
		}
	}
}
