package exectrace

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gopayoff/payoff/internal/stress"
)

func TestNotATrace(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "trace is empty"},
		{"pprof", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff and so on", "profile of pprof"},
		{"text", "BenchmarkX 1 2 ns/op, and more of the same\n", "not an execution trace"},
		{"short text", "x", "not an execution trace"},
		{"cut header", "go 1.26 tr", "cut off in its header"},
		{"header only", "go 1.26 trace\x00\x00\x00", "no events"},
		{"header only, 1.22", "go 1.22 trace\x00\x00\x00", "record it again"},
		{"old", "go 1.21 trace\x00\x00\x00 and so on", "Go 1.21"},
		{"future", "go 1.99 trace\x00\x00\x00 and so on", "not understood"},
	} {
		f, err := Read(strings.NewReader(c.in), Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want one with %q", c.name, err, c.want)
		}
		if f == nil || !f.Damaged {
			t.Errorf("%s: Facts = %+v, want Damaged", c.name, f)
		}
	}
}

// TestReaderFails: what the reader says is no damage of the trace.
func TestReaderFails(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, n := range []int64{0, 100, 3000} {
		in := io.MultiReader(io.LimitReader(bytes.NewReader(recorded(t, "mix.go1.27.3")), n), iotest.ErrReader(broken))
		f, err := Read(in, Options{})
		if !errors.Is(err, broken) || f == nil || f.Damaged {
			t.Errorf("after %d bytes: error = %v, Facts = %+v, want %v and no damage", n, err, f, broken)
		}
	}
}

// TestTruncated cuts a trace at every byte.
func TestTruncated(t *testing.T) {
	for _, name := range []string{"mix.go1.27.3", "mix.go1.25.4"} {
		whole := recorded(t, name)
		all := mustRead(t, name)
		step := 1
		if !stress.Long() {
			step = 17
		}
		ok := 0
		for n := 0; n < len(whole); n += step {
			f, err := Read(bytes.NewReader(whole[:n]), Options{})
			checkDamaged(t, f, err)
			if err == nil {
				ok++
			}
			if f.Events > all.Events || f.Bytes > int64(n) {
				t.Fatalf("%s cut at %d: %d events of %d bytes, more than there are", name, n, f.Events, f.Bytes)
			}
			if t.Failed() {
				t.Fatalf("%s cut at %d of %d", name, n, len(whole))
			}
		}
		// Only a cut between two generations, or before Go 1.26 two batches,
		// can go unnoticed.
		if ok*step > 20 {
			t.Errorf("%s: %d cuts went unnoticed", name, ok)
		}
	}
}

// TestFlipped flips bytes: most flips show, none may panic.
func TestFlipped(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for _, name := range []string{"mix.go1.27.3", "mix.go1.25.4", "forkjoin.p2"} {
		whole := recorded(t, name)
		n := 2000
		if !stress.Long() {
			n = 200
		}
		noticed := 0
		for range n {
			b := bytes.Clone(whole)
			for range 1 + r.IntN(3) {
				b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
			}
			f, err := Read(bytes.NewReader(b), Options{})
			checkDamaged(t, f, err)
			if err != nil {
				noticed++
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d", name, seed)
			}
		}
		if noticed == 0 {
			t.Errorf("%s: no flip of %d was noticed", name, n)
		}
	}
}

func checkDamaged(t testing.TB, f *Facts, err error) {
	t.Helper()
	if f == nil {
		t.Fatal("Read returned no Facts")
	}
	if f.Damaged != (err != nil) {
		t.Errorf("Damaged = %v with error %v", f.Damaged, err)
	}
	if err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 400) {
		t.Errorf("error is not one line: %q", err)
	}
	if f.Window < 0 || f.Work < 0 || f.Span < 0 || f.Span > f.Work*(1+1e-9) || f.Idle.Total < 0 {
		t.Errorf("impossible facts: %+v", f)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"mix.go1.27.3", "mix.go1.25.4", "imbalance.p2"} {
		f.Add(recorded(f, name))
	}
	f.Add([]byte("go 1.26 trace\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		facts, err := Read(bytes.NewReader(b), Options{})
		checkDamaged(t, facts, err)
	})
}
