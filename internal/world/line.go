package world

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A line is a cache line: one processor may write it, or several read it. To
// those that want it, it comes one after the other.
type line struct {
	owner   int       // who wrote it last
	sharers [4]uint64 // who has it
	n       int       // how many these are
	free    int64     // when the one before is served

	pcs [6]uintptr // where it was first touched
	Line
}

// A Line is what became of one cache line.
type Line struct {
	Reads, Writes, Moves uint64
	// Busy is how long it was on its way, and Waited how long processors waited
	// for others to have had it.
	Busy, Waited time.Duration
	// Peak is the largest share of 100 µs in which it was on its way.
	Peak   float64
	window int64
	inside int64
	Where  string
}

const lineShift = 6

// Touch is a read or a write, or both at once, of the word at addr by sync/atomic.
func Touch(addr uintptr, write bool) {
	if o := exploring; o != nil {
		o.say(said{kind: stTouch, addr: addr, write: write, pc: caller()})
		return
	}
	w := this
	if w == nil || w.cur == nil {
		return
	}
	p := w.sync()
	l := w.lines[addr>>lineShift]
	if l == nil {
		l = &line{owner: p.id}
		l.n = 1
		l.sharers[p.id>>6] |= 1 << (p.id & 63)
		runtime.Callers(3, l.pcs[:])
		w.lines[addr>>lineShift] = l
	}
	has := l.sharers[p.id>>6]&(1<<(p.id&63)) != 0
	if !write {
		l.Reads++
		if has {
			p.now += costRead
			return
		}
		from := max(p.now, l.free)
		l.Waited += time.Duration(from - p.now)
		l.free = from + costFetch
		l.took(from, costFetch)
		p.now = from + w.prices.transfer(p.id, l.owner, len(w.procs))
		l.sharers[p.id>>6] |= 1 << (p.id & 63)
		l.n++
		l.Moves++
		w.sync()
		return
	}
	l.Writes++
	if has && l.n == 1 {
		p.now += costAtomic
		return
	}
	from := max(p.now, l.free)
	l.Waited += time.Duration(from - p.now)
	t := w.prices.transfer(p.id, l.owner, len(w.procs)) + costSharer*int64(l.n-1)
	p.now = from + t + costAtomic
	l.free = from + t
	l.took(from, t)
	l.Moves++
	l.owner = p.id
	l.sharers = [4]uint64{}
	l.sharers[p.id>>6] |= 1 << (p.id & 63)
	l.n = 1
	w.sync() // others may write it before this write is through
}

// Share lets all processors have all lines, as after a long time in which nobody wrote.
func Share() {
	w := this
	w.sync()
	for _, l := range w.lines {
		l.n = len(w.procs)
		for p := range w.procs {
			l.sharers[p>>6] |= 1 << (p & 63)
		}
	}
}

func (l *line) took(from, t int64) {
	l.Busy += time.Duration(t)
	const width = 100_000
	if from/width != l.window {
		l.Peak = max(l.Peak, float64(l.inside)/width)
		l.window, l.inside = from/width, 0
	}
	l.inside += t
}

// Hot returns the lines that were waited for most.
func (w *World) Hot(n int) []Line {
	var all []Line
	for _, l := range slices.SortedFunc(maps.Values(w.lines), func(a, b *line) int {
		return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Writes, a.Writes), cmp.Compare(b.Reads, a.Reads))
	}) {
		if len(all) == n {
			break
		}
		l.Peak = max(l.Peak, float64(l.inside)/100_000)
		l.Where = where(l.pcs[:])
		all = append(all, l.Line)
	}
	return all
}

// Touched is how many words were read and written.
func (w *World) Touched() (reads, writes uint64) {
	for _, l := range w.lines {
		reads += l.Reads
		writes += l.Writes
	}
	return reads, writes
}

// where names the first function that is not the machine's.
func where(pcs []uintptr) string {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "/internal/world") {
			name := f.Function[strings.LastIndex(f.Function, "/")+1:]
			return fmt.Sprintf("%s (%s:%d)", name, f.File[strings.LastIndex(f.File, "/")+1:], f.Line)
		}
		if !more {
			return "?"
		}
	}
}
