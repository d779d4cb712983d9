package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

func TestMain(m *testing.M) { orders.Main(m) }

// TestOrders: whatever the order of its steps, a queue gives each value that was sent
// to one receiver, in order, and leaves none waiting.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: &orders.Program{
			Package: "./queue",
			// A thread that waits for a lock soon waits in line, and lets others go on meanwhile.
			Changes: []overlay.Change{
				{File: "internal/wait/backoff.go", Old: "	var x atomic.Uint32\n	for range n {\n		x.Load()\n	}\n", New: "	shim_.Pause(n)\n"},
				{File: "internal/wait/backoff.go", Old: "const Tries = 32", New: "const Tries = 1"},
			},
		},
		Faults: faults,
		Short:  orders.Depth{Delays: 1, Walks: 100, Most: 1000},
		Long:   orders.Depth{Delays: 2, Walks: 1000, Most: 6000},
		Find:   orders.Depth{Delays: 2, Walks: 2000, Most: 10000},
	}, scenes)
}

// faults are planted in the protocol.
var faults = []orders.Fault{
	{Name: "Readable looks before it marks", Order: "mpmcSelect", Change: overlay.Change{File: "queue/bell.go",
		Old: "	q.head.mark(retell, &q.readable)\n	q.tail.mark(watched, &q.readable)\n	q.tellReadable()", New: "	q.tellReadable()\n	q.head.mark(retell, &q.readable)\n	q.tail.mark(watched, &q.readable)"}},
	{Name: "Writable looks before it marks", Order: "mpmcSelect", Change: overlay.Change{File: "queue/bell.go",
		Old: "	q.tail.mark(retell, &q.writable)\n	q.head.mark(watched, &q.writable)\n	q.writable.look()\n	if w := q.tail.word.Load(); w&closed != 0 || w&^flags-q.head.count() != q.size {\n		q.writable.ring()\n	}\n",
		New: "	q.writable.look()\n	if w := q.tail.word.Load(); w&closed != 0 || w&^flags-q.head.count() != q.size {\n		q.writable.ring()\n	}\n	q.tail.mark(retell, &q.writable)\n	q.head.mark(watched, &q.writable)\n"}},
}
