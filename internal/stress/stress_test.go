package stress

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A rec is a test that is expected to fail: it keeps what it is told.
type rec struct {
	testing.TB
	said     string
	cleanups []func()
}

func (r *rec) Helper()                   {}
func (r *rec) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }
func (r *rec) Errorf(f string, a ...any) { r.said += fmt.Sprintf(f, a...) }
func (r *rec) Fatalf(f string, a ...any) { r.Errorf(f, a...); runtime.Goexit() }

// record runs f and then its cleanups, and returns what a test said.
func record(f func(t testing.TB)) string {
	r := new(rec)
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			for _, c := range slices.Backward(r.cleanups) {
				c()
			}
		}()
		f(r)
	}()
	<-done
	return r.said
}

func TestLedger(t *testing.T) {
	const p1 = 1 << 32 // the first value of producer 1
	// Producer 0 makes values 0, 1, 2 and gives up 1; producer 1 sends one.
	for _, test := range []struct {
		got  [2][]uint64
		want string
	}{
		{[2][]uint64{{0, 2, p1}, {}}, ""},
		{[2][]uint64{{p1, 0}, {2}}, ""},
		{[2][]uint64{{2}, {0, p1}}, ""},
		{[2][]uint64{{0, 2}, {}}, "value 0 of producer 1 was sent and did not arrive"},
		{[2][]uint64{{0, 2, p1}, {2}}, "value 2 of producer 0 arrived 2 times"},
		{[2][]uint64{{0, 1, 2, p1}, {}}, "value 1 of producer 0 was not sent and arrived"},
		{[2][]uint64{{}, {2, p1, 0}}, "consumer 1 got value 0 of producer 0 after value 2"},
		{[2][]uint64{{0, 2, p1, 7}, {}}, "consumer 0 got 0x7, which nobody made"},
		{[2][]uint64{{0, 2, p1, 5 << 32}, {}}, "consumer 0 got 0x500000000, which nobody made"},
	} {
		l := NewLedger(2, 2)
		for i := range 3 {
			if v := l.Producers[0].Next(); i != 1 {
				l.Producers[0].Sent(v)
			}
		}
		l.Producers[1].Sent(l.Producers[1].Next())
		for i, got := range test.got {
			for _, v := range got {
				l.Consumers[i].Got(v)
			}
		}
		err := l.Verify()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("got %#x: Verify() = %v, want %q", test.got, err, test.want)
		}
		if sent, dropped, got := l.Count(); sent != 3 || dropped != 1 || got != len(test.got[0])+len(test.got[1]) {
			t.Errorf("got %#x: Count() = %d, %d, %d", test.got, sent, dropped, got)
		}
	}
}

func TestProcs(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var got []int
	Procs(t, func(t *testing.T) { got = append(got, runtime.GOMAXPROCS(0)) })
	if want := []int{1, 2, 8}; !slices.Equal(got, want) {
		t.Errorf("Procs ran at %v, want %v", got, want)
	}
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("GOMAXPROCS is %d after Procs, was %d", after, before)
	}
}

func TestWithin(t *testing.T) {
	release := make(chan bool)
	said := record(func(t testing.TB) {
		Within(t, time.Millisecond, "waiting", func() { <-release })
	})
	close(release)
	if !strings.Contains(said, "waiting: not done after 1ms") || !strings.Contains(said, "TestWithin") {
		t.Errorf("of a function that hangs, Within says %q", said)
	}
	after := false
	said = record(func(t testing.TB) {
		Within(t, time.Minute, "failing", func() { t.Fatalf("no") })
		after = true
	})
	if said != "no" || after {
		t.Errorf("t.Fatalf within Within: said %q, want no; went on: %t, want false", said, after)
	}
	if said := record(func(t testing.TB) { Within(t, time.Minute, "x", func() {}) }); said != "" {
		t.Errorf("of a function that returns, Within says %q", said)
	}
}

func TestNoneLeft(t *testing.T) {
	if said := record(func(t testing.TB) {
		NoneLeft(t)
		go runtime.Gosched()
	}); said != "" {
		t.Errorf("of a goroutine that ends, NoneLeft says %q", said)
	}
	stay := make(chan bool)
	said := record(func(t testing.TB) {
		NoneLeft(t)
		go func() { <-stay }()
	})
	close(stay)
	if !strings.Contains(said, "goroutines are left") || !strings.Contains(said, "TestNoneLeft") || strings.Contains(said, "testing.(*T).Run") {
		t.Errorf("of one goroutine that stays, NoneLeft says %q", said)
	}
}

func TestHog(t *testing.T) {
	NoneLeft(t)
	t.Run("cleanup", func(t *testing.T) { Hog(t) })
	cmd, alive := startHog(t)
	alive.Close() // as the system does for a parent that dies
	Within(t, time.Minute, "the hog's end", func() {
		if err := cmd.Wait(); err != nil {
			t.Errorf("the hog ended with %v", err)
		}
	})
}

func TestSeed(t *testing.T) {
	t.Setenv("PAYOFF_SEED", "7")
	if got := Seed(t); got != 7 {
		t.Errorf("Seed() = %d with PAYOFF_SEED=7", got)
	}
}

// TestCostsTable: the table of a README is read by calls, and nothing else is.
func TestCostsTable(t *testing.T) {
	got := costs("# p\n\n| `Old` | 7 | – |\n\n" + costsHead + `

| call | allocations | locks | waits for |
| --- | ---: | --- | --- |
| ` + "`A`, `B` of a key" + ` | 2 | none | nothing |
| C | 0 | one | the lock |

## Next

| D | 3 | – | – |
`)
	want := map[string]float64{"`A`, `B` of a key": 2, "C": 0}
	if !maps.Equal(got, want) {
		t.Errorf("the costs are %v, want %v", got, want)
	}
}
