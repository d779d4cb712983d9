package jetstream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// publish sends a message under an id, and returns a function that waits until it is
// stored. That sends it again where the server cannot be asked, for as long as the server
// would know it again; what it refuses is an error at once.
func publish(js jetstream.JetStream, msg *nats.Msg, id string, more ...jetstream.PublishOpt) func(ctx context.Context) error {
	began := time.Now()
	more = append(more, jetstream.WithMsgID(id))
	future, err := js.PublishMsgAsync(msg, more...)
	return func(ctx context.Context) error {
		for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
			if err == nil {
				select {
				case <-future.Ok():
					return nil
				case err = <-future.Err():
				case <-ctx.Done():
					return context.Cause(ctx)
				case <-time.After(5 * time.Second):
					err = nats.ErrTimeout // its answer was lost, with the connection
				}
			}
			if refused(err) || time.Since(began) > Window-10*time.Second {
				return fmt.Errorf("sending to %s: %w", msg.Subject, err)
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(pause):
			}
			future, err = js.PublishMsgAsync(msg, more...)
		}
	}
}

// refused reports whether it is of no use to send a message again.
func refused(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrBadSubject) ||
		errors.As(err, &api) && api.Code < 500
}

// Stores are the object stores of stages, opened when they are needed.
type stores struct {
	js       jetstream.JetStream
	replicas int
	mu       sync.Mutex
	open     map[string]jetstream.ObjectStore
}

func (s *stores) of(ctx context.Context, stage string) (jetstream.ObjectStore, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.open[stage]
	if ok {
		return o, nil
	}
	o, err := store(ctx, s.js, stage, s.replicas)
	if err != nil {
		return nil, err
	}
	if s.open == nil {
		s.open = map[string]jetstream.ObjectStore{}
	}
	s.open[stage] = o
	return o, nil
}

// put stores the data of an item, and returns one that names it. It is an item for the
// stage, or the result of its last. What is stored again takes the place of itself.
func (s *stores) put(ctx context.Context, stage, client, as string, i item) (item, error) {
	o, err := s.of(ctx, stage)
	if err != nil {
		return i, err
	}
	name := fmt.Sprintf("%s.%d.%s", client, i.call, as)
	if _, err := o.PutBytes(ctx, name, i.data); err != nil {
		return i, fmt.Errorf("jetstream: stage %s: storing %d bytes: %w", stage, len(i.data), err)
	}
	i.kind, i.data = object, []byte(name)
	return i, nil
}

func (s *stores) get(ctx context.Context, stage, name string) ([]byte, error) {
	o, err := s.of(ctx, stage)
	if err != nil {
		return nil, err
	}
	data, err := o.GetBytes(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("jetstream: stage %s: object %s: %w", stage, name, err)
	}
	return data, nil
}

// remove removes an object. If that fails it goes after a day.
func (s *stores) remove(ctx context.Context, stage, name string) {
	if o, err := s.of(ctx, stage); err == nil {
		_ = o.Delete(ctx, name)
	}
}
