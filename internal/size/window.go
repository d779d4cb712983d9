package size

import "time"

// A window is what was seen while as many workers ran, in at least one lap.
type window struct {
	size int // how many workers, or tasks in flight, it tells of

	from     time.Duration // when it began
	begun    uint64        // tasks begun then, and ended
	ended    uint64
	inFlight int

	tasks uint64        // ended since
	took  time.Duration // from then to the last look

	// paused: no task waits since the time pausedAt, when so many had ended, and so many were
	// in flight.
	paused, broken bool // broken: it has been paused
	pausedAt       time.Duration
	pausedEnded    uint64
	pausedInFlight uint64

	// Sums over the looks: of the share of processors that were idle, in units of
	// 1/whole, of goroutines that waited for one, and of looks that showed room.
	looks    int
	idle     int
	runnable int
	room     int
}

const whole = 1 << 10

// beginWindow returns a window that begins now.
func beginWindow(v View) window {
	return window{from: v.Now, begun: v.Begun, ended: v.Ended, inFlight: int(v.Begun - v.Ended)}
}

// pause stops the window, and resume has it go on: what is in between is none of it.
// Tasks that are in flight when it pauses are half done, on average: of those that have
// ended when it goes on, half count.
func (w *window) pause(v View) {
	w.paused, w.pausedAt, w.pausedEnded, w.pausedInFlight = true, v.Now, v.Ended, v.Begun-v.Ended
}

func (w *window) resume(v View) {
	if w.paused {
		w.paused, w.broken = false, true
		w.from += v.Now - w.pausedAt
		ended := v.Ended - w.pausedEnded
		w.ended += ended - min(ended, w.pausedInFlight)/2
	}
}

// look adds what v shows, while n workers are wanted.
func (w *window) look(v View, n int) {
	w.tasks = v.Ended - w.ended
	w.took = v.Now - w.from
	w.looks++
	w.idle += v.idleShare()
	w.runnable += v.Runnable
	if v.room(n) {
		w.room++
	}
}

// add adds what another window of the same size has seen. What is long ago fades.
func (w *window) add(o *window) {
	if w.tasks > 4*mostTasks {
		w.tasks /= 2
		w.took /= 2
		w.looks /= 2
		w.idle /= 2
		w.runnable /= 2
		w.room /= 2
	}
	w.tasks += o.tasks
	w.took += o.took
	w.looks += o.looks
	w.idle += o.idle
	w.runnable += o.runnable
	w.room += o.room
}

// rate is tasks ended in a time.
func (w *window) rate() float64 {
	return float64(w.tasks) / float64(max(1, w.took))
}

// idleShare is the share of processors that were idle.
func (w *window) idleShare() float64 {
	return float64(w.idle) / float64(max(1, w.looks)*whole)
}

// waited is how many goroutines waited for a processor.
func (w *window) waited() float64 {
	return float64(w.runnable) / float64(max(1, w.looks))
}

// roomShare is the share of looks that showed room.
func (w *window) roomShare() float64 { return float64(w.room) / float64(max(1, w.looks)) }

// full reports whether the processors were in use: more workers can do no more, but
// where those that are there sleep and others have the processors.
func (w *window) full() bool { return w.looks > 0 && w.room*32 <= w.looks }

// pays reports whether the larger size is worth its workers: the one question that
// decides, up and down.
func pays(small, large *window) bool {
	more := float64(large.size-small.size) / float64(small.size)
	gain := large.rate()/small.rate() - 1
	switch {
	case small.full():
		// Others have the processors, or these workers. In the second case those that
		// were added wait for a processor.
		return gain >= more/2 && large.waited()-small.waited() <= float64(large.size-small.size)/2
	case large.idleShare() <= (1-more/2)*small.idleShare(), large.roomShare() <= (1-more/2)*small.roomShare():
		// They came to use processors that were idle. Near the end of those this shows
		// sooner than the rate does.
		return true
	}
	return gain >= more/4
}

// shifted reports whether what is seen now is another load than before.
func shifted(before, now *window) bool {
	change := now.rate() / before.rate()
	return change > 1.5 || change < 1/1.5
}

// A lap lasts until the tasks have ended that were in flight when it began, so about
// as long as a task takes.
type lap struct {
	from         time.Duration
	begun, ended uint64        // tasks, when it began
	took         time.Duration // by the last one

	// busy is when a look saw no processor idle last, since n was changed; from where none
	// has. idle is how many have seen one since.
	busy time.Duration
	idle int
}

func (l *lap) begin(v View) {
	l.from, l.begun, l.ended = v.Now, v.Begun, v.Ended
	l.busy, l.idle = v.Now, 0
}

// end begins the next lap. One that began with no task in flight tells nothing.
func (l *lap) end(v View) {
	if l.begun > l.ended {
		l.took = v.Now - l.from
	}
	l.begin(v)
}

// look adds what v shows.
func (l *lap) look(v View) {
	if v.idleShare() > 0 {
		l.idle++
	} else {
		l.busy, l.idle = v.Now, 0
	}
}

// idled reports whether processors have been idle all the time; where none of its tasks
// has ended, for the later half of it: no other lap begins until then, and one look at a
// bad moment would hold for so long.
func (l *lap) idled(v View) bool {
	return l.idle >= 2 && (l.busy == l.from || v.Ended == l.ended && v.Now-l.busy >= (v.Now-l.from)/2)
}
