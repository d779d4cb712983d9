package sched

import (
	"fmt"
	"slices"
	"strings"
)

// Sizes of what the report runs.
const (
	sieveLimit = 6_000
	smallLimit = 1_000
	trips      = 35_000
	burst      = 100_000 * nanosecond
)

var policies = []Policy{Global, Local, RunNext}

// Report runs the model and returns its figures as Markdown.
func Report(seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Three schedulers, simulated\n\nMade by `go test ./affinity/sched -update` in gallery. No figure here is measured: the package comment says what is\nsimulated, at which prices, and what is left out.\n")

	fmt.Fprintf(&b, "\n## The sieve, primes below %d\n\nSpeed relative to one processor, and in brackets the share of goroutines that go on where they had run before.\n\n", sieveLimit)
	table(&b, Measured, sieveLimit, seed, []int{1, 2, 4, 8})
	fmt.Fprintf(&b, "\nThe same without interrupts:\n\n")
	calm := Measured
	calm.Every = 0
	table(&b, calm, sieveLimit, seed, []int{1, 2})

	fmt.Fprintf(&b, "\n## Which price decides\n\nThe sieve below %d, which has less to do at once: speed at 8 processors relative to one, with one price halved and doubled.\n\n", smallLimit)
	sensitivity(&b, seed)

	fmt.Fprintf(&b, "\n## Two goroutines beside hogs\n\nA round trip, in microseconds: median, 99 of 100, and the longest; beside two hogs for each processor that compute for\n%d µs and meet each other at a channel.\n\n", burst/1000/nanosecond)
	pingPongs(&b, seed)
	return b.String()
}

func table(b *strings.Builder, price Prices, limit int, seed uint64, procs []int) {
	fmt.Fprintf(b, "| processors |")
	for _, p := range policies {
		fmt.Fprintf(b, " %s |", p)
	}
	fmt.Fprintf(b, "\n|---|---|---|---|\n")
	one := make(map[Policy]int64)
	for _, n := range procs {
		fmt.Fprintf(b, "| %d |", n)
		for _, p := range policies {
			s := RunSieve(p, price, n, limit, seed)
			if n == 1 {
				one[p] = s.Time
				fmt.Fprintf(b, " %.1f ms (%.0f %%) |", float64(s.Time)/1e9, 100*s.SameShare())
				continue
			}
			fmt.Fprintf(b, " %.2f× (%.0f %%) |", float64(one[p])/float64(s.Time), 100*s.SameShare())
		}
		fmt.Fprintln(b)
	}
}

func sensitivity(b *strings.Builder, seed uint64) {
	changes := []struct {
		name  string
		price func(*Prices) *int64
	}{
		{"division", func(p *Prices) *int64 { return &p.Division }},
		{"channel operation", func(p *Prices) *int64 { return &p.ChannelOp }},
		{"switch", func(p *Prices) *int64 { return &p.Switch }},
		{"lock", func(p *Prices) *int64 { return &p.Lock }},
		{"cache line", func(p *Prices) *int64 { return &p.Line }},
		{"wake", func(p *Prices) *int64 { return &p.Wake }},
		{"interrupt", func(p *Prices) *int64 { return &p.Interrupt }},
	}
	fmt.Fprintf(b, "| price | Go 1.0, halved | doubled | Go 1.1, halved | doubled | Go 1.5, halved | doubled |\n|---|---|---|---|---|---|---|\n")
	row := func(name string, halved, doubled Prices) {
		fmt.Fprintf(b, "| %s |", name)
		for _, p := range policies {
			for _, price := range []Prices{halved, doubled} {
				one := RunSieve(p, price, 1, smallLimit, seed).Time
				fmt.Fprintf(b, " %.2f× |", float64(one)/float64(RunSieve(p, price, 8, smallLimit, seed).Time))
			}
		}
		fmt.Fprintln(b)
	}
	row("none changed", Measured, Measured)
	for _, c := range changes {
		halved, doubled := Measured, Measured
		*c.price(&halved) /= 2
		*c.price(&doubled) *= 2
		row(c.name, halved, doubled)
	}
}

func pingPongs(b *strings.Builder, seed uint64) {
	fmt.Fprintf(b, "| processors | hogs | Go 1.0 | Go 1.1 | Go 1.5 |\n|---|---|---|---|---|\n")
	for _, procs := range []int{1, 2, 8} {
		for _, pairs := range []int{0, procs} {
			fmt.Fprintf(b, "| %d | %d |", procs, 2*pairs)
			for _, p := range policies {
				t := RunPingPong(p, Measured, procs, pairs, trips, burst, seed).Trips
				slices.Sort(t)
				µs := func(at int) float64 { return float64(t[min(at, len(t)-1)]) / 1000 / nanosecond }
				fmt.Fprintf(b, " %.2f, %.2f, %.2f |", µs(len(t)/2), µs(len(t)*99/100), µs(len(t)-1))
			}
			fmt.Fprintln(b)
		}
	}
}
