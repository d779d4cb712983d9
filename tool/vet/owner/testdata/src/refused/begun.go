package refused

type busy struct{ ch chan chan int }

func (s *busy) loop() {
	println("begins")
	for r := range s.ch {
		r <- 1
	}
}

func getBusy() int {
	s := &busy{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine does more before it receives"
	return <-r
}

type unnamed struct{ ch chan chan int }

func (s *unnamed) loop() {
	var undo []func()
	for r := range s.ch {
		undo = append(undo, func() {})
		r <- len(undo)
	}
}

func getUnnamed() int {
	s := &unnamed{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: the type of undo cannot be written in unnamed"
	return <-r
}

type nameless struct{ ch chan chan int }

func (s *nameless) loop(int) {
	for r := range s.ch {
		r <- 1
	}
}

func getNameless() int {
	s := &nameless{ch: make(chan chan int)}
	go s.loop(1)
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: what the goroutine begins with has no name"
	return <-r
}

type limited struct{ ch chan chan int }

func (s *limited) loop() {
	n := limit
	for r := range s.ch {
		r <- n
	}
}

func getLimited() int {
	s := &limited{ch: make(chan chan int)}
	limit := 5
	go s.loop()
	println(limit)
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: limit is something else where the goroutine is started"
	return <-r
}

const limit = 3

type captured struct{ ch chan chan int }

func newCaptured(n int) *captured {
	s := &captured{ch: make(chan chan int)}
	go func() {
		for r := range s.ch {
			r <- n
		}
	}()
	n++
	return s
}

func (s *captured) get() int {
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine uses n of the function that starts it"
	return <-r
}

type fixed struct{ ch chan chan int }

func getFixed() int {
	const k = 3
	s := &fixed{ch: make(chan chan int)}
	go func() {
		for r := range s.ch {
			r <- k
		}
	}()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine uses k of the function that starts it"
	return <-r
}

type received struct{ ch chan chan int }

func (s *received) loop() {
	n := <-ready
	for r := range s.ch {
		r <- n
	}
}

func getReceived() int {
	s := &received{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: what the goroutine begins with is computed"
	return <-r
}

type blank struct{ ch chan chan int }

func (s *blank) loop(_ int) {
	for r := range s.ch {
		r <- 1
	}
}

func getBlank() int {
	s := &blank{ch: make(chan chan int)}
	go s.loop(len(table))
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: what the goroutine begins with has no name"
	return <-r
}

var table = []int{1, 2, 3}

type variadic struct{ ch chan chan int }

func (s *variadic) loop(ns ...int) {
	for r := range s.ch {
		r <- len(ns)
	}
}

func getVariadic() int {
	s := &variadic{ch: make(chan chan int)}
	go s.loop(1)
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine gets several values at once"
	return <-r
}

type couple struct{ ch chan chan int }

func (s *couple) loop(n, m int) {
	for r := range s.ch {
		r <- n + m
	}
}

func getCouple() int {
	s := &couple{ch: make(chan chan int)}
	go s.loop(numbers())
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine gets several values at once"
	return <-r
}

func numbers() (int, int) { return 1, 2 }
