package a

import (
	"os"
	"sync"
)

type whole struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: m is used as a whole"
	m  map[string]int
}

func (w *whole) inc(k string) {
	w.mu.Lock()
	w.m[k]++
	w.mu.Unlock()
}

func (w *whole) len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.m)
}

type two struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: a section uses several keys"
	m  map[string]int
}

func (t *two) move(from, to string) {
	t.mu.Lock()
	t.m[to] += t.m[from]
	t.mu.Unlock()
}

type made struct {
	mu   sync.Mutex // want `mu is one lock` // refuse "shard: m and next are used under the lock together"
	m    map[int]string
	next int
}

func (m *made) add(s string) {
	m.mu.Lock()
	m.m[m.next] = s
	m.next++
	m.mu.Unlock()
}

type keyed struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: its keys are neither strings nor integers"
	m  map[[2]int]int
}

func (k *keyed) inc(x, y int) {
	k.mu.Lock()
	k.m[[2]int{x, y}]++
	k.mu.Unlock()
}

type filled struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: a literal gives it values"
	m  map[string]int
}

var some = filled{m: map[string]int{"a": 1}}

func (f *filled) inc(k string) {
	f.mu.Lock()
	f.m[k]++
	f.mu.Unlock()
}

type called struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: a section does more"
	m  map[string]int
}

func (c *called) inc(k string) {
	c.mu.Lock()
	c.m[k]++
	os.Remove(k)
	c.mu.Unlock()
}

type under struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: a key is made under the lock"
	m  map[string]int
}

func (u *under) inc(k string) {
	u.mu.Lock()
	key := k + "!"
	u.m[key]++
	u.mu.Unlock()
}

type box[K ~string] struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: its keys are neither strings nor integers"
	m  map[K]int
}

func (b *box[K]) inc(k K) {
	b.mu.Lock()
	b.m[k]++
	b.mu.Unlock()
}

type elements struct {
	mu sync.Mutex // want `mu is one lock` // refuse "shard: m and hits are used under the lock together"
	m  map[string]*element
}

type element struct{ hits int }

func (e *elements) hit(k string) {
	e.mu.Lock()
	e.m[k].hits++
	e.mu.Unlock()
}

func (e *elements) set(k string, x *element) {
	e.mu.Lock()
	e.m[k] = x
	e.mu.Unlock()
}
