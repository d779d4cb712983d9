package pipe_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/pipe"
)

func waits(n int, kind string) []time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	s := make([]time.Duration, n)
	for i := range s {
		switch kind {
		case "io":
			s[i] = time.Millisecond + time.Duration(r.IntN(9000))*time.Microsecond
		case "half":
			if r.IntN(2) == 0 {
				s[i] = time.Millisecond + time.Duration(r.IntN(9000))*time.Microsecond
			} else {
				s[i] = -500 * time.Microsecond
			}
		case "cpu1ms":
			s[i] = -time.Millisecond
		case "cpu200us":
			s[i] = -200 * time.Microsecond
		}
	}
	return s
}

var roundsPerUs = func() int {
	f := burner(1_000_000)
	t := time.Now()
	f(1)
	t2 := time.Now()
	f(2)
	_ = t2
	return int(1_000_000 / (time.Since(t).Microseconds() / 2))
}()

func doWait(d time.Duration) time.Duration {
	if d >= 0 {
		time.Sleep(d)
		return d
	}
	x := uint64(d)
	for range int(-d/time.Microsecond) * roundsPerUs {
		x = x*2862933555777941757 + 3037000493
	}
	if x == 7 {
		return 1
	}
	return d
}

func byHand(items []time.Duration, workers int) []time.Duration {
	out := make([]time.Duration, len(items))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				out[i] = doWait(items[i])
			}
		})
	}
	wg.Wait()
	return out
}

func TestWaitFigures(t *testing.T) {
	if os.Getenv("WAITFIG") == "" {
		t.Skip()
	}
	for _, c := range []struct {
		kind  string
		n     int
		sizes []int
	}{
		{"io", 2000, []int{256, 512, 1024}}, {"io", 20000, []int{512, 1024}}, {"half", 2000, []int{8, 16, 24, 32, 64, 128}}, {"cpu1ms", 500, []int{1, 2, 4}}, {"cpu200us", 2500, []int{1, 2, 4}},
	} {
		items := waits(c.n, c.kind)
		best := time.Hour
		bestN := 0
		for range 2 {
			for _, n := range c.sizes {
				s := time.Now()
				byHand(items, n)
				d := time.Since(s)
				if d < best {
					best, bestN = d, n
				}
			}
		}
		for i := range 6 {
			s := time.Now()
			got, err := pipe.Map(pipe.Slice(items), doWait).Collect(bg)
			d := time.Since(s)
			if err != nil || len(got) != len(items) {
				t.Fatal(err)
			}
			h := time.Now()
			byHand(items, bestN)
			hd := time.Since(h)
			fmt.Printf("%s n=%d run %d: pipe %v hand(%d) %v best %v ratio now %.2f best %.2f\n", c.kind, c.n, i, d, bestN, hd, best, float64(hd)/float64(d), float64(best)/float64(d))
		}
	}
}
