// Package pipe runs pipelines. Items go from a slice, a sequence, a channel, a queue or
// a reader through stages of functions, to a loop or a result. It finds out while it
// runs whether several processors make it faster. There is no number of workers and no
// buffer to set.
//
//		words := pipe.FlatMap(pipe.Lines(file), strings.FieldsSeq)
//		long := pipe.Filter(words, func(w string) bool { return len(w) > 7 })
//		for w, err := range pipe.Map(long, strings.ToUpper).All(ctx) {
//
//	  - Sources: [Slice], [Range], [Seq], [Seq2], [Chan], [Queue], [Lines], [Merge].
//	  - Stages: [Map], [Filter], and [MapContext] and [FilterContext] for functions that may
//	    fail or wait; [FlatMap], [Chunk], [ChunkWithin], [Window], [GroupBy], [Broadcast],
//	    [Split]; [Pipe.Take] and [Pipe.Skip].
//	  - What is said of the last stage: [Pipe.Named], [Pipe.Unordered], [Pipe.AtMost],
//	    [Pipe.AtLeast], [Pipe.Rate], [Pipe.Burst], [Pipe.Retry], [Pipe.RetryBy],
//	    [Pipe.OnError], [Pipe.Meter].
//	  - Sinks, which run it: [Pipe.All], [Pipe.Collect], [Pipe.ForEach], [Pipe.Drain],
//	    [Pipe.ToChan], [Pipe.ToQueue], [Reduce], [Fold].
//
// # Which tool
//
// Use a loop where it is fast enough. Use package par where all items are in a slice
// and each is done with one function. Use a pipe where items come while the work goes
// on, go through several stages, or must be in order while later ones are in work. Use
// package pool for tasks that many goroutines submit, and errgroup for a few different
// things at once.
//
// # Order
//
// What comes out of a stage is in the order of what came in, unless it is
// [Pipe.Unordered]. [Merge], [Broadcast] and [Split] keep the order of each of their
// pipes.
//
// # Where functions run
//
// The functions of Map, Filter and the like run on any goroutine, for several items at
// once. What they share needs the care that goroutines need. All else runs on the
// goroutine that calls the sink, one call at a time. These are sources, the sequences
// of FlatMap, the functions of GroupBy and Split, and those given to sinks, but for
// [Fold].
//
// Functions are called stage by stage for some items at a time, a batch. So a function
// may have been called for some items more than have come out. A batch is delivered,
// and minds the end of the run, when its last item is done. It is of few items where
// they take long. Where they suddenly do, what has begun comes to its end. So a
// function must not wait for what a later stage, or the loop, does with an item before.
// Nor may it wait for the end of its context alone.
//
// # Functions that wait
//
// Functions that take more than 100 µs for an item, in the mean, may wait: for a
// server, or a disk. For them a run has goroutines of its own, each with one item.
// There are as many as processors at first, and more for as long as that brings more
// items in a time. There are 1024 at most, or what [Pipe.AtMost] and [Pipe.AtLeast]
// say. So functions that compute end at one for each processor, and a server that slows
// down is not flooded. Where there are no items they leave. The next run of the same
// functions goes on from there, however short it is. The first one needs some ten times
// as long as an item takes to find out.
//
// # Errors, panics, and early ends
//
// A function that returns an error ends the run, but for [Pipe.OnError]. The run
// delivers what comes before its item, in order, but for a batch, window or group that
// is not complete. The sink returns an [*Error] with the stage, the index and the item.
// Where the context of the run is done, the sink returns its cause.
//
// A panic of a stage's function comes out of the sink as a [*Panic], also where it was
// on another goroutine. A call of [runtime.Goexit] ends the goroutine that has called
// the sink. What comes before in the order may not have been delivered, if it was in
// the same batch.
//
// When a sink returns, in whichever way, nothing of the run runs any more. So too where
// the body of a loop over All ends it. Functions that wait must mind their context,
// which is done then: a sink waits for them.
//
// # Memory
//
// There is a bound on what is under way. The results that wait for their turn fill a
// ring. It has some batches for each processor, of at most a thousand items or 16 KiB
// each. Where functions wait, it has four items for each goroutine, 4096 at most. Where
// it is full, no item is taken. Only GroupBy keeps more: a value for each key.
//
// # Cost
//
// A run allocates little, a stage nothing, and an item nothing. An item costs about two
// nanoseconds a stage beside what its function takes. Figures are in the README.
//
// # Waiting
//
// No goroutine waits for a batch to fill. An item that is there is worked on as soon as
// one has nothing else to do. A run from a channel or queue waits in it. One from a
// [Seq] cannot know that the sequence waits, which may then hold back what it has
// yielded last.
//
// # Tests
//
// As with package par, builds for the race detector run the functions of a batch on
// goroutines of their own. So it sees what could run at the same time. Package partest
// asks for that in other builds. In a bubble of [testing/synctest] all runs on the
// caller's goroutine, but for functions that wait.
package pipe
