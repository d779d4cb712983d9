package order

import (
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// However many blocks there are, partition leaves nothing on the wrong side.
func TestPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range 2000 {
		n := 1 + r.IntN(300)
		x := records(r, n, func(r *rand.Rand, x []int64) {
			for i := range x {
				x[i] = r.Int64N(10)
			}
		})
		size := 1 + r.IntN(n)
		if r.IntN(3) == 0 {
			size = n
		}
		pivot, limit := record{key: r.Int64N(12) - 1}, r.IntN(2)
		want := 0
		for _, v := range x {
			if byKey(v, pivot) < limit {
				want++
			}
		}
		q := quicksort[record]{cmp: byKey}
		m := q.partition(x, pivot, limit, split{n: n, size: size, grain: 1})
		if m != want {
			t.Fatalf("n = %d, blocks of %d: partition = %d, want %d", n, size, m, want)
		}
		for i, v := range x {
			if (byKey(v, pivot) < limit) != (i < m) {
				t.Fatalf("n = %d, blocks of %d, %d before: element %d is on the wrong side", n, size, m, i)
			}
		}
		checkAll(t, "partition", x)
	}
}
