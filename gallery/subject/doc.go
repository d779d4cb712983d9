// Package subject finds the subscriptions that a subject matches, while others come and
// go.
//
// # Symptom
//
// A message broker asks for each message who has subscribed to its subject. More
// goroutines do not deliver more messages: two processors do together what one does
// alone, or less.
//
// # Cause
//
// All subscriptions are in one trie under one sync.RWMutex ([NewLocked]). What matches
// does not exclude others that match. But it writes to the lock twice for some hundreds
// of nanoseconds of work, so the lock's cache line goes from core to core. And a
// subscription stops all.
//
// # Cures
//
//   - [NewTopic]: no trie. A subject is hashed once, and one table asked for each shape
//     that patterns have. A match takes no lock and writes nothing, and subscriptions
//     lock one part of many. It is faster than the plain trie in one goroutine, too.
//   - [NewCtrie]: a trie whose branches are lock-free maps, as in the article. It scales,
//     from a start that is far behind. A look into a Ctrie takes longer than into a
//     built-in map, and each change makes new nodes.
//
// A cache of results is another cure, while subjects come again and subscriptions
// stay; NATS has one, and topic tries by itself whether one pays. Here there are
// 8,192 subjects, more than either keeps. See peers/topic for NATS itself.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat, 2015, its part on lock-free sharing. It sets
// NATS's matching with a lock against one with Ctries. It shows a graph of the
// time and has no figures; the lock-free one has much more throughput. It tells neither
// the mix of operations nor goroutines, processors, machine or Go version. The mixes, 90
// or 50 lookups of a hundred operations, and 1 to 16 goroutines are of the code that
// belongs to it (https://github.com/tylertreat/fast-topic-matching). Its lock-free
// trie is not used here: it loses subscriptions and can crash (topic/lost_test.go). That
// its processors were 8, as in its tables, is a guess of docs/articles.md.
//
// Here 10,000 patterns of four tokens, half of them with a wildcard, are subscribed to
// all the time. A subject matches about one. Those that write end the subscription that
// they made before, so that there are always as many. One op is 2,000 operations,
// divided among the goroutines.
//
// # What is measured
//
// Subjects, patterns and subscriptions are made before the clock starts. The values
// that all matches find are added up; TestGoroutines holds all variants to the same
// sum, TestVariants to a list that is gone through. Serial is the trie without a lock,
// whose one goroutine does it all. What Locked takes beyond Serial on one processor is
// the price of a free lock. What it loses on two, where Serial loses nothing, is the
// lock's line and those that wait.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: the trie under a lock loses by a second processor, and to one goroutine
// without a lock. The lock-free trie nearly doubles, and with 90 lookups of a hundred
// it is ahead of the locked one at two processors.
//
// Holds no longer, at two processors: that it is ahead with 50 lookups. Each
// subscription makes several objects, where the built-in map has become faster and
// mostly makes none. On one processor the lock-free trie is far behind in both mixes.
// At two it does as much as one goroutine does without a lock: it would take more of
// them to gain by it.
//
// Without a trie, topic is ahead of all of them, on one processor and on two.
package subject
