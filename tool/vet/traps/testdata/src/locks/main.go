// Package main has locks that are embedded, read by methods, taken through
// values of methods, and held by those who panic.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

type embeds struct {
	sync.RWMutex
	n    int
	name string
}

func (e *embeds) get() int {
	e.RLock()
	defer e.RUnlock()
	return e.n
}

func (e *embeds) set(n int) {
	e.Lock()
	e.n = n
	e.Unlock()
}

func (e *embeds) title() string {
	e.RLock()
	defer e.RUnlock()
	return e.name + "!"
}

type outer struct {
	embeds
	inner struct {
		sync.Mutex
		ok bool
	}
}

func (o *outer) flip() bool {
	o.inner.Lock()
	defer o.inner.Unlock()
	o.inner.ok = !o.inner.ok
	return o.inner.ok
}

func (o *outer) both() (int, bool) {
	o.RLock()
	defer o.RUnlock()
	o.inner.Lock()
	defer o.inner.Unlock()
	return o.n, o.inner.ok
}

// values takes the lock by method values, and as a Locker.
type values struct {
	mu sync.RWMutex
	n  int
}

func (v *values) get() int {
	lock, unlock := v.mu.RLock, v.mu.RUnlock
	lock()
	defer unlock()
	return v.n
}

func (v *values) inc() {
	var l sync.Locker = &v.mu
	l.Lock()
	v.n++
	l.Unlock()
}

func (v *values) read() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.n
}

// tried uses TryLock, and has two fields that belong together.
type tried struct {
	mu   sync.RWMutex
	a, b int
}

func (t *tried) set(n int) bool {
	if !t.mu.TryLock() {
		return false
	}
	defer t.mu.Unlock()
	t.a, t.b = n, -n
	return true
}

func (t *tried) sum() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.a + t.b
}

// fails panics under the lock, and goes on.
type fails struct {
	mu sync.Mutex
	n  int
	m  map[string]int
}

func (f *fails) add(k string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(fmt.Sprint(r))
		}
	}()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	f.m[k] = f.n
	return nil
}

func (f *fails) get() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// config is replaced as a whole, and changed in place.
type config struct {
	Name  string
	Limit int
	tags  []string
}

type server struct {
	mu  sync.RWMutex
	cfg config
	ptr *config
	log []string
	f   *strings.Builder
}

func (s *server) config() config {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.cfg
}

func (s *server) pointer() *config {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ptr
}

func (s *server) limit(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cfg.Limit = n
	s.cfg.tags = append(s.cfg.tags, fmt.Sprint(n))
	s.ptr.Limit++
}

func (s *server) swap(c *config) (old *config) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, s.ptr = s.ptr, c
	return old
}

// note encodes and writes under the lock: order matters.
func (s *server) note(x any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := json.Marshal(x)
	if err != nil {
		return err
	}
	s.log = append(s.log, string(b))
	fmt.Fprintln(s.f, len(s.log), string(b))
	return nil
}

// dump encodes what the lock guards.
func (s *server) dump() (string, error) {
	s.mu.Lock()
	cfg := s.cfg
	tags := s.cfg.tags
	b, err := json.Marshal(cfg)
	if err != nil {
		s.mu.Unlock()
		return "", err
	}
	tags[0] = "seen"
	s.mu.Unlock()
	return string(b) + strings.Join(tags, ","), nil
}

// self encodes a value whose method takes the lock or reads what it guards.
type self struct {
	mu sync.Mutex
	n  int
}

func (s *self) MarshalJSON() ([]byte, error) { s.n++; return fmt.Appendf(nil, "%d", s.n), nil }

func (s *self) encode() (string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, _ := json.Marshal(s)
	return string(b), s.n
}

func (s *self) load(name string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := os.ReadFile(name)
	if err != nil {
		s.n = -1
		return s.n, err
	}
	s.n += len(b)
	return s.n, nil
}

// flags are read alone, compared and swapped.
type flags struct {
	mu    sync.Mutex
	done  bool
	level int32
	ratio float64
	err   error
}

func (f *flags) isDone() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.done
}

func (f *flags) finish() (first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return false
	}
	f.done = true
	return true
}

func (f *flags) raise(n int32) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n > f.level {
		f.level = n
	}
	f.level <<= 1
	return f.level
}

func (f *flags) scale(x float64) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ratio = f.ratio/2 + x
	return f.ratio
}

func (f *flags) fail(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
	return f.err
}

type mixed struct {
	n  int64
	mu sync.Mutex
	p  atomic.Pointer[int]
}

func (m *mixed) inc() {
	m.mu.Lock()
	m.n++
	m.mu.Unlock()
	atomic.AddInt64(&m.n, 1)
}

func main() {
	o := &outer{embeds: embeds{name: "o"}}
	o.set(3)
	fmt.Println(o.get(), o.title(), o.flip(), o.embeds.get())
	fmt.Println(o.both())
	var v values
	v.inc()
	fmt.Println(v.get(), v.read())
	var t tried
	t.mu.RLock()
	fmt.Println(t.set(1))
	t.mu.RUnlock()
	fmt.Println(t.set(2), t.sum())
	var f fails
	fmt.Println(f.add("x"), f.add("y"), f.get())
	s := &server{ptr: &config{Name: "p"}, f: &strings.Builder{}}
	c := s.config()
	p := s.pointer()
	s.limit(5)
	s.limit(6)
	fmt.Println(c.Limit, s.config().Limit, p.Limit, s.swap(&config{Name: "q"}) == p, s.pointer().Name)
	fmt.Println(s.note(c), s.note([]int{1}), s.note(make(chan int)), s.f.String(), s.log)
	fmt.Println(s.dump())
	e := &self{}
	fmt.Println(e.encode())
	n, err := e.load("/none")
	fmt.Println(n, err != nil)
	fmt.Println(e.load(os.DevNull))
	fl := &flags{}
	var firsts atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if fl.finish() {
				firsts.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(fl.isDone(), firsts.Load(), fl.raise(3), fl.raise(2), fl.scale(1), fl.scale(3), fl.fail(nil), fl.fail(errors.New("a")), fl.fail(errors.New("b")))
	m := &mixed{}
	m.inc()
	fmt.Println(m.n)
}
