package twin

import (
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"math/rand/v2"

	"github.com/gopayoff/payoff/internal/stress"
)

var (
	died    atomic.Bool  // a goroutine of the call has panicked
	misused atomic.Bool  // package sync did, of a number below zero: edits may leave that out
	started atomic.Int64 // goroutines of the call
)

// Goroutines, and bytes of a stack, that are more than any call with such inputs
// takes that ends. The watch would come too late.
const (
	most  = 5000
	depth = 1 << 19
)

// Guard returns f for a goroutine to run. Guard notes what f panics with, where
// that would have ended the process. The goroutine begins a little later, or
// not.
func Guard[F any](f F) F {
	wrap := func(run func()) {
		defer func() {
			if e := recover(); e != nil {
				died.Store(true)
				note(e)
			}
		}()
		if started.Add(1) > most {
			over(calling.Load())
		}
		Yield()
		run()
	}
	if plain, ok := any(f).(func()); ok {
		return any(func() { wrap(plain) }).(F)
	}
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func {
		return f
	}
	return reflect.MakeFunc(v.Type(), func(in []reflect.Value) (out []reflect.Value) {
		for i := range v.Type().NumOut() {
			out = append(out, reflect.Zero(v.Type().Out(i)))
		}
		wrap(func() {
			if v.Type().IsVariadic() {
				out = v.CallSlice(in)
			} else {
				out = v.Call(in)
			}
		})
		return out
	}).Interface().(F)
}

// Yield lets other goroutines run, or not.
func Yield() {
	for range rand.IntN(4 << shake.Load()) {
		runtime.Gosched()
	}
}

// shake is how long goroutines may let others run: more, the larger it is.
var shake atomic.Int32

func note(e any) {
	if e == "sync: negative WaitGroup counter" {
		misused.Store(true)
	}
}

// call runs a case of the unit in one form. In a bag the order of elements does
// not count.
func (u *unit) call(n int, after, bag bool) (o outcome) {
	died.Store(false)
	misused.Store(false)
	started.Store(0)
	f := form(u.Unit, after)
	m := u.made[0]
	if after {
		m = u.made[1]
	}
	s := &shower{bag: bag, apart: m.apart}
	ended := false
	var recv reflect.Value
	defer func() {
		o.left = recover() != nil // synctest's: goroutines wait for ever
		if o.left && !ended {
			o.ends = stuck
		}
		if died.Load() {
			o.ends = panicked
		}
		if o.ends != returned {
			o.text, o.calls = "", ""
		}
		if o.ends == panicked && (recv.IsValid() && recv.Kind() == reflect.Pointer && recv.IsNil() || misused.Load()) {
			o.ends = unasked
		}
	}()
	synctest.Test(u.t, func(*testing.T) {
		r := u.random(n)
		m.start(r, u.tame)
		for _, name := range u.vars {
			m.fill(reflect.ValueOf(f.Vars[name]).Elem(), hash(name), 1)
		}
		steps := 1
		methods := strings.HasPrefix(u.Name, "(")
		if methods {
			steps = 1 + r.IntN(8)
			recv = m.argument(reflect.TypeOf(f.Funcs[u.steps[0]]).In(0), hash("receiver"), u.Inner)
		}
		var says, kept []func(*shower)
		for k := range steps {
			name := u.steps[r.IntN(len(u.steps))]
			fn := reflect.ValueOf(f.Funcs[name])
			var args []reflect.Value
			for i := range fn.Type().NumIn() {
				if i == 0 && methods {
					args = append(args, recv)
					continue
				}
				v := m.argument(fn.Type().In(i), hash(name)+uint64(100*k+i), u.Inner)
				args = append(args, v)
				kept = append(kept, func(s *shower) { s.name("argument %d", i); s.whole(v) })
			}
			in := &shower{}
			in.name("%s", name)
			for _, a := range args {
				if a.Kind() == reflect.Chan { // to show it would empty it
					in.word(a.Len())
				} else {
					in.show(a)
				}
			}
			o.in += in.String()
			var out []reflect.Value
			o.ends, out = safely(fn, args)
			if o.ends != returned {
				break
			}
			says = append(says, func(s *shower) {
				s.name("%s returns", name)
				for _, v := range out {
					s.show(v)
				}
			})
			for i, v := range out {
				if v.Kind() == reflect.Func && !v.IsNil() && v.Type().NumIn() == 0 {
					var more []reflect.Value
					o.ends, more = safely(v, nil)
					if o.ends != returned {
						break
					}
					s.name("result %d of %s returns", i, name)
					for _, w := range more {
						s.show(w)
					}
				}
			}
			if o.ends != returned || recv.IsValid() && held(recv) {
				break
			}
		}
		ended = o.ends == returned
		synctest.Wait()
		if !ended {
			ended = true
			return
		}
		for _, say := range append(says, kept...) {
			say(s)
		}
		if recv.IsValid() {
			s.name("receiver")
			s.show(recv)
		}
		for _, name := range u.vars {
			s.name("%s", name)
			s.show(reflect.ValueOf(f.Vars[name]).Elem())
		}
		if s.held {
			s.name("a lock is held")
		}
		o.text, o.calls = s.String(), m.told(u.Ordered)
	})
	return o
}

// held reports whether a lock of the receiver is: another call might wait for it.
func held(recv reflect.Value) bool {
	s := &shower{}
	s.show(recv)
	return s.held
}

// safely calls f in a goroutine, which it may end, and says how that ended.
func safely(f reflect.Value, in []reflect.Value) (string, []reflect.Value) {
	var out []reflect.Value
	var ended, failed atomic.Bool // the race detector loses sight of who panics within package sync
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if e := recover(); e != nil {
				failed.Store(true)
				note(e)
			}
		}()
		var got []reflect.Value
		if f.Type().IsVariadic() {
			got = f.CallSlice(in)
		} else {
			got = f.Call(in)
		}
		out = got
		ended.Store(true)
	}()
	<-done
	switch {
	case failed.Load():
		return panicked, nil
	case !ended.Load():
		return "ends its goroutine", nil
	}
	return returned, out
}

// calling is the call that runs, and since when; a slow one ends the process, and
// stays.
var (
	calling atomic.Pointer[Event]
	since   atomic.Int64 // ns of the clock
)

// next says an event, and has calls be the call that runs.
func next(say func(Event), e Event, calls *Event) {
	if last := calling.Load(); last != nil && last.Kind == Slow || !calling.CompareAndSwap(last, nil) {
		select {}
	}
	say(e)
	since.Store(time.Now().UnixNano())
	calling.Store(calls)
}

// over ends the process if that call still runs: it takes too long, or too much.
// Whoever comes says so, as the first may wait for a processor behind thousands.
var over func(e *Event)

// watch ends the process where a call takes too long or too much. The first form
// gets little time; the second, which has to do the same, as much as no machine
// needs for that.
func watch(say func(Event)) {
	over = func(e *Event) {
		if e == nil {
			return
		}
		if e.Kind != Slow {
			slow := *e
			slow.Kind = Slow
			if !calling.CompareAndSwap(e, &slow) {
				return
			}
			e = &slow
		}
		say(*e)
		os.Exit(1)
	}
	debug.SetMaxStack(depth)
	limit, most := 150*time.Millisecond, 30*time.Second
	if stress.Race {
		limit = time.Second
	}
	go func() {
		memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
		for {
			time.Sleep(10 * time.Millisecond)
			e := calling.Load()
			if e == nil {
				continue
			}
			took := time.Duration(time.Now().UnixNano() - since.Load())
			metrics.Read(memory)
			if large := memory[0].Value.Uint64() > 1<<29; e.After && took < most || !e.After && took < limit && !large {
				continue
			}
			if e.After {
				debug.SetTraceback("all")
			}
			over(e)
		}
	}()
}
