package size

import (
	"math"
	"math/rand/v2"
	"time"
)

// A machine is a pool on simulated processors, with tasks that wait for simulated
// servers, as many as there are workers for. All is in whole nanoseconds, so each run
// gives the same on every machine.
type machine struct {
	procs int
	load  load
	rule  *Rule // nil: the size stays
	rand  *rand.Rand

	now    int64
	events events
	seq    uint64

	workers []worker
	free    []int32 // workers that left
	want    int
	live    int

	running int
	queue   []int32 // workers that wait for a processor, from head on
	head    int

	begun, ended uint64
	next         int64 // when the rule is to be asked
	asking       bool  // the timer's goroutine waits for a processor

	servers []server
	sizes   trace
	unknown bool // nobody knows who has processors

	waves *waves // nil: tasks always wait
}

// A trace is how many workers were wanted: the most, and the time integral.
type trace struct {
	most int
	area float64
	at   int64
}

// A worker runs tasks: it computes, waits for a server, and computes a little more.
type worker struct {
	step  uint8 // of its task
	hog   bool  // it is none, but another goroutine, that computes for ever
	fresh bool  // it was started, and has not had a task
	task  task
	slice int64 // when it has to give way
}

const (
	stepBegin   = iota // it has a processor, and begins a task
	stepCompute        // it computes until the event
	stepServe          // it is in a server until the event
	stepReturn         // it came back from the server and computes until the event
	stepQueued         // it waits in a server's queue
)

// A task is what one is to do: compute for so long, and wait for a server for so long.
type task struct {
	cpu, io int64
	server  int // -1: none
}

// A load draws tasks, which may change as time goes on.
type load struct {
	draw    func(r *rand.Rand, now int64) task
	servers []server
}

// A server serves tasks at once, up to lines of them; or it slows down: past knee tasks
// in flight each takes longer, by the square.
type server struct {
	lines, knee int // 0: any number
	inside      int
	waiting     []int32
}

const (
	askerID   = -1   // in the queue: the timer's goroutine
	perTask   = 1000 // ns of processor time for each task, and for each return
	sliceTime = int64(10 * time.Millisecond)
	startTime = int64(10 * time.Microsecond)
	startEach = int64(2 * time.Microsecond)
)

type event struct {
	at     int64
	seq    uint64
	worker int32
}

// events is a heap.
type events []event

func (h events) less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}

func (h *events) push(e event) {
	*h = append(*h, e)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 4
		if !s.less(i, up) {
			break
		}
		s[i], s[up] = s[up], s[i]
		i = up
	}
}

func (h *events) pop() event {
	s := *h
	top := s[0]
	n := len(s) - 1
	s[0] = s[n]
	s = s[:n]
	*h = s
	for i := 0; ; {
		least := i
		for c := 4*i + 1; c <= 4*i+4 && c < n; c++ {
			if s.less(c, least) {
				least = c
			}
		}
		if least == i {
			break
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
	return top
}

func newMachine(procs int, l load, rule *Rule, size int, seed uint64) *machine {
	m := &machine{procs: procs, load: l, rule: rule, rand: rand.New(rand.NewPCG(seed, 0))}
	m.servers = append(m.servers, l.servers...)
	if rule != nil {
		m.decide()
		m.at(m.next, timerID)
	} else {
		m.resize(size)
	}
	return m
}

const timerID = -2 // an event: it is time to ask

func (m *machine) at(t int64, worker int32) {
	m.seq++
	m.events.push(event{t, m.seq, worker})
}

// run goes on until the time.
func (m *machine) run(until int64) {
	for len(m.events) > 0 && m.events[0].at <= until {
		m.proceed()
	}
	m.now = until
	m.resized(m.want)
}

// proceed has the next event happen.
func (m *machine) proceed() {
	e := m.events.pop()
	m.now = e.at
	switch e.worker {
	case timerID:
		m.timer()
	case askerID:
		m.asked()
	case waveID:
		m.arrive()
	default:
		m.step(e.worker)
	}
}

// resize makes n the number of workers wanted. Those that are too many leave when they
// have ended their tasks.
func (m *machine) resize(n int) {
	m.resized(n)
	for k := int64(0); m.live < n && m.waves == nil; k++ {
		m.start(startTime + k*startEach)
	}
}

// start starts a worker, which takes so long.
func (m *machine) start(took int64) {
	var id int32
	if last := len(m.free) - 1; last >= 0 {
		id = m.free[last]
		m.free = m.free[:last]
	} else {
		id = int32(len(m.workers))
		m.workers = append(m.workers, worker{})
	}
	m.live++
	m.workers[id] = worker{step: stepQueued, fresh: true}
	m.at(m.now+took, id)
}

func (m *machine) resized(n int) {
	m.sizes.area += float64(m.want) * float64(m.now-m.sizes.at)
	m.sizes.at = m.now
	m.want = n
	m.sizes.most = max(m.sizes.most, n)
}

// ready has a worker wait for a processor, or gives it one.
func (m *machine) ready(id int32) {
	if m.running == m.procs {
		m.queue = append(m.queue, id)
		return
	}
	m.running++
	m.resume(id)
}

// resume has who got a processor go on.
func (m *machine) resume(id int32) {
	if id == askerID {
		m.at(m.now+perTask, askerID)
		return
	}
	w := &m.workers[id]
	w.slice = m.now + sliceTime
	switch w.step {
	case stepReturn:
		m.at(m.now+perTask, id)
	default:
		m.begin(id)
	}
}

// release gives a processor to who waits for one.
func (m *machine) release() {
	m.running--
	if m.head == len(m.queue) {
		return
	}
	id := m.queue[m.head]
	if m.head++; m.head > 1024 && m.head*2 > len(m.queue) {
		m.queue = m.queue[:copy(m.queue, m.queue[m.head:])]
		m.head = 0
	}
	m.running++
	m.resume(id)
}

// hogs adds n goroutines that compute for ever.
func (m *machine) hogs(n int) {
	for range n {
		m.workers = append(m.workers, worker{step: stepQueued, hog: true})
		m.at(m.now, int32(len(m.workers)-1))
	}
}

// begin begins a task, on a processor.
func (m *machine) begin(id int32) {
	w := &m.workers[id]
	if w.hog {
		m.at(w.slice, id)
		return
	}
	if m.waves != nil {
		if !m.take(id) {
			return
		}
		w = &m.workers[id] // there may be more by now
	}
	m.begun++
	w.task = m.load.draw(m.rand, m.now)
	w.step = stepCompute
	m.at(m.now+perTask+w.task.cpu, id)
}

// step is what a worker does next.
func (m *machine) step(id int32) {
	w := &m.workers[id]
	switch w.step {
	case stepQueued: // it was started
		w.step = stepBegin
		m.ready(id)
	case stepBegin: // a hog has had its slice
		m.queue = append(m.queue, id)
		m.release()
	case stepCompute:
		if w.task.server < 0 {
			m.end(id)
			return
		}
		m.enter(id)
		m.release()
	case stepServe:
		m.leave(w.task.server)
		w.step = stepReturn
		m.ready(id)
	case stepReturn:
		m.end(id)
	}
}

func (m *machine) enter(id int32) {
	w := &m.workers[id]
	s := &m.servers[w.task.server]
	if s.lines > 0 && s.inside == s.lines {
		w.step = stepQueued
		s.waiting = append(s.waiting, id)
		return
	}
	m.serve(s, id)
}

func (m *machine) serve(s *server, id int32) {
	w := &m.workers[id]
	s.inside++
	w.step = stepServe
	d := w.task.io
	if s.knee > 0 && s.inside > s.knee {
		d = d * int64(s.inside) / int64(s.knee) * int64(s.inside) / int64(s.knee)
	}
	m.at(m.late(m.now+d), id)
}

func (m *machine) leave(server int) {
	s := &m.servers[server]
	s.inside--
	if len(s.waiting) > 0 {
		id := s.waiting[0]
		s.waiting = s.waiting[1:]
		m.serve(s, id)
	}
}

// end ends a task. The worker has a processor, and goes on with the next task, or
// leaves.
func (m *machine) end(id int32) {
	m.ended++
	if m.rule != nil && m.now >= m.next {
		m.decide()
	}
	if m.waves != nil {
		m.bring()
	}
	if m.live > m.want {
		m.quit(id)
		return
	}
	if w := &m.workers[id]; m.now >= w.slice && m.head < len(m.queue) {
		w.step = stepBegin
		m.queue = append(m.queue, id)
		m.release()
		return
	}
	m.begin(id)
}

// quit ends a worker, which has a processor.
func (m *machine) quit(id int32) {
	m.live--
	m.free = append(m.free, id)
	m.release()
	if m.waves != nil {
		m.lull()
	}
}

func (m *machine) timer() {
	if m.now < m.next && m.waves == nil {
		m.at(m.next, timerID)
		return
	}
	if !m.asking {
		m.asking = true
		m.ready(askerID)
	}
}

// asked: the timer's goroutine has a processor.
func (m *machine) asked() {
	m.asking = false
	if m.waves != nil {
		m.watched()
		m.release()
		return
	}
	if m.now >= m.next {
		m.decide()
	}
	m.at(m.next, timerID)
	m.release()
}

func (m *machine) decide() {
	runnable := len(m.queue) - m.head
	v := View{
		Now: time.Duration(m.now), Begun: m.begun, Ended: m.ended, Waiting: Many,
		Procs: m.procs, Idle: max(0, m.procs-m.running-runnable), Runnable: runnable,
	}
	if m.waves != nil {
		m.waves.show(&v)
	}
	if m.unknown {
		v.Idle, v.Runnable = -1, 0
	}
	want, next := m.rule.Decide(v)
	m.next = int64(next)
	m.resize(want)
}

// A noise is how task times vary.
type noise func(r *rand.Rand, t int64) int64

// uniform is up to a share of the time more or less, in percent.
func uniform(percent int64) noise {
	return func(r *rand.Rand, t int64) int64 {
		if t == 0 {
			return 0
		}
		return t + t*(r.Int64N(2*percent+1)-percent)/100
	}
}

// exponential is as times between events that know nothing of each other are.
func exponential(r *rand.Rand, t int64) int64 { return t * quantiles[r.IntN(len(quantiles))] / whole }

var quantiles = func() (q [1 << 12]int64) {
	for i := range q {
		q[i] = int64(math.Round(-whole * math.Log((float64(i)+0.5)/float64(len(q)))))
	}
	return q
}()

// stalls is as others, but one task in a hundred takes ten times as long.
func stalls(n noise) noise {
	return func(r *rand.Rand, t int64) int64 {
		if r.IntN(100) == 0 {
			t *= 10
		}
		return n(r, t)
	}
}
