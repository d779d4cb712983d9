package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

func TestMain(m *testing.M) { orders.Main(m) }

// TestOrders: whatever the order of its steps, a map loses no write, and a snapshot is
// what it had at one moment. Hashes are such that a few keys are in one node, and two in
// one below.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: &orders.Program{
			Package: "./ctrie",
			Changes: []overlay.Change{{File: "internal/keyhash/keyhash.go",
				Old: "	h := w * x.k1\n	return (h ^ x.k0 ^ h>>43) * golden\n",
				New: "	return w << 58\n"}},
		},
		Faults: faults,
		Short:  orders.Depth{Delays: 2, Walks: 200, Most: 1000},
		Long:   orders.Depth{Delays: 2, Walks: 1000, Most: 6000},
		Find:   orders.Depth{Delays: 2, Walks: 2000, Most: 10000},
	}, scenes)
}

// faults are planted in the protocol.
var faults = []orders.Fault{
	{Name: "two begin a map", Order: "first", Change: in("root", "		m.root.CompareAndSwap(nil, newRoot(newHasher[K](), new(main[K, V])))\n", "		m.root.Store(newRoot(newHasher[K](), new(main[K, V])))\n")},
	{Name: "a node replaces one that was not seen", Order: "add", Change: in("gcas", "	return in.main.CompareAndSwap(old, n) && m.commit(in, n)\n", "	in.main.Store(n)\n	return m.commit(in, n)\n")},
	{Name: "what was decided is committed", Order: "views", Change: in("gcas", "	if n.prev.CompareAndSwap(p, nil) {\n		return true\n	}\n", "	if n.prev.Store(nil); true {\n		return true\n	}\n")},
	{Name: "what is committed is marked", Order: "addIn", Change: in("gcas", "	if !n.prev.CompareAndSwap(p, newMark(p)) && n.prev.Load() == nil {\n", "	if n.prev.Store(newMark(p)); false {\n")},
	{Name: "nobody looks whether a generation is over", Order: "view", Change: in("gcas", "	if m.root.Load().gen != in.gen {\n", "	if false {\n")},
	{Name: "two snapshots begin a generation", Order: "views", Change: in("root", "	if m.root.CompareAndSwap(r, next) {\n", "	if m.root.Store(next); true {\n")},
	{Name: "Clear clears a generation that is over", Order: "gone", Change: in("root", "		if m.root.CompareAndSwap(r, newRoot(r.hasher, new(main[K, V]))) {\n", "		if m.root.Store(newRoot(r.hasher, new(main[K, V]))); true {\n")},
	{Name: "who begins late takes away what was written", Order: "addIn", Change: in("root", "		r.main.CompareAndSwap(nil, n)\n", "		r.main.Store(n)\n")},
	{Name: "a snapshot is taken before the generation is over", Order: "view", Change: in("root", "	next := &root[K, V]{hasher: r.hasher}\n", "	if n := m.settled(&r.inode); n != nil {\n		return View[K, V]{n, r.hasher}\n	}\n	next := &root[K, V]{hasher: r.hasher}\n")},
}

// in is a change of a file of the package.
func in(file, old, new string) overlay.Change {
	return overlay.Change{File: "ctrie/" + file + ".go", Old: old, New: new}
}
