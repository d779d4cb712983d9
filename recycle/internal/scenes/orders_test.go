package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// step is put before each use of a slot, which is none itself: so others may come between
// it and what is done to the lock.
const step = "	atomic.LoadUint32(&s.state)\n"

func TestMain(m *testing.M) { orders.Main(m) }

// TestOrders: whatever the order of its steps, a list gives what was put to one, once,
// and loses neither values nor room.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: &orders.Program{
			Package: "./recycle",
			Changes: []overlay.Change{
				in("freelist", "		v, slots[i] =", step+"		v, slots[i] ="),
				in("freelist", "		slots[n] = v\n", step+"		slots[n] = v\n"),
				in("freelist", "	v, s.slots[n-1] =", step+"	v, s.slots[n-1] ="),
				in("freelist", "	s.slots[n] = v\n", step+"	s.slots[n] = v\n"),
			},
		},
		Faults: faults,
		Short:  orders.Depth{Delays: 2, Walks: 300, Most: 2000},
		Long:   orders.Depth{Delays: 2, Walks: 1000, Most: 6000},
		Find:   orders.Depth{Delays: 2, Walks: 2000, Most: 10000},
	}, scenes)
}

// faults are planted in the protocol.
var faults = []orders.Fault{
	{Name: "Get does not lock", Order: "one", Change: in("freelist",
		"	n := atomic.SwapUint32(&s.state, locked)\n	if i := n - 1;", "	n := atomic.LoadUint32(&s.state)\n	if i := n - 1;")},
	{Name: "Put does not lock", Order: "one", Change: in("freelist",
		"	n := atomic.SwapUint32(&s.state, locked)\n	if n < uint32(len(slots))", "	n := atomic.LoadUint32(&s.state)\n	if n < uint32(len(slots))")},
	{Name: "Get unlocks before it takes", Order: "two", Change: in("freelist",
		step+"		v, slots[i] = slots[i], zero // else the list would keep it alive\n		atomic.StoreUint32(&s.state, i)\n", "		atomic.StoreUint32(&s.state, i)\n"+step+"		v, slots[i] = slots[i], zero\n")},
	{Name: "Put unlocks before it writes", Order: "two", Change: in("freelist",
		step+"		slots[n] = v\n		atomic.StoreUint32(&s.state, n+1)\n", "		atomic.StoreUint32(&s.state, n+1)\n"+step+"		slots[n] = v\n")},
	{Name: "what another locked is unlocked", Order: "one", Change: in("freelist", "	if n != locked {\n", "	if true {\n")},
	{Name: "what is of no use stays locked", Order: "one", Change: in("freelist", "	if n != locked {\n		atomic.StoreUint32(&s.state, n)\n", "	if n != locked {\n")},

	{Name: "get beside does not lock", Order: "stripes", Change: in("freelist",
		"	n := atomic.SwapUint32(&s.state, locked)\n	switch n {\n	case 0:\n", "	n := atomic.LoadUint32(&s.state)\n	switch n {\n	case 0:\n")},
	{Name: "put beside does not lock", Order: "stripes", Change: in("freelist",
		"	n := atomic.SwapUint32(&s.state, locked)\n	switch n {\n	case full:\n", "	n := atomic.LoadUint32(&s.state)\n	switch n {\n	case full:\n")},
	{Name: "get looks, and locks by a store", Order: "stripes", Change: in("freelist",
		"	n := atomic.SwapUint32(&s.state, locked)\n	switch n {\n	case 0:\n", "	n := atomic.LoadUint32(&s.state)\n	atomic.StoreUint32(&s.state, locked)\n	switch n {\n	case 0:\n")},
	{Name: "put looks, and locks by a store", Order: "stripes", Change: in("freelist",
		"	n := atomic.SwapUint32(&s.state, locked)\n	switch n {\n	case full:\n", "	n := atomic.LoadUint32(&s.state)\n	atomic.StoreUint32(&s.state, locked)\n	switch n {\n	case full:\n")},
	{Name: "a stripe emptied meanwhile stays locked", Order: "beside", Change: in("freelist",
		"		atomic.StoreUint32(&s.state, 0)\n", "")},
	{Name: "a stripe filled meanwhile stays locked", Order: "one", Change: in("freelist",
		"		atomic.StoreUint32(&s.state, full)\n", "")},
	{Name: "get beside unlocks before it takes", Order: "beside", Change: in("freelist",
		step+"	v, s.slots[n-1] = s.slots[n-1], zero\n	atomic.StoreUint32(&s.state, n-1)\n", "	atomic.StoreUint32(&s.state, n-1)\n"+step+"	v, s.slots[n-1] = s.slots[n-1], zero\n")},
	{Name: "put beside unlocks before it writes", Order: "stripes", Change: in("freelist",
		step+"	s.slots[n] = v\n	atomic.StoreUint32(&s.state, n+1)\n", "	atomic.StoreUint32(&s.state, n+1)\n"+step+"	s.slots[n] = v\n")},

	{Name: "the bound of a Slices is known before what it clears", Order: "first", Change: in("slices",
		"	p.clears = pointers.In(reflect.TypeFor[T]())\n	atomic.StoreUintptr(&p.tooLong, longest+1)\n", "	atomic.StoreUintptr(&p.tooLong, longest+1)\n	first.Unlock()\n	first.Lock()\n	p.clears = pointers.In(reflect.TypeFor[T]())\n")},
}

// in is a change of a file of the package.
func in(file, old, new string) overlay.Change {
	return overlay.Change{File: "recycle/" + file + ".go", Old: old, New: new}
}
