package refused

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

type locking struct{ ch chan lockingQ }

type lockingQ struct {
	k     int
	reply chan int
}

func newLocking() *locking {
	s := &locking{ch: make(chan lockingQ)}
	go s.loop()
	return s
}

func (s *locking) loop() {
	for r := range s.ch {
		lock.Lock()
		lock.Unlock()
		r.reply <- r.k
	}
}

func (s *locking) get(k int) int {
	r := lockingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine takes a lock"
	return <-r.reply
}

var lock sync.Mutex

type sleeping struct{ ch chan sleepingQ }

type sleepingQ struct {
	k     int
	reply chan int
}

func newSleeping() *sleeping {
	s := &sleeping{ch: make(chan sleepingQ)}
	go s.loop()
	return s
}

func (s *sleeping) loop() {
	for r := range s.ch {
		time.Sleep(time.Millisecond)
		r.reply <- r.k
	}
}

func (s *sleeping) get(k int) int {
	r := sleepingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine waits"
	return <-r.reply
}

type starting struct{ ch chan startingQ }

type startingQ struct {
	k     int
	reply chan int
}

func newStarting() *starting {
	s := &starting{ch: make(chan startingQ)}
	go s.loop()
	return s
}

func (s *starting) loop() {
	for r := range s.ch {
		go println(r.k)
		r.reply <- r.k
	}
}

func (s *starting) get(k int) int {
	r := startingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine starts a goroutine"
	return <-r.reply
}

type telling struct{ ch chan tellingQ }

type tellingQ struct {
	k     int
	reply chan int
}

func newTelling() *telling {
	s := &telling{ch: make(chan tellingQ)}
	go s.loop()
	return s
}

func (s *telling) loop() {
	for r := range s.ch {
		told <- r.k
		r.reply <- r.k
	}
}

func (s *telling) get(k int) int {
	r := tellingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine sends to a channel"
	return <-r.reply
}

var told = make(chan int, 9)

type exiting struct{ ch chan exitingQ }

type exitingQ struct {
	k     int
	reply chan int
}

func newExiting() *exiting {
	s := &exiting{ch: make(chan exitingQ)}
	go s.loop()
	return s
}

func (s *exiting) loop() {
	for r := range s.ch {
		leave(r.k)
		r.reply <- r.k
	}
}

func (s *exiting) get(k int) int {
	r := exitingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine may end the goroutine"
	return <-r.reply
}

func leave(k int) {
	if k < 0 {
		runtime.Goexit()
	}
}

type bound struct{ ch chan boundQ }

type boundQ struct {
	k     int
	reply chan int
}

func newBound() *bound {
	s := &bound{ch: make(chan boundQ)}
	go s.loop()
	return s
}

func (s *bound) loop() {
	for r := range s.ch {
		runtime.LockOSThread()
		r.reply <- r.k
	}
}

func (s *bound) get(k int) int {
	r := boundQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what is done for a request is about the goroutine itself"
	return <-r.reply
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

type shutting struct{ ch chan shuttingQ }

type shuttingQ struct {
	k     int
	reply chan int
}

func newShutting() *shutting {
	s := &shutting{ch: make(chan shuttingQ)}
	go s.loop()
	return s
}

func (s *shutting) loop() {
	for r := range s.ch {
		if r.k < 0 {
			s.close()
		}
		r.reply <- r.k
	}
}

func (s *shutting) get(k int) int {
	r := shuttingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine closes a channel"
	return <-r.reply
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

func newOnceShutting() *onceShutting {
	s := &onceShutting{ch: make(chan onceShuttingQ)}
	go s.loop()
	return s
}

func (s *onceShutting) loop() {
	for r := range s.ch {
		if r.k < 0 {
			s.close()
		}
		r.reply <- r.k
	}
}

func (s *onceShutting) get(k int) int {
	r := onceShuttingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: for a request the goroutine waits"
	return <-r.reply
}

func (s *onceShutting) close() { s.once.Do(func() { close(s.ch) }) }

type answering struct{ ch chan answeringQ }

type answeringQ struct {
	k     int
	reply chan int
}

func newAnswering() *answering {
	s := &answering{ch: make(chan answeringQ)}
	go s.loop()
	return s
}

func (s *answering) loop() {
	var last answeringQ
	for r := range s.ch {
		if r.k == 0 && last.reply != nil {
			last.k++
		}
		last = r
		r.reply <- last.k
	}
}

func (s *answering) get(k int) int {
	r := answeringQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: reply is used in another way than to answer"
	return <-r.reply
}

type breaking struct{ ch chan breakingQ }

type breakingQ struct {
	k     int
	reply chan int
}

func newBreaking() *breaking {
	s := &breaking{ch: make(chan breakingQ)}
	go s.loop()
	return s
}

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

func (s *breaking) get(k int) int {
	r := breakingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
	return <-r.reply
}

type ending struct{ ch chan endingQ }

type endingQ struct {
	k     int
	reply chan int
}

func newEnding() *ending {
	s := &ending{ch: make(chan endingQ)}
	go s.loop()
	return s
}

func (s *ending) loop() {
	for {
		r := <-s.ch
		if r.k < 0 {
			return
		}
		r.reply <- r.k
	}
}

func (s *ending) get(k int) int {
	r := endingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine goes elsewhere, by return"
	return <-r.reply
}

type leaving struct{ ch chan leavingQ }

type leavingQ struct {
	k     int
	reply chan int
}

func newLeaving() *leaving {
	s := &leaving{ch: make(chan leavingQ)}
	go s.loop()
	return s
}

func (s *leaving) loop() {
	for r := range s.ch {
		if r.k < 0 {
			break
		}
		r.reply <- r.k
	}
}

func (s *leaving) get(k int) int {
	r := leavingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine goes elsewhere, by break"
	return <-r.reply
}

type deferring struct{ ch chan deferringQ }

type deferringQ struct {
	k     int
	reply chan int
}

func newDeferring() *deferring {
	s := &deferring{ch: make(chan deferringQ)}
	go s.loop()
	return s
}

func (s *deferring) loop() {
	for r := range s.ch {
		defer println(r.k)
		r.reply <- r.k
	}
}

func (s *deferring) get(k int) int {
	r := deferringQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine goes elsewhere, by defer"
	return <-r.reply
}

type other struct{ ch chan otherQ }

type otherQ struct {
	k     int
	reply chan int
}

func newOther() *other {
	s := &other{ch: make(chan otherQ)}
	go s.loop()
	return s
}

func (s *other) loop() {
	var none otherQ
	for r := range s.ch {
		if r.k < 0 {
			r = none
		}
		r.reply <- r.k
	}
}

func (s *other) get(k int) int {
	r := otherQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the request becomes another"
	return <-r.reply
}

type pointing struct{ ch chan pointingQ }

type pointingQ struct {
	k     int
	reply chan int
}

func newPointing() *pointing {
	s := &pointing{ch: make(chan pointingQ)}
	go s.loop()
	return s
}

func (s *pointing) loop() {
	var last *pointingQ
	for r := range s.ch {
		last = &r
		r.reply <- last.k
	}
}

func (s *pointing) get(k int) int {
	r := pointingQ{k: k, reply: make(chan int)}
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

type hiding struct{ ch chan hidingQ }

type hidingQ struct {
	k     int
	reply chan int
}

func newHiding() *hiding {
	s := &hiding{ch: make(chan hidingQ)}
	go s.loop()
	return s
}

func (s *hiding) loop() {
	n := 0
	for r := range s.ch {
		if s := r.k; s > 1 {
			n += s
		}
		r.reply <- n
	}
}

func (s *hiding) get(k int) int {
	r := hidingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: s is something else there"
	return <-r.reply
}

type moving struct{ ch chan movingQ }

type movingQ struct {
	k     int
	reply chan int
}

func newMoving() *moving {
	s := &moving{ch: make(chan movingQ)}
	go s.loop()
	return s
}

func (s *moving) loop() {
	for r := range s.ch {
		s = &*s
		r.reply <- r.k
	}
}

func (s *moving) get(k int) int {
	r := movingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: s becomes another"
	return <-r.reply
}

type same struct{ ch chan sameQ }

type sameQ struct {
	k     int
	reply chan int
}

func newSame() *same {
	s := &same{ch: make(chan sameQ)}
	go s.loop()
	return s
}

func (s *same) loop() {
	for s := range s.ch {
		s.reply <- s.k
	}
}

func (s *same) get(k int) int {
	r := sameQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the request has no name of its own"
	return <-r.reply
}

type called struct{ ch chan calledQ }

type calledQ struct {
	k     int
	do    func(int32) int
	reply chan int
}

func newCalled() *called {
	s := &called{ch: make(chan calledQ)}
	go s.loop()
	return s
}

func (s *called) loop() {
	for r := range s.ch {
		r.reply <- r.do(int32(r.k))
	}
}

func (s *called) get(k int) int {
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

func newFunctions() *functions {
	s := &functions{ch: make(chan functionsQ)}
	go s.loop()
	return s
}

func (s *functions) loop() {
	for r := range s.ch {
		r.reply <- func() int { return r.k }
	}
}

func (s *functions) get(k int) func() int {
	r := functionsQ{k: k, reply: make(chan func() int)}
	s.ch <- r // want "one by one" // refuse "mutex: it cannot be written as a method"
	return <-r.reply
}

type equal struct{ ch chan equalQ }

type equalQ struct {
	k     int
	reply chan int
}

func newEqual() *equal {
	s := &equal{ch: make(chan equalQ)}
	go s.loop()
	return s
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

func (s *equal) get(k int) int {
	r := equalQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type equals struct{ ch chan equalsQ }

type equalsQ struct {
	k     int
	reply chan int
}

func newEquals() *equals {
	s := &equals{ch: make(chan equalsQ)}
	go s.loop()
	return s
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

func (s *equals) get(k int) int {
	r := equalsQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type found struct{ ch chan foundQ }

type foundQ struct {
	k     int
	reply chan int
}

func newFound() *found {
	s := &found{ch: make(chan foundQ)}
	go s.loop()
	return s
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

func (s *found) get(k int) int {
	r := foundQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type keyed struct{ ch chan keyedQ }

type keyedQ struct {
	k     int
	reply chan int
}

func newKeyed() *keyed {
	s := &keyed{ch: make(chan keyedQ)}
	go s.loop()
	return s
}

func (s *keyed) loop() {
	for r := range s.ch {
		keyedSeen[r]++
		r.reply <- len(keyedSeen)
	}
}

func (s *keyed) get(k int) int {
	r := keyedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

var keyedSeen = map[keyedQ]int{}

type switched struct{ ch chan switchedQ }

type switchedQ struct {
	k     int
	reply chan int
}

func newSwitched() *switched {
	s := &switched{ch: make(chan switchedQ)}
	go s.loop()
	return s
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

func (s *switched) get(k int) int {
	r := switchedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type sized3 struct{ ch chan sized3Q }

type sized3Q struct {
	k     int
	reply chan int
}

func newSized3() *sized3 {
	s := &sized3{ch: make(chan sized3Q)}
	go s.loop()
	return s
}

func (s *sized3) loop() {
	for r := range s.ch {
		r.reply <- r.weight()
	}
}

func (s *sized3) get(k int) int {
	r := sized3Q{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: requests are compared, with the channels of their answers"
	return <-r.reply
}

type weighed interface{ weight() int }

func (r sized3Q) weight() int { return r.k }
