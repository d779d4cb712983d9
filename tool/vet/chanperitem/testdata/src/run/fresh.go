// Goldens show the edit batch alone.

package main

type item struct {
	at   int
	text []byte
	err  error
}

// What an item leads to is made for it alone.
func fresh(xs []string) (n int) {
	c := make(chan *item)
	go func() {
		defer close(c)
		last := &item{}
		var err error
		for i, x := range xs {
			last.at += i
			c <- &item{at: last.at, text: made(x), err: err} // want "each item crosses c"
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
