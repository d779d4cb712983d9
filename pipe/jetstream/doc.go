// Package jetstream has a stage of a pipeline run in other processes, on other
// machines where there are any, over NATS with JetStream.
//
// A stage's function runs at least once for each item: again where a process died in
// it, or before its result was stored. So it must stand being repeated. Its result
// comes out of the pipe once.
//
//	var Resize = jetstream.Stage[Photo, Photo]{Name: "resize"}
//
//	// In as many processes as there are to be:
//	err := Resize.Serve(ctx, nc, resize)
//
//	// In the one that has the pipeline:
//	far, err := Resize.Dial(ctx, nc)
//	defer far.Close()
//	for p, err := range far.Map(pipe.Slice(photos)).All(ctx) {
//
// # What it keeps of a stage here
//
// [Remote.Map] is [pipe.MapContext] with a function that sends its item away and waits
// for the answer. So all that is said of that holds:
//
//   - Order: results come in the order of the items, but for Unordered. Functions run in
//     no order, as they do here: there is none for the items of a key.
//   - Errors: the sink returns a [*pipe.Error] with stage and item. In it is an [*Error]
//     with the text of what the function returned. errors.Is does not find that error,
//     since only its text travels. Retry, RetryBy and OnError work as they do here.
//   - Panics: a panic there is one here, a [*pipe.Panic], with the value's text and the
//     stack of the other process. runtime.Goexit is an error.
//   - The end of the context, or of the loop over results: nothing more is sent. What has
//     begun there runs to its end, and its result is lost. Close takes the rest back.
//   - Back-pressure and memory: at most 1,024 items of a run are away at once, or what
//     AtMost says. A pipe whose results are not taken sends no more.
//
// # What becomes of an item where processes die
//
//   - An item that was sent is on the server's disk. It leaves when its result is there.
//   - A process that dies in it, or is cut off, has it no more after AckWait. A process
//     that lives says three times in AckWait that it is at work, however long it takes.
//   - Messages hold many items. The second process to get one cuts it into its items, so
//     that what kills its process does so alone. After Deliveries of them it is in the
//     stream of dead letters, and its answer is [ErrPoison].
//   - Where the process with the pipeline dies, its items are worked on, and no process asks for
//     the results, which go after an hour. A pipeline that must go on has its source
//     there too, and says what it has done.
//   - A result that was stored twice comes out once, and [Stats] count it. The server
//     finds what was sent again within [Window]; later the pipe does.
//
// # When it pays
//
// A hop costs processor time on this side: some microseconds for an item of a kilobyte.
// A lone item waits for two passages through the server and their acknowledgements. [Remote.Stats] has
// what it costs and what the functions take, and [Stats.Verdict] says whether that pays.
// Stages that follow each other are one hop less apart with [Then].
//
// # Names on the server
//
// A stage "resize" has the streams pipe-resize and pipe-resize-dead, with subjects below
// pipe.resize. Items above half of the server's
// largest message go through an object store pipe-resize. Dial and Serve make them where
// they are not there.
package jetstream
