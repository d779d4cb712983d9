package refused

type busy struct{ ch chan busyQ }

type busyQ struct {
	k     int
	reply chan int
}

func newBusy() *busy {
	s := &busy{ch: make(chan busyQ)}
	go s.loop()
	return s
}

func (s *busy) loop() {
	println("begins")
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *busy) get(k int) int {
	r := busyQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine does more before it receives"
	return <-r.reply
}

type unnamed struct{ ch chan unnamedQ }

type unnamedQ struct {
	k     int
	reply chan int
}

func newUnnamed() *unnamed {
	s := &unnamed{ch: make(chan unnamedQ)}
	go s.loop()
	return s
}

func (s *unnamed) loop() {
	var undo []func()
	for r := range s.ch {
		undo = append(undo, func() {})
		r.reply <- len(undo)
	}
}

func (s *unnamed) get(k int) int {
	r := unnamedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the type of undo cannot be written in unnamed"
	return <-r.reply
}

type nameless struct{ ch chan namelessQ }

type namelessQ struct {
	k     int
	reply chan int
}

func newNameless() *nameless {
	s := &nameless{ch: make(chan namelessQ)}
	go s.loop(1)
	return s
}

func (s *nameless) loop(int) {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *nameless) get(k int) int {
	r := namelessQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what the goroutine gets has no name"
	return <-r.reply
}

type limited struct{ ch chan limitedQ }

type limitedQ struct {
	k     int
	reply chan int
}

func newLimited() *limited {
	s := &limited{ch: make(chan limitedQ)}
	limit := 5
	go s.loop()
	println(limit)
	return s
}

func (s *limited) loop() {
	n := limit
	for r := range s.ch {
		r.reply <- n + r.k
	}
}

func (s *limited) get(k int) int {
	r := limitedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: limit is something else where the goroutine is started"
	return <-r.reply
}

const limit = 3

type captured struct{ ch chan capturedQ }

type capturedQ struct {
	k     int
	reply chan int
}

func newCaptured(n int) *captured {
	s := &captured{ch: make(chan capturedQ)}
	go func() {
		for r := range s.ch {
			r.reply <- n + r.k
		}
	}()
	n++
	return s
}

func (s *captured) get(k int) int {
	r := capturedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine uses n of the function that starts it"
	return <-r.reply
}

type received struct{ ch chan receivedQ }

type receivedQ struct {
	k     int
	reply chan int
}

func newReceived() *received {
	s := &received{ch: make(chan receivedQ)}
	go s.loop()
	return s
}

func (s *received) loop() {
	n := <-ready
	for r := range s.ch {
		r.reply <- n + r.k
	}
}

func (s *received) get(k int) int {
	r := receivedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what the goroutine begins with is computed"
	return <-r.reply
}

type blank struct{ ch chan blankQ }

type blankQ struct {
	k     int
	reply chan int
}

func newBlank() *blank {
	s := &blank{ch: make(chan blankQ)}
	go s.loop(len(table))
	return s
}

func (s *blank) loop(_ int) {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *blank) get(k int) int {
	r := blankQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what the goroutine begins with has no name"
	return <-r.reply
}

var table = []int{1, 2, 3}
