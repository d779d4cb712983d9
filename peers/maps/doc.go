// Package maps compares the library's maps for many goroutines with the built-in map
// under a lock, with sync.Map, and with the maps of others.
//
// # Who
//
//   - snapmap: ours, the base. ctrie: our lock-free one.
//   - mutex, rwmutex: the built-in map under a sync.Mutex and a sync.RWMutex. A view
//     is a maps.Clone under the lock.
//   - syncmap: sync.Map.
//   - xsync: Map of github.com/puzpuzpuz/xsync/v4 v4.5.0.
//   - orcaman: github.com/orcaman/concurrent-map/v2 v2.0.1, with 32 locks. For ints its
//     user has to write a hash; this one multiplies.
//   - workiva: trie/ctrie of github.com/Workiva/go-datastructures v1.1.7, the lock-free
//     trie that the article measures. A view is a ReadOnlySnapshot.
//   - btree: github.com/google/btree v1.1.3, with a degree of 32, under a sync.RWMutex. A
//     view is a Clone.
//   - hamt: Map of github.com/benbjohnson/immutable v0.4.3 behind an atomic pointer,
//     and a sync.Mutex for writers. A view is the pointer.
//
// # How
//
// All tables have the same random keys, asked for in the same random order by each
// goroutine. Strings have 16 bytes, and are asked for by other memory than they are
// stored in. With 1,000,000 keys, to fetch the key that is asked for misses the cache
// in everybody's time. Values are an int, a pointer, or a struct of four words. Before
// the clock starts each table has all its keys, and as many goroutines as processors
// have stored to it 20,000 times each: some maps adapt to that. Only Fill and Memory
// begin with an empty one. Loops are written out for each map, so that no call stands
// between them and the map but the map's own.
//
//   - Mix: as many goroutines as processors load, in reads=… of 100 cases, or store
//     another value of a key that is there. One op is 100 operations.
//   - Fill: a new table gets all its keys, by one goroutine. One op is a table.
//   - Range: a loop over all entries. One op is a table.
//   - Memory: B/entry is what a table takes after a collection, for each entry, without
//     what its keys refer to.
//   - Take: medians of what it takes to have a view (take-ns), of the store after it
//     (first-ns), and of each of the hundred stores after that (next-ns), by one
//     goroutine. The price of looking at the clock is subtracted.
//   - Article: 100 goroutines store for 0.2 s, then one more takes views for 0.5 s and
//     goes through each of them, then 0.2 s without it. views/s, what the stores
//     were during the views (Mstores/s) and without them (alone-Mstores/s), and
//     how long taking a view took.
//   - Hundred: the article's own benchmark: 100 goroutines take a view each. One op is
//     all of them.
//   - Diff: what changed between two views of 1,000,000 keys, of which 100 were stored
//     to. rwmutex compares two clones.
//
// The tests of this package hold all variants to the answer of a built-in map, and
// views to staying as they are.
//
//	payoff run -procs 1,2 -base 'variant=snapmap(/|$)' -bench '^BenchmarkMix$' ./maps
//
// # Histories
//
// TestLinear has goroutines call all that a map has, and holds what each of them saw
// to what a map would do that does one thing after the other, by porcupine: key by key,
// and where views can be taken, as a whole. Calls and returns are stamped by an atomic
// counter, since clocks of two processors may differ.
//
//	go test ./maps -run 'Linear|Workiva' -v -histories 100000
//
// Workiva's Ctrie is a map as long as no two keys have the same 32 bits of hash. If
// two have, Remove may say of a key that is there that it is not, and leave it
// there (TestWorkivaLosesRemoves).
//
// # What favours us
//
//   - snapmap stores words and pointers in place; others but mutex, rwmutex, orcaman and
//     btree make something new for each. Values that are no words are in the tables too.
//   - Keys are drawn evenly. Where a few are much more wanted than others, writers
//     meet more often.
//   - Iterator of workiva sends each entry through a channel, which is the only way
//     that it offers.
//
// # What favours others
//
//   - mutex, rwmutex and btree are under no load but these few instructions: two
//     goroutines on two processors are the least for whom a lock can be contended.
//   - Keys of workiva are bytes, made before the clock starts.
//   - syncmap, xsync and orcaman have no view. Their loops, and the Items of orcaman,
//     may see what was at no one moment.
package maps
