package pipe

import (
	"time"
	"unsafe"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
)

// A segment is a source and the stages that are fused behind it, in a run. But for
// shared it is the caller's.
type segment struct {
	r     *run
	taker taker
	site  *site
	known bool // the site has seen these functions last
	index int  // in the run's

	down  *segment // that what its taker hands on goes into; nil: the taker is the sink
	cut   bool     // what it delivers is not wanted any more: see stop
	onCut func()   // nil: nothing
	quota int      // so many items are to come; 0: as many as there are

	// These are the desc's. few is what stages is in, where that is not the rest's.
	from      source
	data      unsafe.Pointer
	len       int
	about     *about
	few       [fewStages]stage
	stages    []stage
	unordered bool
	meter     *Meter

	own  batch // the caller's, while it is alone
	lane lane  // the caller's

	feed feed // nil: items are pushed
	// taken counts the items that have come. Who takes them holds feeding, where others
	// take part.
	taken int
	ended bool // there are no more; likewise

	pace  tempo
	limit int  // of goroutines; 0: none
	floor int  // of workers; 0: none
	alone bool // nobody is to help

	counters []*counter // of the source and the stages; nil: nothing is counted

	// collecting is what puts items into the segment, where it is not a feed.
	collecting collector
	shared     *shared // nil: the caller is alone
}

// A taker gets what comes out of a segment, on the caller's goroutine.
type taker interface {
	// take gets the items of a batch. It returns false where the run is to end.
	take(s *segment, v vector) bool
	// gather gets errors that do not end the run, and reports likewise.
	gather(s *segment, errs []error) bool
}

// A source is where items come from.
type source interface {
	// drive runs s, of which it is the source, to its end.
	drive(s *segment)
	// title is what the source is called.
	title() string
}

// A feed is a source from which any goroutine may take, one at a time.
type feed interface {
	source
	// take fills b with up to n items. Where none is there now it waits, if w is not
	// nil. It returns how many it took; ended: there will be none any more.
	take(s *segment, b *batch, n int, w *waiting) (taken int, ended bool)
	// left is how many items are known to be there.
	left(s *segment) int
	// whole reports whether these are all that there will be.
	whole() bool
	// full reports whether somebody may wait until there is room in it.
	full() bool
	// waits reports whether take, where it waits, minds the bell.
	waits(s *segment) bool
}

// A waiting says what else than an item ends a wait.
type waiting struct {
	done <-chan struct{}
	bell <-chan struct{}
	rang bool // bell had a token, which was received
}

// A collector has items that were not handed on yet.
type collector interface {
	// flush hands on what was collected. It reports whether there was anything.
	flush() bool
}

const (
	// A batch takes about aloneBatch where nobody helps, and sharedBatch where somebody
	// does, or travel for each that does, if that is more: what all take under one lock
	// must be little beside it, and its cache line comes to one after the other. See
	// record/simulated/pipe.md: with 400 ns 64 processors had a gain of 3.
	aloneBatch  = 8 * time.Microsecond
	sharedBatch = 20 * time.Microsecond
	travel      = 8 * time.Microsecond

	// A batch has no more items than this, and no more bytes of them at one point of
	// the pipe, so that what goes from stage to stage stays in the cache.
	mostItems = 1024
	mostBytes = 16 << 10
	// One that is handed on may have so many times as many: to hand it on costs more
	// than to have it in another cache.
	sharedMore = 2

	// A run that is known to take less is done in one go.
	smallWork = 4 * time.Microsecond
	// A run, or a first batch, has no more items that were not timed: they may take longer
	// than those of runs before.
	firstItems = 128
	// One of so many of them is timed.
	sample = 32

	// A helper that is woken for less will come too late.
	tooShort = 50 * time.Microsecond

	spreadBatch = 64
)

func (s *segment) begin(r *run, d *desc, st *site, known bool, t taker, down *segment) {
	s.r, s.taker, s.site, s.known = r, t, st, known
	s.down, s.cut = down, down != nil && down.cut
	s.from, s.data, s.len, s.unordered = d.from, d.data, d.len, d.unordered
	if d.rest == nil || d.rest.stages == nil {
		s.stages = s.few[:d.n]
		for i := range s.stages {
			s.stages[i].op = d.few[i]
		}
	} else {
		s.stages = d.rest.stages
	}
	s.about, s.meter = d.about(), d.meter()
	l := &s.lane
	l.seg, l.ctx, l.local = s, r.ctx, true
	if d.context {
		l.ctx = r.context()
	}
	s.pace.perItem, s.pace.others = st.perItem.Load(), st.others.Load()
	for i := range s.stages {
		if a := s.stages[i].about; a != nil {
			if a.limit > 0 {
				s.limit = a.limit
			}
			s.floor = max(s.floor, a.floor)
		}
	}
	if down != nil && s.meter == nil {
		s.meter = down.meter
	}
	if m := s.meter; m != nil {
		var first *counter
		if down != nil && down.counters != nil {
			first = down.counters[0]
			if first.name == "" { // of a relay
				first = down.counters[1]
			}
		}
		s.counters = m.counters(s, first)
		s.metered(1)
	}
	s.alone = len(s.stages) == 0 || s.limit == 1 || force.Current() != force.Auto
}

// reset makes s ready for the next run, and reports whether that is worth it.
func (s *segment) reset() bool {
	if len(s.stages) > fewStages {
		return false
	}
	b := &s.own
	if b.in != nil {
		b.in.reset()
	}
	if b.out != nil {
		b.out.reset()
	}
	b.result, b.end, b.gathered = nil, nil, nil
	for i := range min(len(s.stages), len(s.lane.vecs)) {
		if v := s.lane.vecs[i]; v != nil {
			v.reset()
		}
	}
	clear(s.few[:min(len(s.stages), fewStages)])
	s.lane.ctx, s.taker, s.feed, s.collecting, s.stages = nil, nil, nil, nil, nil
	s.from, s.data, s.about, s.meter, s.counters = nil, nil, nil, nil, nil
	s.quota = 0
	s.taken, s.ended, s.pace, s.limit, s.floor = 0, false, tempo{}, 0, 0
	return true
}

// pull runs the segment from a source that anybody may take from.
func (s *segment) pull(f feed) {
	s.feed = f
	r, b := s.r, &s.own
	if n := s.small(); n > 0 {
		s.taken, _ = f.take(s, b, n, nil)
		b.base, b.n = 0, n
		s.came(n)
		s.lane.work(b)
		s.finish(b)
		return
	}
	s.pace.start(s)
	if s.shares() {
		return
	}
	for s.alive() {
		n, ended := s.fetch(f, b, s.pace.next, nil)
		if n == 0 {
			if ended {
				break
			}
			if r.idle(s) {
				continue
			}
			w := waiting{done: r.done}
			bell := r.bell != nil && r.segs != nil
			if bell && !f.waits(s) {
				if r.busy(s) {
					s.rest()
					continue
				}
				if r.ready(s) {
					continue
				}
				bell = false
			}
			if bell {
				r.wakeAt(s)
				r.park()
				if r.ready(s) || r.due() {
					r.unpark(false)
					continue
				}
				w.bell = r.bell
			}
			from := clock() // little, beside a wait
			n, ended = s.fetch(f, b, s.pace.next, &w)
			s.waited(from)
			if bell {
				r.unpark(w.rang)
			}
			if n == 0 {
				if ended {
					break
				}
				continue
			}
			s.pace.waited()
		}
		s.do(b, n)
		if !s.finish(b) {
			break
		}
		if s.shares() {
			return
		}
	}
	s.settle()
}

// do works on a batch of n items while the caller is alone.
func (s *segment) do(b *batch, n int) {
	b.base, b.n = s.taken, n
	s.taken += n
	s.came(n)
	if s.alone && force.Current() == force.Spread {
		s.spread(b)
		return
	}
	s.pace.from()
	s.lane.work(b)
	s.pace.saw(s, n)
}

// settle ends a segment that was timed.
func (s *segment) settle() {
	s.pace.book(s)
	if s.pace.perItem > 0 && !help.Unreal(s.pace.last) {
		if p := &s.pace; s.shared == nil && p.streak > 0 {
			learn(&s.site.alone, each(p.last-p.began, p.streak))
		}
		s.site.learn(s.pace.perItem, s.pace.others)
	}
}

// small returns how many items there are, if they are known to be so little work that
// they are done in one go; else 0.
func (s *segment) small() int {
	per := s.pace.perItem
	if per == 0 || !s.known || s.alone && force.Current() == force.Spread {
		return 0
	}
	if !s.feed.whole() {
		return 0
	}
	n := s.room(s.feed.left(s))
	if n > firstItems || int64(n)*per > int64(smallWork)*1000 || s.r.runs%sample == 0 {
		return 0
	}
	return n
}

// finish delivers a batch that was worked on. It reports whether the run goes on.
func (s *segment) finish(b *batch) bool {
	r := s.r
	if !s.wanted() {
		return false
	}
	if v := b.result; v != nil && v.length() > 0 && !s.deliver(v) {
		s.stop()
	}
	if b.gathered != nil && !r.over { // also those of a part that has just ended
		errs := b.gathered
		b.gathered = nil
		if !s.taker.gather(s, errs) {
			s.stop()
		}
	}
	if !s.wanted() {
		return false
	}
	if b.end != nil {
		end := b.end
		b.end = nil
		if r.drain(s) {
			r.ended(end)
		}
		return false
	}
	return true
}

// deliver is take of the taker.
func (s *segment) deliver(v vector) bool {
	if s.counters == nil {
		return s.taker.take(s, v)
	}
	from := clock()
	more := s.taker.take(s, v)
	s.delivering(from)
	return more
}

// gather keeps errors for the end.
func (r *run) gather(errs []error) {
	for _, err := range errs {
		if n, ok := err.(omitted); ok {
			r.omitted += int(n)
		} else if len(r.gathered) < mostGathered {
			r.gathered = append(r.gathered, err)
		} else {
			r.omitted++
		}
	}
}

// shares shares the segment, if it is time to.
func (s *segment) shares() bool {
	if s.waiting() {
		return s.share(true)
	}
	return s.wantsHelp() && s.share(false)
}

// wantsHelp reports whether there is enough work for others, and help is to be had.
func (s *segment) wantsHelp() bool {
	p := &s.pace
	if s.alone || !p.sure || p.perItem*2 < p.others || help.Unreal(p.last) || !s.site.account.MayAsk() {
		return false
	}
	worth := s.worth()
	switch {
	case worth < 4*time.Microsecond:
		return false
	case help.Sched.Seeking(p.last):
		return true
	}
	return worth > max(tooShort, time.Duration(help.Sched.Latency())) && int64(worth) > 2*help.Sched.Price() && s.site.account.MayWake() && help.Sched.CanWake(p.last)
}

// worth is how long what is there takes, as far as that is known.
func (s *segment) worth() time.Duration { return worth(s.expected(s.pace.streak), s.pace.perItem) }

// expected is how many items are there or will be. A source that tells nothing is taken
// to have as many as came since it was waited for.
func (s *segment) expected(streak int) int {
	if s.feed == nil {
		return streak
	}
	if s.feed.whole() {
		return s.room(s.feed.left(s))
	}
	return s.room(max(streak, s.feed.left(s)))
}

// worth is how long n items take, of perItem ps.
func worth(n int, perItem int64) time.Duration {
	return time.Duration(min(float64(n)*float64(perItem)/1000, float64(time.Hour)))
}

// spread works on a batch in parts, each on a goroutine of its own that nothing orders
// with the others, for the race detector.
func (s *segment) spread(b *batch) {
	parts := make([]*batch, b.n)
	force.Run(b.n, s.limit, func(lo, hi int) bool {
		l := &lane{seg: s, ctx: s.lane.ctx}
		part := &batch{in: b.in.part(lo, hi), base: b.base + lo, n: hi - lo}
		parts[lo] = part
		l.work(part)
		return true
	})
	b.result = nil
	for _, part := range parts {
		if part == nil {
			continue
		}
		if !s.finish(part) {
			return
		}
	}
}
