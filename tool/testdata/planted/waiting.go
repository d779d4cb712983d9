package planted

import (
	"bufio"
	"io"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Time in which nobody runs, and processors that run for nothing.

// fetch answers after a millisecond, for as many keys as it is asked at once.
func fetch(keys ...int) int {
	time.Sleep(time.Millisecond)
	total := 0
	for _, k := range keys {
		total += k * k
	}
	return total
}

// Serial asks once for everything; the two workers ask for one key at a time.
func fetchBatch() int {
	keys := make([]int, 12)
	for i := range keys {
		keys[i] = i
	}
	return fetch(keys...)
}

func fetchTwoWorkers() int {
	sums := make([]int, workers)
	halves(12, func(w, lo, hi int) {
		for k := lo; k < hi; k++ {
			sums[w] += fetch(k)
		}
	})
	return sum(sums)
}

// A server on the loopback interface that takes half a millisecond per request
// and answers one at a time, whichever connection it comes from.
type server struct {
	l net.Listener
}

func startServer() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	// A turn is held while the server waits for what it stands for: a disk.
	turn := make(chan struct{}, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				var b [1]byte
				for {
					if _, err := io.ReadFull(c, b[:]); err != nil {
						return
					}
					turn <- struct{}{}
					time.Sleep(500 * time.Microsecond)
					<-turn
					b[0] += 7
					if _, err := c.Write(b[:]); err != nil {
						return
					}
				}
			}()
		}
	}()
	return &server{l}, nil
}

// ask sends requests lo..hi-1 over one connection and adds up the answers.
func ask(c net.Conn, lo, hi int) int {
	r := bufio.NewReader(c)
	total := 0
	for i := lo; i < hi; i++ {
		if _, err := c.Write([]byte{byte(i)}); err != nil {
			return -1
		}
		v, err := r.ReadByte()
		if err != nil {
			return -1
		}
		total += int(v)
	}
	return total
}

func askSerial(cs []net.Conn) int { return ask(cs[0], 0, 12) }

func askConns(cs []net.Conn) int {
	sums := make([]int, len(cs))
	each(len(cs), func(w int) { sums[w] = ask(cs[w], w*12/len(cs), (w+1)*12/len(cs)) })
	return sum(sums)
}

// The answer is there after 200 µs; the caller looks for it once a millisecond.
func pollSerial() int { return churn(3, 100_000) }

func pollSleeping() int {
	var done atomic.Bool
	v := 0
	go func() {
		v = churn(3, 100_000)
		done.Store(true)
	}()
	for !done.Load() {
		time.Sleep(time.Millisecond)
	}
	return v
}

const phases, members = 300, 8

// Eight goroutines meet after each short phase at a barrier where they spin
// and yield: more of them spin than there are processors.
func phasesSerial() int {
	total := 0
	for p := range phases {
		for g := range members {
			total += churn(p+g, 20)
		}
	}
	return total
}

func phasesYielding() int {
	var arrived atomic.Int64
	sums := make([]int, members)
	each(members, func(g int) {
		for p := range phases {
			sums[g] += churn(p+g, 20)
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*members) {
				runtime.Gosched()
			}
		}
	})
	return sum(sums)
}

// spinLock is a lock for goroutines that do not mind burning a processor.
type spinLock struct{ held atomic.Bool }

func (l *spinLock) lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *spinLock) unlock() { l.held.Store(false) }

// Sixteen goroutines, two processors: who waits yields to others that wait.
func turnsSerial() int {
	total := 0
	for i := range 1600 {
		total += churn(i, 500)
	}
	return total
}

func turnsSpinning() int {
	var l spinLock
	total := 0
	each(16, func(g int) {
		for i := g * 100; i < (g+1)*100; i++ {
			l.lock()
			total += churn(i, 500)
			l.unlock()
		}
	})
	return total
}

// Workers that look at a work list and yield when there is none yet, while the
// one that fills it also yields after each item.
func drainSerial() int {
	total := 0
	for i := range 1000 {
		total += churn(i, 50)
	}
	return total
}

func drainIdlers() int {
	var mu sync.Mutex
	var list []int
	var taken, total atomic.Int64
	each(12, func(g int) {
		if g == 0 {
			for i := range 1000 {
				mu.Lock()
				list = append(list, i)
				mu.Unlock()
				for taken.Load() <= int64(i) {
					runtime.Gosched()
				}
			}
			return
		}
		for taken.Load() < 1000 {
			i := -1
			mu.Lock()
			if n := len(list); n > 0 {
				i, list = list[n-1], list[:n-1]
			}
			mu.Unlock()
			if i < 0 {
				runtime.Gosched()
				continue
			}
			total.Add(int64(churn(i, 50)))
			taken.Add(1)
		}
	})
	return int(total.Load())
}
