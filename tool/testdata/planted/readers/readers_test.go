package readers

import (
	"sync/atomic"
	"testing"
)

// A program is a serial function and one variant of it, which must give the
// same answer.
type program struct {
	serial     func() int
	name       string
	concurrent func() int
}

func (p program) bench(b *testing.B) {
	b.Helper()
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", p.serial}, {p.name, p.concurrent}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for b.Loop() {
				sink = v.f()
			}
		})
	}
}

// both is a function run in the two ways.
func both(name string, f func(way) int) program {
	return program{func() int { return f(inTurn) }, name, func() int { return f(each) }}
}

var programs = map[string]program{
	"Deliver":   both("visited", deliver),
	"Spacious":  both("visited", deliverApart),
	"Reload":    both("published", reload),
	"Quotes":    both("versions", quotes),
	"Watched":   both("looked", watched),
	"RollCall":  both("marks", rollCall),
	"Clamp":     both("session", func(run way) int { return clamp(run, input) }),
	"Gauge":     both("meter", gauge),
	"Ring":      both("taken", ring),
	"Spun":      both("tried", spun),
	"Translate": both("table", func(run way) int { return translate(run, input) }),
	"Batches":   {batchesSerial, "handed", batchesHanded},
}

var input = numbers(200_000)

func BenchmarkDeliver(b *testing.B)   { programs["Deliver"].bench(b) }
func BenchmarkSpacious(b *testing.B)  { programs["Spacious"].bench(b) }
func BenchmarkReload(b *testing.B)    { programs["Reload"].bench(b) }
func BenchmarkQuotes(b *testing.B)    { programs["Quotes"].bench(b) }
func BenchmarkWatched(b *testing.B)   { programs["Watched"].bench(b) }
func BenchmarkRollCall(b *testing.B)  { programs["RollCall"].bench(b) }
func BenchmarkClamp(b *testing.B)     { programs["Clamp"].bench(b) }
func BenchmarkGauge(b *testing.B)     { programs["Gauge"].bench(b) }
func BenchmarkRing(b *testing.B)      { programs["Ring"].bench(b) }
func BenchmarkSpun(b *testing.B)      { programs["Spun"].bench(b) }
func BenchmarkTranslate(b *testing.B) { programs["Translate"].bench(b) }
func BenchmarkBatches(b *testing.B)   { programs["Batches"].bench(b) }

func TestPrograms(t *testing.T) {
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			want := p.serial()
			for range 3 {
				if got := p.concurrent(); got != want {
					t.Errorf("%s = %d, want %d as serial", p.name, got, want)
				}
			}
		})
	}
}

// tariff is a variable of the package, with a count beside it.
var tariff struct {
	rate  int64
	asked atomic.Int64
}

const quoted = 4000

// quote counts one in sixteen.
func quote() {
	total := int64(0)
	for i := range quoted {
		if i&15 == 0 {
			tariff.asked.Add(1)
		}
		total += tariff.rate
	}
	if total != tariff.rate*quoted {
		panic(total)
	}
}

// BenchmarkTariff is spread by the testing package.
func BenchmarkTariff(b *testing.B) {
	tariff.rate = 3
	b.Run("variant=serial", func(b *testing.B) {
		for range b.N {
			quote()
		}
	})
	b.Run("variant=runparallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				quote()
			}
		})
	})
}
