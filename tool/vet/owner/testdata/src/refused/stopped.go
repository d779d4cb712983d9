package refused

import (
	"sync"
)

type theirs struct {
	ch   chan theirsQ
	quit chan struct{}
}

type theirsQ struct {
	k     int
	reply chan int
}

func newTheirs() *theirs {
	s := &theirs{ch: make(chan theirsQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *theirs) loop() {
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *theirs) get(t *theirs, k int) int {
	r := theirsQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: what asks may give up, for another reason"
		return <-r.reply
	case <-t.quit:
		return 0
	}
}

type sent struct {
	ch   chan sentQ
	quit chan struct{}
}

type sentQ struct {
	k     int
	reply chan int
}

func newSent() *sent {
	s := &sent{ch: make(chan sentQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *sent) loop() {
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *sent) get(k int) int {
	r := sentQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: quit is used in another way than to be closed"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *sent) stop() { s.quit <- struct{}{} }

type Quits struct {
	ch   chan QuitsQ
	Quit chan struct{}
}

type QuitsQ struct {
	k     int
	reply chan int
}

func newQuits() *Quits {
	s := &Quits{ch: make(chan QuitsQ), Quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *Quits) loop() {
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.Quit:
			return
		}
	}
}

func (s *Quits) get(k int) int {
	r := QuitsQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: other packages may use Quit"
		return <-r.reply
	case <-s.Quit:
		return 0
	}
}

type closing struct {
	ch   chan closingQ
	quit chan struct{}
}

type closingQ struct {
	k     int
	reply chan int
}

func newClosing() *closing {
	s := &closing{ch: make(chan closingQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *closing) loop() {
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *closing) get(k int) int {
	r := closingQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

func (s *closing) stop() { close(s.ch) }

type waiting struct {
	ch   chan waitingQ
	quit chan struct{}
	wg   sync.WaitGroup
}

type waitingQ struct {
	k     int
	reply chan int
}

func newWaiting() *waiting {
	s := &waiting{ch: make(chan waitingQ), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	return s
}

func (s *waiting) loop() {
	defer s.wg.Done()
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *waiting) get(k int) int {
	r := waitingQ{k: k, reply: make(chan int)}
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
	ch   chan crowdQ
	quit chan struct{}
	wg   sync.WaitGroup
}

type crowdQ struct {
	k     int
	reply chan int
}

func newCrowd() *crowd {
	s := &crowd{ch: make(chan crowdQ), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	return s
}

func (s *crowd) loop() {
	defer s.wg.Done()
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *crowd) get(k int) int {
	r := crowdQ{k: k, reply: make(chan int)}
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
	ch   chan manyQ
	quit chan struct{}
	wg   sync.WaitGroup
}

type manyQ struct {
	k     int
	reply chan int
}

func newMany() *many {
	s := &many{ch: make(chan manyQ), quit: make(chan struct{})}
	s.wg.Add(2)
	go s.loop()
	return s
}

func (s *many) loop() {
	defer s.wg.Done()
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *many) get(k int) int {
	r := manyQ{k: k, reply: make(chan int)}
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
	ch   chan finishingQ
	quit chan struct{}
}

type finishingQ struct {
	k     int
	reply chan int
}

func newFinishing() *finishing {
	s := &finishing{ch: make(chan finishingQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *finishing) loop() {
	defer println("end")
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *finishing) get(k int) int {
	r := finishingQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: the goroutine does more in the end"
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

type finished struct{ ch chan finishedQ }

type finishedQ struct {
	k     int
	reply chan int
}

func newFinished() *finished {
	s := &finished{ch: make(chan finishedQ)}
	go s.loop()
	return s
}

func (s *finished) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
	println("end")
}

func (s *finished) get(k int) int {
	r := finishedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine does more in the end"
	return <-r.reply
}

type counting struct{ ch chan countingQ }

type countingQ struct {
	k     int
	reply chan int
}

func newCounting() *counting {
	s := &counting{ch: make(chan countingQ)}
	go s.loop()
	return s
}

func (s *counting) loop() {
	n := 0
	for r := range s.ch {
		n++
		r.reply <- n
	}
	n++
}

func (s *counting) get(k int) int {
	r := countingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine does more in the end"
	return <-r.reply
}

type Waits struct {
	ch   chan WaitsQ
	quit chan struct{}
	Wg   sync.WaitGroup
}

type WaitsQ struct {
	k     int
	reply chan int
}

func newWaits() *Waits {
	s := &Waits{ch: make(chan WaitsQ), quit: make(chan struct{})}
	s.Wg.Add(1)
	go s.loop()
	return s
}

func (s *Waits) loop() {
	defer s.Wg.Done()
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *Waits) get(k int) int {
	r := WaitsQ{k: k, reply: make(chan int)}
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
	ch   chan putOffQ
	quit chan struct{}
	wg   sync.WaitGroup
}

type putOffQ struct {
	k     int
	reply chan int
}

func newPutOff() *putOff {
	s := &putOff{ch: make(chan putOffQ), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	return s
}

func (s *putOff) loop() {
	defer s.wg.Done()
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *putOff) get(k int) int {
	r := putOffQ{k: k, reply: make(chan int)}
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
	ch        chan pairQ
	quit      chan struct{}
	wg, other sync.WaitGroup
}

type pairQ struct {
	k     int
	reply chan int
}

func newPair() *pair {
	s := &pair{ch: make(chan pairQ), quit: make(chan struct{})}
	s.wg.Add(1)
	go s.loop()
	return s
}

func (s *pair) loop() {
	defer s.wg.Done()
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *pair) get(k int) int {
	r := pairQ{k: k, reply: make(chan int)}
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
	ch   chan eitherQ
	quit chan struct{}
}

type eitherQ struct {
	k     int
	reply chan int
}

func newEither() *either {
	s := &either{ch: make(chan eitherQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *either) loop() {
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *either) get(k int) int {
	r := eitherQ{k: k, reply: make(chan int, 1)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: a request is sent, and no answer waited for at once"
	case <-s.quit:
		k = 0
	}
	return <-r.reply
}

func (s *either) get2(k int) int {
	r := eitherQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r:
		return <-r.reply
	case <-s.quit:
		return 0
	}
}

type neither struct {
	ch   chan neitherQ
	quit chan struct{}
}

type neitherQ struct {
	k     int
	reply chan int
}

func newNeither() *neither {
	s := &neither{ch: make(chan neitherQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *neither) loop() {
	n := 0
	for {
		select {
		case r := <-s.ch:
			n += r.k
			r.reply <- n
		case <-s.quit:
			return
		}
	}
}

func (s *neither) get(k int) int {
	r := neitherQ{k: k, reply: make(chan int, 1)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: a request is sent, and no answer waited for at once"
	case <-s.quit:
	}
	return <-r.reply
}

func (s *neither) get2(k int) int {
	r := neitherQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r:
		return <-r.reply
	case <-s.quit:
		return 0
	}
}
