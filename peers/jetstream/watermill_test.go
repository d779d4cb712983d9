package jetstream

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	wnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/nats-io/nats.go"
)

// beside is how many goroutines publish, and how many subscribers a stage has: its
// Publish waits for the server.
const beside = 64

type mill struct {
	first *wnats.Publisher
	back  back
}

func layWatermill(b testing.TB, stages int) way {
	url := start(b)
	log := watermill.NopLogger{}
	must := func(err error) {
		if err != nil {
			b.Helper()
			b.Fatal(err)
		}
	}
	publisher := func() *wnats.Publisher {
		p, err := wnats.NewPublisher(wnats.PublisherConfig{URL: url, Marshaler: &wnats.NATSMarshaler{}, JetStream: wnats.JetStreamConfig{AutoProvision: true}}, log)
		must(err)
		return p
	}
	subscriber := func(name string) *wnats.Subscriber {
		s, err := wnats.NewSubscriber(wnats.SubscriberConfig{
			URL: url, QueueGroupPrefix: name, SubscribersCount: beside, CloseTimeout: time.Minute, AckWaitTimeout: 30 * time.Second, Unmarshaler: &wnats.NATSMarshaler{},
			JetStream: wnats.JetStreamConfig{AutoProvision: true, AckAsync: true, DurablePrefix: name, SubscribeOptions: []nats.SubOpt{nats.DeliverAll(), nats.AckExplicit()}},
		}, log)
		must(err)
		return s
	}
	m := &mill{first: publisher(), back: make(back, ahead)}
	router, err := message.NewRouter(message.RouterConfig{}, log)
	must(err)
	topic := func(i int) string { return fmt.Sprintf("mill%d", i) }
	for i := range stages {
		router.AddHandler(fmt.Sprintf("echo%d", i), topic(i), subscriber(fmt.Sprintf("echo%d", i)), topic(i+1), publisher(), func(in *message.Message) ([]*message.Message, error) {
			result, err := echo(in.Context(), in.Payload)
			return message.Messages{message.NewMessage(watermill.NewUUID(), result)}, err
		})
	}
	router.AddConsumerHandler("out", topic(stages), subscriber("out"), func(*message.Message) error {
		m.back <- struct{}{}
		return nil
	})
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	running.Go(func() {
		if err := router.Run(ctx); err != nil {
			b.Error(err)
		}
	})
	b.Cleanup(func() {
		stop()
		running.Wait()
	})
	select {
	case <-router.Running():
	case <-time.After(20 * time.Second):
		b.Fatal("the router does not run after 20 s")
	}
	return m
}

func (m *mill) through(b testing.TB, n int) {
	items := make(chan struct{})
	var publish sync.WaitGroup
	for range min(n, beside) {
		publish.Go(func() {
			for range items {
				if err := m.first.Publish("mill0", message.NewMessage(watermill.NewUUID(), kilobyte)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	away := 0
	for range n {
		if away == ahead {
			m.back.wait(b)
			away--
		}
		items <- struct{}{}
		away++
	}
	close(items)
	for range away {
		m.back.wait(b)
	}
	publish.Wait()
}
