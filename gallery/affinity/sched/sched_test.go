package sched

import (
	"fmt"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	from := time.Now()
	for _, wake := range []int64{5000, 65000} {
		pr := Measured
		pr.Wake = wake * 1000
		for _, p := range []Policy{Global, Local, RunNext} {
			var base int64
			for _, n := range []int{1, 2, 4, 8, 16} {
				s := RunSieve(p, pr, n, 2000, 1)
				if n == 1 {
					base = s.Time
				}
				fmt.Println(wake, p, n, len(s.Primes), s.HandOffs, s.Time/1e6, "us", float64(base)/float64(s.Time), "same", s.SameShare(), "lockwait", float64(s.LockWait)/float64(s.Busy), "busy", float64(s.Busy)/float64(s.Time))
			}
		}
	}
	fmt.Println(time.Since(from))
	for _, p := range []Policy{Global, Local, RunNext} {
		for _, n := range []int{1, 2, 8} {
			for _, pairs := range []int{0, n} {
				x := RunPingPong(p, Measured, n, pairs, 2000, 100_000_000, 1)
				var sum, most int64
				for _, v := range x.Trips {
					sum += v
					most = max(most, v)
				}
				fmt.Println(p, n, pairs, float64(sum)/float64(len(x.Trips))/1000, "ns", most/1000, "same", x.SameShare())
			}
		}
	}
	fmt.Println(time.Since(from))
}
