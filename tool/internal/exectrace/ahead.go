package exectrace

import (
	"fmt"

	"golang.org/x/exp/trace"
)

// Decoding the events of a trace takes about as long as following them. The two are
// done by a goroutine each, and batches of events go from one to the other: a batch is
// large enough for the hand-over to cost nothing, and few of them are under way.
const (
	batchLen = 128
	batches  = 4
)

// run decodes in and hands its events to step, the engine's. It returns how many in
// had.
//
// The decoder alone numbers sites meanwhile: the engine knows them by their numbers.
// Where step panics, which only a damaged trace makes it do, the decoder goes on to the
// end, for nothing.
func (d *decoder) run(in *counter, step func(*event)) (events int64, err error) {
	full, free := make(chan []event, batches), make(chan []event, batches)
	for range batches {
		free <- make([]event, 0, batchLen)
	}
	go func() {
		defer close(full)
		b := <-free
		next := func() *event {
			if len(b) == batchLen {
				full <- b
				b = (<-free)[:0]
			}
			b = b[:len(b)+1]
			return &b[len(b)-1]
		}
		events, err = decode(in, func(x *trace.Event) {
			if !d.event(x, next()) {
				b = b[:len(b)-1]
			}
		})
		d.end(next())
		full <- b
	}()
	stepped := func() (steps int64, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = damaged(steps, p)
			}
		}()
		for b := range full {
			for i := range b {
				step(&b[i])
				steps++
			}
			free <- b
		}
		return steps, nil
	}
	steps, wrong := stepped()
	for b := range full {
		free <- b
	}
	if wrong != nil {
		return steps, wrong
	}
	return events, err
}

// damaged is the error of a trace that neither its decoder nor the engine can follow:
// both trust what it says here and there.
func damaged(events int64, p any) error {
	return &damage{fmt.Sprintf("trace is damaged after %d events: %s: record it again", events, firstLine(fmt.Sprint(p)))}
}
