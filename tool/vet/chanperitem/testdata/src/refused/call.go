package refused

type list struct {
	next  *list
	value int
	later []func(int)
}

// Keeps what it is given.
func (l *list) keep(f func(int)) {
	for ; l != nil; l = l.next {
		l.later = append(l.later, f)
		f(l.value)
	}
}

// Hands it to one that does.
func (l *list) through(f func(int)) {
	l.each(f)
	l.keep(f)
}

func (l *list) each(f func(int)) {
	for ; l != nil; l = l.next {
		f(l.value)
	}
}

func (l *list) keeps() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.keep(func(x int) { c <- x }) // want "each item crosses c" // refuse "direct: c is not filled by one goroutine, which closes it" "batch: what sends on c is in no loop, or in a function that ot"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

func (l *list) hands() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.through(func(x int) { c <- x }) // want "each item crosses c" // refuse "direct: c is not filled by one goroutine, which closes it" "batch: what sends on c is in no loop, or in a function that ot"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// After the goroutine has come to its end.
func (l *list) deferred() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		defer l.each(func(x int) { c <- x }) // want "each item crosses c" // refuse "direct: c is not filled by one goroutine, which closes it" "batch: what sends on c is in no loop, or in a function that ot"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Nothing is known of a literal that has a name.
func (l *list) named() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		send := func(x int) { c <- x }
		l.each(send)
	}()
	for x := range c {
		sum += x
	}
	return sum
}
