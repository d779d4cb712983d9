package pipe

import "time"

// A judge finds out within a run whether it is slower with others than without them, as
// where functions write to the same memory, or two processors are one core's. It is
// the caller's.
//
// It goes by how long an item takes, all in all. Where that seems to be longer than it
// was without others, for two stretches in a row, it sends these away for one, to
// compare: items may have become longer, or the machine may have been busy. It does so
// as well where it seems shorter than so many can make it, since what was known of the
// time without others was from a few items; and seldom in any case. Where it was right
// they stay away, each time for twice as long.
type judge struct {
	workers int   // with others, at most
	alone   int64 // ps that an item takes without others
	with    int64 // that it took with them, in the stretch that seemed too long
	bad     int   // stretches in a row that seemed too long
	away    bool  // others are to stay away
	begun   bool  // away: none is left, and the stretch has begun
	// until is when those return who stay away, and hold for how long they do next time;
	// until is 0 while it is to be found out whether they should.
	until, hold time.Duration

	// check is after how much time with others it compares in any case, and together how
	// much there was.
	check, together time.Duration

	// When the stretch began, and how many items and batches had been delivered.
	from           time.Duration
	items, batches int
}

const (
	// A stretch is so long, and has so many batches: times of less are by chance.
	stretch        = time.Millisecond
	stretchBatches = 16

	firstHold = 8 * stretch
	mostHold  = time.Second

	firstCheck = 32 * stretch
)

// A progress is what a run has delivered up to some time, in which it did not wait for
// its source.
type progress struct {
	now            time.Duration
	items, batches int
	left           bool // nobody but the caller works on it
}

// look reports whether others are to stay away.
func (j *judge) look(p progress) bool {
	if j.away && !j.begun {
		if p.left {
			j.begun = true
			j.begin(p)
		}
		return true
	}
	if j.until > 0 {
		if p.now >= j.until {
			j.away, j.until = false, 0
			j.begin(p)
		}
		return j.away
	}
	took, items := p.now-j.from, p.items-j.items
	if took < stretch || p.batches-j.batches < stretchBatches || items == 0 {
		return j.away
	}
	seen := each(took, items)
	j.begin(p)
	if !j.away {
		j.together += took
	}
	switch {
	case j.away:
		j.alone = seen
		j.check, j.together = max(firstCheck, 2*j.check), 0
		if seen < j.with-j.with/16 {
			j.hold = max(firstHold, min(2*j.hold, mostHold))
			j.until = p.now + j.hold
			j.bad = 1 // one more tells, after that
			return true
		}
		j.away, j.bad, j.hold = false, 0, 0
	case seen <= j.alone+j.alone/16:
		j.bad = 0
		if 5*int64(j.workers)*seen < 4*j.alone || j.together >= max(firstCheck, j.check) {
			j.compare(seen)
		}
	default:
		if j.bad++; j.bad >= 2 {
			j.compare(seen)
		}
	}
	return j.away
}

// compare sends others away for a stretch.
func (j *judge) compare(seen int64) { j.with, j.away, j.begun = seen, true, false }

func (j *judge) begin(p progress) { j.from, j.items, j.batches = p.now, p.items, p.batches }
