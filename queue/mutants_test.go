package queue_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of this package find what is wrong in it.
func TestMutants(t *testing.T) {
	// Faults that only one order of many shows are the model's.
	stress.Mutants(t, []stress.Mutant{
		{Name: "SPSC publishes before it writes", File: "spsc.go",
			Old: "q.ring.buf[p] = v\n\t\tif q.tail.CompareAndSwap(t, t+step) {",
			New: "if q.tail.CompareAndSwap(t, t+step) {\n\t\t\twait.Backoff(9) // yields\n\t\t\tq.ring.buf[p] = v"},
		{Name: "shared publishes before it writes", File: "shared.go",
			Old: "q.ring.buf[p] = v\n\t\t\tif p++; p == len(q.ring.buf) {\n\t\t\t\tp = 0\n\t\t\t}\n\t\t\te.slot = p\n\t\t\te.word.Store(w + step)\n",
			New: "e.word.Store(w + step)\n\t\t\twait.Backoff(9) // yields\n\t\t\tq.ring.buf[p] = v\n\t\t\tif p++; p == len(q.ring.buf) {\n\t\t\t\tp = 0\n\t\t\t}\n\t\t\te.slot = p\n"},
		{Name: "SPSC's receiver does not wake the sender", File: "spsc.go",
			Old: "signal(q.room)\n\t\t}\n\t\tif w&watched",
			New: "}\n\t\tif w&watched"},
		{Name: "SPSC's sender does not wake the receiver", File: "spsc.go",
			Old: "if w&waiting != 0 && len(q.items) == 0 {\n\t\t\tq.poke()\n\t\t}\n\t\tif w&watched",
			New: "if w&watched"},
		{Name: "SPSC's Close does not wake the sender", File: "spsc.go",
			Old: "\tsignal(q.room)\n\tsignal(q.readable)",
			New: "\tsignal(q.readable)"},
		{Name: "SPSC's receiver forgets items", File: "spsc.go",
			Old: "if q.asked || len(q.items) > 0 {",
			New: "if false {"},
		{Name: "a single receiver keeps values alive", File: "receiver.go",
			Old: "if q.pointers {\n\t\t\tvar zero T",
			New: "if false {\n\t\t\tvar zero T"},
		{Name: "batches keep values alive", File: "receiver.go",
			Old: "\tif q.pointers {\n\t\tclearSlots",
			New: "\tif false {\n\t\tclearSlots"},
		{Name: "many receivers keep values alive", File: "mpmc.go",
			Old: "if q.pointers {\n\t\t\t\tvar zero T",
			New: "if false {\n\t\t\t\tvar zero T"},
		{Name: "receivers do not wake senders", File: "shared.go",
			Old: "\t\ts.Wake()\n\t}\n\tif w&watched != 0 {\n\t\tsignal(q.writable)",
			New: "\t}\n\tif w&watched != 0 {\n\t\tsignal(q.writable)"},
		{Name: "senders drop the duty", File: "shared.go",
			Old: "if duty {\n\t\tq.seeToSenders()\n\t}",
			New: ""},
		{Name: "receivers drop the duty", File: "mpmc.go",
			Old: "if duty {\n\t\tq.seeToReceivers()\n\t}",
			New: ""},
		{Name: "Close does not wake receivers", File: "shared.go",
			Old: "\tfor _, r := range receivers {\n\t\tr.Wake()\n\t}\n\tfor _, s := range senders",
			New: "\tfor _, s := range senders"},
		{Name: "one slot too many", File: "shared.go",
			Old: "q.tail.edge = q.size",
			New: "q.tail.edge = q.size + step"},
		{Name: "a sender sleeps on with room", File: "ring.go",
			Old: "uint64(more-grain+2) * step",
			New: "uint64(more-grain+3) * step"},
	}, "-short", "-skip=Model")
}
