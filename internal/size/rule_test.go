package size

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// view is what a pool on 4 processors shows whose tasks sleep.
func view(now time.Duration, begun, ended uint64) View {
	return View{Now: now, Begun: begun, Ended: ended, Waiting: Many, Procs: 4, Idle: 3}
}

// run has the rule size a pool with that load for so long.
func run(procs int, k kind, rule *Rule, d time.Duration) *machine {
	m := newMachine(procs, row{kinds: []kind{k}}.load(uniform(30)), rule, 0, 1)
	m.run(int64(d))
	return m
}

// TestStart: there is a worker for each processor at first, 8 at most, within bounds.
func TestStart(t *testing.T) {
	for _, c := range []struct{ procs, least, most, want int }{
		{1, 0, 0, 1}, {4, 0, 0, 4}, {256, 0, 0, 8}, {4, 6, 0, 6}, {4, 0, 2, 2}, {4, 5, 3, 5},
	} {
		r := New(c.least, c.most)
		if r.Want() != 0 {
			t.Errorf("before the first Decide %d workers are wanted", r.Want())
		}
		n, next := r.Decide(View{Now: -time.Hour, Waiting: 1, Procs: c.procs, Idle: c.procs - 1})
		if n != c.want || n != r.Want() || next <= -time.Hour {
			t.Errorf("%+v: %d workers, asked again after %v", c, n, next+time.Hour)
		}
	}
}

// TestBound: other bounds hold from the next Decide on.
func TestBound(t *testing.T) {
	r := New(0, 0)
	m := run(2, kind{io: 5 * ms}, r, time.Second)
	if r.Want() < Most*3/4 { // fewer may be on trial
		t.Errorf("%d workers where each is of use, want nearly %d", r.Want(), Most)
	}
	r.Bound(0, 20)
	if m.run(int64(2 * time.Second)); r.Want() < 15 || r.Want() > 20 || m.live > 20 {
		t.Errorf("%d workers are wanted, %d live; want nearly 20", r.Want(), m.live)
	}
	r.Bound(30, 0)
	if m.run(int64(2200 * ms)); r.Want() < 30 {
		t.Errorf("%d workers, want 30 at least", r.Want())
	}
}

// TestNothingWaits: where the workers keep up there are no more of them, whatever the
// time that tasks take; and there are never more than tasks.
func TestNothingWaits(t *testing.T) {
	r := New(0, 0)
	for i := range 1000 {
		v := view(time.Duration(i)*ms, uint64(4*i+4), uint64(4*i))
		v.Waiting = 0
		if n, _ := r.Decide(v); n != 4 {
			t.Fatalf("%d workers where nothing waits, want 4", n)
		}
	}
	r = New(0, 0)
	var n int
	for i := range 1000 {
		v := view(time.Duration(i)*ms, 7, 0) // none ends
		if i == 0 {
			v.Begun = 4
		}
		v.Waiting = 3
		n, _ = r.Decide(v)
	}
	if n > 10 {
		t.Errorf("%d workers for 10 tasks", n)
	}
}

// TestBlind: before a task has ended there are √(t/8 µs) workers at most; none of them
// computes, so GOMAXPROCS is no reason for more.
func TestBlind(t *testing.T) {
	for _, procs := range []int{1, 2, 16, 256} {
		m := run(procs, kind{io: time.Hour}, New(0, 0), 0)
		for _, at := range []time.Duration{ms, 5 * ms, 100 * ms, time.Second} {
			m.run(int64(at))
			root := 1
			for root*root < int(at/blind) {
				root++
			}
			if n := m.want; n > max(root, min(procs, startMost)) || n < root*3/4 {
				t.Errorf("P=%d: %d workers after %v, want %d at most and nearly that", procs, n, at, root)
			}
		}
	}
}

// TestBadLook: looks that happen to see all processors in use, as where workers are woken,
// do not keep those away that more tasks need which do not end.
func TestBadLook(t *testing.T) {
	for _, bad := range []time.Duration{0, 300 * us, 5 * ms, 20 * ms} {
		r := New(0, 0)
		for now := time.Duration(0); now < 200*ms; {
			v := view(now, uint64(r.Want()), 0)
			if now >= bad && now < 2*bad {
				v.Idle = 0
			}
			_, now = r.Decide(v)
		}
		if n, want := r.Want(), 155; n < want*9/10 || n > want+5 { // √(200 ms / 8 µs), about
			t.Errorf("no processor idle from %v to %v: %d workers after 200 ms, want about %d", bad, 2*bad, n, want)
		}
	}
}

// TestLull: a lull is no time in which tasks were at work and none has ended.
func TestLull(t *testing.T) {
	for _, lull := range []time.Duration{ms, time.Second, time.Hour} {
		r := New(0, 0)
		r.Decide(view(0, 4, 0))
		last := view(5*ms, 4, 2)
		last.Waiting = 0
		r.Decide(last)
		now := 5*ms + lull
		for i := range uint64(8) {
			at := now + time.Duration(i)*leastTick
			if _, next := r.Decide(view(at, 4+uint64(r.Want()), 4)); next-at > 5*ms/perLap {
				t.Errorf("asked again %v later, after a lull of %v; want %v at most", next-at, lull, 5*ms/perLap)
			}
		}
		if n, want := r.Want(), 10; n > want { // √(800 µs / 8 µs)
			t.Errorf("%d workers when tasks have waited for %v, after a lull of %v; want %d at most", n, 8*leastTick, lull, want)
		}
	}
}

// TestLullInWindow: an hour in which no task came is no time in which hardly a task ended.
func TestLullInWindow(t *testing.T) {
	r := New(0, 0)
	m := run(2, kind{io: 5 * ms, lines: 32}, r, 5*time.Second)
	if r.phase == climbing || r.base.tasks == 0 {
		t.Fatalf("after %v it climbs, or has measured nothing", time.Duration(m.now))
	}
	now, n, phase := time.Duration(m.now), r.Want(), r.phase
	idle := view(now, m.ended, m.ended)
	idle.Waiting = 0
	r.Decide(idle)
	for i := range 4 {
		now += time.Hour
		m.ended += uint64(i)
		r.Decide(view(now+time.Duration(i)*ms, m.ended+uint64(n), m.ended))
		if r.Want() != n || r.phase != phase {
			t.Fatalf("look %d after an hour's lull: %d workers, phase %d; want %d, %d", i, r.Want(), r.phase, n, phase)
		}
		now -= time.Hour
	}
}

// TestFewLooks: two looks in a burst are enough, when tasks begin to wait and when none is
// there, though the first finds no processor idle. Where more workers do no more, there
// come to be no more.
func TestFewLooks(t *testing.T) {
	for _, c := range []struct{ tasks, lines, least, most int }{
		{tasks: 20, lines: 20, least: 20, most: 20},
		{tasks: 100, lines: 100, least: 100, most: 100},
		{tasks: 100, lines: 8, least: 4, most: 16},
	} {
		r := New(0, 0)
		now, did := time.Duration(0), uint64(0)
		for range 60 {
			v := view(now, did, did)
			v.Since, v.Waiting, v.Procs, v.Idle, v.Runnable = now, c.tasks, 2, 0, 1
			n, _ := r.Decide(v)
			n = min(n, c.lines)
			now += time.Duration((c.tasks+n-1)/n) * ms
			did += uint64(c.tasks)
			v.Now, v.Begun, v.Ended, v.Waiting = now, did, did, 0
			r.Decide(v)
			now += ms
		}
		if n := r.Want(); n < c.least || n > c.most {
			t.Errorf("bursts of %d tasks, of which %d go on at once: %d workers after 60, want %d to %d", c.tasks, c.lines, n, c.least, c.most)
		}
	}
}

// TestLate: as many come where the scheduler starts workers late, and looks are made
// meanwhile: one that is to come has begun after some ms, at random.
func TestLate(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for _, procs := range []int{1, 2, 16} {
		for _, late := range []time.Duration{0, ms, 5 * ms, 30 * ms} {
			r := New(0, 0)
			var at []time.Duration // when each worker begins
			for now := time.Duration(0); now < 2*time.Second; {
				begun := 0
				for _, a := range at {
					if a <= now {
						begun++
					}
				}
				v := view(now, uint64(begun), 0)
				v.Procs, v.Idle, v.Waiting = procs, procs-1, 300-begun
				if begun < r.Want() { // those that are to come have the processors
					v.Idle, v.Runnable = 0, 1
				}
				n, next := r.Decide(v)
				for len(at) < n {
					at = append(at, now+time.Duration(rnd.Int64N(int64(late)+1)))
				}
				now = next
			}
			if r.Want() != 300 {
				t.Errorf("P=%d, workers begin up to %v late: %d workers for 300 tasks that do not end, want 300", procs, late, r.Want())
			}
		}
	}
}

// TestComputes: work that computes ends at GOMAXPROCS workers, wherever it began.
func TestComputes(t *testing.T) {
	for _, procs := range []int{1, 2, 8, 64} {
		for _, least := range []int{0, 200} {
			r := New(least, 0)
			m := run(procs, kind{cpu: ms}, r, 100*ms)
			r.Bound(0, 0)
			m.run(int64(5 * time.Second))
			m.sizes = trace{}
			m.sizes.at = m.now
			m.run(int64(8 * time.Second))
			if mean := m.sizes.area / 3e9; mean > 1.05*float64(procs)+0.1 || m.sizes.most > procs+max(1, procs/4) {
				t.Errorf("P=%d, %d workers at first: %.2f workers on average, %d at most", procs, least, mean, m.sizes.most)
			}
		}
	}
}

// TestFlood: no server gets many times more than what it does most with, and that not
// for long. Of tasks that take 5 ms at first 25 are begun before one ends, more where
// that makes them slower, and a climb doubles them twice.
func TestFlood(t *testing.T) {
	for _, procs := range []int{2, 16} {
		for _, knee := range []int{8, 24, 100} {
			m := run(procs, kind{io: 5 * ms, knee: knee}, New(0, 0), time.Second)
			if m.sizes.most > max(5*knee, 100) {
				t.Errorf("P=%d: %d workers for a server that slows past %d", procs, m.sizes.most, knee)
			}
			m.run(int64(5 * time.Second))
			m.sizes = trace{at: m.now}
			m.run(int64(10 * time.Second))
			if mean := m.sizes.area / 5e9; mean > 1.25*float64(knee) || m.sizes.most > 2*knee+1 {
				t.Errorf("P=%d: %.0f workers on average, %d at most, for a server that slows past %d", procs, mean, m.sizes.most, knee)
			}
		}
	}
}

// TestRoom: a server that takes more tasks than before, and answers as before, is found
// by a trial.
func TestRoom(t *testing.T) {
	m := run(2, kind{io: 5 * ms, lines: 32}, New(0, 0), 5*time.Second)
	if m.want > 48 {
		t.Fatalf("%d workers for 32 connections", m.want)
	}
	m.servers[0].lines = 1000
	if m.run(int64(8 * time.Second)); m.want < 900 {
		t.Errorf("%d workers, 3 s after the server has 1000 connections", m.want)
	}
}

// TestUnknown: where nobody knows who has processors, the rate decides alone.
func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		kind
		least, most int
	}{{kind{cpu: ms}, 2, 5}, {kind{io: 20 * ms}, 800, Most}} {
		m := newMachine(2, row{kinds: []kind{c.kind}}.load(uniform(30)), New(0, 0), 0, 1)
		m.unknown = true
		if m.run(int64(4 * time.Second)); m.want < c.least || m.want > c.most {
			t.Errorf("%+v: %d workers, want %d to %d", c.kind, m.want, c.least, c.most)
		}
	}
}

// TestOthers: where other goroutines have all processors, workers that compute are not
// added.
func TestOthers(t *testing.T) {
	m := newMachine(2, row{kinds: []kind{{cpu: ms}}}.load(uniform(30)), New(0, 0), 0, 1)
	m.hogs(6)
	if m.run(int64(20 * time.Second)); m.want < 2 || m.want > 4 {
		t.Errorf("%d workers, want 2 to 4", m.want)
	}
}

// TestTick: the owner is not asked to call more often than each 100 µs, and at least each
// 10 ms.
func TestTick(t *testing.T) {
	r := New(0, 0)
	ended := uint64(0)
	for now := time.Duration(0); now < time.Second; {
		_, next := r.Decide(view(now, ended+4, ended))
		if d := next - now; d < leastTick || d > mostTick {
			t.Fatalf("asked again after %v", d)
		}
		now = next
		ended += 40
	}
}

func TestAllocs(t *testing.T) {
	r := New(0, 0)
	now, ended := time.Duration(0), uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		_, now = r.Decide(view(now, ended+4, ended))
		ended += 40
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDecide(b *testing.B) {
	r := New(0, 0)
	now, ended := time.Duration(0), uint64(0)
	for b.Loop() {
		_, now = r.Decide(view(now, ended+4, ended))
		ended += 40
	}
}

// TestShift: where work that computed comes to wait, there are more workers at once, and
// GOMAXPROCS again when it computes. That takes longer: they do no harm.
func TestShift(t *testing.T) {
	w := row{each: 20 * time.Second, kinds: []kind{{cpu: ms}, {io: 100 * ms}}}
	for _, procs := range []int{1, 2, 16} {
		m := newMachine(procs, w.load(uniform(30)), New(0, 0), 0, 1)
		for _, c := range []struct {
			at          time.Duration
			least, most int
		}{{19 * time.Second, procs, procs + 4}, {21 * time.Second, 512, Most}, {59 * time.Second, procs, procs + 4}} {
			if m.run(int64(c.at)); m.want < c.least || m.want > c.most {
				t.Errorf("P=%d: %d workers after %v, want %d to %d", procs, m.want, c.at, c.least, c.most)
			}
		}
	}
}
