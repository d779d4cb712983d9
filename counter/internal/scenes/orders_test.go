package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

func TestMain(m *testing.M) { orders.Main(m) }

// TestOrders: whatever the order of its steps, a number loses nothing while it is spread
// and taken from, and counts nothing twice. Each collision spreads it.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: &orders.Program{
			Package: "./counter",
			Changes: []overlay.Change{in("return rand.Uint32N(odds) == 0 }", "return true }")},
		},
		Faults: faults,
		Short:  orders.Depth{Delays: 2, Walks: 300, Most: 2000},
		Long:   orders.Depth{Delays: 2, Walks: 1000, Most: 6000},
		Find:   orders.Depth{Delays: 2, Walks: 2000, Most: 10000},
	}, scenes)
}

// faults are planted in the protocol.
var faults = []orders.Fault{
	{Name: "a table replaces one that was not seen", Order: "adds", Change: in("	c.table.CompareAndSwap(old, newTable(", "	c.table.Store(newTable(")},
	{Name: "what comes while one takes is lost", Order: "takes", Change: in("	return n.Swap(0)\n", "	v := n.Load()\n	n.Store(0)\n	return v\n")},
	{Name: "two take the same", Order: "take2", Change: in("	return n.Swap(0)\n", "	v := n.Load()\n	n.Add(-v)\n	return v\n")},
	{Name: "two adds are one", Order: "adds", Change: in("		if c.base.Add(n) == before+n {", "		if c.base.Store(before + n); true {")},
	{Name: "two adds to a table are one", Order: "adds", Change: in("	if s.n.Add(n) != before+n {", "	if s.n.Store(before + n); false {")},
	{Name: "who meets another in base adds again", Order: "adds", Change: in("		c.collidedInBase()\n		return\n", "		c.collidedInBase()\n		c.Add(n)\n		return\n")},
}

// in is a change of the package.
func in(old, new string) overlay.Change {
	return overlay.Change{File: "counter/counter.go", Old: old, New: new}
}
