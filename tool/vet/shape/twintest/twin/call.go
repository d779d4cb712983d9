package twin

import (
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
	v := reflect.ValueOf(f)
	return reflect.MakeFunc(v.Type(), func(in []reflect.Value) (out []reflect.Value) {
		for t := range v.Type().Outs() {
			out = append(out, reflect.Zero(t))
		}
		defer func() {
			if e := recover(); e != nil {
				died.Store(true)
				note(e)
			}
		}()
		if started.Add(1) > most {
			mu.Lock()
			over()
			mu.Unlock()
		}
		Yield()
		return call(v, in)
	}).Interface().(F)
}

// call calls a function with what reflect.MakeFunc gives.
func call(f reflect.Value, in []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(in)
	}
	return f.Call(in)
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
	m := &u.made[0]
	if after {
		m = &u.made[1]
	}
	f := m.form
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
		in := &shower{}
		var says, kept []func()
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
				kept = append(kept, func() { s.name("argument %d", i); s.whole(v) })
			}
			in.name("%s", name)
			for _, a := range args {
				if a.Kind() == reflect.Chan { // to show it would empty it
					in.word(a.Len())
				} else {
					in.show(a)
				}
			}
			o.in = in.String()
			var out []reflect.Value
			o.ends, out = safely(fn, args)
			if o.ends != returned {
				break
			}
			says = append(says, func() {
				s.name("%s returns", name)
				for _, v := range out {
					s.show(v)
				}
			})
			for _, v := range out {
				if o.ends == returned && v.Kind() == reflect.Func && !v.IsNil() && v.Type().NumIn() == 0 {
					o.ends, _ = safely(v, nil)
				}
			}
			look := &shower{}
			if recv.IsValid() {
				look.show(recv)
			}
			if o.ends != returned || look.held { // another call might wait for the lock
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
			say()
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

// safely calls f in a goroutine, which it may end, and says how that ended.
func safely(f reflect.Value, in []reflect.Value) (string, []reflect.Value) {
	var out []reflect.Value
	var ended, failed atomic.Bool // the race detector loses sight of what panics within package sync
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if e := recover(); e != nil {
				failed.Store(true)
				note(e)
			}
		}()
		out = call(f, in)
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

// running is the call that runs, and since when; a slow one ends the process.
var (
	mu      sync.Mutex
	say     func(Event)
	running *Event
	since   time.Time
)

// next says an event, and has calls be the call that runs.
func next(e Event, calls *Event) {
	mu.Lock()
	defer mu.Unlock()
	say(e)
	running, since = calls, time.Now()
}

// over ends the process if a call still runs: it takes too long, or too much. Its
// caller holds the lock.
func over() {
	if running != nil {
		running.Kind = Slow
		say(*running)
		os.Exit(1)
	}
}

// watch ends the process where a call takes too long or too much. The first form
// gets little time; the second, which has to do the same, as much as no machine
// needs for that.
func watch() {
	debug.SetMaxStack(depth)
	limit, most := 150*time.Millisecond, 10*time.Second
	if stress.Race {
		limit, most = time.Second, 30*time.Second
	}
	memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	for {
		time.Sleep(10 * time.Millisecond)
		metrics.Read(memory)
		large := memory[0].Value.Uint64() > 1<<29
		mu.Lock()
		took, second := time.Since(since), running != nil && running.After
		if second && took > most || !second && (took > limit || large) {
			over()
		}
		mu.Unlock()
	}
}
