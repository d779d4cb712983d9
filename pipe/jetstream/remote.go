package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gopayoff/payoff/pipe"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

const (
	// atOnce is how many messages are on their way to the server and not stored. While
	// they are, items gather for the next: so a lone one goes at once, and many go together.
	atOnce = 4
	// portion is how much work a message may hold, as functions took until here: little
	// enough that other processes get their part of it.
	portion = 500 * time.Microsecond
	// most is how many items a message may hold.
	most = 512
	// room is how many bytes a message may hold, unless one item has more.
	room = 256 << 10
)

const (
	headRoute = "Pipe-Route" // the stages to come
	headStage = "Pipe-Stage" // which stage an answer is from
	headFrom  = "Pipe-From"  // which process an answer is from
)

// A Remote sends items to a [Stage] and gets the answers: make it with [Stage.Dial], and
// end it with [Remote.Close]. All methods may be called at once.
type Remote[T, U any] struct {
	stage  Stage[T, U]
	id     string
	nc     *nats.Conn
	js     jetstream.JetStream
	inline int // how many bytes an item may have in a message
	stop   context.CancelCauseFunc
	ctx    context.Context
	run    sync.WaitGroup
	took   jetstream.ConsumeContext
	stores stores

	mu     sync.Mutex
	closed bool
	away   int // messages that are sent and not stored, atOnce at most
	sent   uint64
	// queue are items to send; their calls may have given up.
	queue []item
	calls map[uint64]chan answer
	last  uint64 // the newest call
	count counts
}

// An answer is an item with the stage that it is from.
type answer struct {
	item
	stage string
}

// Dial connects a pipeline with a stage: it makes what is needed on the server, and
// starts to receive. ctx is that of Dial alone. The connection stays the caller's.
func (s Stage[T, U]) Dial(ctx context.Context, nc *nats.Conn) (*Remote[T, U], error) {
	s, err := s.ready(nc)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("jetstream: stage %s: %w", s.Name, err)
	}
	r := &Remote[T, U]{stage: s, id: nuid.Next(), nc: nc, js: js, inline: int(nc.MaxPayload() / 2), calls: map[uint64]chan answer{}}
	r.stores = stores{js: js, replicas: s.Replicas}
	r.count.from = map[string]struct{}{}
	for _, stage := range append([]string{s.Name}, s.route...) {
		if err := lay(ctx, js, stage, s.Replicas); err != nil {
			return nil, err
		}
	}
	results, err := js.CreateConsumer(ctx, stream(s.last()), jetstream.ConsumerConfig{
		Durable: r.id, FilterSubject: done(s.last(), r.id), InactiveThreshold: 5 * time.Minute, MaxAckPending: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("jetstream: results of stage %s: %w", s.named(), err)
	}
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	r.took, err = results.Consume(r.receive, jetstream.PullMaxMessages(256))
	if err != nil {
		r.stop(ErrClosed)
		return nil, fmt.Errorf("jetstream: results of stage %s: %w", s.named(), err)
	}
	closed := nc.StatusChanged(nats.CLOSED)
	r.run.Go(func() {
		select {
		case <-closed:
			r.stop(nats.ErrConnectionClosed)
		case <-r.ctx.Done():
		}
	})
	return r, nil
}

// Map is [pipe.MapContext] with the function of the stage. It may be used for several
// pipes, and be part of several runs at once.
func (r *Remote[T, U]) Map(p pipe.Pipe[T]) pipe.Pipe[U] {
	return pipe.MapContext(p, r.Do).Named(r.stage.named()).AtLeast(64).AtMost(1024)
}

// Do has the stage's function called with one item, and waits for the answer. Where ctx
// is done it returns its cause. The function may run all the same.
func (r *Remote[T, U]) Do(ctx context.Context, v T) (u U, err error) {
	from := time.Now()
	data, err := r.stage.In.Append(nil, v)
	if err != nil {
		return u, fmt.Errorf("jetstream: stage %s: encoding: %w", r.stage.named(), err)
	}
	r.mu.Lock()
	r.last++
	call := r.last
	r.mu.Unlock()
	i := item{call: call, data: data}
	if len(data) > r.inline {
		if i, err = r.stores.put(ctx, r.stage.Name, r.id, "item", i); err != nil {
			return u, err
		}
	}
	back := make(chan answer, 1)
	r.mu.Lock()
	r.calls[call] = back
	r.queue = append(r.queue, i)
	r.mu.Unlock()
	r.send()
	spent := time.Since(from)
	var a answer
	select {
	case a = <-back:
	case <-ctx.Done():
		r.forget(call)
		return u, context.Cause(ctx)
	case <-r.ctx.Done():
		r.forget(call)
		return u, context.Cause(r.ctx)
	}
	received := time.Now()
	wait := received.Sub(from)
	u, err = r.open(ctx, a)
	r.mu.Lock()
	r.count.answer(a, wait, spent+time.Since(received))
	r.mu.Unlock()
	return u, err
}

// open returns what an answer says.
func (r *Remote[T, U]) open(ctx context.Context, a answer) (u U, err error) {
	switch a.kind {
	case object:
		name := string(a.data)
		if a.data, err = r.stores.get(ctx, a.stage, name); err != nil {
			return u, err
		}
		r.stores.remove(r.ctx, a.stage, name)
		fallthrough
	case value:
		if u, err = r.stage.Out.Parse(a.data); err != nil {
			return u, fmt.Errorf("jetstream: stage %s: decoding its result: %w", a.stage, err)
		}
		return u, nil
	case failed:
		return u, &Error{a.stage, string(a.data)}
	case burst:
		panic(&Panic{a.stage, string(a.data)})
	case poison:
		return u, fmt.Errorf("%w: stage %s: %s", ErrPoison, a.stage, a.data)
	}
	return u, fmt.Errorf("jetstream: stage %s: an answer of a kind that this version does not know", a.stage)
}

func (r *Remote[T, U]) forget(call uint64) {
	r.mu.Lock()
	delete(r.calls, call)
	r.mu.Unlock()
}

// send sends what is queued, as far as it may. Whoever is told that a message is stored
// does so again.
func (r *Remote[T, U]) send() {
	for {
		r.mu.Lock()
		var items []item
		if r.away < atOnce && !r.closed {
			items = r.take()
		}
		if len(items) == 0 {
			r.mu.Unlock()
			return
		}
		r.away++
		r.sent++
		id := r.id + "." + strconv.FormatUint(r.sent, 36)
		r.run.Add(1) // not after Close has set closed
		r.mu.Unlock()
		stored := publish(r.js, r.message(items), id)
		go func() {
			defer r.run.Done()
			if err := stored(r.ctx); err != nil {
				r.fail(items, err)
			}
			r.mu.Lock()
			r.away--
			r.mu.Unlock()
			r.send()
		}()
	}
}

// take returns the items of the next message, under the mutex.
func (r *Remote[T, U]) take() (items []item) {
	n := r.count.portion()
	size, i := 0, 0
	for ; i < len(r.queue) && len(items) < n; i++ {
		it := r.queue[i]
		if _, waits := r.calls[it.call]; !waits {
			continue
		}
		if len(items) > 0 && size+len(it.data)+headroom > min(room, r.inline) {
			break
		}
		size += len(it.data) + headroom
		items = append(items, it)
	}
	if i == len(r.queue) {
		r.queue = nil
	} else {
		r.queue = r.queue[i:]
	}
	return items
}

func (r *Remote[T, U]) message(items []item) *nats.Msg {
	msg := nats.NewMsg(work(r.stage.Name, r.id))
	for _, i := range items {
		msg.Data = appendItem(msg.Data, i)
	}
	if len(r.stage.route) > 0 {
		msg.Header.Set(headRoute, strings.Join(r.stage.route, ","))
	}
	return msg
}

// receive takes a message of results.
func (r *Remote[T, U]) receive(msg jetstream.Msg) {
	items, err := parseItems(msg.Data())
	if err != nil {
		_ = msg.TermWithReason(err.Error()) // nothing of ours: the server logs it
		return
	}
	stage, from := msg.Headers().Get(headStage), msg.Headers().Get(headFrom)
	r.mu.Lock()
	r.count.from[from] = struct{}{}
	for _, i := range items {
		back, waits := r.calls[i.call]
		if !waits {
			r.count.again++
			continue
		}
		delete(r.calls, i.call)
		back <- answer{i, stage}
	}
	r.mu.Unlock()
	_ = msg.Ack() // if it is lost they come again, and nobody waits for them
}

// fail answers items that cannot be sent.
func (r *Remote[T, U]) fail(items []item, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range items {
		if back, waits := r.calls[i.call]; waits {
			delete(r.calls, i.call)
			back <- answer{item{call: i.call, kind: failed, data: []byte(err.Error())}, r.stage.Name}
		}
	}
}

// Close ends the Remote. Calls that wait return [ErrClosed]. The server loses what was
// sent and not begun, and results that came too late. Close returns when nothing runs any
// more. Its error is that something could not be taken back.
func (r *Remote[T, U]) Close() error {
	r.mu.Lock()
	again := r.closed
	r.closed = true
	r.mu.Unlock()
	r.stop(ErrClosed)
	if again {
		r.run.Wait()
		return nil
	}
	r.took.Stop()
	<-r.took.Closed()
	r.run.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var errs []error
	for _, stage := range append([]string{r.stage.Name}, r.stage.route...) {
		errs = append(errs, purge(ctx, r.js, stream(stage), work(stage, r.id)))
	}
	errs = append(errs, r.js.DeleteConsumer(ctx, stream(r.stage.last()), r.id))
	errs = append(errs, purge(ctx, r.js, stream(r.stage.last()), done(r.stage.last(), r.id)))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("jetstream: closing stage %s: %w", r.stage.named(), err)
	}
	return nil
}

func purge(ctx context.Context, js jetstream.JetStream, stream, subject string) error {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
}
