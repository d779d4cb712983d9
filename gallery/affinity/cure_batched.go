package affinity

// Batched plays all values at once: a hand-off carries a slice of them.
func Batched(values []uint64, rounds int) {
	there, back := make(chan []uint64), make(chan []uint64)
	go func() {
		for vs := range there {
			play(vs)
			back <- vs
		}
	}()
	for range rounds {
		play(values)
		there <- values
		<-back
	}
	close(there)
}
