package exectrace

import "math/bits"

// A Dist sums up a distribution. Quantiles are within 3.2 % of a value of
// their rank; N, Mean and Total are exact.
type Dist struct {
	N      int
	Median float64
	P10    float64
	P90    float64
	Mean   float64
	Total  float64
}

// subBits is the number of bits kept below the leading one. A bucket is so
// at most 1/16 of its lower bound wide, and its middle off by at most 1/32.
const subBits = 4

// A hist counts values in buckets of equal relative width. The zero hist is
// empty.
type hist struct {
	n, total int64
	count    [(64 - subBits) << subBits]int64
}

func bucket(v int64) int {
	if v < 1<<subBits {
		return int(max(v, 0))
	}
	shift := bits.Len64(uint64(v)) - 1 - subBits
	return shift<<subBits + int(v>>shift)
}

// middle is the value that stands for bucket i.
func middle(i int) float64 {
	if i < 2<<subBits {
		return float64(i) // buckets up to here hold one value each
	}
	shift := i>>subBits - 1
	low := int64(i-shift<<subBits) << shift
	return float64(low) + float64(int64(1)<<shift-1)/2
}

func (h *hist) add(v int64) {
	h.n++
	h.total += v
	h.count[bucket(v)]++
}

func (h *hist) merge(o *hist) {
	if o.n == 0 {
		return
	}
	h.n += o.n
	h.total += o.total
	for i, c := range o.count {
		h.count[i] += c
	}
}

func (h *hist) reset() {
	if h.n != 0 {
		*h = hist{}
	}
}

func (h *hist) dist() Dist {
	if h.n == 0 {
		return Dist{}
	}
	return Dist{
		N:      int(h.n),
		Median: h.quantile(0.5),
		P10:    h.quantile(0.1),
		P90:    h.quantile(0.9),
		Mean:   float64(h.total) / float64(h.n),
		Total:  float64(h.total),
	}
}

// quantile returns the value of rank q·(n-1), rounded to the nearest.
func (h *hist) quantile(q float64) float64 {
	rank := int64(q*float64(h.n-1) + 0.5)
	for i, c := range h.count {
		if rank -= c; rank < 0 {
			return middle(i)
		}
	}
	panic("exectrace: histogram counts less than it holds")
}
