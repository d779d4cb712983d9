// Package twins holds small loops, each twice: the same function under two names.
// A difference between the two is one of where the linker puts them. It is
// measured to see that payoff calls none.
package twins

// A kernel is one function under two names.
type kernel struct {
	name       string
	base, copy func([]int) int
}

var kernels = []kernel{
	{"sum", sumBase, sumCopy},
	{"xor", xorBase, xorCopy},
	{"max", maxBase, maxCopy},
	{"odd", oddBase, oddCopy},
	{"runs", runsBase, runsCopy},
	{"bits", bitsBase, bitsCopy},
	{"polynomial", polynomialBase, polynomialCopy},
	{"hash", hashBase, hashCopy},
	{"shift", shiftBase, shiftCopy},
	{"clamp", clampBase, clampCopy},
	{"divide", divideBase, divideCopy},
	{"prefix", prefixBase, prefixCopy},
	{"two", twoBase, twoCopy},
	{"dot", dotBase, dotCopy},
	{"digits", digitsBase, digitsCopy},
	{"steps", stepsBase, stepsCopy},
	{"greatest", greatestBase, greatestCopy},
	{"classes", classesBase, classesCopy},
	{"table", tableBase, tableCopy},
	{"window", windowBase, windowCopy},
	{"search", searchBase, searchCopy},
	{"float", floatBase, floatCopy},
	{"pairs", pairsBase, pairsCopy},
	{"insert", insertBase, insertCopy},
	{"balance", balanceBase, balanceCopy},
}

//go:noinline
func sumBase(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
	}
	return n
}

//go:noinline
func xorBase(xs []int) int {
	n := 0
	for i, x := range xs {
		n ^= x + i
	}
	return n
}

//go:noinline
func maxBase(xs []int) int {
	n := xs[0]
	for _, x := range xs {
		if x > n {
			n = x
		}
	}
	return n
}

//go:noinline
func oddBase(xs []int) int {
	n := 0
	for _, x := range xs {
		if x&1 == 1 {
			n++
		}
	}
	return n
}

//go:noinline
func runsBase(xs []int) int {
	n := 0
	for i := 1; i < len(xs); i++ {
		if xs[i] < xs[i-1] {
			n++
		}
	}
	return n
}

//go:noinline
func bitsBase(xs []int) int {
	n := 0
	for _, x := range xs {
		for ; x > 0; x &= x - 1 {
			n++
		}
	}
	return n
}

//go:noinline
func polynomialBase(xs []int) int {
	n := 0
	for _, x := range xs {
		n = n*31 + x
	}
	return n
}

//go:noinline
func hashBase(xs []int) int {
	h := uint32(2166136261)
	for _, x := range xs {
		h = (h ^ uint32(x)) * 16777619
	}
	return int(h)
}

//go:noinline
func shiftBase(xs []int) int {
	h := uint64(88172645463325252)
	for _, x := range xs {
		h ^= h << 13
		h ^= h >> 7
		h ^= h<<17 + uint64(x)
	}
	return int(h >> 1)
}

//go:noinline
func clampBase(xs []int) int {
	n := 0
	for _, x := range xs {
		n += min(max(x, 200), 700)
	}
	return n
}

//go:noinline
func divideBase(xs []int) int {
	n := 0
	for i, x := range xs {
		n += x / (i&15 + 1)
	}
	return n
}

//go:noinline
func prefixBase(xs []int) int {
	n, sum := 0, 0
	for _, x := range xs {
		sum += x
		n ^= sum
	}
	return n
}

//go:noinline
func twoBase(xs []int) int {
	a, b := 0, 0
	for i := 0; i+1 < len(xs); i += 2 {
		a += xs[i]
		b ^= xs[i+1]
	}
	return a + b
}

//go:noinline
func dotBase(xs []int) int {
	n := 0
	for i := range xs {
		n += xs[i] * xs[len(xs)-1-i]
	}
	return n
}

//go:noinline
func digitsBase(xs []int) int {
	n := 0
	for _, x := range xs {
		for x > 0 {
			n += x % 10
			x /= 10
		}
	}
	return n
}

//go:noinline
func stepsBase(xs []int) int {
	n := 0
	for _, x := range xs {
		for x > 1 {
			if x&1 == 0 {
				x >>= 1
			} else {
				x -= 1
			}
			n++
		}
	}
	return n
}

//go:noinline
func greatestBase(xs []int) int {
	n := 0
	for i := 1; i < len(xs); i++ {
		a, b := xs[i], xs[i-1]
		for b != 0 {
			a, b = b, a%b
		}
		n += a
	}
	return n
}

//go:noinline
func classesBase(xs []int) int {
	n := 0
	for _, x := range xs {
		switch x % 5 {
		case 0:
			n += 3
		case 1:
			n ^= 7
		case 2:
			n -= 2
		default:
			n++
		}
	}
	return n
}

//go:noinline
func tableBase(xs []int) int {
	var t [16]int
	for _, x := range xs {
		t[x&15]++
	}
	return t[3]*31 + t[7]
}

//go:noinline
func windowBase(xs []int) int {
	n, sum := 0, 0
	for i, x := range xs {
		sum += x
		if i >= 8 {
			sum -= xs[i-8]
		}
		n = max(n, sum)
	}
	return n
}

//go:noinline
func searchBase(xs []int) int {
	n := 0
	for _, x := range xs {
		lo, hi := 0, 1024
		for lo < hi {
			mid := (lo + hi) / 2
			if mid < x {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		n += lo
	}
	return n
}

//go:noinline
func floatBase(xs []int) int {
	f := 0.0
	for _, x := range xs {
		f = f*0.5 + float64(x)
	}
	return int(f)
}

//go:noinline
func pairsBase(xs []int) int {
	n := 0
	for i := 0; i < 64; i++ {
		for j := i; j < 64; j++ {
			if xs[i]+xs[j] < 1000 {
				n++
			}
		}
	}
	return n
}

//go:noinline
func insertBase(xs []int) int {
	var t [64]int
	copy(t[:], xs)
	for i := 1; i < len(t); i++ {
		for j := i; j > 0 && t[j] < t[j-1]; j-- {
			t[j], t[j-1] = t[j-1], t[j]
		}
	}
	return t[5]*31 + t[50]
}

//go:noinline
func balanceBase(xs []int) int {
	n, depth := 0, 0
	for _, x := range xs {
		if x&4 != 0 {
			depth++
		} else if depth > 0 {
			depth--
			n++
		}
	}
	return n
}
