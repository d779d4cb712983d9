package refused

import "sync"

type theirs struct {
	ch   chan query
	quit chan struct{}
}

func (s *theirs) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getTheirs(t *theirs, r query) int {
	s := &theirs{ch: make(chan query), quit: make(chan struct{})}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: what asks may give up, for another reason"
		return <-r.reply
	case <-t.quit:
		return 0
	}
}

type sent struct {
	ch   chan query
	quit chan struct{}
}

func (s *sent) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getSent(r query) int {
	s := &sent{ch: make(chan query), quit: make(chan struct{})}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: quit is used in another way than to be closed"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *sent) stop() { s.quit <- struct{}{} }

type Quits struct {
	ch   chan query
	Quit chan struct{}
}

func (s *Quits) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.Quit:
			return
		}
	}
}

func getQuits(r query) int {
	s := &Quits{ch: make(chan query), Quit: make(chan struct{})}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: other packages may use Quit"
		return <-r.reply
	case <-s.Quit:
		return 0
	}
}

type closing struct {
	ch   chan query
	quit chan struct{}
}

func (s *closing) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getClosing(r query) int {
	s := &closing{ch: make(chan query), quit: make(chan struct{})}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *closing) stop() { close(s.ch) }

type waiting struct {
	ch   chan query
	quit chan struct{}
	wg   sync.WaitGroup
}

func (s *waiting) loop() {
	defer s.wg.Done()
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getWaiting(r query) int {
	s := &waiting{ch: make(chan query), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: it is waited for the goroutine elsewhere than where it is ended"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *waiting) stop() { close(s.quit) }

func (s *waiting) wait() { s.wg.Wait() }

type crowd struct {
	ch   chan query
	quit chan struct{}
	wg   sync.WaitGroup
}

func (s *crowd) loop() {
	defer s.wg.Done()
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getCrowd(r query) int {
	s := &crowd{ch: make(chan query), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: wg is used in another way than to wait for the end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *crowd) stop() {
	close(s.quit)
	s.wg.Wait()
}

func (s *crowd) others() { s.wg.Go(func() {}) }

type many struct {
	ch   chan query
	quit chan struct{}
	wg   sync.WaitGroup
}

func (s *many) loop() {
	defer s.wg.Done()
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getMany(r query) int {
	s := &many{ch: make(chan query), quit: make(chan struct{})}
	s.wg.Add(2)
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: wg is used in another way than to wait for the end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *many) stop() {
	close(s.quit)
	s.wg.Wait()
}

type finishing struct {
	ch   chan query
	quit chan struct{}
}

func (s *finishing) loop() {
	defer println("end")
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getFinishing(r query) int {
	s := &finishing{ch: make(chan query), quit: make(chan struct{})}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: the goroutine does more in the end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

type finished struct{ ch chan query }

func (s *finished) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
	println("end")
}

func getFinished(r query) int {
	s := &finished{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine does more in the end"
	return <-r.reply
}

type counting struct{ ch chan query }

func (s *counting) loop() {
	n := 0
	for r := range s.ch {
		n++
		r.reply <- n
	}
	n++
}

func getCounting(r query) int {
	s := &counting{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine does more in the end"
	return <-r.reply
}

type Waits struct {
	ch   chan query
	quit chan struct{}
	Wg   sync.WaitGroup
}

func (s *Waits) loop() {
	defer s.Wg.Done()
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getWaits(r query) int {
	s := &Waits{ch: make(chan query), quit: make(chan struct{})}
	s.Wg.Add(1)
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: other packages may use Wg"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *Waits) stop() {
	close(s.quit)
	s.Wg.Wait()
}

type putOff struct {
	ch   chan query
	quit chan struct{}
	wg   sync.WaitGroup
}

func (s *putOff) loop() {
	defer s.wg.Done()
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getPutOff(r query) int {
	s := &putOff{ch: make(chan query), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: wg is used in another way than to wait for the end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *putOff) stop() {
	close(s.quit)
	defer s.wg.Wait()
}

type pair struct {
	ch        chan query
	quit      chan struct{}
	wg, other sync.WaitGroup
}

func (s *pair) loop() {
	defer s.wg.Done()
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getPair(r query) int {
	s := &pair{ch: make(chan query), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: wg cannot be taken away"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *pair) stop() {
	close(s.quit)
	s.wg.Wait()
}

type either struct {
	ch   chan query
	quit chan struct{}
}

func newEither() *either {
	s := &either{ch: make(chan query), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *either) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func (s *either) get(k int) int {
	r := query{k: k, reply: make(chan int, 1)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: a request is sent, and no answer waited for at once"
	case <-s.quit:
		k = 0
	}
	return <-r.reply
}

func (s *either) get2(k int) int {
	r := query{k: k, reply: make(chan int)}
	select {
	case s.ch <- r:
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

type neither struct {
	ch   chan query
	quit chan struct{}
}

func (s *neither) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getNeither(r query) int {
	s := &neither{ch: make(chan query), quit: make(chan struct{})}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: a request is sent, and no answer waited for at once"
	case <-s.quit:
	}
	return <-r.reply
}

func (s *neither) get2(k int) int {
	r := query{k: k, reply: make(chan int)}
	select {
	case s.ch <- r:
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

type broken struct {
	ch   chan brokenQ
	quit chan struct{}
}

type brokenQ struct {
	k     int
	reply chan int
}

func (s *broken) loop() {
	for {
		select {
		case r := <-s.ch:
			r.reply <- r.k
		case <-s.quit:
			return
		}
	}
}

func getBroken(k int) (n int) {
	s := &broken{ch: make(chan brokenQ), quit: make(chan struct{})}
	go s.loop()
	r := brokenQ{k, make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: a break leaves the select"
		n = <-r.reply
		if n < 0 {
			break
		}
		n++
	case <-s.quit:
	}
	return n
}
