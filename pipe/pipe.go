package pipe

import (
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// A Pipe describes how items of type T come about: a source, and the stages behind
// it. It is a value that is never changed: functions such as [Map] return another
// one, and two pipes may begin with the same stages. Nothing runs before a sink is
// called, such as [Pipe.Collect]. It runs all of the pipe, and when it returns
// nothing runs any more.
//
// A Pipe may run again, also by several goroutines at once, where its source allows
// that. A slice does. A channel gives each run some of its values.
//
// T is at most 64 KiB, as elements of Go's channels are.
//
// The zero Pipe has no source: its sinks panic.
type Pipe[T any] struct{ d desc }

// A desc is a Pipe without its type: a source, and stages that are fused. A stage
// that cannot be fused is a source, with a desc of its own. It is small, since each
// function that adds to a Pipe copies it, and has the elements of a Slice in it: so a
// pipe of few stages over a slice allocates nothing.
type desc struct {
	from source
	data unsafe.Pointer // of the slice, if from is one
	len  int

	few       [fewStages]op // the stages, where rest has none
	n         uint16        // stages
	unordered bool
	context   bool  // a stage's function gets one
	rest      *rest // nil: nothing
}

const fewStages = 4

// A rest is what most pipes have none of. It is never changed.
type rest struct {
	about  *about  // of the source
	stages []stage // all of them, where there are many or something was said of one
	meter  *Meter
}

// A stage is an op and what was said of it.
type stage struct {
	op    op
	about *about // nil: nothing
}

// An about is what methods of a Pipe have said of a stage. It is never changed.
type about struct {
	name  string
	limit int // 0: none
	floor int // of the workers; 0: none
	pace  *pace
	retry Retries
	rule  ErrorRule
}

// An op is a stage that takes each item on its own. Its dynamic type is a function.
type op interface {
	// run applies the function to the items of in, and returns a vector of results:
	// out, where that is one of the right type.
	run(l *lane, in, out vector) vector
	// code tells functions apart.
	code() uintptr
	// call is the name of the function of this package.
	call() string
	// inlet returns a source that has what comes out of a pipe of the op's input type.
	inlet(up desc) source
	// sizes returns the sizes of an item and of a result.
	sizes() (in, out uintptr)
}

// stage returns a fused stage.
func (d *desc) stage(i int) stage {
	if d.rest != nil && d.rest.stages != nil {
		return d.rest.stages[i]
	}
	return stage{op: d.few[i]}
}

func (d *desc) last() stage { return d.stage(int(d.n) - 1) }

// stages returns a copy of the first n stages.
func (d *desc) stages(n int) []stage {
	all := make([]stage, n, n+1)
	for i := range all {
		all[i] = d.stage(i)
	}
	return all
}

// about is what was said of the source.
func (d *desc) about() *about {
	if d.rest == nil {
		return nil
	}
	return d.rest.about
}

func (d *desc) meter() *Meter {
	if d.rest == nil {
		return nil
	}
	return d.rest.meter
}

// with changes a copy of the rest.
func (d *desc) with(change func(r *rest)) {
	r := new(rest)
	if d.rest != nil {
		*r = *d.rest
	}
	change(r)
	d.rest = r
}

// behind returns a desc with another source, and what is said of all of a pipe.
func (d *desc) behind(from source) (b desc) {
	b.from = from
	if m := d.meter(); m != nil {
		b.rest = &rest{meter: m}
	}
	return b
}

// fuse appends a stage that takes items of type T. What is behind a stage that has a
// limit of its own is not fused with it.
func fuse[T any](d *desc, o op) {
	if d.rest == nil && d.n < fewStages {
		d.few[d.n] = o
		d.n++
		return
	}
	if d.n > 0 {
		if last := d.last(); last.limited() {
			unordered := d.unordered
			*d = d.behind(&relay[T]{*d})
			d.unordered = unordered
		}
	}
	d.append(stage{op: o})
}

func (d *desc) append(st stage) {
	if d.n < fewStages && st.about == nil && (d.rest == nil || d.rest.stages == nil) {
		d.few[d.n] = st.op
	} else {
		all := append(d.stages(int(d.n)), st)
		d.with(func(r *rest) { r.stages = all })
	}
	d.n++
}

func (st *stage) limited() bool {
	return st.about != nil && (st.about.limit > 0 || st.about.pace != nil)
}

// say changes what is said of the last stage, or of the source where there is none.
func (d *desc) say(change func(a *about)) {
	old := d.about()
	if d.n > 0 {
		old = d.last().about
	}
	a := new(about)
	if old != nil {
		*a = *old
	}
	change(a)
	if d.n == 0 {
		d.with(func(r *rest) { r.about = a })
		return
	}
	all := d.stages(int(d.n))
	all[d.n-1].about = a
	d.with(func(r *rest) { r.stages = all })
}

// wants panics where there is no stage that what a method says could hold for.
func (d *desc) wants(method string) {
	if d.n == 0 {
		panic("pipe." + method + ": the last thing in the pipe is no Map or Filter; " + method + " stands behind the stage that it is for")
	}
}

// apart has the last stage run apart from those before it.
func (d *desc) apart() {
	if d.n <= 1 {
		return
	}
	last, up := d.last(), *d
	up.n--
	if up.rest != nil && up.rest.stages != nil {
		all := up.stages(int(up.n))
		up.with(func(r *rest) { r.stages = all })
	} else {
		up.few[up.n] = nil
	}
	b := d.behind(last.op.inlet(up))
	b.unordered, b.context = d.unordered, d.context
	b.append(last)
	*d = b
}

// Named gives the last stage, or the source, a name for errors and statistics.
// Without one it is named by its function, as in "Map(main.parse)".
func (p Pipe[T]) Named(name string) Pipe[T] {
	p.d.say(func(a *about) { a.name = name })
	return p
}

// Unordered lets the results of the last stage come as soon as they are ready, in
// another order than their items. It holds for the stages that are fused with it too.
// Without it they come in order.
func (p Pipe[T]) Unordered() Pipe[T] {
	p.d.unordered = true
	return p
}

// AtMost has at most n calls of the last stage's function run at the same time, in each
// run of the pipe. It says nothing of stages that come later: it stands behind the one
// that it limits. It panics if n < 1, or if the last thing in the pipe is no Map or
// Filter, with a context or without. The others call one function at a time, or none.
//
// There is no need for it to make a pipe fast: the number of goroutines is found
// without.
func (p Pipe[T]) AtMost(n int) Pipe[T] {
	if n < 1 {
		panic("pipe.AtMost: n < 1")
	}
	p.d.wants("AtMost")
	p.d.apart()
	p.d.say(func(a *about) { a.limit = n; a.bounded("AtMost") })
	return p
}

// AtLeast has at least n goroutines work on the last stage, and on those fused with it.
// It does so where its function waits and there are so many items. It is for a first
// run that is not to find out how many it takes, and for items that come in bursts. The
// first item tells whether the function waits. Until then, and where it does not,
// AtLeast is of no effect. It panics if n is above what [Pipe.AtMost] allows, and where
// AtMost panics.
func (p Pipe[T]) AtLeast(n int) Pipe[T] {
	if n < 1 {
		panic("pipe.AtLeast: n < 1")
	}
	p.d.wants("AtLeast")
	p.d.say(func(a *about) { a.floor = n; a.bounded("AtLeast") })
	return p
}

// bounded panics where no number of goroutines is within the bounds.
func (a *about) bounded(method string) {
	if a.limit > 0 && a.floor > a.limit {
		panic("pipe." + method + ": AtLeast is above AtMost")
	}
}

// Rate has calls of the last stage's function begin at most n times in each period
// per, evenly. After one that began late, as timers are, the next ones begin when they
// would have. The rate is that of all runs of the pipe together. It panics if n or per
// is below 1, and where [Pipe.AtMost] does.
func (p Pipe[T]) Rate(n int, per time.Duration) Pipe[T] {
	if n < 1 {
		panic("pipe.Rate: n < 1")
	}
	if per < 1 {
		panic("pipe.Rate: per < 1")
	}
	p.d.wants("Rate")
	p.d.apart()
	p.d.say(func(a *about) { a.pace = newPace(per/time.Duration(n), 1) })
	return p
}

// Burst has up to n of the calls that [Pipe.Rate] spaces out begin at once, where as
// many could have begun before and did not. It keeps the unused rate of n calls. It
// panics if n < 1, and where Rate was not said of the last stage.
func (p Pipe[T]) Burst(n int) Pipe[T] {
	if n < 1 {
		panic("pipe.Burst: n < 1")
	}
	p.d.wants("Burst")
	p.d.say(func(a *about) {
		if a.pace == nil {
			panic("pipe.Burst: the last stage has no Rate")
		}
		a.pace = newPace(a.pace.each, n)
	})
	return p
}

// Retry calls the last stage's function again for an item where it has returned an
// error, at most so many times. It waits for pause, twice that, four times that, and so
// on, each shortened by chance by up to half. It is for stages whose functions return
// errors. It panics if times or pause is below 0, and where [Pipe.AtMost] does.
// [Pipe.RetryBy] says more.
func (p Pipe[T]) Retry(times int, pause time.Duration) Pipe[T] {
	return p.retry("Retry", Retries{Times: times, Pause: pause})
}

// Retries say when a function is called again for an item.
type Retries struct {
	// Times is how often, at most.
	Times int
	// Pause is how long after the first call. Each further pause is twice as long as
	// the one before, up to Longest where that is not 0. Each is shortened by chance
	// by up to half.
	Pause, Longest time.Duration
	// If reports whether an error is worth another call; nil: each is. It may be called by
	// several goroutines at once.
	If func(err error) bool
}

// RetryBy is [Pipe.Retry] with a longest pause, and for errors that are worth it. It
// panics if a number in r is below 0, and where [Pipe.AtMost] does.
//
//	p.RetryBy(pipe.Retries{Times: 8, Pause: 50 * time.Millisecond, Longest: 5 * time.Second, If: temporary})
func (p Pipe[T]) RetryBy(r Retries) Pipe[T] {
	if r.Longest < 0 {
		panic("pipe.RetryBy: Longest < 0")
	}
	return p.retry("RetryBy", r)
}

func (p Pipe[T]) retry(method string, r Retries) Pipe[T] {
	if r.Times < 0 {
		panic("pipe." + method + ": times < 0")
	}
	if r.Pause < 0 {
		panic("pipe." + method + ": pause < 0")
	}
	p.d.wants(method)
	p.d.say(func(a *about) { a.retry = r })
	return p
}

// OnError says what happens to an item for which the last stage's function returns an
// error, after [Pipe.Retry] where that was asked for. Without it, it ends the run.
func (p Pipe[T]) OnError(rule ErrorRule) Pipe[T] {
	p.d.say(func(a *about) { a.rule = rule })
	return p
}

// Meter has the runs of the pipe counted by m. It is for the whole pipe up to the
// sink, also for what stands before.
func (p Pipe[T]) Meter(m *Meter) Pipe[T] {
	p.d.with(func(r *rest) { r.meter = m })
	return p
}

// name is that of the stage.
func (st *stage) name() string {
	if st.about != nil && st.about.name != "" {
		return st.about.name
	}
	return st.op.call() + "(" + nameOf(st.op.code()) + ")"
}

// nameOf returns the name of the function whose code begins at pc, without the path of
// its package.
func nameOf(pc uintptr) string {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return "?"
	}
	name := f.Name()
	return name[strings.LastIndexByte(name, '/')+1:]
}

// codeOf returns the address of f's code, which tells functions apart; closures of one
// function literal have the same.
func codeOf[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }
