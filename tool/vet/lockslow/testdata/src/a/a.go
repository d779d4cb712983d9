package a

import (
	"encoding/json"
	"net"
	"os"
	"sync"
	"time"
)

type log struct {
	mu    sync.Mutex
	f     *os.File
	lines chan []byte
	n     int
}

func (l *log) add(r any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(r) // want `l.mu is held over json.Marshal: all that want the lock wait for it`
	if err != nil {
		return err
	}
	l.n++
	_, err = l.f.Write(line) // the first slow part speaks for all
	return err
}

func (l *log) load(name string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return os.ReadFile(name) // want `l.mu is held over os.ReadFile` // refuse "before: others may see when it is done: it asks the world"
}

// A method of an interface of the standard library.
func (l *log) send(conn net.Conn, b []byte) {
	l.mu.Lock()
	l.n++
	conn.Write(b) // want `l.mu is held over conn.Write` // refuse "before: nothing takes what it returns"
	l.mu.Unlock()
}

// Channels.

func (l *log) tell(b []byte) {
	l.mu.Lock()
	l.lines <- b // want `l.mu is held over a send` // refuse "before: it waits, or is not always done"
	l.mu.Unlock()
}

func (l *log) take() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return <-l.lines // want `l.mu is held over a receive` // refuse "before: it waits, or is not always done"
}

func (l *log) all() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range l.lines { // want `l.mu is held over receives` // refuse "before: it waits, or is not always done"
		l.n++
	}
}

func (l *log) late() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select { // want `l.mu is held over a select` // refuse "before: it waits, or is not always done"
	case <-l.lines:
	case <-time.After(time.Second):
	}
}

// Functions of the package: a loop, and what calls one that waits.

func weigh(x int) int {
	for range 1000 {
		x = x*1103515245 + 12345
	}
	return x
}

func (l *log) weigh(x int) {
	l.mu.Lock()
	l.n += weigh(x) // want `l.mu is held over weigh`
	l.mu.Unlock()
}

func nap()            { time.Sleep(time.Millisecond) }
func down(n int)      { up(n) }
func up(n int)        { down(n - 1) }
func twice(x int) int { return 2 * x }

func (l *log) pace() {
	l.mu.Lock()
	defer l.mu.Unlock()
	down(l.n)
	l.n = twice(l.n)
	nap() // want `l.mu is held over nap` // refuse "before: nothing takes what it returns"
	l.n++
}
