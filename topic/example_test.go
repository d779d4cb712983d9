package topic_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/topic"
)

func Example() {
	ix := topic.New[string](topic.NATS)
	for name, pattern := range map[string]string{
		"audit":    "orders.>",
		"shipping": "orders.*.paid",
		"europe":   "orders.eu.*",
	} {
		if _, err := ix.Subscribe(pattern, name); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(slices.Sorted(ix.Match("orders.us.paid")))
	fmt.Println(slices.Sorted(ix.Match("orders.eu.paid")))
	fmt.Println(ix.Has("invoices.eu"))
	// Output:
	// [audit shipping]
	// [audit europe shipping]
	// false
}

func Example_mqtt() {
	ix := topic.New[string](topic.MQTT)
	ix.Subscribe("home/+/temperature", "chart")
	ix.Subscribe("home/#", "log")
	fmt.Println(slices.Sorted(ix.Match("home/kitchen/temperature")))
	fmt.Println(slices.Sorted(ix.Match("home")))
	// Output:
	// [chart log]
	// [log]
}

// A server hands each message to the clients that asked for its subject. Clients
// come and go while messages are published.
func Example_fanOut() {
	s := server{clients: topic.New[*client](topic.NATS)}

	alice, bob := new(client), new(client)
	subA, _ := s.clients.Subscribe("chat.*", alice)
	subB, _ := s.clients.Subscribe("chat.go", bob)

	s.publish("chat.go", "hello")
	subA.Unsubscribe()
	s.publish("chat.go", "anyone?")
	subB.Unsubscribe()
	fmt.Println(s.publish("chat.go", "silence"))

	fmt.Println(alice.got)
	fmt.Println(bob.got)
	// Output:
	// 0
	// [hello]
	// [hello anyone?]
}

type client struct {
	mu  sync.Mutex
	got []string
}

type server struct {
	clients *topic.Index[*client]
	lists   sync.Pool // of *[]*client
}

// publish may be called by any number of goroutines at once. It returns how many
// clients got the message.
func (s *server) publish(subject, message string) int {
	list, _ := s.lists.Get().(*[]*client)
	if list == nil {
		list = new([]*client)
	}
	to := s.clients.AppendMatch((*list)[:0], subject)
	for _, c := range to {
		c.mu.Lock()
		c.got = append(c.got, message)
		c.mu.Unlock()
	}
	n := len(to)
	clear(to) // the pool is to keep no clients
	*list = to
	s.lists.Put(list)
	return n
}

// Of the workers of a group, one gets each job.
func ExampleIndex_SubscribeGroup() {
	ix := topic.New[string](topic.NATS)
	for i := range 3 {
		ix.SubscribeGroup("jobs.resize", "workers", fmt.Sprint("worker ", i))
	}
	ix.Subscribe("jobs.>", "monitor")
	fmt.Println(ix.Count("jobs.resize"))
	// Output: 2
}

func ExampleIndex_Overlaps() {
	ix := topic.New[string](topic.NATS)
	ix.Subscribe("orders.eu.>", "europe")
	ix.Subscribe("invoices.>", "accounting")
	all, err := ix.Overlaps("orders.*.paid")
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range all {
		fmt.Println(s.Value(), "has", s.Pattern())
	}
	// Output: europe has orders.eu.>
}

func ExampleIndex_Snapshot() {
	ix := topic.New[string](topic.NATS)
	sub, _ := ix.Subscribe("a.*", "first")
	before := ix.Snapshot()
	sub.Unsubscribe()
	fmt.Println(ix.Has("a.b"), before.Has("a.b"))
	// Output: false true
}

func ExampleError() {
	ix := topic.New[string](topic.NATS)
	_, err := ix.Subscribe("orders..paid", "x")
	fmt.Println(err)
	var e *topic.Error
	fmt.Println(errors.As(err, &e), e.Token)
	// Output:
	// topic: pattern "orders..paid": token 2 is empty
	// true 2
}

// Workers take turns: one that is near is asked first, and another one where it cannot.
func ExampleIndex_Lookup() {
	type worker struct {
		name  string
		local bool
		full  bool
	}
	ix := topic.New[*worker](topic.NATS)
	for _, w := range []*worker{{"far", false, false}, {"near", true, true}} {
		ix.SubscribeGroup("jobs.*", "workers", w)
	}
	near := func(s *topic.Sub[*worker]) bool { return s.Value().local }
	for group := range ix.Lookup("jobs.resize").Groups() {
		for sub := range group.Prefer(near) {
			fmt.Println("ask", sub.Value().name)
			if !sub.Value().full {
				break
			}
		}
	}
	// Output:
	// ask near
	// ask far
}

// A server keeps the last value of each subject for subscribers that come later.
func ExampleSubjects() {
	retained := topic.NewSubjects[string](topic.MQTT)
	retained.Store("home/kitchen/temperature", "21")
	retained.Store("home/kitchen/light", "on")
	retained.Store("home/hall/temperature", "18")

	match, err := retained.Match("home/+/temperature")
	if err != nil {
		fmt.Println(err)
		return
	}
	for subject, value := range match {
		fmt.Println(subject, value)
	}
	// Output:
	// home/hall/temperature 18
	// home/kitchen/temperature 21
}
