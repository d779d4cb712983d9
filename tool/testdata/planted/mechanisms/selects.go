package mechanisms

import "reflect"

// Receiving from many channels at once.

// sources are goroutines that send the numbers of their part in chunks of 16,
// with room for a few.
func sources(xs []int, n int) []chan []int {
	out := make([]chan []int, n)
	for k := range out {
		out[k] = make(chan []int, 8)
		go func() {
			part := xs[k*len(xs)/n : (k+1)*len(xs)/n]
			for len(part) > 0 {
				m := min(16, len(part))
				out[k] <- part[:m]
				part = part[m:]
			}
			close(out[k])
		}()
	}
	return out
}

func add(xs []int) int {
	total := 0
	for _, x := range xs {
		total += x & 0xff
	}
	return total
}

// addTwelve merges twelve sources in one select.
func addTwelve(xs []int) int {
	c := sources(xs, 12)
	total, open := 0, len(c)
	for open > 0 {
		var part []int
		var ok bool
		var k int
		select {
		case part, ok = <-c[0]:
			k = 0
		case part, ok = <-c[1]:
			k = 1
		case part, ok = <-c[2]:
			k = 2
		case part, ok = <-c[3]:
			k = 3
		case part, ok = <-c[4]:
			k = 4
		case part, ok = <-c[5]:
			k = 5
		case part, ok = <-c[6]:
			k = 6
		case part, ok = <-c[7]:
			k = 7
		case part, ok = <-c[8]:
			k = 8
		case part, ok = <-c[9]:
			k = 9
		case part, ok = <-c[10]:
			k = 10
		case part, ok = <-c[11]:
			k = 11
		}
		if !ok {
			c[k] = nil
			open--
		}
		total += add(part)
	}
	return total
}

// addAny merges as many sources as there are, by reflection.
func addAny(xs []int) int {
	var cases []reflect.SelectCase
	for _, c := range sources(xs, 24) {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
	}
	total := 0
	for len(cases) > 0 {
		k, part, ok := reflect.Select(cases)
		if !ok {
			cases = append(cases[:k], cases[k+1:]...)
			continue
		}
		total += add(part.Interface().([]int))
	}
	return total
}

// refine takes 40 µs for each of a few chunks.
func refine(part []int) int {
	return int(mix(uint64(len(part)), 20_000)&0xff) + add(part)
}

func refineAll(xs []int) int {
	total := 0
	for lo := 0; lo < len(xs); lo += 1000 {
		total += refine(xs[lo : lo+1000])
	}
	return total
}

// refineTwo has two workers, which also look whether they shall stop.
func refineTwo(xs []int) int {
	jobs, stop := make(chan []int, 8), make(chan struct{})
	go func() {
		for lo := 0; lo < len(xs); lo += 1000 {
			jobs <- xs[lo : lo+1000]
		}
		close(jobs)
	}()
	return split(workers, func(int, int) int {
		total := 0
		for {
			select {
			case part, ok := <-jobs:
				if !ok {
					return total
				}
				total += refine(part)
			case <-stop:
				return -1
			}
		}
	})
}
