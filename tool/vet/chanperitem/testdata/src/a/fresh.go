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
		for i, x := range xs {
			var text []byte
			text = append(text, x...)
			text[0] = 'a'
			c <- &item{at: i, text: text} // want "each item crosses c"
		}
	}()
	for p := range c {
		n += p.at + len(p.text)
	}
	return n
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
