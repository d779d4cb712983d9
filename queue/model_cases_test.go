package queue_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

func unread(s *ringState) uint8 { return uint8(bits.OnesCount8(s.sent &^ s.got)) }

func spscModel(values uint8, sends, recvs []op) ringModel {
	return ringModel{senders: 1, receivers: 1, values: values, sends: sends, recvs: recvs, single: true, alone: true}
}

func mpscModel(senders, values uint8, sends, recvs []op) ringModel {
	return ringModel{senders: senders, receivers: 1, values: values, sends: sends, recvs: recvs, single: true}
}

func mpmcModel(senders, receivers, values uint8, sends, recvs []op) ringModel {
	return ringModel{senders: senders, receivers: receivers, values: values, sends: sends, recvs: recvs}
}

// roomy gives m a ring of two.
func roomy(m ringModel) ringModel {
	m.capacity = 2
	return m
}

// twoProcs gives m a second processor.
func twoProcs(m ringModel) ringModel {
	m.width = 2
	return m
}

func TestModel(t *testing.T) {
	if stress.Race {
		t.Skip("the model is one goroutine's")
	}
	one, two := []op{plain}, []op{plain, quit}
	for _, c := range []struct {
		name string
		m    ringModel
		big  bool // too big for every run, and, weak, for any
	}{
		{"SPSC", spscModel(4, one, two), false},
		{"SPSC, try", spscModel(3, []op{plain, try}, []op{plain, try}), false},
		{"SPSC, cancel", spscModel(3, []op{plain, ctx}, []op{plain, ctx, try}), false},
		{"SPSC, batch", spscModel(4, []op{plain, batch}, []op{plain, ctx, batch}), false},
		{"SPSC, select", spscModel(2, []op{plain, sel}, []op{plain, sel}), false},
		{"MPSC", mpscModel(2, 2, one, one), false},
		{"MPSC, cancel", mpscModel(2, 1, []op{plain, ctx}, []op{plain, ctx, try}), false},
		{"MPSC, 3 senders", mpscModel(3, 1, one, one), false},
		{"MPSC, 3 senders, cancel", mpscModel(3, 1, []op{ctx}, two), false},
		{"MPSC, batch", mpscModel(2, 2, []op{batch}, []op{batch, quit}), false},
		{"MPSC, select", mpscModel(2, 1, []op{plain, sel}, []op{plain, sel}), true},
		{"MPMC", mpmcModel(2, 2, 2, one, one), false},
		{"MPMC, try", mpmcModel(2, 2, 1, []op{plain, try}, []op{plain, try}), false},
		{"MPMC, try, 1 sender", mpmcModel(1, 2, 3, []op{plain, try}, []op{plain, try}), false},
		{"MPMC, cancel", mpmcModel(2, 2, 1, []op{ctx}, []op{ctx}), false},
		{"MPMC, batch", mpmcModel(2, 2, 2, []op{batch}, []op{batch}), false},
		{"MPMC, writable", mpmcModel(2, 2, 1, []op{sel}, two), true},
		{"MPMC, readable", mpmcModel(2, 2, 1, one, []op{sel}), true},
		{"MPMC, 3 senders", mpmcModel(3, 1, 1, one, one), false},
		{"MPMC, 3 receivers", mpmcModel(1, 3, 3, one, one), true},
		{"MPMC, 3 receivers, cancel", mpmcModel(1, 3, 2, one, []op{ctx}), true},
	} {
		for i, s := range []struct{ capacity, lag, grain, width uint8 }{{1, 1, 1, 1}, {2, 1, 1, 2}, {1, 1, 1, 1}, {2, 2, 1, 1}, {1, 2, 2, 2}} {
			m := c.m
			m.capacity, m.lag, m.grain, m.width, m.close = s.capacity, s.lag, s.grain, s.width, true
			m.weak = i == 0
			switch {
			case !m.single && s.grain > 1, c.big && (m.weak || !stress.Long()):
				continue
			case !stress.Long() && (i > 1 || m.weak && m.senders+m.receivers > 2):
				continue
			}
			if m.weak || !stress.Long() {
				m.values = 1
				if m.senders == 1 && m.sends[len(m.sends)-1] != sel {
					m.values = 2
				}
			}
			t.Run(fmt.Sprintf("%s/capacity=%d/lag=%d/grain=%d/width=%d/weak=%t", c.name, s.capacity, s.lag, s.grain, s.width, m.weak), func(t *testing.T) {
				t.Parallel()
				holds(t, &m)
			})
		}
	}
}

// What the model has to find if the code did it otherwise.
func TestModelFails(t *testing.T) {
	if stress.Race {
		t.Skip("the model is one goroutine's")
	}
	one, two := []op{plain}, []op{plain, quit}
	for _, c := range []struct {
		plant string
		m     ringModel
		close bool
	}{
		// A sender alone.
		{"publishes before it writes", spscModel(2, one, one), false},
		{"slot keeps value", spscModel(2, one, one), false},
		{"claims without looking", spscModel(2, one, []op{ctx}), true},
		{"batch wakes nobody", spscModel(2, []op{batch}, one), false},
		// A single receiver.
		{"blind flag", spscModel(2, one, one), false},
		{"gives up without looking", spscModel(2, one, []op{ctx}), false},
		{"serves nobody", spscModel(3, one, one), false},
		// Many.
		{"sender parks without looking", mpmcModel(1, 1, 2, one, one), false},
		{"receiver parks without looking", mpmcModel(1, 1, 1, one, []op{ctx}), false},
		{"serves without looking again", twoProcs(mpmcModel(3, 1, 1, one, one)), false},
		{"served sender is not told", mpscModel(1, 3, one, one), false},
		{"serves before head is published", mpscModel(2, 2, one, one), false},
		{"canceled sender forgets that it sent", mpscModel(2, 1, []op{ctx}, one), false},
		{"sender drops the duty", mpmcModel(3, 1, 1, one, one), false},
		{"stocked is cleared late", roomy(mpmcModel(1, 1, 3, one, one)), false},
		{"parks without looking at tail", mpmcModel(1, 1, 1, one, one), false},
		{"parks on an old tail", mpmcModel(1, 1, 1, one, one), false},
		{"the duty wakes nobody", mpmcModel(1, 3, 3, one, one), false},
		{"receiver drops the duty", mpmcModel(2, 2, 1, one, one), false},
		{"parks with the duty", mpmcModel(1, 3, 3, one, one), false},
		{"canceled sender swallows", mpmcModel(3, 1, 1, []op{ctx}, one), false},
		{"canceled receiver swallows", mpmcModel(2, 2, 1, one, []op{ctx}), false},
		{"canceled receiver drops value", mpmcModel(1, 2, 1, one, []op{ctx}), false},
		// Close.
		{"Close wakes no sender", mpmcModel(1, 1, 2, one, two), true},
		{"Close wakes no receiver", mpmcModel(1, 1, 1, one, one), true},
		{"Close tells no sender", mpmcModel(1, 1, 2, []op{sel}, two), true},
		{"Close tells no receiver", mpmcModel(1, 1, 1, one, []op{sel}), true},
		// Bells.
		{"closed not told", mpmcModel(2, 1, 1, []op{sel}, two), true},
		{"end not told", mpmcModel(1, 2, 1, one, []op{sel}), true},
		{"no retell", mpmcModel(1, 2, 2, one, []op{sel}), false},
		{"rings without reading looks", spscModel(2, one, []op{sel}), false},
		{"looks uncounted", spscModel(2, one, []op{sel}), false},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			m := c.m
			big := m.receivers == 3
			m.capacity, m.lag, m.grain, m.width, m.close, m.weak = max(1, m.capacity), 1, 1, max(1, m.width), c.close, !big
			if stress.Long() { // so that nothing else is found
				holds(t, &m)
			}
			m.plant = c.plant
			fails(t, &m)
		})
	}
}
