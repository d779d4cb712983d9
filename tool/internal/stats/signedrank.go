package stats

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// exactMax is the largest number of non-zero values for which the null
// distribution is computed exactly. There the normal approximation of a
// p-value below 0.2 is off by less than 0.002 (TestNormalApproximation), and
// on the safe side for small ones.
const exactMax = 60

// SignedRank returns the two-sided p-value of Wilcoxon's signed-rank test that
// the values are symmetric about 0: twice the smaller tail, at most 1.
// It is 1 if x is empty or all zeros, and NaN if x holds a NaN. SignedRank does
// not reorder x and may be called by several goroutines at once.
//
// Tied magnitudes share their mean rank. Zeros are ranked with the others and
// then left out (Pratt, JASA 54, 1959): dropping them before ranking, as
// Wilcoxon did, can make a sample more significantly positive by moving all of
// it down (TestPratt).
//
// Up to 60 non-zero values the p-value is exact, given the ties: each sign is a
// fair coin. Beyond, it is the normal approximation with the variance of the
// ranks as they are (Cureton, JASA 62, 1967), which corrects it for ties and
// zeros, and with a continuity correction of 1/2.
func SignedRank(x []float64) float64 {
	if slices.ContainsFunc(x, math.IsNaN) {
		return math.NaN()
	}
	var buf [exactMax + 4]float64
	y := append(buf[:0], x...)
	slices.SortFunc(y, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })

	// Ranks are doubled, so that the mean rank of a tie is an integer.
	var rankBuf [exactMax + 4]int
	ranks := rankBuf[:0]
	var plus, minus int64 // doubled rank sums of the positive and negative values
	plain := true         // neither ties nor zeros
	for i := 0; i < len(y); {
		j := i + 1
		for j < len(y) && math.Abs(y[j]) == math.Abs(y[i]) {
			j++
		}
		if y[i] == 0 {
			plain = false
			i = j
			continue
		}
		plain = plain && j == i+1
		rank := i + 1 + j // twice the mean of i+1, …, j
		for _, v := range y[i:j] {
			ranks = append(ranks, rank)
			if v > 0 {
				plus += int64(rank)
			} else {
				minus += int64(rank)
			}
		}
		i = j
	}

	least := min(plus, minus)
	switch {
	case len(ranks) == 0:
		return 1
	case plain:
		return nullP(len(ranks), least/2)
	case len(ranks) <= exactMax:
		tail := 0.0
		for _, q := range nullProbabilities(ranks, int(least)) {
			tail += q
		}
		return min(1, 2*tail)
	}
	squares := 0.0
	for _, r := range ranks {
		squares += float64(r) * float64(r)
	}
	return normalP(float64(least), float64(plus+minus)/2, squares/4, 1)
}

// nullP returns the two-sided p-value of a smaller rank sum v among n values
// without ties or zeros. It does not decrease with v.
func nullP(n int, v int64) float64 {
	if n <= exactMax {
		return min(1, 2*nullTail(n)[v])
	}
	f := float64(n)
	return normalP(float64(v), f*(f+1)/4, f*(f+1)*(2*f+1)/24, 0.5)
}

// normalP returns the two-sided p-value of a lower tail that ends at v, half a
// step of the statistic included.
func normalP(v, mean, variance, halfStep float64) float64 {
	z := (v + halfStep - mean) / math.Sqrt(variance)
	return min(1, math.Erfc(-z/math.Sqrt2))
}

// nullTails caches nullTail. Entry n is written once, by the first to need it.
var nullTails [exactMax + 1]struct {
	once sync.Once
	tail []float64
}

// nullTail returns the probabilities that the positive rank sum of n values
// without ties is at most 0, 1, …, n(n+1)/4; the other half mirrors these.
// The caller must not change the slice.
func nullTail(n int) []float64 {
	e := &nullTails[n]
	e.once.Do(func() {
		ranks := make([]int, n)
		for i := range ranks {
			ranks[i] = i + 1
		}
		e.tail = nullProbabilities(ranks, n*(n+1)/4)
		for v := 1; v < len(e.tail); v++ {
			e.tail[v] += e.tail[v-1]
		}
	})
	return e.tail
}

// nullProbabilities returns the probabilities that the sum of the ranks with a
// positive sign is 0, 1, …, limit when each sign is a fair coin.
//
// It adds one rank at a time (the generating function ∏(1+z^r)/2). Working in
// probabilities rather than counts keeps every value a small multiple of 2^-n,
// hence exact up to 53 ranks, and nothing overflows after that.
func nullProbabilities(ranks []int, limit int) []float64 {
	q := make([]float64, limit+1)
	q[0] = 1
	top := 0 // largest sum so far, at most limit
	for _, r := range ranks {
		top = min(limit, top+r)
		for v := top; v >= r; v-- { // downwards: q[v-r] must not hold r yet
			q[v] = (q[v] + q[v-r]) / 2
		}
		for v := range min(r, top+1) {
			q[v] /= 2
		}
	}
	return q
}
