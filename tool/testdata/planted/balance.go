package planted

// Work that is there for two processors and done by one: badly split, or
// serial by nature.

// One worker gets nine tenths of the items.
func tasks(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total += churn(i, 2000)
	}
	return total
}

func tasksSerial() int { return tasks(0, 500) }

func tasksSplit() int {
	var sums [2]int
	each(2, func(w int) {
		if w == 0 {
			sums[0] = tasks(0, 450)
		} else {
			sums[1] = tasks(450, 500)
		}
	})
	return sums[0] + sums[1]
}

// Item i costs i³: the upper half of the items has fifteen sixteenths of the
// work.
func pyramid(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total += churn(i, i*i*i/8)
	}
	return total
}

func pyramidSerial() int { return pyramid(0, 72) }

func pyramidHalves() int {
	var sums [2]int
	halves(72, func(w, lo, hi int) { sums[w] = pyramid(lo, hi) })
	return sums[0] + sums[1]
}

// Three stages of which the middle one has nearly all of the work. An item is
// worth 80 µs, so that handing it over costs nothing.
func refine(i int) int {
	return churn(churn(churn(i, 400), 40_000), 400)
}

func refineSerial() int {
	total := 0
	for i := range 40 {
		total += refine(i)
	}
	return total
}

func refineStages() int {
	a, b := make(chan int, 4), make(chan int, 4)
	go func() {
		for i := range 40 {
			a <- churn(i, 400)
		}
		close(a)
	}()
	go func() {
		for v := range a {
			b <- churn(v, 40_000)
		}
		close(b)
	}()
	total := 0
	for v := range b {
		total += churn(v, 400)
	}
	return total
}

// Six tenths of the work come before the part that is divided.
func prefixSerial() int {
	v := churn(1, 600_000)
	return churn(v, 200_000) + churn(v+1, 200_000)
}

func prefixHalves() int {
	v := churn(1, 600_000)
	var sums [2]int
	each(2, func(w int) { sums[w] = churn(v+w, 200_000) })
	return sums[0] + sums[1]
}

// The parts are made in parallel, and then folded one after the other, which
// is most of the work.
func foldSerial() int {
	h := 0
	for i := range 100 {
		h = churn(h+churn(i, 400), 6000)
	}
	return h
}

func foldParallelParts() int {
	parts := make([]int, 100)
	halves(len(parts), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			parts[i] = churn(i, 400)
		}
	})
	h := 0
	for _, p := range parts {
		h = churn(h+p, 6000)
	}
	return h
}

// The producer of a pool takes 60 µs to make a job of 3 µs.
func produceSerial() int {
	total, job := 0, 1
	for range 40 {
		job = churn(job, 30_000)
		total += churn(job, 1500)
	}
	return total
}

func producePool() int {
	jobs := make(chan int, 8)
	sums := make([]int, workers+1)
	each(workers+1, func(w int) {
		if w == workers {
			job := 1
			for range 40 {
				job = churn(job, 30_000)
				jobs <- job
			}
			close(jobs)
			return
		}
		for job := range jobs {
			sums[w] += churn(job, 1500)
		}
	})
	return sum(sums)
}
