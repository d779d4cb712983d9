//go:build go1.21

package refused

type oldest struct{ ch chan oldestQ }

type oldestQ struct {
	k     int
	reply chan int
}

func (s *oldest) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func oldGet(r oldestQ) int {
	s := &oldest{ch: make(chan oldestQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the request is one variable for all"
	return <-r.reply
}
