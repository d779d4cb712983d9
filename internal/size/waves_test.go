package size

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// Waves are tasks that come to a machine in bursts: each some time after all of the one
// before have ended. Workers come and ask as those of a pool do: one is on its way at a
// time, and brings the next when it has found a task; one that finds none leaves. The
// rule is asked where a task waits and no worker may come, then by a timer for as long as
// some wait, when tasks end, and when there are no more.
type waves struct {
	tasks int
	gap   int64
	early bool  // the rule is also asked when a wave comes, before any worker has
	tick  int64 // timers fire at multiples of it, all at once; 0: in time
	long  int   // tasks that are in flight all the time, each with a worker

	queued  int   // tasks that wait
	coming  bool  // a worker is on its way
	watched bool  // the timer is set
	pressed bool  // tasks waited when the rule was asked last
	since   int64 // the wave's begin
	took    []int64
	most    int // in flight
}

// late is when a timer fires that is to at t.
func (m *machine) late(t int64) int64 {
	if w := m.waves; w != nil && w.tick > 0 {
		t = (t + w.tick - 1) / w.tick * w.tick
	}
	return t
}

const (
	waveID     = -3 // an event: a wave comes
	watchLeast = int64(100 * time.Microsecond)
)

// newWaves returns a machine to which tasks come in waves, and whose size is fixed where
// rule is nil.
func newWaves(procs int, l load, rule *Rule, size int, tasks int, gap time.Duration) *machine {
	m := &machine{procs: procs, load: l, rule: rule, rand: rand.New(rand.NewPCG(1, 0)), want: size}
	m.servers = append(m.servers, l.servers...)
	m.waves = &waves{tasks: tasks, gap: int64(gap)}
	if rule != nil {
		m.want = rule.Bounded(procs)
	}
	m.at(0, waveID)
	return m
}

// times returns how long so many waves took.
func (m *machine) times(n int) []int64 {
	for len(m.waves.took) < n && len(m.events) > 0 {
		m.proceed()
	}
	return m.waves.took
}

func (m *machine) arrive() {
	m.waves.queued, m.waves.since = m.waves.tasks, m.now
	if m.waves.early && m.rule != nil {
		m.decide()
	}
	m.bring()
}

// bring has a worker come for what waits.
func (m *machine) bring() {
	w := m.waves
	if w.queued == 0 || w.coming {
		return
	}
	if m.live+w.long >= m.want && m.rule != nil {
		if m.now >= m.next {
			m.decide()
		}
		if m.live+w.long >= m.want && !w.watched {
			w.watched = true
			m.at(m.late(max(m.next, m.now+watchLeast)), timerID)
		}
	}
	if m.live+w.long < m.want {
		w.coming = true
		m.start(startEach)
	}
}

// take takes a task for a worker, or has it leave.
func (m *machine) take(id int32) bool {
	w := m.waves
	found := m.workers[id].fresh
	if m.workers[id].fresh = false; found {
		w.coming = false
	}
	if w.queued == 0 {
		m.quit(id)
		return false
	}
	w.queued--
	w.most = max(w.most, int(m.begun-m.ended)+1)
	if found {
		m.bring()
	}
	return true
}

// watched: the timer has fired.
func (m *machine) watched() {
	m.waves.watched = false
	if m.waves.queued == 0 {
		if m.waves.pressed {
			m.decide()
		}
		return
	}
	if m.now >= m.next {
		m.decide()
	}
	m.bring()
	if w := m.waves; w.queued > 0 && !w.watched {
		w.watched = true
		m.at(m.late(max(m.next, m.now+watchLeast)), timerID)
	}
}

// lull: a worker has left, or nothing is there for one.
func (m *machine) lull() {
	w := m.waves
	if w.queued > 0 {
		m.bring()
		return
	}
	over := m.live == 0 && w.since >= 0
	if m.rule != nil && over && w.long == 0 {
		m.decide()
	} else if w.pressed && !w.watched {
		w.watched = true
		m.at(m.late(max(m.next, m.now+watchLeast)), timerID)
	}
	if over {
		w.took = append(w.took, m.now-w.since)
		w.since = -1
		m.at(m.now+w.gap, waveID)
	}
}

// show is what the rule sees of them.
func (w *waves) show(v *View) {
	v.Waiting = w.queued
	v.Begun += uint64(w.long)
	if v.Since = time.Duration(w.since); w.long > 0 {
		v.Since = 0
	}
	w.pressed = w.queued > 0
}

// sum is the time of all but the first half.
func sum(took []int64) (n int64) {
	for _, t := range took[len(took)/2:] {
		n += t
	}
	return n
}

// median is that of all but the first half.
func median(took []int64) int64 {
	s := slices.Clone(took[len(took)/2:])
	slices.Sort(s)
	return s[len(s)/2]
}

// burstWaits are how long tasks of bursts wait.
var burstWaits = []time.Duration{300 * us, ms, 3 * ms, 5 * ms, 20 * ms, 50 * ms}

// worst is how much longer bursts take than with a worker for each task, at most over the
// gaps between them, how times vary, and whether the rule is asked early: in the median of
// the later half, and in its mean.
func worst(t *testing.T, procs, tasks int, d time.Duration, gaps []time.Duration, vary []string) (mid, mean float64) {
	bursts := 60
	if stress.Long() {
		bursts = 100 // the rule tries half as many workers in three of the later half
	}
	for i, gap := range append(gaps, gaps...) {
		early := i >= len(gaps)
		for _, noise := range vary {
			l := row{kinds: []kind{{io: d}}}.load(noises[noise].noise)
			own := newWaves(procs, l, nil, tasks, tasks, gap).times(bursts)
			m := newWaves(procs, l, New(0, 0), 0, tasks, gap)
			m.waves.early = early
			took := m.times(bursts)
			of, all := float64(median(took))/float64(median(own)), float64(sum(took))/float64(sum(own))
			if of > 1.08 || all > 1.25 {
				t.Errorf("P=%d: bursts of %d × %v, %s, after gaps of %v, asked early %v: %.2f times what they take with a worker for each, and %.2f on average, want 1.08 and 1.25; %d workers",
					procs, tasks, d, noise, gap, early, of, all, m.want)
			}
			mid, mean = max(mid, of), max(mean, all)
		}
	}
	return mid, mean
}

const (
	burstTable = "../../record/simulated/bursts.md"
	burstHead  = `Simulated: how many times as long bursts of tasks that wait take, in a pool that the rule of internal/size
sizes, as with a worker for each task. No line is a measurement. It is the worst over gaps of 0, 1 ms,
30 ms and 1 s between two bursts, waits that vary by 30 % and not at all, and pools that ask the rule when
a task comes and later: the median of the later 50 of 100 bursts, and their mean, in which are three
that try half as many workers. The last table is of the first burst.
Write it with PAYOFF_LONG=1 go test ./internal/size -run 'Bursts$' -update

| P | tasks |`
)

// TestBursts: tasks that come in bursts have as many workers as there are tasks, as soon
// as some bursts have been seen: a burst takes hardly longer than with a worker for each.
// The long form holds the record to what comes of it.
func TestBursts(t *testing.T) {
	if !stress.Long() {
		for _, tasks := range []int{5, 20, 50, 100, 200} {
			for _, d := range burstWaits {
				worst(t, 2, tasks, d, []time.Duration{time.Second}, []string{"± 30 %"})
			}
		}
		return
	}
	text := burstHead
	for _, d := range burstWaits {
		text += fmt.Sprintf(" %v |", d)
	}
	text += "\n| ---: | ---: |" + strings.Repeat(" --- |", len(burstWaits)) + "\n"
	for _, procs := range []int{1, 2, 8, 64} {
		for _, tasks := range []int{5, 10, 20, 50, 100, 200, 500} {
			text += fmt.Sprintf("| %d | %d |", procs, tasks)
			for _, d := range burstWaits {
				mid, mean := worst(t, procs, tasks, d, []time.Duration{0, ms, 30 * ms, time.Second}, []string{"± 30 %", "none"})
				text += fmt.Sprintf(" %.2f, %.2f |", mid, mean)
			}
			text += "\n"
		}
	}
	text += "\n| P | the first burst | |\n| ---: | --- | ---: |\n"
	for _, p := range coldProcs {
		for _, c := range coldBursts {
			text += fmt.Sprintf("| %d | %d × %v | %.2f |\n", p, c.tasks, c.d, coldTimes(p, c.tasks, c.d))
		}
	}
	if *update {
		if err := os.WriteFile(burstTable, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := os.ReadFile(burstTable); err != nil || string(was) != text {
		t.Errorf("%s is not what comes of it now (%v):\n%s", burstTable, err, text)
	}
}

// TestLateTimers: timers of processors that are idle fire a ms late or more, and those of
// tasks that began together fire together, with that of the look. Bursts come to have a
// worker for each task nevertheless, within some of them.
func TestLateTimers(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		for _, tasks := range []int{5, 13, 20, 50} {
			for _, d := range []time.Duration{300 * us, ms} {
				for _, gap := range []time.Duration{0, time.Second} {
					l := row{kinds: []kind{{io: d}}}.load(uniform(0))
					own := newWaves(procs, l, nil, tasks, tasks, gap)
					m := newWaves(procs, l, New(0, 0), 0, tasks, gap)
					own.waves.tick, m.waves.tick = int64(1100*us), int64(1100*us)
					const bursts = 30
					if took, want := median(m.times(bursts)), median(own.times(bursts)); took > want*5/4 {
						t.Errorf("P=%d: bursts of %d × %v after gaps of %v take %v, and with a worker for each task %v; %d workers",
							procs, tasks, d, gap, time.Duration(took), time.Duration(want), m.want)
					}
				}
			}
		}
	}
}

// TestBesideLong: bursts come to have a worker for each task beside one that goes on all
// the time, too.
func TestBesideLong(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		for _, tasks := range []int{20, 50, 100} {
			for _, d := range []time.Duration{ms, 5 * ms} {
				for _, gap := range []time.Duration{ms, time.Second} {
					l := row{kinds: []kind{{io: d}}}.load(uniform(0))
					own := newWaves(procs, l, nil, tasks, tasks, gap)
					m := newWaves(procs, l, New(0, 0), 0, tasks, gap)
					m.waves.long = 1
					const bursts = 60
					if took, want := median(m.times(bursts)), median(own.times(bursts)); took > want*5/4 {
						t.Errorf("P=%d: bursts of %d × %v after gaps of %v beside a long task take %v, and with a worker for each task %v; %d workers",
							procs, tasks, d, gap, time.Duration(took), time.Duration(want), m.want)
					}
				}
			}
		}
	}
}

var (
	coldProcs  = []int{1, 2, 8, 64}
	coldBursts = []struct {
		tasks int
		d     time.Duration
	}{{10, 300 * ms}, {30, 300 * ms}, {100, 300 * ms}, {30, 50 * ms}, {100, 2 * time.Second}, {300, 2 * time.Second}}
)

// coldTimes is how many times as long as with a worker for each task the first burst takes.
func coldTimes(procs, tasks int, d time.Duration) float64 {
	l := row{kinds: []kind{{io: d}}}.load(uniform(0))
	own := newWaves(procs, l, nil, tasks, tasks, 0).times(1)
	took := newWaves(procs, l, New(0, 0), 0, tasks, 0).times(1)
	return float64(took[0]) / float64(own[0])
}

// TestCold: the first burst of a pool takes at most half longer than with a worker for
// each, where its tasks take so long that they may be begun at a falling rate.
func TestCold(t *testing.T) {
	for _, p := range coldProcs {
		for _, c := range coldBursts {
			if got := coldTimes(p, c.tasks, c.d); got > 1.5 {
				t.Errorf("P=%d: the first %d × %v: %.2f times what they take with a worker for each, want 1.5", p, c.tasks, c.d, got)
			}
		}
	}
}

// TestBurstFlood: bursts to a server that slows down get nearly as few workers as it does
// them soonest with.
func TestBurstFlood(t *testing.T) {
	procs, all, gaps := []int{2}, []int{20, 48, 100}, []time.Duration{100 * ms}
	if stress.Long() {
		procs, all, gaps = []int{2, 16}, []int{20, 25, 48, 100, 300}, []time.Duration{0, 100 * ms}
	}
	for _, p := range procs {
		for _, knee := range []int{8, 24} {
			for _, tasks := range all {
				for _, gap := range gaps {
					l := row{kinds: []kind{{io: 5 * ms, knee: knee}}}.load(uniform(30))
					const bursts = 200
					best, least := 0, int64(math.MaxInt64)
					for _, size := range []int{knee / 2, knee, knee * 3 / 2, 2 * knee, tasks} {
						if took := sum(newWaves(p, l, nil, size, tasks, gap).times(bursts)); took < least {
							best, least = size, took
						}
					}
					m := newWaves(p, l, New(0, 0), 0, tasks, gap)
					took := m.times(bursts)
					got := float64(sum(took)) / float64(least)
					line := fmt.Sprintf("P=%d: bursts of %d after %v to a server that slows past %d: %.2f times what they take with %d workers, the best; %d workers, %d in flight at most",
						p, tasks, gap, knee, got, best, m.want, m.waves.most)
					t.Log(line)
					if got > 1.4 {
						t.Error(line)
					}
				}
			}
		}
	}
}
