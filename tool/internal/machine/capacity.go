package machine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Capacity tells how many processors' worth of time a Go process with Procs
// busy goroutines really got, whatever the machine is said to have.
type Capacity struct {
	Procs int `json:"procs"`

	// Cores is processor time over wall time, averaged over the probe. Low is
	// the same for the worst sixth of it, told from the moments at which the
	// threads did not run, so it also shows what a hypervisor takes unseen by
	// the system's accounting.
	Cores float64 `json:"cores"`
	Low   float64 `json:"low"`

	// Stacked reports whether threads took turns on one processor for a third
	// of the probe or more: a parallel program measured then looks serial,
	// however idle the machine. It is expected where Procs exceeds the usable
	// processors, and known on Linux only.
	Stacked bool `json:"stacked"`
}

const (
	probeTime = 60 * time.Millisecond
	warmUp    = 10 * time.Millisecond // a scheduler may take this long to spread new threads
	parts     = 6                     // parts of a probe of which Low takes the worst
	lookEvery = time.Millisecond      // how often a busy thread looks at its processor and at ctx

	// lostAfter is the time between two looks at the clock, about a
	// microsecond apart, beyond which the thread was not running. A timer
	// interrupt is shorter, a slice of another process longer.
	lostAfter = 50 * time.Microsecond
)

// ProbeCapacity keeps n threads busy for d, for each n of procs in turn, and
// returns what they got, in the same order. A d of 0 or less is 60 ms. When
// ctx ends, so does the probe, with the entries that were complete. It panics
// if an entry of procs is less than 1.
//
// GOMAXPROCS is as before and every goroutine is gone when it returns.
func ProbeCapacity(ctx context.Context, procs []int, d time.Duration) []Capacity {
	for _, p := range procs {
		if p < 1 {
			panic("machine.ProbeCapacity: procs < 1")
		}
	}
	if d <= 0 {
		d = probeTime
	}
	restore := holdProcs()
	defer restore()
	caps := make([]Capacity, 0, len(procs))
	for _, p := range procs {
		if ended(ctx) {
			break
		}
		runtime.GOMAXPROCS(p)
		c, ok := probeCapacity(ctx, p, d)
		if !ok {
			break
		}
		caps = append(caps, c)
	}
	return caps
}

// A spell is a time, in now's nanoseconds, during which a thread ran without
// a break on one processor.
type spell struct {
	from, to int64
	cpu      int // -1 if unknown
}

// A spinner is one busy thread. Only its own goroutine touches it until all
// have ended.
type spinner struct {
	spells  []spell
	cpu     time.Duration // processor time of the thread from start to end
	cpuOK   bool
	process float64 // processor time of the process over wall time; of spinner 0
	done    bool    // false if ctx ended first
}

func probeCapacity(ctx context.Context, procs int, d time.Duration) (Capacity, bool) {
	var (
		spinners = make([]*spinner, procs)
		ready    atomic.Int32 // spinners that have their thread
		start    atomic.Int64 // when the probe begins; 0 until all are ready
		wg       sync.WaitGroup
	)
	lost := max(int64(lostAfter), 4*clockStep())
	for i := range spinners {
		s := &spinner{spells: make([]spell, 0, 256)}
		spinners[i] = s
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if int(ready.Add(1)) == procs {
				start.Store(now() + int64(warmUp))
			}
			for start.Load() == 0 {
				if ended(ctx) {
					return
				}
				runtime.Gosched() // others may still need this processor to get ready
			}
			from := start.Load()
			s.spin(ctx, from, from+int64(d), lost, i == 0)
		})
	}
	wg.Wait()

	c := Capacity{Procs: procs}
	spells := make([][]spell, procs)
	threads := true
	var sum time.Duration
	for i, s := range spinners {
		if !s.done {
			return Capacity{}, false
		}
		spells[i] = s.spells
		sum += s.cpu
		threads = threads && s.cpuOK
	}
	from := start.Load()
	ran, low, stacked := summarize(spells, from, from+int64(d))
	switch {
	case threads:
		c.Cores = float64(sum) / float64(d)
	case spinners[0].process > 0:
		c.Cores = spinners[0].process
	default:
		c.Cores = ran
	}
	c.Low, c.Stacked = min(low, c.Cores), stacked
	return c, true
}

// spin keeps the calling thread busy until the clock shows end and notes what
// happened from start on. A gap of more than lost is time without a processor.
// With process it also takes the processor time of the whole process.
func (s *spinner) spin(ctx context.Context, start, end, lost int64, process bool) {
	x := uint64(start)
	for now() < start {
		if ended(ctx) {
			return
		}
		x = churn(x, 256)
	}
	defer func() { spun.Store(x) }()

	cpu0, ok0 := threadCPUTime()
	var proc0 time.Duration
	// A coarse counter would be a tenth off and worse: leave it to the spells.
	process = process && !ok0 && cpuTimeStep > 0 && end-start >= 100*int64(cpuTimeStep)
	if process {
		proc0, process = CPUTime()
	}
	first := now()
	run := spell{first, first, currentCPU()}
	look := first + int64(lookEvery)
	for run.to < end {
		x = churn(x, 256)
		t := now()
		if gap := t-run.to > lost; gap || t >= look {
			if ended(ctx) {
				return
			}
			look = t + int64(lookEvery)
			if cpu := currentCPU(); gap || cpu != run.cpu {
				s.spells = append(s.spells, run)
				run = spell{t, t, cpu}
			}
		}
		run.to = t
	}
	s.spells = append(s.spells, run)

	// A thread that the system held up past end has used nothing meanwhile.
	if cpu1, ok1 := threadCPUTime(); ok0 && ok1 {
		s.cpu, s.cpuOK = cpu1-cpu0, true
	}
	if process {
		if proc1, ok := CPUTime(); ok {
			s.process = float64(proc1-proc0) / float64(max(1, now()-first))
		}
	}
	s.done = true
}

// summarize tells from the spells of each thread how many of them ran between
// start and end on average, how many in the worst slice, and whether some were
// stacked on one processor.
func summarize(spells [][]spell, start, end int64) (ran, low float64, stacked bool) {
	width := float64(end-start) / parts
	var sums [parts]float64
	turns := 0 // slices in which threads took turns
	for i := range parts {
		from, to := start+int64(float64(i)*width), start+int64(float64(i+1)*width)
		sharing := make(map[int]int) // threads by the processor they had for a part of the slice only
		for _, thread := range spells {
			var all int64
			on := make(map[int]int64)
			for _, s := range thread {
				if t := min(s.to, to) - max(s.from, from); t > 0 {
					all += t
					on[s.cpu] += t
				}
			}
			sums[i] += float64(all) / width
			if float64(all) > 0.75*width {
				continue // it ran nearly all the time, and at most moved
			}
			for cpu, t := range on {
				if cpu >= 0 && float64(t) > 0.1*width {
					sharing[cpu]++
				}
			}
		}
		for _, n := range sharing {
			if n > 1 {
				turns++
				break
			}
		}
	}
	low = sums[0]
	for _, s := range sums {
		ran += s / parts
		low = min(low, s)
	}
	return ran, low, turns >= parts/3
}

// clockStep returns the smallest step of the clock that a few looks show.
func clockStep() int64 {
	step := int64(time.Second)
	for range 3 {
		t := now()
		for i := 0; i < 1<<20; i++ {
			if next := now(); next > t {
				step = min(step, next-t)
				break
			}
		}
	}
	return step
}
