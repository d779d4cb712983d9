package stress

import (
	"fmt"
	"strings"
)

// A Ledger holds what producers gave away and consumers got, to compare in the
// end. Its producers and consumers may work at the same time, each of them in
// one goroutine at a time.
type Ledger struct {
	Producers []Producer
	Consumers []Consumer
}

// A Producer makes values and notes which of them it gave away. A value tells
// its producer and its place among the producer's.
type Producer struct {
	id   uint64
	sent []bool // by place; false: given up
}

// A Consumer notes the values it gets, in their order.
type Consumer struct {
	got []uint64
}

// NewLedger returns a Ledger for that many producers and consumers.
func NewLedger(producers, consumers int) *Ledger {
	l := &Ledger{make([]Producer, producers), make([]Consumer, consumers)}
	for i := range l.Producers {
		l.Producers[i].id = uint64(i)
	}
	return l
}

// Next returns a new value. It counts as given up until Sent says otherwise.
func (p *Producer) Next() uint64 {
	p.sent = append(p.sent, false)
	return p.id<<32 | uint64(len(p.sent)-1)
}

// Sent notes that v was given away.
func (p *Producer) Sent(v uint64) { p.sent[uint32(v)] = true }

// Got notes that the consumer got v.
func (c *Consumer) Got(v uint64) { c.got = append(c.got, v) }

// Count returns how many values were given away, were given up, and arrived.
func (l *Ledger) Count() (sent, dropped, got int) {
	for _, p := range l.Producers {
		for _, s := range p.sent {
			if s {
				sent++
			} else {
				dropped++
			}
		}
	}
	for _, c := range l.Consumers {
		got += len(c.got)
	}
	return sent, dropped, got
}

// Verify returns nil if each value that was given away arrived once, no other
// value did, and each consumer got those of one producer in their order.
// All must have stopped.
func (l *Ledger) Verify() error {
	var wrong report
	times := make([][]int, len(l.Producers))
	for i, p := range l.Producers {
		times[i] = make([]int, len(p.sent))
	}
	for i, c := range l.Consumers {
		last := make(map[uint64]uint64)
		for _, v := range c.got {
			p, n := v>>32, v&(1<<32-1)
			if p >= uint64(len(times)) || n >= uint64(len(times[p])) {
				wrong.add("consumer %d got %#x, which nobody made", i, v)
				continue
			}
			times[p][n]++
			if before, ok := last[p]; ok && n <= before {
				wrong.add("consumer %d got value %d of producer %d after value %d", i, n, p, before)
			}
			last[p] = n
		}
	}
	for i, p := range l.Producers {
		for n, sent := range p.sent {
			switch got := times[i][n]; {
			case sent && got == 0:
				wrong.add("value %d of producer %d was sent and did not arrive", n, i)
			case sent && got > 1:
				wrong.add("value %d of producer %d arrived %d times", n, i, got)
			case !sent && got > 0:
				wrong.add("value %d of producer %d was not sent and arrived", n, i)
			}
		}
	}
	return wrong.err()
}

// A report has the first lines of what is wrong, and how many there were.
type report struct {
	lines []string
	n     int
}

func (r *report) add(format string, args ...any) {
	if r.n++; r.n <= 10 {
		r.lines = append(r.lines, fmt.Sprintf(format, args...))
	}
}

func (r *report) err() error {
	if r.n == 0 {
		return nil
	}
	return fmt.Errorf("%d times wrong, of which the first:\n%s", r.n, strings.Join(r.lines, "\n"))
}
