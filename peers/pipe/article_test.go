package pipe

import (
	"testing"

	"github.com/gopayoff/payoff/gallery/pipecpu"
)

// sumOf makes a variant of one of the article's programs, which make their items
// themselves, and add up without order.
func sumOf(name string, f func(n, workers int) uint64) variant {
	return variant{name: name, unordered: true, run: func(items []uint64) tally {
		return tally{n: uint64(len(items)), sum: f(len(items), procs())}
	}}
}

var articleRivals = []variant{
	sumOf("serial", pipecpu.Sequential),
	sumOf("pipeline", pipecpu.Pipeline),
	sumOf("pipeline-buffered", pipecpu.PipelineBuffered),
	sumOf("fan", pipecpu.Fan),
	sumOf("fan-buffered", pipecpu.FanBuffered),
	sumOf("partitioned", pipecpu.Partitioned),
}

func articleLoads() []load { return []load{{key: "/n=1000000", n: 1_000_000}} }

func BenchmarkArticle(b *testing.B) { bench(b, articleLoads(), articleVariants) }
func TestArticle(t *testing.T)      { same(t, articleLoads(), articleVariants) }
