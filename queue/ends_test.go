package queue_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/queue"
)

var (
	_ queue.Sender[int]   = (*queue.SPSC[int])(nil)
	_ queue.Sender[int]   = (*queue.MPSC[int])(nil)
	_ queue.Sender[int]   = (*queue.MPMC[int])(nil)
	_ queue.Receiver[int] = (*queue.SPSC[int])(nil)
	_ queue.Receiver[int] = (*queue.MPSC[int])(nil)
	_ queue.Receiver[int] = (*queue.MPMC[int])(nil)
)

// What all queues can do is in Sender or Receiver: a method that all three have
// and neither of these is forgotten there.
func TestEndsAreComplete(t *testing.T) {
	sender, receiver := reflect.TypeFor[queue.Sender[int]](), reflect.TypeFor[queue.Receiver[int]]()
	others := []reflect.Type{reflect.TypeFor[*queue.SPSC[int]](), reflect.TypeFor[*queue.MPSC[int]]()}
	for m := range methods(reflect.TypeFor[*queue.MPMC[int]]()) {
		all := m != "StartAt" && m != "Slots" // which are these tests' own
		for _, o := range others {
			_, has := o.MethodByName(m)
			all = all && has
		}
		_, sends := sender.MethodByName(m)
		_, receives := receiver.MethodByName(m)
		if all && !sends && !receives {
			t.Errorf("%s of all three queues is in neither Sender nor Receiver", m)
		}
		if strings.Contains(m, "Recv") && sends || strings.Contains(m, "Send") && receives {
			t.Errorf("%s is in the other end's type", m)
		}
	}
}

func methods(t reflect.Type) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range t.NumMethod() {
			if !yield(t.Method(i).Name) {
				return
			}
		}
	}
}

// A stage takes one end of each queue, as a function takes <-chan and chan<-.
func Example_ends() {
	double := func(in queue.Receiver[int], out queue.Sender[int]) {
		defer in.Close() // if out is closed, nobody is left to send to
		defer out.Close()
		for v := range in.All() {
			if err := out.Send(2 * v); err != nil {
				return
			}
		}
	}

	numbers, doubled := queue.NewSPSC[int](8), queue.NewSPSC[int](8)
	go double(numbers, doubled)
	go func() {
		defer numbers.Close()
		_, _ = numbers.SendAll([]int{1, 2, 3})
	}()
	for v := range doubled.All() {
		fmt.Println(v)
	}
	// Output:
	// 2
	// 4
	// 6
}
