package affinity

// Serial plays each value to and fro rounds times, both sides in one goroutine.
func Serial(values []uint64, rounds int) {
	for range rounds {
		play(values)
		play(values)
	}
}

// play is what a side does to values before it plays them back.
func play(values []uint64) {
	for i, v := range values {
		values[i] = work(v)
	}
}

// work takes about 200 ns.
func work(v uint64) uint64 {
	for range 256 {
		v = v*6364136223846793005 + 1442695040888963407
	}
	return v
}
