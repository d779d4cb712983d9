// Package jetstream compares a stage of a pipe that runs behind NATS JetStream with what
// one would write without it.
//
// # What is compared
//
//   - byhand: a worker as nats.go's documentation has it: publishing without waiting, with
//     a bound, Consume, an acknowledgement when the result is stored. It is the base.
//   - watermill: github.com/ThreeDotsLabs/watermill v1.5.1 with the publisher and subscriber
//     of watermill-nats v2.1.3 and JetStream: a Router with a handler for each stage, as
//     https://watermill.io/pubsubs/nats has it. Publish waits until the server has the
//     message, so 64 goroutines publish and each stage has 64 subscribers, where the
//     documentation has 4. Fewer were slower.
//   - payoff: ours, nothing set.
//
// # How
//
// An operation is an item of a kilobyte that goes through one, two or four stages, each of
// which returns it as it is. The server, which stores in files, and all clients are in this
// process: a figure is what an item takes of the machine. Lone is an item that goes through
// one stage while no other does.
//
//	go test -run '^$' -bench . ./jetstream
//
// # What favours us
//
// Ours puts many short items into one message. The others could, with an envelope of
// their own.
//
// # What favours others
//
// They give no order, and forget which item an error was of.
package jetstream
