package exectrace

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDist holds quantiles to those of a sorted list.
func TestDist(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 1000} {
		for _, limit := range []float64{3, 12, 30, 62} {
			var h hist
			var all []int64
			total := int64(0)
			for range n {
				v := int64(math.Exp2(r.Float64() * (limit - math.Log2(float64(n)))))
				h.add(v)
				all = append(all, v)
				total += v
			}
			slices.Sort(all)
			d := h.dist()
			if d.N != n || d.Total != float64(total) || math.Abs(d.Mean-d.Total/float64(n)) > 1e-9*d.Mean {
				t.Errorf("N, Total, Mean = %v, %v, %v, want %v, %v, and their ratio", d.N, d.Total, d.Mean, n, total)
			}
			for _, q := range []struct{ q, got float64 }{{0.1, d.P10}, {0.5, d.Median}, {0.9, d.P90}} {
				want := float64(all[int(q.q*float64(n-1)+0.5)])
				if math.Abs(q.got-want) > want/32 {
					t.Errorf("n=%d limit=%v: quantile %v = %v, want %v ± 3.2%%", n, limit, q.q, q.got, want)
				}
			}
		}
	}
	if d := new(hist).dist(); d != (Dist{}) {
		t.Errorf("dist of nothing = %+v, want zero", d)
	}
}

func TestBuckets(t *testing.T) {
	for _, v := range []int64{0, 1, 15, 16, 31, 32, 33, 1023, 1 << 40, math.MaxInt64} {
		i := bucket(v)
		if m := middle(i); math.Abs(m-float64(v)) > float64(v)/32+0.5 {
			t.Errorf("middle(bucket(%d)) = %v", v, m)
		}
		if v > 0 && bucket(v-1) > i {
			t.Errorf("bucket(%d) = %d > bucket(%d) = %d", v-1, bucket(v-1), v, i)
		}
	}
	if got := bucket(-1); got != 0 {
		t.Errorf("bucket(-1) = %d, want 0", got)
	}
}

func TestHistMergeReset(t *testing.T) {
	var a, b, both hist
	for v := range int64(100) {
		a.add(v)
		b.add(v * v)
		both.add(v)
		both.add(v * v)
	}
	a.merge(&b)
	if a != both {
		t.Error("merged histogram differs from one of both")
	}
	a.reset()
	if a != (hist{}) {
		t.Error("histogram is not empty after reset")
	}
}
