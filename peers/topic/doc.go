// Package topic compares the library's index of subjects with those of nats-server and
// with a map behind a lock.
//
// # Who
//
//   - nats-cache: server.Sublist of github.com/nats-io/nats-server/v2 v2.15.2, as
//     NewSublistWithCache makes it: a trie behind an RWMutex, with a map of up to 1024
//     results that changes repair. It is the base.
//   - nats-l1: the same, with what each client of the server has before it: a map of
//     its own with up to 512 results, emptied by any change of the Sublist. Written
//     here from what the server does, since that is in no function of its own.
//   - nats-nocache: as NewSublistNoCache makes it, which the server uses for accounts
//     with many changes.
//   - nats-gsl: gsl.GenericSublist, the server's trie for values of any type, without
//     a cache; results come by a callback.
//   - payoff: ours, with AppendMatch into a slice that its goroutine keeps.
//   - locked: a map of patterns behind an RWMutex, all of which a match goes through,
//     as the article on matching begins; with 1,000 subscriptions only.
//
// The server's type for a subscription has no exported name. It is inferred from the
// signature of Insert, and the two fields that are needed, the subject and a number,
// are set and read at the offsets that reflection gives; so are the results'
// subscriptions. All else is the server's own code.
//
// tylertreat/fast-topic-matching, which has the Ctrie of the article, has no version that
// could be required, no wildcard for the rest, and crashes when subscriptions end: it is not
// here. What it did is in the record, topic-cstrie.txt.
//
// # How
//
//   - Match: an op is a match or, by the rest of mix=… percent, a subscribe or an
//     unsubscribe of the goroutine's own, of which each has up to 64. set=devices has
//     subjects of four tokens, half of its patterns are literal, seven shapes fit a
//     subject, and about one pattern matches. set=many has six tokens and up to four
//     wildcards anywhere, some sixty shapes. subs=… are there throughout. subjects=hot
//     are 256, subjects=uni 100,000. The results are gone through: each is a
//     number behind a pointer.
//   - Memory: B/sub is what the heap grows by for each subscription. The text of a
//     pattern is the caller's in all of them and not counted; the values are not
//     either. Of nats the subscription itself is, 176 bytes of a server's client that a
//     program which only matches has no use for.
//
// The tests hold all variants to the same answers, and those of ours to what
// nats-server's exported functions say of patterns and subjects.
//
//	go test -run '^$' -bench Match ./topic
//	payoff run -procs 1,2 -base 'variant=nats-cache(/|$)' -bench 'Match/./set=devices/subs=1000$/././goroutines=1$' ./topic
//
// # What favours us
//
//   - One subscription for most patterns. The server keeps maps of them, which are made
//     for clients that subscribe to the same.
//   - The server's results are shared, and may be kept. Ours are copied into a slice,
//     which is to be made once for each goroutine.
//
// # What favours others
//
//   - Ours reads strings with lengths of any kind: half of the tokens here are shorter
//     than eight bytes, as most are, and that is what its hash is fast for; a trie's map
//     hashes them as well.
//   - With 256 hot subjects, chosen with the same chance each, every cache has them all.
//   - A read-only P=1 never lets the server's sweeper run, so that its cache grows
//     beyond its limit for the length of a sample (set=devices, 1,000 subscriptions,
//     subjects=uni has 7,680 different subjects).
package topic
