package loop

import "time"

// A trial finds out whether elements take so much longer with help that it does
// not pay: they may write to the same cache lines, or wait for a lock. It compares
// parts that the caller did without help, with help, and without again, since what
// comes later in a loop may take longer anyway.
type trial struct {
	alone   int64 // ps for an element in the last part without help; 0: not known
	suspect int64 // likewise with help, where that was too much; else 0
	parts   int   // in a row that were too slow, or without help since they were
	trust   int   // so many parts with help are not looked at
}

// with learns from a part with helpers, and reports whether helpers are to stay
// away for a while.
func (t *trial) with(took time.Duration, seen int64, helpers int) bool {
	if t.suspect != 0 {
		return false
	}
	if t.trust > 0 {
		t.trust--
		return false
	}
	// So slow that all of them together are about as fast as one.
	slow := seen/10 >= t.alone/10*int64(helpers+1)*9/10
	if t.alone == 0 || t.alone > int64(leastPart)*1000 || took < leastPart/2 || !slow {
		t.parts = 0
		return false
	}
	if t.parts++; t.parts < 3 {
		return false
	}
	t.suspect, t.parts = seen, 0
	return true
}

// without learns from a part without help. Once it knows, it reports whether help
// was the reason, or may come again.
func (t *trial) without(took time.Duration, seen int64) (known, harmful bool) {
	t.alone = 0
	if took >= leastPart/2 {
		t.alone = seen
	}
	if t.suspect == 0 {
		return false, false
	}
	if t.parts++; t.parts < 2 {
		return false, false // caches are still cold
	}
	harmful = seen < t.suspect*6/10
	t.suspect, t.parts, t.trust = 0, 0, 64
	return true, harmful
}
