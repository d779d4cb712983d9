package queue

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/peers/internal/ticker"
)

// period is how far apart items are sent. Sparse loads are where a queue that
// polls looks best by latency, and worst by what it costs others.
const period = 200 * time.Microsecond

// A sparseRun is what sending items a period apart gave.
type sparseRun struct {
	latencies []time.Duration // send to receive
	cpu       time.Duration   // of the process; negative if not known
	wall      time.Duration
}

// sparse sends n items, each with the time at which it is sent. Without a queue
// (open is nil) it is the floor: the timer and the clock.
func sparse(n int, open func(capacity int) mailbox) (r sparseRun, err error) {
	tick, err := ticker.New(period)
	if err != nil {
		return r, err
	}
	defer tick.Stop()
	start := time.Now()
	r.latencies = make([]time.Duration, 0, n)
	arrive := func(sent int64) {
		r.latencies = append(r.latencies, time.Since(start)-time.Duration(sent))
	}

	m := mailbox{send: arrive, close: func(int) {}}
	done := make(chan bool)
	if open == nil {
		close(done)
	} else {
		m = open(capacity)
		go func() {
			defer close(done)
			for {
				sent, ok := m.recv()
				if !ok {
					return
				}
				arrive(sent)
			}
		}()
	}

	cpu, from := cpuTime(), time.Now()
	for range n {
		if err := tick.Wait(); err != nil {
			return r, err
		}
		m.send(int64(time.Since(start)))
	}
	m.close(1)
	select {
	case <-done:
	case <-time.After(limit):
		return r, fmt.Errorf("hangs: not ended %v after the last of %d items", limit, n)
	}
	r.wall = time.Since(from)
	r.cpu = cpuTime() - cpu
	if cpu < 0 {
		r.cpu = -1
	}
	if len(r.latencies) != n {
		return r, fmt.Errorf("lost/duplicated: received %d items, want %d", len(r.latencies), n)
	}
	return r, nil
}

// One op is one item: ns/op is the period there really was. The latency is that
// of a single item from before its send until after its receive.
//
// Look at items/s as well: a consumer that yields in a loop is always runnable,
// so the scheduler seldom gets to ask for the producer's timer, and the period
// grows to milliseconds.
func BenchmarkSparse(b *testing.B) {
	run := func(name string, open func(capacity int) mailbox) {
		b.Run("variant="+name, func(b *testing.B) {
			r, err := sparse(b.N, open)
			if err != nil {
				b.Fatal(err)
			}
			slices.Sort(r.latencies)
			b.ReportMetric(float64(r.latencies[b.N/2]), "p50-ns")
			b.ReportMetric(float64(r.latencies[b.N*99/100]), "p99-ns")
			b.ReportMetric(float64(b.N)/r.wall.Seconds(), "items/s")
			if r.cpu >= 0 {
				b.ReportMetric(float64(r.cpu)/float64(b.N), "cpu-ns/op")
			}
		})
	}
	run("none", nil)
	for _, v := range mailboxes {
		run(v.name, v.make)
	}
}

func TestSparse(t *testing.T) {
	const n = 20
	if _, err := sparse(n, nil); err != nil {
		t.Errorf("no queue: %v", err)
	}
	for _, v := range mailboxes {
		r, err := sparse(n, v.make)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if m := slices.Min(r.latencies); m < 0 {
			t.Errorf("%s: an item arrived %v before it was sent", v.name, -m)
		}
	}
}
