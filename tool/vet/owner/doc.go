// Package owner finds goroutines that own data and answer requests one by one.
//
// Wrong, where an answer takes little:
//
//	func (t *table) serve() {
//		names := map[string]int{}
//		for r := range t.requests {
//			names[r.name]++
//			r.reply <- names[r.name]
//		}
//	}
//
//	func (t *table) count(name string) int {
//		r := request{name: name, reply: make(chan int)}
//		t.requests <- r
//		return <-r.reply
//	}
//
// Right: what asks does it itself, under a lock:
//
//	func (t *table) serve(r request) int {
//		t.mu.Lock()
//		defer t.mu.Unlock()
//		t.names[r.name]++
//		return t.names[r.name]
//	}
//
//	func (t *table) count(name string) int {
//		return t.serve(request{name: name})
//	}
//
// A request takes two hand-overs and a channel for the answer, and what asks waits for the
// goroutine (see the catalogue's handoff). A lock that is free takes some nanoseconds. Both
// do one thing at a time.
//
// # Evidence
//
// A benchmark that loses to handoff or select where requests are sent, or where the
// goroutine answers them.
//
// # What is not found
//
// Goroutines that receive from a variable, or from a field of a generic type. Requests that
// are functions themselves.
//
// # Edits
//
//   - mutex: the channel becomes a lock. The loop becomes a method that what asks calls. Its
//     variables become fields.
//
// The goroutine may range over a channel, or select from several and from one that tells it
// to stop. Each channel of requests becomes a method, and a request without an answer is a
// call as well. What asks may give up where the goroutine is to stop, or has ended. Then the
// method looks for that under the lock, and says so. Where the channel of requests is closed,
// a field says so, and to ask or to close again panics as before. What waits for the goroutine
// to end, right after it was told to, waits for the lock.
//
// A channel for answers is made for each, or kept for many. It goes if nothing but requests
// and their answers use it. The answer may be waited for later than at once. Where not all
// ways through the code answer, that each request gets one answer is a condition.
//
// The edit is refused where a request waits, takes a lock, starts goroutines or ends one. So
// it is where answers come from elsewhere as well. What asks may not have another reason to
// give up, as a context. One place has to make the struct and start the goroutine, before
// others know the struct. Nothing may copy it, or do more with the channels, as look at their
// length.
//
// A panic ends the program in the goroutine, and a caller may recover from it where it asks.
// So the edit is refused where a request may panic and the package recovers. So it is where
// the package closes the channel and recovers: the panic has the text and not the type of the
// one before. Otherwise that no request panics is a condition. That a function of a request does not wait or ask again is one as
// well. If nothing tells what asks that the goroutine has stopped, it would wait for ever:
// that nothing asks then is a condition, too. Others may make a value of the struct without
// its constructor. What asks that has nothing to wait for, and with the edit it gets answers.
//
// It is wrong to obey where answers take long: a lock that is held for long is no better.
package owner

const doc = "find goroutines that own data and answer requests one by one\n\nA lock costs less than the two hand-overs of a request."
