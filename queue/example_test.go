package queue_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gopayoff/payoff/queue"
)

// A producer and a consumer, as with a channel.
func ExampleSPSC() {
	q := queue.NewSPSC[int](1024)
	go func() {
		defer q.Close()
		for i := range 5 {
			if q.Send(i*i) != nil {
				return // the receiver has left
			}
		}
	}()
	for v := range q.All() {
		fmt.Println(v)
	}
	// Output:
	// 0
	// 1
	// 4
	// 9
	// 16
}

// Batches in place: values are written into the ring and read from it.
func ExampleSPSC_Reserve() {
	q := queue.NewSPSC[float64](256)
	go func() {
		defer q.Close()
		for n := 0; n < 1000; {
			free := q.Reserve(64)
			if free == nil {
				return
			}
			free = free[:min(len(free), 1000-n)]
			for i := range free {
				free[i] = float64(n + i)
			}
			if q.Publish(len(free)) != nil {
				return
			}
			n += len(free)
		}
	}()
	sum := 0.0
	for vs := q.View(64); vs != nil; vs = q.View(64) {
		for _, v := range vs {
			sum += v
		}
		q.Release(len(vs))
	}
	fmt.Println(sum)
	// Output: 499500
}

// A receiver that waits for the queue beside other channels.
func ExampleSPSC_Readable() {
	q := queue.NewSPSC[string](16)
	stop := make(chan struct{})
	go func() {
		q.Send("a")
		q.Send("b")
		close(stop)
	}()
	for {
		select {
		case <-q.Readable():
			// Until there is none: a token for each value costs more than a channel.
			for v, err := q.TryRecv(); err == nil; v, err = q.TryRecv() {
				fmt.Println(v)
			}
			continue
		case <-stop:
		}
		break
	}
	for v, err := q.TryRecv(); err == nil; v, err = q.TryRecv() {
		fmt.Println(v)
	}
	// Output:
	// a
	// b
}

// Results of many goroutines, summed by one.
func ExampleMPSC() {
	q := queue.NewMPSC[int](64)
	var senders sync.WaitGroup
	for w := range 10 {
		senders.Go(func() { q.Send(w) })
	}
	go func() {
		senders.Wait()
		q.Close()
	}()
	sum := 0
	for v := range q.All() {
		sum += v
	}
	fmt.Println(sum)
	// Output: 45
}

// Work for a set of workers.
func ExampleMPMC() {
	jobs := queue.NewMPMC[int](64)
	var done sync.Map
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for n := range jobs.All() {
				done.Store(n, n*n)
			}
		})
	}
	for n := range 10 {
		jobs.Send(n)
	}
	jobs.Close()
	workers.Wait()
	v, _ := done.Load(9)
	fmt.Println(v)
	// Output: 81
}

func ExampleMPMC_SendContext() {
	q := queue.NewMPMC[int](1)
	q.Send(1) // full
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err := q.SendContext(ctx, 2)
	fmt.Println(errors.Is(err, context.DeadlineExceeded), q.Len())
	// Output: true 1
}
