// Package spins holds planted programs like those of the folder above, that wait
// by looking, and controls that look and work.
package spins

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const workers = 4

// each runs f(0) to f(n-1) at once and waits for them.
func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// churn is work of about a nanosecond a step.
//
//go:noinline
func churn(x, steps int) int {
	for range steps {
		x = x*1664525 + 1013904223
	}
	return x >> 16 & 0xff
}

// Four goroutines take turns. Who waits looks 10,000 times before it lets others
// run.
const turns = 400

func turnsSerial() int {
	total := 0
	for i := range turns {
		total = total*3 + churn(i, 100)
	}
	return total
}

// await returns when it is the turn of i.
func await(turn *atomic.Int64, i int64) {
	for looks := 1; turn.Load() != i; looks++ {
		if looks == 10_000 {
			runtime.Gosched()
			looks = 0
		}
	}
}

func turnsPatient() int {
	var turn atomic.Int64
	total := 0
	each(workers, func(w int) {
		for i := w; i < turns; i += workers {
			await(&turn, int64(i))
			total = total*3 + churn(i, 100)
			turn.Store(int64(i + 1))
		}
	})
	return total
}

// One goroutine asks another and waits for the answer without an end: on one
// processor until its time slice is over.
func answerSerial() int { return churn(3, 4000) }

func answerBare() int {
	var done atomic.Bool
	answer := 0
	go func() {
		answer = churn(3, 4000)
		done.Store(true)
	}()
	for !done.Load() {
	}
	return answer
}

// A ring of two slots: the sides wait for each other after each two values.
const values = 1000

type slot struct {
	turn  atomic.Int64
	value int
}

type ring struct {
	slots [2]slot
	next  [2]int64 // of put and get, which one goroutine each calls
}

func (r *ring) put(v int) {
	p := r.next[0]
	s := &r.slots[p&1]
	for looks := 0; ; looks++ {
		if s.turn.Load() != p&^1 {
			if looks == 10_000 {
				runtime.Gosched()
				looks = 0
			}
			continue
		}
		s.value = v
		s.turn.Store(p | 1<<40)
		r.next[0]++
		return
	}
}

func (r *ring) get() int {
	p := r.next[1]
	s := &r.slots[p&1]
	for looks := 0; s.turn.Load() != p|1<<40; looks++ {
		if looks == 10_000 {
			runtime.Gosched()
			looks = 0
		}
	}
	v := s.value
	s.turn.Store(p&^1 + 2)
	r.next[1]++
	return v
}

func passSerial() int {
	total := 0
	for i := range values {
		total += churn(i, 20)
	}
	return total
}

func passRing() int {
	var r ring
	total := 0
	each(2, func(w int) {
		for i := range values {
			if w == 0 {
				r.put(churn(i, 20))
			} else {
				total += r.get()
			}
		}
	})
	return total
}

// Control: goroutines load words one after the other, add them up, and let others
// run once in a while. It is the work, and nobody waits.
func makeWords(n int) []atomic.Int64 {
	words := make([]atomic.Int64, n)
	for i := range words {
		words[i].Store(int64(churn(i, 3)))
	}
	return words
}

func addUp(words []atomic.Int64) int {
	total := 0
	for i := range words {
		total += int(words[i].Load())
		if i&0x3fff == 0 {
			runtime.Gosched()
		}
	}
	return total
}

func wordsSerial(words []atomic.Int64) int { return addUp(words) }

func wordsParts(words []atomic.Int64) int {
	var sums [workers]int
	each(workers, func(w int) { sums[w] = addUp(words[len(words)*w/workers : len(words)*(w+1)/workers]) })
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Control: more work than serial does, in a loop of loads that lets others run. It
// looks for each key from the front of the table, where serial knows its place.
const keys = 400

func findSerial(table []atomic.Int64) int {
	total := 0
	for k := range keys {
		if i := k * len(table) / keys; table[i].Load() == int64(i) {
			total += i
		}
	}
	return total
}

func find(table []atomic.Int64, key int64) int {
	for i := 0; ; i++ {
		if table[i].Load() == key {
			return i
		}
		if i&0xfff == 0xfff {
			runtime.Gosched()
		}
	}
}

func findFront(table []atomic.Int64) int {
	var sums [workers]int
	each(workers, func(w int) {
		for k := w; k < keys; k += workers {
			sums[w] += find(table, int64(k*len(table)/keys))
		}
	})
	return sums[0] + sums[1] + sums[2] + sums[3]
}
