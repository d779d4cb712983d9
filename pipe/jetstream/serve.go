package jetstream

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gopayoff/payoff/pool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

const (
	// soon is what the items that a process has fetched and not begun may take together:
	// enough that none of its workers waits for the server, little enough that others
	// could not have done it sooner.
	soon = 4 * time.Millisecond
	// long is how long a process works on the items of one message; then the others
	// become messages of their own, which other processes may take.
	long = 10 * time.Millisecond
)

// errLeaving is the cause of the functions' context when Grace is over.
var errLeaving = errors.New("jetstream: the process stops serving")

// A server is a process that serves a stage.
type server[T, U any] struct {
	stage  Stage[T, U]
	js     jetstream.JetStream
	id     string
	inline int
	stores stores
	call   func(ctx context.Context, v T) (U, error)
	ended  chan struct{} // the functions of one message are done

	mu sync.Mutex
	// here are the messages that were delivered and are not through, and busy how many of
	// them wait for their functions. The others wait for the server to store and to forget
	// them, which takes a millisecond.
	here map[*delivery]struct{}
	busy int
	mean float64 // nanoseconds of work in a message, weighted to what is new
}

// A delivery is a message of items, as it was delivered.
type delivery struct {
	jetstream.Msg
	number uint64 // how often
	seq    uint64 // in its stream
	items  []item
}

// Serve calls f for the items of a stage, until ctx is done. It finds out how many calls
// at once bring the most, as a [pool.Pool] does. It may call f on any goroutine, for
// several items at once. f's context is done when ctx has been for the stage's Grace.
//
// When ctx is done, what has begun runs to its end, with its answer. The rest goes back to
// the server for other processes, and Serve returns nil. It returns an error where the
// connection is closed, or the server does not let it in. It waits for a connection that
// is lost and comes again.
//
// Serve panics if f is nil, or the stage is of [Then]: each of its stages is served by
// itself.
func (s Stage[T, U]) Serve(ctx context.Context, nc *nats.Conn, f func(ctx context.Context, v T) (U, error)) error {
	if f == nil {
		panic("jetstream: Serve: f is nil")
	}
	if len(s.route) > 0 {
		panic("jetstream: Serve: stage " + s.named() + " is of Then: serve each of its stages")
	}
	s, err := s.ready(nc)
	if err != nil {
		return err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("jetstream: stage %s: %w", s.Name, err)
	}
	if err := lay(ctx, js, s.Name, s.Replicas); err != nil {
		return err
	}
	// That is one consumer of all processes: the server gives each message to one of them.
	items, err := js.CreateOrUpdateConsumer(ctx, stream(s.Name), jetstream.ConsumerConfig{
		Durable: "all", FilterSubject: work(s.Name, "*"), AckWait: s.AckWait, MaxAckPending: -1,
	})
	if err != nil {
		return fmt.Errorf("jetstream: items of stage %s: %w", s.Name, err)
	}
	w := &server[T, U]{
		stage: s, js: js, id: nuid.Next(), inline: int(nc.MaxPayload() / 2), call: f,
		ended: make(chan struct{}, 1), here: map[*delivery]struct{}{}, stores: stores{js: js, replicas: s.Replicas},
	}
	// Functions, and what follows them, outlive ctx.
	last, leave := context.WithCancelCause(context.WithoutCancel(ctx))
	defer leave(errLeaving)
	grace := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(s.Grace):
			leave(errLeaving)
		case <-last.Done():
		}
	})
	defer grace()
	stopping := ctx
	var through sync.WaitGroup
	p := pool.New(func(ctx context.Context, d *delivery) (struct{}, error) {
		defer w.done()
		if stopping.Err() != nil {
			w.giveBack(d)
		} else {
			w.handle(ctx, d, &through)
		}
		return struct{}{}, nil
	}, pool.Options{OnError: func(error) {}}) // what goes wrong is answered
	live, quiet := context.WithCancel(last)
	var beating sync.WaitGroup
	beating.Go(func() { w.beat(live) })
	err = w.fetch(ctx, last, nc, items, p)
	_ = p.Close() // of [pool.Options.OnError] it has no errors
	through.Wait()
	quiet()
	beating.Wait()
	return err
}

// fetch takes messages from the server, and hands them to the pool, until ctx is done.
func (w *server[T, U]) fetch(ctx, last context.Context, nc *nats.Conn, items jetstream.Consumer, p *pool.Pool[*delivery, struct{}]) error {
	var from jetstream.MessagesContext
	size := 0 // how many it may hold
	drain := func() {
		from.Drain()
		for msg, err := from.Next(); err == nil; msg, err = from.Next() {
			w.begin(last, p, msg)
		}
		from = nil
	}
	for failed := 0; ; {
		room, ahead := w.wanted(p.Stats().Workers)
		if from != nil && (ctx.Err() != nil || ahead >= 2*size || 4*ahead <= size) {
			drain()
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case !room:
			select {
			case <-w.ended:
			case <-time.After(time.Millisecond): // the pool may want more workers
			case <-ctx.Done():
			}
			continue
		}
		var msg jetstream.Msg
		var err error
		if from == nil {
			size = ahead
			from, err = items.Messages(jetstream.PullMaxMessages(size))
		}
		if err == nil {
			msg, err = from.Next(jetstream.NextContext(ctx))
		}
		switch {
		case err == nil:
			failed = 0
			w.begin(last, p, msg)
			continue
		case ctx.Err() != nil:
			continue
		case nc.IsClosed():
			return fmt.Errorf("jetstream: stage %s: %w", w.stage.Name, nats.ErrConnectionClosed)
		case nc.IsConnected():
			// The server is there, and its stream is not, or not yet: half a minute is enough.
			if failed++; failed > 30 {
				return fmt.Errorf("jetstream: stage %s: %w", w.stage.Name, err)
			}
		}
		if errors.Is(err, jetstream.ErrMsgIteratorClosed) {
			from = nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// wanted says whether there is room for a message, and how many may wait in this process
// for it to have.
func (w *server[T, U]) wanted(workers int) (room bool, ahead int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ahead = 1
	if w.mean > 0 {
		ahead = int(min(max(float64(soon)/w.mean, 1), 64))
	}
	return w.busy <= max(workers, runtime.GOMAXPROCS(0)) && len(w.here) < most, ahead
}

// begin hands a message to the pool. That has room: no more are here than wanted.
func (w *server[T, U]) begin(last context.Context, p *pool.Pool[*delivery, struct{}], msg jetstream.Msg) {
	d := &delivery{Msg: msg}
	if m, err := msg.Metadata(); err == nil {
		d.number, d.seq = m.NumDelivered, m.Sequence.Stream
	}
	w.mu.Lock()
	w.here[d] = struct{}{}
	w.busy++
	w.mu.Unlock()
	if p.Submit(last, d) != nil {
		w.giveBack(d)
		w.done()
	}
}

func (w *server[T, U]) giveBack(d *delivery) {
	_ = d.Nak() // if it is lost, AckWait does it
	w.through(d)
}

// through takes a message out of those that are here.
func (w *server[T, U]) through(d *delivery) {
	w.mu.Lock()
	delete(w.here, d)
	w.mu.Unlock()
}

// done counts a message whose functions are done, or not called.
func (w *server[T, U]) done() {
	w.mu.Lock()
	w.busy--
	w.mu.Unlock()
	select {
	case w.ended <- struct{}{}:
	default:
	}
}

// beat tells the server that this process lives and works on what it has.
func (w *server[T, U]) beat(ctx context.Context) {
	every := time.NewTicker(w.stage.AckWait / 3)
	defer every.Stop()
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		w.mu.Lock()
		for d := range w.here {
			_ = d.InProgress() // the next may come through
		}
		w.mu.Unlock()
	}
}

// handle calls the function for the items of a message, and starts what follows.
func (w *server[T, U]) handle(ctx context.Context, d *delivery, following *sync.WaitGroup) {
	var err error
	if d.items, err = parseItems(d.Data()); err != nil {
		_ = d.TermWithReason(err.Error())
		w.through(d)
		return
	}
	o := &out{good: nats.NewMsg(""), bad: nats.NewMsg(done(w.lastOf(d), d.client()))}
	switch {
	case d.number > uint64(w.stage.Deliveries):
		text := fmt.Sprintf("delivered %d times", d.number-1)
		for _, i := range d.items {
			o.end(i, poison, text)
		}
		o.dead = true
	case d.number > 1 && len(d.items) > 1:
		o.rest = d.items
	default:
		n := 0
		defer func() {
			if n < len(d.items) && o.rest == nil && err == nil { // runtime.Goexit
				o.end(d.items[n], failed, "the function called runtime.Goexit")
				o.rest = d.items[n+1:]
				w.answer(ctx, d, o, following)
			}
		}()
		began := time.Now()
		for ; n < len(d.items); n++ {
			if n > 0 && time.Since(began) > long {
				o.rest = d.items[n:]
				break
			}
			if err = w.one(ctx, d, d.items[n], o); err != nil {
				// Its function was told to end, or the server cannot be asked: it is for another.
				w.giveBack(d)
				return
			}
		}
		w.took(time.Since(began))
	}
	w.answer(ctx, d, o, following)
}

func (w *server[T, U]) took(t time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mean == 0 {
		w.mean = float64(t)
	}
	w.mean += (float64(t) - w.mean) / 8
}

// An out is what comes out of a message.
type out struct {
	good, bad *nats.Msg // results, and answers that end their items
	rest      []item    // become messages of their own
	dead      bool      // the message goes to the dead letters
	objects   []string  // are not needed any more when this is through
}

// end answers an item that has no result.
func (o *out) end(i item, k kind, text string) {
	o.bad.Data = appendItem(o.bad.Data, item{call: i.call, kind: k, work: i.work, data: []byte(text)})
}

// client is which Remote the items are from.
func (d *delivery) client() string { return d.Subject()[strings.LastIndexByte(d.Subject(), '.')+1:] }

// next is the stage to come; "" is none.
func (d *delivery) next() (stage, rest string) {
	stage, rest, _ = strings.Cut(d.Headers().Get(headRoute), ",")
	return stage, rest
}

// lastOf is the stage whose results the client takes.
func (w *server[T, U]) lastOf(d *delivery) string {
	route := d.Headers().Get(headRoute)
	if route == "" {
		return w.stage.Name
	}
	return route[strings.LastIndexByte(route, ',')+1:]
}

// one calls the function for an item, and adds what comes of it. An error is that there
// is no answer.
func (w *server[T, U]) one(ctx context.Context, d *delivery, i item, o *out) error {
	if i.kind == object {
		name := string(i.data)
		data, err := w.stores.get(ctx, w.stage.Name, name)
		if err != nil {
			return err
		}
		o.objects = append(o.objects, name)
		i.data = data
	}
	v, err := w.stage.In.Parse(i.data)
	if err != nil {
		o.end(i, failed, "decoding its item: "+err.Error())
		return nil
	}
	from := time.Now()
	u, panicked, err := w.guarded(ctx, v)
	i.work += uint64(time.Since(from))
	switch {
	case panicked != "":
		o.end(i, burst, panicked)
		return nil
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		o.end(i, failed, err.Error())
		return nil
	}
	res := item{call: i.call, kind: value, work: i.work}
	if res.data, err = w.stage.Out.Append(nil, u); err != nil {
		o.end(i, failed, "encoding its result: "+err.Error())
		return nil
	}
	if len(res.data) > w.inline || len(o.good.Data)+len(res.data)+headroom > w.inline {
		to, as := w.stage.Name, "result"
		if next, _ := d.next(); next != "" {
			to, as = next, "item"
		}
		if res, err = w.stores.put(ctx, to, d.client(), as, res); err != nil {
			return err
		}
	}
	o.good.Data = appendItem(o.good.Data, res)
	return nil
}

// guarded calls the function, and returns what it panics with as a text.
func (w *server[T, U]) guarded(ctx context.Context, v T) (u U, panicked string, err error) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Sprintf("%v\n\n%s", p, debug.Stack())
		}
	}()
	u, err = w.call(ctx, v)
	return u, "", err
}

// answer stores what came out of a message, and then acknowledges it. Ids are made of
// the place of the message in its stream, so that the server knows again what another
// process, or this one, has stored before.
func (w *server[T, U]) answer(ctx context.Context, d *delivery, o *out, following *sync.WaitGroup) {
	id := fmt.Sprintf("%s.%d", w.stage.Name, d.seq)
	next, rest := d.next()
	var sent []func(context.Context) error
	send := func(msg *nats.Msg, as string, more ...jetstream.PublishOpt) {
		if len(msg.Data) == 0 {
			return
		}
		msg.Header.Set(headStage, w.stage.Name)
		msg.Header.Set(headFrom, w.id)
		sent = append(sent, publish(w.js, msg, id+as, more...))
	}
	o.good.Subject = done(w.stage.Name, d.client())
	if next != "" {
		o.good.Subject = work(next, d.client())
		if rest != "" {
			o.good.Header.Set(headRoute, rest)
		}
	}
	kept := jetstream.WithMsgTTL(resultsKept)
	if next != "" {
		send(o.good, ".good")
	} else {
		send(o.good, ".good", kept)
	}
	send(o.bad, ".bad", kept)
	for _, i := range o.rest {
		msg := nats.NewMsg(d.Subject())
		if route := d.Headers().Get(headRoute); route != "" {
			msg.Header.Set(headRoute, route)
		}
		msg.Data = appendItem(nil, i)
		send(msg, fmt.Sprintf(".%d", i.call))
	}
	if o.dead {
		msg := nats.NewMsg(dead(w.stage.Name, d.client()))
		msg.Data = d.Data()
		send(msg, ".dead")
	}
	following.Go(func() {
		defer w.through(d)
		for _, stored := range sent {
			if stored(ctx) != nil {
				_ = d.Nak()
				return
			}
		}
		// The second acknowledgement, the server's, says that it will not come again.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if d.DoubleAck(ctx) == nil {
			for _, name := range o.objects {
				w.stores.remove(ctx, w.stage.Name, name)
			}
		}
	})
}
