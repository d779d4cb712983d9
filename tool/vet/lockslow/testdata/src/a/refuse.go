package a

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

type user struct{ Name string }

type users struct {
	mu   sync.Mutex
	m    map[string]*user
	n    int
	out  io.Writer
	f    *os.File
	c    chan int
	wg   sync.WaitGroup
	path string
}

func (u *users) rename(key, name string) {
	u.mu.Lock()
	u.n++
	u.m[key].Name = name
	u.mu.Unlock()
}

// By reference.

func (u *users) json(key string) ([]byte, error) {
	u.mu.Lock()
	x := u.m[key]
	b, err := json.Marshal(x) // want `u.mu is held over json.Marshal` // refuse "shorter: through x it may reach what is written under the lock"
	u.n++
	u.mu.Unlock()
	return b, err
}

func (u *users) put(key string, x *user) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	b, err := json.Marshal(x) // want `u.mu is held over json.Marshal` // refuse "shorter: through x it may reach what is written under the lock"
	if err != nil {
		return err
	}
	u.m[key] = x
	u.n += len(b)
	return nil
}

func (u *users) all() ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return json.Marshal(u.m) // want `u.mu is held over json.Marshal` // refuse "shorter: it uses m, which is written under the lock"
}

// In another order.

func (u *users) note(line string) {
	u.mu.Lock()
	u.n++
	fmt.Fprintln(os.Stderr, line) // want `u.mu is held over fmt.Fprintln` // refuse "shorter: Stderr is written"
	u.mu.Unlock()
}

func (u *users) save(b []byte) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
	return os.WriteFile(u.path, b, 0o644) // want `u.mu is held over os.WriteFile` // refuse "shorter: through b it may reach what is written under the lock"
}

func (u *users) send(conn net.Conn, b []byte) {
	u.mu.Lock()
	u.n++
	conn.Write(b) // want `u.mu is held over conn.Write` // refuse "shorter: what conn.Write"
	u.mu.Unlock()
}

func (u *users) encode(w io.Writer, n int) {
	u.mu.Lock()
	u.n++
	json.NewEncoder(w).Encode(n) // want `u.mu is held over json.NewEncoder\(w\).Encode` // refuse "shorter: what json.NewEncoder"
	u.mu.Unlock()
}

// It waits.

func (u *users) tell() {
	u.mu.Lock()
	u.n++
	u.c <- 1 // want `u.mu is held over a send` // refuse "shorter: others would see it wait, send or start something in another order"
	u.mu.Unlock()
}

func (u *users) pace() {
	u.mu.Lock()
	defer u.mu.Unlock()
	time.Sleep(time.Millisecond) // want `u.mu is held over time.Sleep` // refuse "shorter: others would see in another order that it waits"
	u.n++
}

func (u *users) end() {
	u.mu.Lock()
	u.n++
	u.wg.Wait() // want `u.mu is held over u.wg.Wait` // refuse "shorter: wg is written"
	u.mu.Unlock()
}

// Nothing else.

var turn sync.Mutex

func one(name string) ([]byte, error) {
	turn.Lock()
	defer turn.Unlock()
	return os.ReadFile(name) // want `turn is held over os.ReadFile` // refuse "shorter: others would see in another order that it asks the world"
}

// What comes before may end it, or set what the call gets.

func (u *users) weighed(i int, xs []int) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if i >= len(xs) {
		return 0
	}
	u.n += weigh(xs[i]) // want `u.mu is held over weigh` // refuse "shorter: its statement has to stay"
	return u.n
}

func (u *users) next(i int) int {
	next := func() int { i++; return i }
	u.mu.Lock()
	u.n = next() + weigh(i) // want `u.mu is held over weigh` // refuse "shorter: its statement has to stay"
	u.mu.Unlock()
	return i
}

func (u *users) named(r record) (b []byte, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n > 1 {
		return
	}
	b, err = json.Marshal(r) // want `u.mu is held over json.Marshal` // refuse "shorter: its statement has to stay"
	return
}

func (u *users) sooner(key int) []byte {
	u.mu.Lock()
	n := u.n
	b, _ := json.Marshal(n) // want `u.mu is held over json.Marshal` // refuse "shorter: its statement has to stay"
	u.mu.Unlock()
	return b
}

// A call under the lock may write it.

type hooked struct {
	mu   sync.Mutex
	n    int
	hits int
	hook func()
}

func (h *hooked) run() {
	h.mu.Lock()
	h.n++
	h.hook()
	h.mu.Unlock()
}

func (h *hooked) hit() { h.hits++ }

func (h *hooked) json() ([]byte, error) {
	h.mu.Lock()
	h.n++
	b, err := json.Marshal(h.hits) // want `h.mu is held over json.Marshal` // refuse "shorter: it uses hits, which a call under the lock may write"
	h.mu.Unlock()
	return b, err
}
