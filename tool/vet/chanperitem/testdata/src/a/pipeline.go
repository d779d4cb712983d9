package a

// Functions that return channels and get them.
func count(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out by itself" // refuse "batch: out is used in another way" "ring: out is used in another way"
		}
	}()
	return out
}

func odd(in <-chan int) <-chan int {
	out := make(chan int, 8)
	go func() {
		for x := range in {
			if x%2 == 1 {
				out <- x // want "each item crosses out by itself" // refuse "batch: out is used in another way" "ring: out is used in another way"
			}
		}
		close(out)
	}()
	return out
}

// Two parameters with one type, and one that is none.
func lesser(n int, a, b <-chan int) (least int) {
	for x := range a {
		least = min(least, n-x)
	}
	for x := range b {
		if least < -x {
			break
		}
		least = min(least, x)
	}
	return least
}

func chain(n int) <-chan int { return odd(odd(count(n))) }

func chained(n int) (total int) {
	for x := range chain(n) {
		total += x
	}
	all := count(n)
	sum := make(chan int)
	go func() {
		defer close(sum)
		for x := range odd(all) {
			sum <- x * n // want "each item crosses sum by itself" // refuse "batch: sum is handed" "ring: sum is handed"
		}
	}()
	return total + lesser(n, sum, count(n))
}

// Words are sent by what a function calls.
func letters(s string) chan rune {
	out := make(chan rune)
	go func() {
		defer close(out)
		words(s, func(w string) {
			for _, r := range w {
				out <- r // want "each item crosses out by itself" // refuse "batch: out is used in another way" "ring: out is used in another way"
			}
		})
	}()
	return out
}

func spelled(s string) (n int) {
	for r := range letters(s) {
		n += int(r)
	}
	return n
}
