package a

type item struct {
	at   int
	text []byte
}

// What an item leads to is made for it alone.
func fresh(xs []string) (n int) {
	c := make(chan *item)
	go func() {
		defer close(c)
		last := &item{}
		for i, x := range xs {
			last.at += i
			c <- &item{at: last.at, text: made(x)} // want "each item crosses c"
		}
	}()
	for p := range c {
		n += p.at + len(p.text)
	}
	return n
}

func made(x string) []byte {
	var text []byte
	text = append(text, x...)
	text[0] = 'a'
	return text
}

// The producer writes to nothing.
func pointers(all []*item) (n int) {
	c := make(chan *item)
	go func() {
		defer close(c)
		for _, p := range all {
			c <- p // want "each item crosses c"
		}
	}()
	for p := range c {
		p.at++
		n += p.at
	}
	return n
}

// One item of each: the slice that came goes on. Not so where an item may be left
// out, where it makes two, and where it is of another type.
func onward(xs []int) (total int, names []string) {
	in, odd, twice, both, out := make(chan int), make(chan int), make(chan int), make(chan int), make(chan string)
	go func() {
		defer close(in)
		for _, x := range xs {
			in <- x // want "each item crosses in and odd and twice and both and out"
		}
	}()
	go func() {
		defer close(odd)
		for range in {
			odd <- total
		}
	}()
	go func() {
		defer close(twice)
		for x := range odd {
			if x%2 == 0 {
				continue
			}
			twice <- x
		}
	}()
	go func() {
		defer close(both)
		for x := range twice {
			both <- x
			both <- -x
		}
	}()
	go func() {
		defer close(out)
		for x := range both {
			out <- string(rune(x))
		}
	}()
	for s := range out {
		names = append(names, s)
	}
	return total, names
}
