package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Window is for how long the server knows a message that comes again. It stores that
// once.
const Window = 2 * time.Minute

// resultsKept is for how long results stay that nobody takes.
const resultsKept = time.Hour

// A Stage is a function that runs in other processes. Processes that serve it and those
// that use it have the same Stage, as they have the same types. It is a value; the zero
// one has no name and is not valid.
type Stage[T, U any] struct {
	// Name is that of the stage on the server and in errors: letters, digits, _ and -.
	Name string
	// In and Out are how items and results travel; the zero one is JSON.
	In  Codec[T]
	Out Codec[U]
	// AckWait is how long after the last sign of life of a process others get its items.
	// 0 is 30 seconds, and the least is one.
	AckWait time.Duration
	// Deliveries is how many processes may die of an item; 0 is 5.
	Deliveries int
	// Replicas is on how many servers of a cluster items are stored; 0 is 1.
	Replicas int
	// Grace is how long functions go on when the context of Serve is done, before theirs
	// is; 0 is 10 seconds.
	Grace time.Duration

	// The stages behind the first one, of [Then]: each takes what the one before returned.
	route []string
}

// A Codec is how values travel. Both functions may be called at once.
type Codec[T any] struct {
	// Append adds a value to buf and returns it, as the functions of package strconv do.
	Append func(buf []byte, v T) ([]byte, error)
	// Parse returns the value; it may keep no part of data.
	Parse func(data []byte) (T, error)
}

// Bytes is a codec for values that are bytes.
var Bytes = Codec[[]byte]{
	Append: func(buf, v []byte) ([]byte, error) { return append(buf, v...), nil },
	Parse:  func(data []byte) ([]byte, error) { return slices.Clone(data), nil },
}

func (c Codec[T]) orJSON() Codec[T] {
	if c.Append == nil {
		c.Append = func(buf []byte, v T) ([]byte, error) {
			text, err := json.Marshal(v)
			return append(buf, text...), err
		}
	}
	if c.Parse == nil {
		c.Parse = func(data []byte) (v T, err error) {
			err = json.Unmarshal(data, &v)
			return v, err
		}
	}
	return c
}

// Then is the stage b behind a: results of a go to b's processes without passing the
// one that has the pipeline. Each is served by itself, b must take what a's Out writes,
// and the name in errors is that of both, "a,b".
func Then[T, M, U any](a Stage[T, M], b Stage[M, U]) Stage[T, U] {
	return Stage[T, U]{
		Name: a.Name, In: a.In, Out: b.Out,
		AckWait: a.AckWait, Deliveries: a.Deliveries, Replicas: a.Replicas, Grace: a.Grace,
		route: slices.Concat(a.route, []string{b.Name}, b.route),
	}
}

// last is the name of the stage whose results come back.
func (s Stage[T, U]) last() string {
	if len(s.route) == 0 {
		return s.Name
	}
	return s.route[len(s.route)-1]
}

func (s Stage[T, U]) named() string { return strings.Join(append([]string{s.Name}, s.route...), ",") }

var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// ready returns the stage with what it leaves out, or why it cannot be used.
func (s Stage[T, U]) ready(nc *nats.Conn) (Stage[T, U], error) {
	for _, n := range append([]string{s.Name}, s.route...) {
		if !name.MatchString(n) {
			return s, fmt.Errorf("jetstream: stage %q: a name has letters, digits, _ and -, and one to a hundred of them", n)
		}
	}
	if nc == nil {
		return s, fmt.Errorf("jetstream: stage %s: no connection: pass what nats.Connect returns", s.Name)
	}
	if s.AckWait < 0 || s.Deliveries < 0 || s.Replicas < 0 || s.Grace < 0 {
		return s, fmt.Errorf("jetstream: stage %s: AckWait, Deliveries, Replicas and Grace are not negative", s.Name)
	}
	s.In, s.Out = s.In.orJSON(), s.Out.orJSON()
	s.AckWait = max(cmp.Or(s.AckWait, 30*time.Second), time.Second)
	s.Deliveries = cmp.Or(s.Deliveries, 5)
	s.Replicas = cmp.Or(s.Replicas, 1)
	s.Grace = cmp.Or(s.Grace, 10*time.Second)
	return s, nil
}

func work(stage, client string) string { return "pipe." + stage + ".work." + client }
func done(stage, client string) string { return "pipe." + stage + ".done." + client }
func dead(stage, client string) string { return "pipe." + stage + ".dead." + client }

func stream(stage string) string     { return "pipe-" + stage }
func deadStream(stage string) string { return "pipe-" + stage + "-dead" }
func bucket(stage string) string     { return "pipe-" + stage }

// lay makes the streams of a stage.
func lay(ctx context.Context, js jetstream.JetStream, stage string, replicas int) error {
	for _, c := range []jetstream.StreamConfig{
		// Items and results are in one stream: the server takes five times as long with a
		// stream for each, where items come one by one, and both are often empty.
		{Name: stream(stage), Subjects: []string{work(stage, "*"), done(stage, "*")}, Retention: jetstream.WorkQueuePolicy, AllowMsgTTL: true},
		{Name: deadStream(stage), Subjects: []string{dead(stage, "*")}, MaxAge: 7 * 24 * time.Hour},
	} {
		c.Storage, c.Replicas, c.Duplicates = jetstream.FileStorage, replicas, Window
		_, err := js.CreateStream(ctx, c)
		// With other settings it is the operator's.
		if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return fmt.Errorf("jetstream: stream %s: %w", c.Name, err)
		}
	}
	return nil
}

// store opens the object store of a stage, for what is too large for a message.
func store(ctx context.Context, js jetstream.JetStream, stage string, replicas int) (jetstream.ObjectStore, error) {
	s, err := js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket(stage), TTL: 24 * time.Hour, Replicas: replicas})
	if errors.Is(err, jetstream.ErrBucketExists) {
		s, err = js.ObjectStore(ctx, bucket(stage))
	}
	if err != nil {
		return nil, fmt.Errorf("jetstream: object store %s: %w", bucket(stage), err)
	}
	return s, nil
}
