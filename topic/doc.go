// Package topic finds the subscriptions that a subject matches, while others come
// and go.
//
//	ix := topic.New[*Client](topic.NATS)
//	sub, err := ix.Subscribe("orders.*.created", client)
//	for c := range ix.Match("orders.eu.created") { c.Send(msg) }
//	sub.Unsubscribe()
//
// It is for what a message broker, an event bus or a server of events does for each
// message. Many goroutines match, and any may subscribe at the same time. Patterns
// follow the rules of [NATS] or [MQTT].
//
// A map is better where no pattern has a wildcard, and a slice of patterns where
// there are a dozen. For the other way around, subjects that a pattern matches, such as
// retained messages, there is [Subjects].
//
// # Calls
//
//	call                     yields
//	Match, AppendMatch       the values that a subject matches
//	Has, Count               whether there are any, how many
//	Lookup                   the subscriptions, with groups apart, and all their members
//	Overlaps                 subscriptions that could match the same as a pattern
//	All, Len                 the subscriptions, how many they are
//	Snapshot                 all of this, of one moment
//
// Under other names: Publish and Route are a loop over Match. NATS's psubs and qsubs
// are [Found]'s Plain and Groups. SubscribeGroup makes a queue group, or MQTT's shared
// subscription. [Subjects] are for retained messages, and for a key-value bucket that
// is watched by wildcards. A trie of topics, or sublist, is an [Index].
//
// A subscription is a value of any type under a pattern. It never compares values: the
// same one may be there several times, under one pattern or many, and Match yields it
// as often. The [Sub] that Subscribe returned ends it. In a group
// ([Index.SubscribeGroup]) one member is chosen for each Match.
//
// Subjects and patterns may come from outside. Subscribe checks the pattern,
// and its [*Error] names the token at fault; a Match of what is no subject finds
// nothing. [Dialect.CheckSubject] says what is wrong with a subject, so that its
// sender can be told.
//
// # Guarantees
//
// Each subscription is linearizable by itself. It comes at one moment between the call
// and the return of Subscribe, and goes at one between the call and the return of
// Unsubscribe. All calls agree on the order. So each Match that begins after Subscribe
// has returned yields it, and none that begins after Unsubscribe has returned. Once one
// Match has yielded it, so does each that begins after that one, until the call of
// Unsubscribe. A Match begins when the loop over it does.
//
// Of several subscriptions that come and go meanwhile, a Match may see a later one
// and miss an earlier one. It does see each pattern's subscribers as they are at one
// moment. A [View] has all subscriptions of one moment.
//
// In the words of the Go memory model, a Subscribe synchronizes before a Match that
// yields its value. An Unsubscribe synchronizes before a Match that does not because of
// it.
//
// Values come in no particular order, and a loop over them may do anything,
// subscribe and unsubscribe included.
//
// # Progress
//
// Match, AppendMatch, Has and Count take no lock and never wait. They write to nothing
// that others read, but where a result is kept. Subscribe and Unsubscribe lock one of
// the parts of the Index, chosen by the pattern. There are 32, and where New finds more
// than 8 processors, 4 for each, up to 256. One of them that finds its part too full or
// too empty makes that part of the table anew. A Snapshot, and the first pattern of a
// new shape, lock all parts for a moment. The first change of a part after a Snapshot
// copies the part's table, 10 to 21 bytes for each pattern in it. With a million
// patterns and 32 parts that is half a megabyte, 32 times.
//
// # How patterns are found
//
// Patterns that have their wildcards at the same positions have the same shape. Of each
// shape a subject can match one pattern, and the key of that is computed from hashes of
// the subject's tokens. So a Match looks into one hash table once for each shape that
// fits the subject, not for each prefix. Most of those looks end with a word of eight
// tags. Applications have few shapes: events.*.created and events.eu.* are two, and a
// million patterns like them are no more. A look compares keys in full, so a collision
// costs time and nothing else. Each Index has a seed of its own for hashes, so input
// cannot bring collisions about.
//
// There may be 256 shapes for each number of tokens up to 16. A Match finds patterns of
// others, and longer ones, token by token, as in a trie. That costs more as there are
// more wildcards among them; see mark.go.
//
// Where the same subjects come again, an Index keeps results, 2048 at most. It tries by
// itself whether they pay, that is save more than it takes to keep them, and gives up
// by itself. A change of subscriptions leaves results that it does not concern. They
// take some 25 KiB, and some 200 bytes and the subject's text each. A result may keep a
// value alive after its Unsubscribe, until 128 other subscriptions have come or gone.
//
// # Memory
//
// An empty Index takes 5.5 KiB, with 32 parts. With a value of 8 bytes, a subscription
// with a pattern of its own takes 60 to 80 bytes (TestMemory). One of many with the
// same pattern takes up to 70. One of two with the same pattern takes some 170, one of
// many in a group 100, and a group of one member 350. The text of the pattern, which
// the Index keeps as it was passed, comes in addition. Where a Match goes token by
// token, a subscription takes some 100 more for each beginning that it shares with no
// other. A shared beginning keeps the text of the pattern that it came with. A Match
// may have to go through all beginnings: where patterns come from strangers, limit how
// many tokens and wildcards they have. What was unsubscribed is let go, and tables
// shrink.
package topic
