package jetstream

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gopayoff/payoff/pipe"
	"github.com/gopayoff/payoff/pipe/jetstream/internal/embedded"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var kilobyte = bytes.Repeat([]byte("payoff. "), 128)

func echo(_ context.Context, b []byte) ([]byte, error) { return b, nil }

// Items of a kilobyte go through one, two and four stages, the server and all processes
// in this one: a figure is what it takes of the machine. An operation is an item.
//
// By hand is a worker as nats.go's documentation has it: async publishing with a bound,
// Consume, an acknowledgement when the result is stored.
func BenchmarkStages(b *testing.B) {
	for _, stages := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("stages=%d/variant=byhand", stages), func(b *testing.B) {
			h := layByHand(b, stages)
			b.SetBytes(int64(len(kilobyte)))
			b.ResetTimer()
			h.through(b, b.N)
		})
		b.Run(fmt.Sprintf("stages=%d/variant=payoff", stages), func(b *testing.B) {
			far := chain(b, stages)
			b.SetBytes(int64(len(kilobyte)))
			b.ResetTimer()
			items := pipe.Map(pipe.Range(b.N), func(int) []byte { return kilobyte })
			if n, err := pipe.Reduce(b.Context(), far.Map(items), 0, func(n int, _ []byte) int { return n + 1 }); n != b.N || err != nil {
				b.Fatalf("%d of %d items, %v", n, b.N, err)
			}
		})
	}
}

// BenchmarkLone is the latency of one item at a time.
func BenchmarkLone(b *testing.B) {
	b.Run("variant=byhand", func(b *testing.B) {
		h := layByHand(b, 1)
		for b.Loop() {
			h.through(b, 1)
		}
	})
	b.Run("variant=payoff", func(b *testing.B) {
		far := chain(b, 1)
		for b.Loop() {
			if _, err := far.Do(b.Context(), kilobyte); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// chain serves n stages and puts them together.
func chain(b *testing.B, n int) *Remote[[]byte, []byte] {
	s := start(b)
	var all Stage[[]byte, []byte]
	for i := range n {
		stage := Stage[[]byte, []byte]{Name: fmt.Sprintf("echo%d", i), In: Bytes, Out: Bytes}
		serve(b, s, stage, echo)
		if i == 0 {
			all = stage
		} else {
			all = Then(all, stage)
		}
	}
	return dial(b, s, all)
}

type byHand struct {
	js   jetstream.JetStream
	done chan struct{}
}

const pending = 1000 // what it publishes ahead

func layByHand(b *testing.B, stages int) *byHand {
	s := start(b)
	h := &byHand{js: handStream(b, s), done: make(chan struct{}, 1<<20)}
	for i := range stages {
		js := handStream(b, s)
		consume(b, js, fmt.Sprintf("hand.%d", i), func(msg jetstream.Msg) {
			result, _ := echo(context.Background(), msg.Data())
			future, err := js.PublishAsync(fmt.Sprintf("hand.%d", i+1), result)
			if err != nil {
				b.Error(err)
				return
			}
			go func() {
				select {
				case <-future.Ok():
					_ = msg.Ack()
				case err := <-future.Err():
					b.Error(err)
				}
			}()
		})
	}
	consume(b, h.js, fmt.Sprintf("hand.%d", stages), func(msg jetstream.Msg) {
		_ = msg.Ack()
		h.done <- struct{}{}
	})
	return h
}

func handStream(b *testing.B, s *embedded.Server) jetstream.JetStream {
	js, err := jetstream.New(connect(b, s), jetstream.WithPublishAsyncMaxPending(pending))
	if err != nil {
		b.Fatal(err)
	}
	_, err = js.CreateOrUpdateStream(b.Context(), jetstream.StreamConfig{Name: "hand", Subjects: []string{"hand.*"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage})
	if err != nil {
		b.Fatal(err)
	}
	return js
}

func consume(b *testing.B, js jetstream.JetStream, subject string, f func(jetstream.Msg)) {
	c, err := js.CreateConsumer(b.Context(), "hand", jetstream.ConsumerConfig{Durable: "c" + subject[5:], FilterSubject: subject, MaxAckPending: -1})
	if err != nil {
		b.Fatal(err)
	}
	running, err := c.Consume(f)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(running.Stop)
}

// through sends n items, at most pending of them ahead of what has come back.
func (h *byHand) through(b *testing.B, n int) {
	away := 0
	back := func() {
		select {
		case <-h.done:
			away--
		case <-time.After(20 * time.Second):
			b.Fatal("an item does not come back")
		}
	}
	for range n {
		if away == pending {
			back()
		}
		if _, err := h.js.PublishMsgAsync(&nats.Msg{Subject: "hand.0", Data: kilobyte}); err != nil {
			b.Fatal(err)
		}
		away++
	}
	for away > 0 {
		back()
	}
}
