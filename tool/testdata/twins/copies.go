package twins

//go:noinline
func sumCopy(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
	}
	return n
}

//go:noinline
func xorCopy(xs []int) int {
	n := 0
	for i, x := range xs {
		n ^= x + i
	}
	return n
}

//go:noinline
func maxCopy(xs []int) int {
	n := xs[0]
	for _, x := range xs {
		if x > n {
			n = x
		}
	}
	return n
}

//go:noinline
func oddCopy(xs []int) int {
	n := 0
	for _, x := range xs {
		if x&1 == 1 {
			n++
		}
	}
	return n
}

//go:noinline
func runsCopy(xs []int) int {
	n := 0
	for i := 1; i < len(xs); i++ {
		if xs[i] < xs[i-1] {
			n++
		}
	}
	return n
}

//go:noinline
func bitsCopy(xs []int) int {
	n := 0
	for _, x := range xs {
		for ; x > 0; x &= x - 1 {
			n++
		}
	}
	return n
}

//go:noinline
func polynomialCopy(xs []int) int {
	n := 0
	for _, x := range xs {
		n = n*31 + x
	}
	return n
}

//go:noinline
func hashCopy(xs []int) int {
	h := uint32(2166136261)
	for _, x := range xs {
		h = (h ^ uint32(x)) * 16777619
	}
	return int(h)
}

//go:noinline
func shiftCopy(xs []int) int {
	h := uint64(88172645463325252)
	for _, x := range xs {
		h ^= h << 13
		h ^= h >> 7
		h ^= h<<17 + uint64(x)
	}
	return int(h >> 1)
}

//go:noinline
func clampCopy(xs []int) int {
	n := 0
	for _, x := range xs {
		n += min(max(x, 200), 700)
	}
	return n
}

//go:noinline
func divideCopy(xs []int) int {
	n := 0
	for i, x := range xs {
		n += x / (i&15 + 1)
	}
	return n
}

//go:noinline
func prefixCopy(xs []int) int {
	n, sum := 0, 0
	for _, x := range xs {
		sum += x
		n ^= sum
	}
	return n
}

//go:noinline
func twoCopy(xs []int) int {
	a, b := 0, 0
	for i := 0; i+1 < len(xs); i += 2 {
		a += xs[i]
		b ^= xs[i+1]
	}
	return a + b
}

//go:noinline
func dotCopy(xs []int) int {
	n := 0
	for i := range xs {
		n += xs[i] * xs[len(xs)-1-i]
	}
	return n
}

//go:noinline
func digitsCopy(xs []int) int {
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
func stepsCopy(xs []int) int {
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
func greatestCopy(xs []int) int {
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
func classesCopy(xs []int) int {
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
func tableCopy(xs []int) int {
	var t [16]int
	for _, x := range xs {
		t[x&15]++
	}
	return t[3]*31 + t[7]
}

//go:noinline
func windowCopy(xs []int) int {
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
func searchCopy(xs []int) int {
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
func floatCopy(xs []int) int {
	f := 0.0
	for _, x := range xs {
		f = f*0.5 + float64(x)
	}
	return int(f)
}

//go:noinline
func pairsCopy(xs []int) int {
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
func insertCopy(xs []int) int {
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
func balanceCopy(xs []int) int {
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
