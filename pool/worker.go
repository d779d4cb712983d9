package pool

import (
	"runtime"
	"slices"
	"time"

	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/wait"
)

// A worker is a goroutine that does tasks.
type worker struct {
	sleeper wait.Sleeper
	coming  bool // it is counted among those coming
	turn    uint // counts tasks

	// Since last, when it looked at the clock, it has done this many tasks, and looks
	// again after left more.
	last       time.Duration
	done, left int

	// worked is for how long it has done short tasks, less what that has paid of its
	// looking for more.
	worked time.Duration
}

// start starts a worker, which is counted as active and coming.
func (c *crew[T]) start() {
	go c.work(&worker{sleeper: wait.NewSleeper(), coming: true, last: help.Clock(), left: 1})
}

// work is the life of a worker.
func (c *crew[T]) work(w *worker) {
	c.label()
	c.enlist()
	for !c.serve(w, nil) {
	}
}

// inherit is work that begins with a task that is under way: its goroutine has ended.
func (c *crew[T]) inherit(w *worker, t T) {
	c.label()
	c.enlist()
	first := &t
	for !c.serve(w, first) {
		first = nil
	}
}

// bequeath has a new worker take the place of the caller, who has entered and whose
// goroutine ends in t.
func (c *crew[T]) bequeath(t T) {
	c.mu.Lock()
	c.ids.remove()
	c.live++
	c.mu.Unlock()
	go c.inherit(&worker{sleeper: wait.NewSleeper(), last: help.Clock(), left: 1}, t)
}

// serve does tasks, the first one first where it is not nil, until one panics, and then
// returns false, or until w leaves. Where one ends its goroutine, another goes on in its
// place.
func (c *crew[T]) serve(w *worker, first *T) (leaves bool) {
	var t T
	running := false
	defer func() {
		if leaves {
			c.delist()
			return
		}
		if !running { // a fault of this package
			return
		}
		var v any
		more := false
		if c.end != nil {
			v = recover()
			more = c.end(t, v)
		}
		if !more {
			w.done++
		}
		if v != nil {
			return
		}
		c.delist()
		if more {
			go c.inherit(w, t)
		} else {
			go c.work(w)
		}
	}()
	for {
		var ok bool
		if first != nil {
			t, first = *first, nil
		} else if t, ok = c.take(w); !ok {
			if t, ok = c.look(w); !ok {
				if c.park(w) {
					return true
				}
				continue
			}
		}
		if w.coming {
			c.found(w)
		}
		running = true
		n := c.run(t)
		running = false
		w.done += n
		if w.left -= n; w.left <= 0 && c.beat(w) {
			return true
		}
	}
}

// take takes a task, those of high priority first. Of sixteen, one is of the lowest
// priority there is, and four of those that are not High, where there are any.
func (c *crew[T]) take(w *worker) (t T, ok bool) {
	if c.signs.Load()&several == 0 {
		t, err := c.rings[Normal].Load().TryRecv()
		return t, err == nil
	}
	w.turn++
	order := [levels]Priority{High, Normal, Low}
	switch w.turn % 16 {
	case 0:
		order = [levels]Priority{Low, Normal, High}
	case 4, 8, 12:
		order = [levels]Priority{Normal, Low, High}
	}
	for _, p := range order {
		if r := c.rings[p].Load(); r != nil && r.Len() > 0 {
			if t, err := r.TryRecv(); err == nil {
				return t, true
			}
		}
	}
	return t, false
}

// look looks for a task again for a while: one worker where tasks are long, which says
// so. Where they are short several may; they say so where somebody would be woken
// otherwise.
func (c *crew[T]) look(w *worker) (t T, ok bool) {
	now := help.Clock()
	c.book(w, now)
	if c.signs.Load()&over != 0 || help.Unreal(now) || help.Sched.Procs(now) == 1 {
		return t, false
	}
	c.looking.Add(1)
	defer c.looking.Add(-1)
	long := c.mean.Load() >= int64(shortTask)
	if long && c.sized() && c.mu.TryLock() {
		c.lull() // before a call that waited for these tasks brings others
		c.mu.Unlock()
	}
	// Who was just made ready here, as one that waited for room, is to go first.
	runtime.Gosched()
	patience := linger
	if !long {
		patience = max(linger, min(w.worked/lingerShare, longLinger))
	}
	defer func() { w.worked = max(0, w.worked-lingerShare*(help.Clock()-now)) }()
	until := now + patience
	for pause := leastPause; ; pause = min(2*pause, mostPause) {
		if t, ok = c.take(w); ok {
			w.last = help.Clock()
			return t, true
		}
		if !w.coming && (long || c.signs.Load()&alert != 0) && !c.announce(w) {
			return t, false
		}
		switch at := help.Clock(); {
		case at > until || c.entering.Load() > 0 && draw(&c.entering):
			return t, false
		case at > now+linger:
			runtime.Gosched() // others may want the processor
		}
		help.Pause(pause)
	}
}

// announce counts w among those coming. It reports false where there is one already,
// or w is one too many.
func (c *crew[T]) announce(w *worker) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.coming > 0 || c.active > c.want || c.ending {
		return false
	}
	c.coming++
	w.coming = true
	c.tell()
	return true
}

// found is called before the first task that w has found after it was coming: for
// others that wait somebody else is to come.
func (c *crew[T]) found(w *worker) {
	w.coming = false
	c.mu.Lock()
	c.coming--
	o, wakes := c.bring(false)
	c.mu.Unlock()
	c.wake(o, wakes)
}

// beat looks at the clock, and whether others are to be woken. It parks w where there
// are too many, and reports whether it is to leave.
func (c *crew[T]) beat(w *worker) (leaves bool) {
	now := help.Clock()
	before := c.mean.Load()
	c.book(w, now)
	signs := c.signs.Load()
	mean := c.mean.Load()
	turned := before < int64(shortTask) && mean >= int64(shortTask) // short tasks have become long
	switch {
	case c.ask(now):
	case turned, signs&may != 0 && c.ready(mean):
		c.see()
	}
	if signs&over != 0 {
		return c.park(w)
	}
	return false
}

// ready reports whether tasks that wait are worth a wake.
func (c *crew[T]) ready(mean int64) bool {
	n := c.waiting()
	return n > 0 && c.pays(n)
}

// book books what w has done since it looked at the clock last, which was now.
func (c *crew[T]) book(w *worker, now time.Duration) {
	if w.done > 0 {
		c.learn(w.done, now-w.last)
		w.worked = min(w.worked+now-w.last, lingerShare*longLinger)
	}
	w.done, w.last = 0, now
	w.left = int(min(max(1, int64(beat)/max(1, c.mean.Load())), mostBeat))
}

// park parks w until it is woken, and reports whether it is to leave instead.
func (c *crew[T]) park(w *worker) (leaves bool) {
	c.mu.Lock()
	surplus := c.active > c.want
	if w.coming {
		w.coming = false
		c.coming--
	}
	c.crowd = max(c.crowd, c.active)
	c.active--
	// First the signs, then a last look: who submits does it the other way round.
	c.tell()
	if !surplus && c.coming == 0 && c.waiting() > 0 {
		c.active++
		c.coming++
		w.coming = true
		c.tell()
		c.mu.Unlock()
		w.last = help.Clock()
		return false
	}
	c.rested()
	if surplus || c.ending {
		c.live--
		c.mu.Unlock()
		return true
	}
	c.idle.Push(&w.sleeper)
	c.sweep.Set(idleTime, c.swept)
	c.mu.Unlock()
	w.sleeper.Sleep()
	if w.sleeper.Leave {
		return true
	}
	w.coming = true
	w.last = help.Clock()
	return false
}

// idents are goroutines, where those are known, to find calls that would wait for
// themselves.
type idents []uintptr

func (ids *idents) add() {
	if goroutine.Known {
		*ids = append(*ids, goroutine.ID())
	}
}

func (ids *idents) remove() {
	if i := slices.Index(*ids, goroutine.ID()); i >= 0 {
		*ids = slices.Delete(*ids, i, i+1)
	}
}

// enlist and delist begin and end the life of a worker's goroutine.
func (c *crew[T]) enlist() {
	c.mu.Lock()
	c.ids.add()
	c.mu.Unlock()
}

func (c *crew[T]) delist() {
	c.mu.Lock()
	c.ids.remove()
	c.mu.Unlock()
}

// inside reports whether the caller is in a task. Where goroutines are not known, it is
// not.
func (c *crew[T]) inside() bool {
	if !goroutine.Known {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.ids, goroutine.ID())
}
