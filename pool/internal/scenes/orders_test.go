package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// changed are changes that make the rare common, and what is outside of the machine is not
// asked: a thread that waits for a lock soon waits in line, and lets others go on meanwhile.
var changed = []overlay.Change{
	{File: "internal/wait/backoff.go", Old: "	var x atomic.Uint32\n	for range n {\n		x.Load()\n	}\n", New: "	shim_.Pause(n)\n"},
	{File: "internal/wait/backoff.go", Old: "const Tries = 32", New: "const Tries = 1"},
	{File: "internal/help/host.go", Old: "Used:   cpuTime,", New: ""},
	{File: "internal/help/host.go", Old: "Preempted: preempted,", New: ""},
	// It tells how many workers it believes to have.
	{File: "pool/pool.go", Old: "func (p *Pool[In, Out]) failed(", New: "func (p *Pool[In, Out]) Live() int { return p.crew.live }\n\nfunc (p *Pool[In, Out]) failed("},
}

func TestMain(m *testing.M) { orders.Main(m) }

// TestOrders: whatever the order of its steps, a pool does each task once, tells how it
// ended, and leaves none waiting, nor any worker behind.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: &orders.Program{Package: "./pool", Changes: changed, Procs: 2}, Faults: faults,
		Short: orders.Depth{Delays: 1, Walks: 50, Most: 400},
		Long:  orders.Depth{Delays: 2, Walks: 1000, Most: 6000},
		Find:  orders.Depth{Delays: 2, Walks: 600, Most: 3000},
	}, scenes)
}

// faults are planted in the protocol.
var faults = []orders.Fault{
	{Name: "Close does not wait for a task that waits for others", Order: "within", Change: overlay.Change{File: "pool/crew.go",
		Old: "	for c.active > 0 || c.lent > 0 || c.waiting() > 0 {", New: "	for c.active > 0 || c.waiting() > 0 {"},
		Depth: orders.Depth{Delays: 2, Walks: 6000, Most: 12000}},
	{Name: "the last worker does not wake Close", Order: "submit", Change: overlay.Change{File: "pool/worker.go",
		Old: "	c.rested()\n	if surplus", New: "	if surplus"}},
	{Name: "a worker that parks does not look again", Order: "submit", Change: overlay.Change{File: "pool/worker.go",
		Old: "if !surplus && c.coming == 0 && c.waiting() > 0 {", New: "if false {"}},
	{Name: "a worker that parks looks before it tells", Order: "submit", Change: overlay.Change{File: "pool/worker.go",
		Old: "	c.tell()\n	if !surplus && c.coming == 0 && c.waiting() > 0 {", New: "	n := c.waiting()\n	c.tell()\n	if !surplus && c.coming == 0 && n > 0 {"}},
	{Name: "parked workers stay when the pool closes", Order: "submit", Change: overlay.Change{File: "pool/crew.go",
		Old: "	c.dismiss()\n}\n\n// dismiss", New: "	c.mu.Unlock()\n}\n\n// dismiss"}},
	{Name: "Wait of a batch looks before it says so", Order: "batch", Change: overlay.Change{File: "pool/batch.go",
		Old: "			b.wanted.Store(n)\n			if int64(b.ended.Load()>>32) >= n {\n				break\n			}\n", New: "			if int64(b.ended.Load()>>32) >= n {\n				break\n			}\n			b.wanted.Store(n)\n"}},
	{Name: "a task of a batch looks for Wait before it counts", Order: "batch", Change: overlay.Change{File: "pool/batch.go",
		Old: "		s.next = uint32(old)\n		if b.ended.CompareAndSwap(old, (old>>32+1)<<32|uint64(at+1)) {\n			if n := b.wanted.Load(); n", New: "		s.next = uint32(old)\n		n := b.wanted.Load()\n		if b.ended.CompareAndSwap(old, (old>>32+1)<<32|uint64(at+1)) {\n			if n"}},
	{Name: "two ends of a batch count as one", Order: "batch", Change: overlay.Change{File: "pool/batch.go",
		Old: "if b.ended.CompareAndSwap(old, (old>>32+1)<<32|uint64(at+1)) {", New: "if b.ended.Store((old>>32+1)<<32 | uint64(at+1)); true {"}},
	{Name: "a result is there after its end", Order: "batch", Change: overlay.Change{File: "pool/batch.go",
		Old: "	s.value, s.err = out, err\n	for {", New: "	defer func() { s.value, s.err = out, err }()\n	for {"}},
	{Name: "results are taken while others end", Order: "results", Change: overlay.Change{File: "pool/batch.go",
		Old: "		for !b.ended.CompareAndSwap(old, old>>32<<32) {\n			old = b.ended.Load()\n		}\n", New: "		b.ended.Store(old >> 32 << 32)\n"}},
	{Name: "a part is taken by two", Order: "all", Change: overlay.Change{File: "pool/slice.go",
		Old: "	from := s.next.Add(part) - part\n", New: "	from := next\n	s.next.Store(next + part)\n"}},
	{Name: "a slice is over before its last task", Order: "all", Change: overlay.Change{File: "pool/slice.go",
		Old: "if s.left.Add(-int64(n)) == 0 {", New: "if s.left.Add(-int64(n)) == 1 {"}},
	{Name: "a slice is in the ring twice, or not at all", Order: "all", Change: overlay.Change{File: "pool/slice.go",
		Old: "	s.queued.Store(false)\n	returned := false\n", New: "	defer s.queued.Store(false)\n	returned := false\n"}},
	{Name: "a task that was withdrawn runs", Order: "withdrawDo", Change: overlay.Change{File: "pool/task.go",
		Old: "	if !p.begins(t) {\n		return 0\n	}\n", New: "	p.begins(t)\n"}},
	{Name: "a task that runs is withdrawn", Order: "withdrawBatch", Change: overlay.Change{File: "pool/batch.go",
		Old: "		if at := int(b.settled); b.claim(at) {\n", New: "		if at := int(b.settled); b.claim(at) || true {\n"}},
	{Name: "a worker and the one that waits claim a task at once", Order: "withdrawBatch", Change: overlay.Change{File: "pool/batch.go",
		Old: "	return b.canceled == nil || b.slot(at).claimed.CompareAndSwap(false, true)\n", New: "	if b.canceled == nil {\n		return true\n	}\n	was := b.slot(at).claimed.Load()\n	b.slot(at).claimed.Store(true)\n	return !was\n"}},
	{Name: "Submit fails for a task that was withdrawn", Order: "withdrawBatch", Change: overlay.Change{File: "pool/batch.go",
		Old: "if err != nil && b.claim(at) {", New: "if err != nil {"}},
	{Name: "parts are withdrawn that others do", Order: "withdrawAll", Change: overlay.Change{File: "pool/slice.go",
		Old: "	for lo, hi := s.take(now); lo < hi; lo, hi = s.take(now) {\n		s.p.crew.withdrawn", New: "	_ = now\n	if lo, hi := int(s.next.Load()), len(s.in); lo < hi {\n		s.p.crew.withdrawn"}},
	{Name: "a group's functions begin beyond its limit", Order: "limit", Change: overlay.Change{File: "pool/group.go",
		Old: "defer func() { <-t.limit }()", New: "<-t.limit"}},
	{Name: "dismissed workers are not counted off", Order: "resize", Change: overlay.Change{File: "pool/crew.go",
		Old: "	c.live += len(out) // release takes them off\n", New: ""}},
}
