package topic

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/nats-io/nats-server/v2/server"
)

// A nats is a Sublist, the index of nats-server. S is the server's type for a
// subscription, which has no exported name: it is what Insert takes. Nor do its fields
// have one, nor those of a result; they are found by reflection, once, and used at
// their offsets. So what is measured is the server's own code with the server's own
// types.
type nats[S any] struct {
	*server.Sublist
	insert, remove func(*server.Sublist, *S) error

	subject, nm uintptr // in S
	psubs       uintptr // in a result
	genid       *uint64 // of the Sublist
}

func newNATS(sl *server.Sublist) client {
	return natsOf(sl, (*server.Sublist).Insert, (*server.Sublist).Remove)
}

// natsOf infers S.
func natsOf[S any](sl *server.Sublist, insert, remove func(*server.Sublist, *S) error) *nats[S] {
	sub, result, list := reflect.TypeFor[S](), reflect.TypeFor[server.SublistResult](), reflect.TypeFor[server.Sublist]()
	return &nats[S]{
		Sublist: sl, insert: insert, remove: remove,
		subject: offset(sub, "subject", reflect.TypeFor[[]byte]()),
		nm:      offset(sub, "nm", reflect.TypeFor[int64]()),
		psubs:   offset(result, "psubs", reflect.TypeFor[[]*S]()),
		genid:   (*uint64)(unsafe.Add(unsafe.Pointer(sl), offset(list, "genid", reflect.TypeFor[uint64]()))),
	}
}

func offset(of reflect.Type, field string, want reflect.Type) uintptr {
	f, ok := of.FieldByName(field)
	if !ok || f.Type != want {
		panic("nats-server: no " + field + " of type " + want.String() + " in " + of.String())
	}
	return f.Offset
}

// subscribe makes a subscription with the caller's pattern, where the server has the
// bytes that it read, and keeps the item's id in a field that only messages count.
func (c *nats[S]) subscribe(pattern string, it *item) subscription {
	s := new(S)
	*(*[]byte)(unsafe.Add(unsafe.Pointer(s), c.subject)) = unsafe.Slice(unsafe.StringData(pattern), len(pattern))
	*(*int64)(unsafe.Add(unsafe.Pointer(s), c.nm)) = it.id
	check(c.insert(c.Sublist, s))
	return s
}

func (c *nats[S]) unsubscribe(s subscription) { check(c.remove(c.Sublist, s.(*S))) }

func (c *nats[S]) match(subject string) (n int, sum int64) { return c.count(c.Match(subject)) }

func (c *nats[S]) count(r *server.SublistResult) (n int, sum int64) {
	subs := *(*[]*S)(unsafe.Add(unsafe.Pointer(r), c.psubs))
	for _, s := range subs {
		sum += *(*int64)(unsafe.Add(unsafe.Pointer(s), c.nm))
	}
	return len(subs), sum
}

// A counted index of nats has results that one can be asked of again.
type natsList interface {
	client
	Match(subject string) *server.SublistResult
	count(*server.SublistResult) (n int, sum int64)
	generation() uint64
}

// generation counts the changes of the index.
func (c *nats[S]) generation() uint64 { return atomic.LoadUint64(c.genid) }

// An l1 is what a client of nats-server has before the index that all clients share:
// a map of its own with up to 512 results, which is empty again after any change of
// the index. Once it is full some go, whichever come first; results without a
// subscription are not kept.
type l1 struct {
	natsList
	results map[string]*server.SublistResult
	at      uint64 // the generation that results are of
}

const (
	l1Size  = 512
	l1Prune = 32
)

func newL1(c client) client { return &l1{natsList: c.(natsList)} }

func (c *l1) match(subject string) (n int, sum int64) {
	if now := c.generation(); c.results == nil || now != c.at {
		c.results = make(map[string]*server.SublistResult)
		c.at = now
	}
	if r, ok := c.results[subject]; ok {
		return c.count(r)
	}
	r := c.Match(subject)
	n, sum = c.count(r)
	if n == 0 {
		return 0, 0
	}
	if len(c.results) >= l1Size {
		gone := 0
		for s := range c.results {
			delete(c.results, s)
			if gone++; gone > l1Prune {
				break
			}
		}
	}
	c.results[subject] = r
	return n, sum
}
