package queue_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// TestMain holds all tests together to leaving no goroutine.
func TestMain(m *testing.M) {
	before := stress.Running()
	code := m.Run()
	if code == 0 {
		if left := before.Left(); left != "" {
			fmt.Printf("the tests leave goroutines:\n\n%s\n", left)
			code = 1
		}
	}
	os.Exit(code)
}

// capacities are the small ones, and those around powers of two.
var capacities = []int{1, 2, 3, 7, 8, 9, 64, 1000, 1024}

// slack returns how many values a queue of that Cap may hold.
func slack(capacity int) int {
	if capacity < 16 {
		return capacity
	}
	return capacity + min(capacity/8, 127)
}

// A wide value shows when a slot is read before it is whole.
type wide struct{ words [25]int64 }

func makeWide(i int) (w wide) {
	for j := range w.words {
		w.words[j] = int64(i)
	}
	return w
}

// sequences is runSequence for each type of element, by a name.
var sequences = []struct {
	name string
	run  func(kind, capacity int, ops []byte) error
}{
	{"struct{}", sequencesOf(func(int) struct{} { return struct{}{} })},
	{"int64", sequencesOf(func(i int) int64 { return int64(i) + 1 })},
	{"string", sequencesOf(func(i int) string { return fmt.Sprint(i) })},
	{"wide", sequencesOf(makeWide)},
	{"*int", sequencesOf(func(i int) *int { return &i })},
	{"any", sequencesOf(func(i int) any {
		switch i % 3 {
		case 0:
			return i
		case 1:
			return fmt.Sprint(i)
		}
		return nil
	})},
}

func sequencesOf[T comparable](value func(i int) T) func(int, int, []byte) error {
	ks := kinds[T]()
	return func(k, capacity int, ops []byte) error {
		q := ks[k].make(capacity)
		if q.Cap() < capacity {
			return fmt.Errorf("%s of %d: Cap() = %d", ks[k].name, capacity, q.Cap())
		}
		if err := runSequence(q, value, ops); err != nil {
			return fmt.Errorf("%s of %d: %w", ks[k].name, capacity, err)
		}
		return nil
	}
}

func TestSequence(t *testing.T) {
	seed := stress.Seed(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	rounds := 8
	if !stress.Long() {
		rounds = 1
	}
	for _, element := range sequences {
		t.Run(element.name, func(t *testing.T) {
			stress.Within(t, time.Minute, element.name, func() {
				for k := range kinds[int]() {
					for _, capacity := range capacities {
						for range rounds {
							ops := make([]byte, 250)
							for i := range ops {
								ops[i] = byte(rnd.Uint32())
							}
							if err := element.run(k, capacity, ops); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
			})
		})
	}
}

// FuzzSequence takes the element type, the kind and the capacity from the
// first three bytes, and calls from the rest.
func FuzzSequence(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 2})
	f.Add([]byte("\x02\x03\x01\x00\x00\x00\x00\x02\x02\x02"))
	f.Add([]byte{3, 1, 4, 9, 255, 13, 255, 0, 14, 255, 255, 13, 255, 128, 15, 0, 5, 5, 7})
	f.Add([]byte{4, 2, 8, 9, 200, 11, 100, 9, 255, 12, 90, 15, 1, 6, 4, 11, 255, 3})
	f.Add([]byte{0, 3, 7, 9, 255, 0, 0, 0, 0, 11, 255, 15, 100, 10, 255, 15, 0, 12, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 3 || len(b) > 1000 {
			return
		}
		element := sequences[int(b[0])%len(sequences)]
		k := int(b[1]) % len(kinds[int]())
		capacity := capacities[int(b[2])%len(capacities)]
		if err := element.run(k, capacity, b[3:]); err != nil {
			t.Errorf("elements %s: %v", element.name, err)
		}
	})
}

// A queue that breaks a promise is caught.
func TestSequenceFails(t *testing.T) {
	for _, broken := range []struct {
		name string
		q    ring[int]
		ops  []byte
	}{
		{"swaps values", &swapping{ring: newOracle[int](8)}, []byte{0, 0, 0, 2, 2}},
		{"says ErrFull early", &early{newOracle[int](8)}, make([]byte, 9)},
		{"has too much room", &early{newOracle[int](11)}, make([]byte, 11)},
		{"takes values after Close", &open{newOracle[int](8)}, []byte{15, 0, 0}},
	} {
		if err := runSequence(broken.q, func(i int) int { return i }, broken.ops); err == nil {
			t.Errorf("a queue that %s passes", broken.name)
		}
	}
}

// swapping gives a value that came by TryRecv second after the next.
type swapping struct {
	ring[int]
	n int
}

func (s *swapping) TryRecv() (int, error) {
	v, err := s.ring.TryRecv()
	if s.n++; err == nil && s.n == 2 {
		if w, err := s.ring.TryRecv(); err == nil {
			return w, nil
		}
	}
	return v, err
}

// early says that it has room for 9.
type early struct{ *oracle[int] }

func (e *early) Cap() int { return 9 }

// open says that it takes values after Close.
type open struct{ *oracle[int] }

func (o *open) TrySend(v int) error {
	if err := o.oracle.TrySend(v); err != queue.ErrClosed {
		return err
	}
	return nil
}
