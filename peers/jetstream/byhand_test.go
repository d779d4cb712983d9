package jetstream

import (
	"context"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

type byHand struct {
	js   jetstream.JetStream
	back back
}

func layByHand(b testing.TB, stages int) way {
	url := start(b)
	h := &byHand{js: handStream(b, url), back: make(back, ahead)}
	for i := range stages {
		js := handStream(b, url)
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
		h.back <- struct{}{}
	})
	return h
}

func handStream(b testing.TB, url string) jetstream.JetStream {
	js, err := jetstream.New(connect(b, url), jetstream.WithPublishAsyncMaxPending(ahead))
	if err != nil {
		b.Fatal(err)
	}
	_, err = js.CreateOrUpdateStream(b.Context(), jetstream.StreamConfig{Name: "hand", Subjects: []string{"hand.*"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage})
	if err != nil {
		b.Fatal(err)
	}
	return js
}

func consume(b testing.TB, js jetstream.JetStream, subject string, f func(jetstream.Msg)) {
	c, err := js.CreateConsumer(b.Context(), "hand", jetstream.ConsumerConfig{Durable: "c" + subject[len("hand."):], FilterSubject: subject, MaxAckPending: -1})
	if err != nil {
		b.Fatal(err)
	}
	running, err := c.Consume(f)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(running.Stop)
}

func (h *byHand) through(b testing.TB, n int) {
	away := 0
	for range n {
		if away == ahead {
			h.back.wait(b)
			away--
		}
		if _, err := h.js.PublishAsync("hand.0", kilobyte); err != nil {
			b.Fatal(err)
		}
		away++
	}
	for range away {
		h.back.wait(b)
	}
}
