package queue

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// idle lets goroutines wait for items that do not come and returns the processor
// time that this takes; negative if not known. Queues for many consumers are
// shared, the others are one for each goroutine.
func idle(v mailboxVariant, goroutines int, wall time.Duration) (cpu time.Duration, err error) {
	boxes, consumers := 1, goroutines
	if !v.sides.manyConsumers {
		boxes, consumers = goroutines, 1
	}
	ms := make([]mailbox, boxes)
	var all sync.WaitGroup
	surprised := make(chan int64, goroutines)
	for i := range ms {
		ms[i] = v.make(64)
		for range consumers {
			all.Go(func() {
				if x, ok := ms[i].recv(); ok {
					surprised <- x
				}
			})
		}
	}
	time.Sleep(wall / 10) // until all of them wait
	before := cpuTime()
	time.Sleep(wall)
	cpu = cpuTime() - before
	if before < 0 {
		cpu = -1
	}
	for _, m := range ms {
		m.close(consumers)
	}
	all.Wait()
	if len(surprised) > 0 {
		return cpu, fmt.Errorf("received %d, want nothing", <-surprised)
	}
	return cpu, nil
}

// One run is one second of waiting, however large b.N is: only cpu-ns/wall-s
// says something.
func BenchmarkIdle(b *testing.B) {
	for _, goroutines := range []int{1, 1000} {
		for _, v := range mailboxes {
			b.Run(fmt.Sprintf("variant=%s/goroutines=%d", v.name, goroutines), func(b *testing.B) {
				cpu, err := idle(v, goroutines, time.Second)
				if err != nil {
					b.Fatal(err)
				}
				if cpu >= 0 {
					b.ReportMetric(float64(cpu), "cpu-ns/wall-s")
				}
			})
		}
	}
}

func TestIdle(t *testing.T) {
	for _, v := range mailboxes {
		for _, goroutines := range []int{1, 10} {
			if _, err := idle(v, goroutines, 10*time.Millisecond); err != nil {
				t.Errorf("%s, %d goroutines: %v", v.name, goroutines, err)
			}
		}
	}
}
