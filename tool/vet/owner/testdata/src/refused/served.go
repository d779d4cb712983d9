package refused

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

type locking struct{ ch chan chan int }

func (s *locking) loop() {
	for r := range s.ch {
		lock.Lock()
		lock.Unlock()
		r <- 1
	}
}

func getLocking() int {
	s := &locking{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine takes a lock"
	return <-r
}

var lock sync.Mutex

type sleeping struct{ ch chan chan int }

func (s *sleeping) loop() {
	for r := range s.ch {
		time.Sleep(time.Millisecond)
		r <- 1
	}
}

func getSleeping() int {
	s := &sleeping{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine waits"
	return <-r
}

type starting struct{ ch chan chan int }

func (s *starting) loop() {
	for r := range s.ch {
		go println(1)
		r <- 1
	}
}

func getStarting() int {
	s := &starting{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine starts a goroutine"
	return <-r
}

type telling struct{ ch chan chan int }

func (s *telling) loop() {
	for r := range s.ch {
		told <- 1
		r <- 1
	}
}

func getTelling() int {
	s := &telling{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine sends to a channel"
	return <-r
}

var told = make(chan int, 9)

type lagging struct{ ch chan laggingQ }

type laggingQ struct{ reply chan int }

func (s *lagging) loop() {
	var last laggingQ
	for r := range s.ch {
		r.reply <- 1
		last.reply <- 1
		last = r
	}
}

func getLagging(r laggingQ) int {
	s := &lagging{ch: make(chan laggingQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: reply is used in another way than to answer"
	return <-r.reply
}

type exiting struct{ ch chan chan int }

func (s *exiting) loop() {
	for r := range s.ch {
		leave(1)
		r <- 1
	}
}

func getExiting() int {
	s := &exiting{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine may end the goroutine"
	return <-r
}

func leave(k int) {
	if k < 0 {
		runtime.Goexit()
	}
}

type bound struct{ ch chan chan int }

func (s *bound) loop() {
	for r := range s.ch {
		runtime.LockOSThread()
		r <- 1
	}
}

func getBound() int {
	s := &bound{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: what is done for a request is about the goroutine itself"
	return <-r
}

type again struct{ ch chan againQ }

type againQ struct {
	k     int
	by    visitor
	reply chan int
}

func newAgain() *again {
	s := &again{ch: make(chan againQ)}
	go s.loop()
	return s
}

func (s *again) loop() {
	for r := range s.ch {
		r.reply <- r.by.visit(r.k)
	}
}

func (s *again) get(k int) int {
	r := againQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what is done for a request may ask again"
	return <-r.reply
}

type visitor interface{ visit(k int) int }

func (s *again) visit(k int) int { return s.get(k) }

type shutting struct{ ch chan chan int }

func (s *shutting) loop() {
	for r := range s.ch {
		if 1 < 0 {
			s.close()
		}
		r <- 1
	}
}

func getShutting() int {
	s := &shutting{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine closes a channel"
	return <-r
}

func (s *shutting) close() { close(s.ch) }

type onceShutting struct {
	ch   chan onceShuttingQ
	once sync.Once
}

type onceShuttingQ struct {
	k     int
	reply chan int
}

func (s *onceShutting) loop() {
	for r := range s.ch {
		if r.k < 0 {
			s.close()
		}
		r.reply <- r.k
	}
}

func getOnceShutting(r onceShuttingQ) int {
	s := &onceShutting{ch: make(chan onceShuttingQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine waits"
	return <-r.reply
}

func (s *onceShutting) close() { s.once.Do(func() { close(s.ch) }) }

type answering struct{ ch chan query }

func (s *answering) loop() {
	var last query
	for r := range s.ch {
		if r.k == 0 && last.reply != nil {
			last.k++
		}
		last = r
		r.reply <- last.k
	}
}

func getAnswering(r query) int {
	s := &answering{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: reply is used in another way than to answer"
	return <-r.reply
}

type breaking struct{ ch chan query }

func (s *breaking) loop() {
	for r := range s.ch {
		switch r.k {
		case 0:
			if len(s.ch) == 0 {
				break
			}
			r.reply <- 1
		default:
			r.reply <- 2
		}
	}
}

func getBreaking(r query) int {
	s := &breaking{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
	return <-r.reply
}

type ending struct{ ch chan query }

func (s *ending) loop() {
	for {
		r := <-s.ch
		if r.k < 0 {
			return
		}
		r.reply <- r.k
	}
}

func getEnding(r query) int {
	s := &ending{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine goes elsewhere, by return"
	return <-r.reply
}

type leaving struct{ ch chan query }

func (s *leaving) loop() {
	for r := range s.ch {
		if r.k < 0 {
			break
		}
		r.reply <- r.k
	}
}

func getLeaving(r query) int {
	s := &leaving{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine goes elsewhere, by break"
	return <-r.reply
}

type deferring struct{ ch chan query }

func (s *deferring) loop() {
	for r := range s.ch {
		defer println(r.k)
		r.reply <- r.k
	}
}

func getDeferring(r query) int {
	s := &deferring{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine goes elsewhere, by defer"
	return <-r.reply
}

type other struct{ ch chan query }

func (s *other) loop() {
	var none query
	for r := range s.ch {
		if r.k < 0 {
			r = none
		}
		r.reply <- r.k
	}
}

func getOther(r query) int {
	s := &other{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the request becomes another"
	return <-r.reply
}

type pointing struct{ ch chan query }

func (s *pointing) loop() {
	var last *query
	for r := range s.ch {
		last = &r
		r.reply <- last.k
	}
}

func getPointing(r query) int {
	s := &pointing{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the address of the request is taken"
	return <-r.reply
}

type computed struct{ ch chan computedQ }

type computedQ struct {
	k     int
	reply chan struct{}
}

func newComputed() *computed {
	s := &computed{ch: make(chan computedQ)}
	go s.loop()
	return s
}

func (s *computed) loop() {
	for r := range s.ch {
		r.reply <- nothing(r.k)
	}
}

func (s *computed) get(k int) {
	r := computedQ{k: k, reply: make(chan struct{})}
	s.ch <- r // want "one by one" // refuse "mutex: an answer that says nothing is computed"
	<-r.reply
}

func nothing(k int) struct{} { println(k); return struct{}{} }

type lookedAt struct{ ch chan lookedAtQ }

type lookedAtQ struct {
	k     int
	reply chan struct{}
}

func newLookedAt() *lookedAt {
	s := &lookedAt{ch: make(chan lookedAtQ)}
	go s.loop()
	return s
}

func (s *lookedAt) loop() {
	for r := range s.ch {
		r.reply <- struct{}{}
	}
}

func (s *lookedAt) get(k int) struct{} {
	r := lookedAtQ{k: k, reply: make(chan struct{})}
	s.ch <- r // want "one by one" // refuse "mutex: an answer that says nothing is looked at"
	return <-r.reply
}

type hiding struct{ ch chan chan int }

func (s *hiding) loop() {
	n := 0
	for r := range s.ch {
		if s := 1; s > 1 {
			n += s
		}
		r <- n
	}
}

func getHiding() int {
	s := &hiding{ch: make(chan chan int)}
	go s.loop()
	r := make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: s is something else there"
	return <-r
}

type moving struct{ ch chan query }

func (s *moving) loop() {
	for r := range s.ch {
		s = &*s
		r.reply <- r.k
	}
}

func getMoving(r query) int {
	s := &moving{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: s becomes another"
	return <-r.reply
}

type same struct{ ch chan sameQ }

type sameQ struct {
	k     int
	reply chan int
}

func (s *same) loop() {
	for s := range s.ch {
		s.reply <- s.k
	}
}

func getSame(r sameQ) int {
	s := &same{ch: make(chan sameQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the request has no name of its own"
	return <-r.reply
}

type called struct{ ch chan calledQ }

type calledQ struct {
	k     int
	do    func(int32) int
	reply chan int
}

func (s *called) loop() {
	for r := range s.ch {
		r.reply <- r.do(int32(r.k))
	}
}

func getCalled(k int) int {
	s := &called{ch: make(chan calledQ)}
	go s.loop()
	r := calledQ{k: k, do: func(k int32) int { time.Sleep(1); return int(k) }, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what a request may have done waits"
	return <-r.reply
}

type calling struct{ ch chan callingQ }

type callingQ struct {
	k     int
	do    func(int) int
	reply chan int
}

func newCalling() *calling {
	s := &calling{ch: make(chan callingQ)}
	go s.loop()
	return s
}

func (s *calling) loop() {
	for r := range s.ch {
		r.reply <- r.do(r.k)
	}
}

func (s *calling) get(k int) int {
	r := callingQ{k: k, do: func(k int) int { return s.get(k - 1) }, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what is done for a request may ask again"
	return <-r.reply
}

type functions struct{ ch chan functionsQ }

type functionsQ struct {
	k     int
	reply chan func() int
}

func (s *functions) loop() {
	for r := range s.ch {
		r.reply <- func() int { return r.k }
	}
}

func getFunctions(k int) func() int {
	s := &functions{ch: make(chan functionsQ)}
	go s.loop()
	r := functionsQ{k: k, reply: make(chan func() int)}
	s.ch <- r // want "one by one" // refuse "mutex: it cannot be written as a method"
	return <-r.reply
}

type equal struct{ ch chan equalQ }

type equalQ struct {
	k     int
	reply chan int
}

func (s *equal) loop() {
	var last equalQ
	all := make([]equalQ, 0, 3)
	for r := range s.ch {
		if r == last {
			r.k++
		}
		last, all = r, append(all, r)
		r.reply <- r.k + last.k
	}
}

func getEqual(r equalQ) int {
	s := &equal{ch: make(chan equalQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type equals struct{ ch chan equalsQ }

type equalsQ struct {
	k     int
	reply chan int
}

func (s *equals) loop() {
	var last equalsQ
	all := make([]equalsQ, 0, 3)
	for r := range s.ch {
		if [1]equalsQ{r} != [1]equalsQ{last} {
			r.k++
		}
		last, all = r, append(all, r)
		r.reply <- r.k + last.k
	}
}

func getEquals(r equalsQ) int {
	s := &equals{ch: make(chan equalsQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type found struct{ ch chan foundQ }

type foundQ struct {
	k     int
	reply chan int
}

func (s *found) loop() {
	var last foundQ
	all := make([]foundQ, 0, 3)
	for r := range s.ch {
		if slices.Contains(all, r) {
			r.k++
		}
		last, all = r, append(all, r)
		r.reply <- r.k + last.k
	}
}

func getFound(r foundQ) int {
	s := &found{ch: make(chan foundQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type keyed struct{ ch chan keyedQ }

type keyedQ struct {
	k     int
	reply chan int
}

func (s *keyed) loop() {
	for r := range s.ch {
		keyedSeen[r]++
		r.reply <- len(keyedSeen)
	}
}

func getKeyed(r keyedQ) int {
	s := &keyed{ch: make(chan keyedQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

var keyedSeen = map[keyedQ]int{}

type switched struct{ ch chan switchedQ }

type switchedQ struct {
	k     int
	reply chan int
}

func (s *switched) loop() {
	var last switchedQ
	for r := range s.ch {
		switch r {
		case last:
			r.reply <- 1
		default:
			r.reply <- 2
		}
	}
}

func getSwitched(r switchedQ) int {
	s := &switched{ch: make(chan switchedQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type sized3 struct{ ch chan sized3Q }

type sized3Q struct {
	k     int
	reply chan int
}

func (s *sized3) loop() {
	for r := range s.ch {
		r.reply <- r.weight()
	}
}

func getSized3(r sized3Q) int {
	s := &sized3{ch: make(chan sized3Q)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type weighed interface{ weight() int }

func (r sized3Q) weight() int { return r.k }
