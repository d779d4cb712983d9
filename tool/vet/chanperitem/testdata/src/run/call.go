package main

type tree struct {
	left, right *tree
	value       int
}

func grow(n, from int) *tree {
	if n <= 0 {
		return nil
	}
	return &tree{grow(n/2, from), grow(n-n/2-1, from+n/2+1), from + n/2}
}

func (t *tree) walk(yield func(int)) {
	if t == nil {
		return
	}
	t.left.walk(yield)
	yield(t.value)
	t.right.walk(yield)
}

// A method calls what sends, and hands it to itself.
func (t *tree) hash() (h int) {
	values := make(chan int)
	go func() {
		defer close(values)
		t.walk(func(v int) { values <- v }) // want "each item crosses values by itself" // refuse "batch: what sends on values is in no loop, or in a function th"
	}()
	for v := range values {
		if v < 0 {
			continue
		}
		h = h*31 + v
	}
	return h
}

func (t *tree) framed(end, yield func(int)) (ok bool) {
	end(0)
	if yield != nil {
		t.walk(yield)
	}
	end(1)
	return t != nil
}

// One literal is called for some items among those of the other, and the call is
// in a statement with parts.
func (t *tree) ends() (h int) {
	values := make(chan int)
	go func() {
		defer close(values)
		t.walk(func(v int) { values <- v }) // want "each item crosses values by itself" // refuse "batch: what sends on values is in no loop, or in a function th"
		values <- -1
		if ok := t.framed(func(v int) { values <- v }, func(v int) { values <- 2 * v }); !ok {
			println("empty")
		}
	}()
	for v := range values {
		h = h*31 + v
	}
	return h
}

// The stages are functions, which hand their channels on.

func sizes(in <-chan string) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for s := range in {
			if len(s) > 3 {
				out <- len(s) // want "each item crosses out by itself" // refuse "batch: out is used in another way"
			}
		}
	}()
	return out
}

func lines(xs []string) <-chan string {
	out := make(chan string, 8)
	go func() {
		for _, x := range xs {
			out <- x // want "each item crosses out by itself" // refuse "batch: out is used in another way"
		}
		close(out)
	}()
	return out
}

func longest(xs []string) (most int) {
	all := lines(xs)
	for n := range sizes(all) {
		most = max(most, n)
	}
	return most
}
