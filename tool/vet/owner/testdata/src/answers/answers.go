// Package answers has owners whose answers are waited for in all ways, and have several channels.
package answers

import "sync"

type late struct{ ch chan lateQ }

type lateQ struct {
	k     int
	reply chan int
}

func newLate() *late {
	s := &late{ch: make(chan lateQ)}
	go s.loop()
	return s
}

func (s *late) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *late) get(k int) int {
	r := lateQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return doubled(k) + <-r.reply
}

func doubled(k int) int { return k + k }

type inBlock struct{ ch chan inBlockQ }

type inBlockQ struct {
	k     int
	reply chan int
}

func newInBlock() *inBlock {
	s := &inBlock{ch: make(chan inBlockQ)}
	go s.loop()
	return s
}

func (s *inBlock) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *inBlock) get(k int) int {
	r := inBlockQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	{
		k++
		return k + <-r.reply
	}
}

type waits2 struct{ ch chan waits2Q }

type waits2Q struct {
	k     int
	reply chan int
}

func newWaits2() *waits2 {
	s := &waits2{ch: make(chan waits2Q)}
	go s.loop()
	return s
}

func (s *waits2) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *waits2) get(k int) int {
	r := waits2Q{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply + <-ready
}

var ready = make(chan int)

type more struct {
	ch   chan moreQ
	quit chan struct{}
}

type moreQ struct {
	k     int
	reply chan int
}

func newMore() *more {
	s := &more{ch: make(chan moreQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *more) loop() {
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

func (s *more) get(k int) int {
	r := moreQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one"
		return doubled(<-r.reply)
	case <-s.quit:
		println("stopped")
		return s.get2()
	}
}

func (s *more) get2() int { <-s.quit; return 0 }

type twoAsks struct {
	ch   chan twoAsksQ
	quit chan struct{}
}

type twoAsksQ struct {
	k     int
	reply chan int
}

func newTwoAsks() *twoAsks {
	s := &twoAsks{ch: make(chan twoAsksQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *twoAsks) loop() {
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

func (s *twoAsks) get(k int) int {
	r := twoAsksQ{k: k, reply: make(chan int)}
	n := 0
	select {
	case s.ch <- r: // want "one by one"
		n = <-r.reply
	case <-s.quit:
		return 0
	}
	select {
	case s.ch <- r:
		more := <-r.reply
		n += more
	case <-s.quit:
		return 0
	}
	return n
}

type partly struct {
	ch   chan partlyQ
	quit chan struct{}
}

type partlyQ struct {
	k     int
	reply chan int
}

func newPartly() *partly {
	s := &partly{ch: make(chan partlyQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *partly) loop() {
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

func (s *partly) get(n int) (sum int) {
	for k := range n {
		r := partlyQ{k: k, reply: make(chan int)}
		select {
		case s.ch <- r: // want "one by one"
			sum += <-r.reply
		case <-s.quit:
		}
	}
	return sum
}

type literal struct {
	ch   chan literalQ
	quit chan struct{}
}

type literalQ struct {
	k     int
	reply chan int
}

func newLiteral() *literal {
	s := &literal{ch: make(chan literalQ), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *literal) loop() {
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

func (s *literal) get(k int) int {
	reply := make(chan int)
	select {
	case s.ch <- literalQ{k: doubled(k), reply: reply}: // want "one by one"
		return <-reply
	case <-s.quit:
		return 0
	}
}

type sized struct {
	ch   chan sizedQ
	size int
}

type sizedQ struct {
	k     int
	reply chan int
}

func newSized() *sized {
	s := &sized{ch: make(chan sizedQ)}
	go s.loop()
	return s
}

func (s *sized) loop() {
	all := make([]int, s.size)
	for r := range s.ch {
		r.reply <- len(all) + r.k
	}
}

func (s *sized) get(k int) int {
	r := sizedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type failing struct{ ch chan failingQ }

type failingQ struct {
	k     int
	reply chan int
}

func newFailing() *failing {
	s := &failing{ch: make(chan failingQ)}
	go s.loop()
	return s
}

func (s *failing) loop() {
	for r := range s.ch {
		if r.k < 0 {
			panic("negative")
		}
		r.reply <- r.k
	}
}

func (s *failing) get(k int) int {
	r := failingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

// A lot has several channels, switches over all of a type, and what it begins with
// is of the function that starts it.
type lot struct {
	places chan place
	marks  chan string
	sums   chan chan int
	quit   chan struct{}
	done   chan struct{}
}

type kind int

const (
	free kind = iota
	taken
)

type place struct {
	kind kind
	n    int
	ok   chan<- bool
}

func newLot(n int) *lot {
	l := &lot{
		places: make(chan place), marks: make(chan string), sums: make(chan chan int),
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	left := n
	var marks []string
	go func() {
		defer close(l.done)
		for {
			select {
			case p := <-l.places:
				switch p.kind {
				case free:
					left += p.n
					p.ok <- true
				case taken:
					if left < p.n {
						p.ok <- false
						continue
					}
					left -= p.n
					p.ok <- true
				}
			case m := <-l.marks:
				marks = append(marks, m)
			case sum := <-l.sums:
				sum <- left + len(marks)
			case <-l.quit:
				return
			}
		}
	}()
	return l
}

func (l *lot) mark(s string) { l.marks <- s }

func (l *lot) sum() (int, bool) {
	c := make(chan int)
	select {
	case l.sums <- c:
	case <-l.done:
		return 0, false
	}
	return <-c, true
}

func (l *lot) close() {
	close(l.quit)
	<-l.done
}

// A seller has a channel for the answers to all that it asks.
type seller struct {
	lot *lot
	ok  chan bool
}

func newSeller(l *lot) *seller { return &seller{lot: l, ok: make(chan bool, 1)} }

func (s *seller) sell(n int) bool {
	s.lot.places <- place{taken, n, s.ok} // want "one by one"
	return <-s.ok
}

func (s *seller) back(n int) {
	s.lot.places <- place{free, n, s.ok}
	<-s.ok
}

type shared struct{ ch chan sharedQ }

type sharedQ struct {
	k     int
	reply chan int
}

func newShared() *shared {
	s := &shared{ch: make(chan sharedQ)}
	go s.loop()
	return s
}

func (s *shared) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *shared) sum(n int) (sum int) {
	reply := make(chan int, 1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s.ch <- sharedQ{k: i, reply: reply} // want "one by one"
			println(<-reply)
		})
	}
	wg.Wait()
	return sum
}

type elsewhere struct{ ch chan elsewhereQ }

type elsewhereQ struct {
	k     int
	reply chan int
}

func newElsewhere() *elsewhere {
	s := &elsewhere{ch: make(chan elsewhereQ)}
	go s.loop()
	return s
}

func (s *elsewhere) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *elsewhere) get(r elsewhereQ) int {
	s.ch <- r // want "one by one"
	return <-r.reply
}

func (s *elsewhere) one() int { return s.get(elsewhereQ{k: 1, reply: make(chan int)}) }

type summed struct{ ch chan summedQ }

type summedQ struct {
	k     int
	reply chan int
}

func newSummed() *summed {
	s := &summed{ch: make(chan summedQ)}
	go s.loop()
	return s
}

func (s *summed) loop() {
	n := first() + 1
	for r := range s.ch {
		r.reply <- n
	}
}

func (s *summed) get(k int) int {
	r := summedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

func first() int { return 1 }

type indexed struct{ ch chan indexedQ }

type indexedQ struct {
	k     int
	reply chan int
}

func newIndexed() *indexed {
	s := &indexed{ch: make(chan indexedQ)}
	go s.loop()
	return s
}

func (s *indexed) loop() {
	n := table[2]
	for r := range s.ch {
		r.reply <- n + r.k
	}
}

func (s *indexed) get(k int) int {
	r := indexedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

var table = []int{1, 2, 3}

type working struct{ ch chan workingQ }

type workingQ struct {
	k     int
	reply chan int
}

func newWorking() *working {
	s := &working{ch: make(chan workingQ)}
	go s.loop()
	return s
}

func (s *working) loop() {
	n := 0
	for r := range s.ch {
		r.reply <- n
		for range r.k {
			n++
		}
	}
}

func (s *working) get(k int) int {
	r := workingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type workingOn struct{ ch chan workingOnQ }

type workingOnQ struct {
	k     int
	reply chan int
}

func newWorkingOn() *workingOn {
	s := &workingOn{ch: make(chan workingOnQ)}
	go s.loop()
	return s
}

func (s *workingOn) loop() {
	n := 0
	for r := range s.ch {
		if r.k > 0 {
			r.reply <- n
		}
		n += r.k
	}
}

func (s *workingOn) get(k int) int {
	r := workingOnQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type seldom struct{ ch chan seldomQ }

type seldomQ struct {
	k     int
	reply chan int
}

func newSeldom() *seldom {
	s := &seldom{ch: make(chan seldomQ)}
	go s.loop()
	return s
}

func (s *seldom) loop() {
	for r := range s.ch {
		if r.k > 0 {
			r.reply <- r.k
		}
	}
}

func (s *seldom) get(k int) int {
	r := seldomQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type switching struct{ ch chan switchingQ }

type switchingQ struct {
	k     int
	reply chan int
}

func newSwitching() *switching {
	s := &switching{ch: make(chan switchingQ)}
	go s.loop()
	return s
}

func (s *switching) loop() {
	for r := range s.ch {
		switch r.k {
		case 0:
			r.reply <- 1
		case 1:
			r.reply <- 2
		}
	}
}

func (s *switching) get(k int) int {
	r := switchingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type falling struct{ ch chan fallingQ }

type fallingQ struct {
	k     int
	reply chan int
}

func newFalling() *falling {
	s := &falling{ch: make(chan fallingQ)}
	go s.loop()
	return s
}

func (s *falling) loop() {
	for r := range s.ch {
		switch r.k {
		case 0:
			fallthrough
		case 1:
			r.reply <- 1
		default:
			r.reply <- 2
		}
	}
}

func (s *falling) get(k int) int {
	r := fallingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type looping struct{ ch chan loopingQ }

type loopingQ struct {
	k     int
	reply chan int
}

func newLooping() *looping {
	s := &looping{ch: make(chan loopingQ)}
	go s.loop()
	return s
}

func (s *looping) loop() {
	for r := range s.ch {
		for range r.k {
			r.reply <- 1
		}
	}
}

func (s *looping) get(k int) int {
	r := loopingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type mixed struct{ ch chan mixedQ }

type mixedQ struct {
	k     int
	reply chan int
}

func newMixed() *mixed {
	s := &mixed{ch: make(chan mixedQ)}
	go s.loop()
	return s
}

func (s *mixed) loop() {
	for r := range s.ch {
		if r.k < 0 {
			r.reply <- r.k
			continue
		}
		close(r.reply)
	}
}

func (s *mixed) get(k int) int {
	r := mixedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type keeping struct{ ch chan keepingQ }

type keepingQ struct {
	k     int
	reply chan int
}

func newKeeping() *keeping {
	s := &keeping{ch: make(chan keepingQ)}
	go s.loop()
	return s
}

func (s *keeping) loop() {
	var waiting []keepingQ
	for r := range s.ch {
		if r.k == 0 {
			waiting = append(waiting, r)
			continue
		}
		r.reply <- len(waiting)
	}
}

func (s *keeping) get(k int) int {
	r := keepingQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}

type computed2 struct{ ch chan computed2Q }

type computed2Q struct {
	k     int
	reply chan int
}

func newComputed2() *computed2 {
	s := &computed2{ch: make(chan computed2Q)}
	go s.loop()
	return s
}

func (s *computed2) loop() {
	n := cap(append(table, 1))
	for r := range s.ch {
		r.reply <- n + r.k
	}
}

func (s *computed2) get(k int) int {
	r := computed2Q{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one"
	return <-r.reply
}
