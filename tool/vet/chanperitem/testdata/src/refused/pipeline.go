package refused

// Others may call it.
func Numbers(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "batch: out is used" "direct: Numbers may be called by others"
		}
	}()
	return out
}

func tails(s string, emit func(string)) {
	for i := range s {
		emit(s[i:])
	}
}

// The stage ends early where the loop over what it sends does.
func staged(s string) string {
	in, out := make(chan string), make(chan string)
	go func() {
		defer close(in)
		tails(s, func(w string) { in <- w }) // want "each item crosses in and out" // refuse "direct: a loop may end early, and what sends on in is called by " "direct: a loop may end early, and what sends on in is" "batch: what sends on in is in no loop, or in a function that o" "batch: the loop over out may end early"
	}()
	go func() {
		defer close(out)
		for w := range in {
			out <- w + "."
		}
	}()
	for w := range out {
		if len(w) > 3 {
			return w
		}
	}
	return ""
}
