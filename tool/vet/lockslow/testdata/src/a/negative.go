package a

import (
	"encoding/json"
	"net"
	"os"
	"sync"
	"syscall"
)

// The lock is taken after the call over the network.

func asked(conns []net.Conn) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, c := range conns {
		wg.Go(func() {
			var b [1]byte
			if _, err := c.Read(b[:]); err != nil {
				return
			}
			mu.Lock()
			total += int(b[0])
			mu.Unlock()
		})
	}
	wg.Wait()
	return total
}

// Something is made once.

type lazy struct {
	mu   sync.Mutex
	conf map[string]string
	done bool
}

func (l *lazy) get() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conf == nil {
		b, _ := os.ReadFile("conf")
		json.Unmarshal(b, &l.conf)
	}
	return l.conf
}

func (l *lazy) init() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return
	}
	os.Mkdir("conf", 0o755)
	l.done = true
}

// It only starts something, or asks without waiting.

func (l *lazy) start(c chan int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	func() { l.done = true }()
	go os.Remove("conf")
	defer os.Remove("conf")
	select {
	case c <- 1:
	default:
	}
}

// A Cond gives the lock back while it waits.

type queue struct {
	mu    sync.Mutex
	more  *sync.Cond
	items []int
}

func (q *queue) take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.more.Wait()
	}
	x := q.items[0]
	q.items = q.items[1:]
	return x
}

// A lock of another package.

func forked(f func(int)) {
	syscall.ForkLock.Lock()
	f(1)
	syscall.ForkLock.Unlock()
}
