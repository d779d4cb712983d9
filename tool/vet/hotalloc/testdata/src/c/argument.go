// Package c makes again what it had.
package c

func fill(words []string, counts map[string]int) (top int) {
	for _, w := range words {
		counts[w]++
		top = max(top, counts[w])
	}
	return top * len(counts)
}

func pages(words []string, n int) (sum int) {
	for i := 0; i+3 < len(words); i += 3 {
		sum += fill(words[i:i+3], make(map[string]int)) // want "what is made for each call of fill is garbage after it"
	}
	return sum
}

func scaled(xs, scratch []int) (sum int) {
	for i, x := range xs {
		scratch[i%len(scratch)] += x
	}
	for _, x := range scratch {
		sum = sum*3 + x
	}
	return sum
}

func rows(xs []int) (sum int) {
	counts := 1
	for i := range xs {
		sum += counts * scaled(xs[i:], make([]int, 8)) // want "what is made for each call of scaled"
	}
	return sum
}

func part(words []string, k int) []string { return words[len(words)*k/3 : len(words)*(k+1)/3] }

func thirds(words []string) (tops [3]int) {
	for k := range 3 {
		tops[k] = fill(part(words, k), map[string]int{}) // want "what is made for each call of fill"
	}
	return tops
}

var lastCounts map[string]int

func keepCounts(words []string, counts map[string]int) {
	for _, w := range words {
		counts[w]++
	}
	lastCounts = counts
}

func kept(words []string) {
	for range 3 {
		keepCounts(words, map[string]int{})
	}
}

func atOnce(words []string, done chan int) {
	for range 3 {
		go func() { done <- fill(words, make(map[string]int, len(words))) }()
	}
}

// Its size is another in each iteration.
func sizes(xs []int) (sum int) {
	for i := range xs {
		sum += scaled(xs, make([]int, i+1)) // want "what is made for each call of scaled" // refuse "hoist: its size or type belongs to the iteration"
	}
	return sum
}

func condition(xs []int) (n int) {
	for scaled(xs, make([]int, 4)) > n {
		n += 1000
	}
	return n
}
