//go:build go1.21

package refused

type oldest struct{ ch chan oldestQ }

type oldestQ struct {
	k     int
	reply chan int
}

func newOldest() *oldest {
	s := &oldest{ch: make(chan oldestQ)}
	go s.loop(func() int { return 0 })
	return s
}

func (s *oldest) loop(last func() int) {
	for r := range s.ch {
		n := last()
		last = func() int { return r.k }
		r.reply <- n
	}
}

func (s *oldest) get(k int) int {
	r := oldestQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: a function literal has the request, which is a variable for all"
	return <-r.reply
}
