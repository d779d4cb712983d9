package pipe

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/destel/rill"
	"github.com/reugn/go-streams/extension"
	"github.com/reugn/go-streams/flow"
	"github.com/sourcegraph/conc/stream"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/peers/internal/ticker"
)

// A stamped is an item with the time at which it was sent, since the run began.
type stamped struct {
	sent time.Duration
	x    uint64
}

// step is each of the three stages: next to nothing, so that the time is that of
// the pipeline.
//
//go:noinline
func step(s stamped) stamped {
	s.x = s.x*3 + 1
	return s
}

// A live pipeline takes items from a sender until it is closed, and calls arrive
// for each, in order.
type live struct {
	name string
	// open makes what lies between the sender and run.
	open func() (send func(stamped), close func(), run func(arrive func(stamped)))
}

// overChan is a pipeline whose source is a channel with so much room.
func overChan(name string, room int, run func(in <-chan stamped, arrive func(stamped))) live {
	return live{name, func() (func(stamped), func(), func(func(stamped))) {
		in := make(chan stamped, room)
		return func(s stamped) { in <- s }, func() { close(in) }, func(arrive func(stamped)) { run(in, arrive) }
	}}
}

func liveStage(in <-chan stamped, buffer int) <-chan stamped {
	out := make(chan stamped, buffer)
	go func() {
		defer close(out)
		for s := range in {
			out <- step(s)
		}
	}()
	return out
}

func liveChan(name string, buffer int) live {
	return overChan(name, buffer, func(in <-chan stamped, arrive func(stamped)) {
		for s := range liveStage(liveStage(liveStage(in, buffer), buffer), buffer) {
			arrive(s)
		}
	})
}

// rillTimeout is for how long a batch of rill's waits to be full; the shortest
// that timers give.
const rillTimeout = time.Millisecond

func stepErr(s stamped) (stamped, error) { return step(s), nil }

func liveRill(in <-chan rill.Try[stamped], arrive func(stamped), stage func(<-chan rill.Try[stamped]) <-chan rill.Try[stamped]) {
	must(rill.ForEach(stage(stage(stage(in))), 1, func(s stamped) error {
		arrive(s)
		return nil
	}))
}

// The rivals over a channel; serial is the floor.
var liveRivals = []live{
	overChan("serial", room, func(in <-chan stamped, arrive func(stamped)) {
		for s := range in {
			arrive(step(step(step(s))))
		}
	}),
	liveChan("chan-unbuffered", 0),
	liveChan("chan-1000", room),
	overChan("rill", room, func(in <-chan stamped, arrive func(stamped)) {
		liveRill(rill.FromChan(in, nil), arrive, func(in <-chan rill.Try[stamped]) <-chan rill.Try[stamped] {
			return rill.Map(in, procs(), stepErr)
		})
	}),
	overChan("rill-ordered", room, func(in <-chan stamped, arrive func(stamped)) {
		liveRill(rill.FromChan(in, nil), arrive, func(in <-chan rill.Try[stamped]) <-chan rill.Try[stamped] {
			return rill.OrderedMap(in, procs(), stepErr)
		})
	}),
	overChan("rill-batch", room, func(in <-chan stamped, arrive func(stamped)) {
		stage := func(in <-chan rill.Try[[]stamped]) <-chan rill.Try[[]stamped] {
			return rill.OrderedMap(in, procs(), func(b []stamped) ([]stamped, error) {
				for i, s := range b {
					b[i] = step(s)
				}
				return b, nil
			})
		}
		must(rill.ForEach(stage(stage(stage(rill.Batch(rill.FromChan(in, nil), 64, rillTimeout)))), 1, func(b []stamped) error {
			for _, s := range b {
				arrive(s)
			}
			return nil
		}))
	}),
	overChan("conc-stream", room, func(in <-chan stamped, arrive func(stamped)) {
		tasks := stream.New().WithMaxGoroutines(procs())
		for s := range in {
			tasks.Go(func() stream.Callback {
				r := step(step(step(s)))
				return func() { arrive(r) }
			})
		}
		tasks.Wait()
	}),
	{"go-streams", func() (func(stamped), func(), func(func(stamped))) {
		in, out := make(chan any, room), make(chan any)
		return func(s stamped) { in <- s }, func() { close(in) }, func(arrive func(stamped)) {
			go extension.NewChanSource(in).
				Via(flow.NewMap(step, 1)).
				Via(flow.NewMap(step, 1)).
				Via(flow.NewMap(step, 1)).
				To(extension.NewChanSink(out))
			for s := range out {
				arrive(s.(stamped))
			}
		}
	}},
}

// A rhythm is when items are sent.
type rhythm struct {
	period time.Duration
	burst  int
}

func (r rhythm) String() string { return fmt.Sprintf("/period=%v/burst=%d", r.period, r.burst) }

var rhythms = []rhythm{
	{200 * time.Microsecond, 1},
	{5 * time.Millisecond, 1},
	{5 * time.Millisecond, 100},
}

// latencies sends so many bursts through a pipeline and returns how long each
// item took.
func latencies(v live, r rhythm, bursts int) ([]time.Duration, error) {
	tick, err := ticker.New(r.period)
	if err != nil {
		return nil, err
	}
	defer tick.Stop()
	send, close_, run := v.open()
	took := make([]time.Duration, 0, bursts*r.burst)
	start := time.Now()
	var wrong, failed error // of the receiver, of the sender
	done := make(chan bool)
	go func() {
		defer close(done)
		run(func(s stamped) {
			took = append(took, time.Since(start)-s.sent)
			x := uint64(len(took))
			for range 3 {
				x = x*3 + 1
			}
			if s.x != x && wrong == nil && v.name != "rill" {
				wrong = fmt.Errorf("item %d is %d, want %d", len(took), s.x, x)
			}
		})
	}()
	next := uint64(0)
	for range bursts {
		if err := tick.Wait(); err != nil {
			failed = err
			break
		}
		for range r.burst {
			next++
			send(stamped{time.Since(start), next})
		}
	}
	close_()
	<-done
	if failed != nil {
		return nil, failed
	}
	if len(took) != bursts*r.burst && wrong == nil {
		wrong = fmt.Errorf("%d items arrived, want %d", len(took), bursts*r.burst)
	}
	return took, wrong
}

// The sender waits for the kernel, so that the processors sleep meanwhile. That it
// wakes late is in nobody's time.
func BenchmarkLatency(b *testing.B) {
	for _, r := range rhythms {
		for _, v := range lives {
			b.Run("variant="+v.name+r.String(), func(b *testing.B) {
				took, err := latencies(v, r, b.N)
				b.StopTimer()
				if err != nil {
					b.Fatal(err)
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
				b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
			})
		}
	}
}

func TestLatency(t *testing.T) {
	bursts := 5
	if stress.Long() {
		bursts = 50
	}
	for _, r := range rhythms {
		for _, v := range lives {
			took, err := latencies(v, r, bursts)
			if err != nil {
				t.Errorf("variant=%s%v: %v", v.name, r, err)
				continue
			}
			if least := slices.Min(took); least < 0 {
				t.Errorf("variant=%s%v: an item arrived %v before it was sent", v.name, r, -least)
			}
		}
	}
}
