package refused

import (
	"context"
	"time"
)

type other2 struct{ ch chan other2Q }

type other2Q struct {
	k     int
	reply chan int
}

func newOther2() *other2 {
	s := &other2{ch: make(chan other2Q)}
	go s.loop()
	return s
}

func (s *other2) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *other2) get(k int) int {
	r := other2Q{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
	return <-r.reply
}

func (s *other2) waiting() int { return len(s.ch) }

type alias struct{ ch chan aliasQ }

type aliasQ struct {
	k     int
	reply chan int
}

func newAlias() *alias {
	s := &alias{ch: make(chan aliasQ)}
	go s.loop()
	return s
}

func (s *alias) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *alias) get(k int) int {
	r := aliasQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
	return <-r.reply
}

func (s *alias) chan2() chan<- aliasQ { return s.ch }

type oneWay struct{ ch chan oneWayQ }

type oneWayQ struct {
	k     int
	reply chan int
}

func newOneWay() *oneWay {
	s := &oneWay{ch: make(chan oneWayQ)}
	go s.loop()
	return s
}

func (s *oneWay) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *oneWay) tell(k int) {
	s.ch <- oneWayQ{k: k, reply: make(chan int, 1)} // want "one by one" // refuse "mutex: a request is sent, and no answer waited for at once"
}

func (s *oneWay) get(k int) int {
	r := oneWayQ{k: k, reply: make(chan int)}
	s.ch <- r
	return <-r.reply
}

type okForm struct{ ch chan okFormQ }

type okFormQ struct {
	k     int
	reply chan int
}

func newOkForm() *okForm {
	s := &okForm{ch: make(chan okFormQ)}
	go s.loop()
	return s
}

func (s *okForm) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *okForm) get(k int) int {
	r := okFormQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	v, _ := <-r.reply
	return v
}

type timely struct{ ch chan timelyQ }

type timelyQ struct {
	k     int
	reply chan int
}

func newTimely() *timely {
	s := &timely{ch: make(chan timelyQ)}
	go s.loop()
	return s
}

func (s *timely) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *timely) get(k int) int {
	r := timelyQ{k: k, reply: make(chan int, 1)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	select {
	case v := <-r.reply:
		return v
	case <-time.After(time.Second):
		return 0
	}
}

type impatient struct{ ch chan impatientQ }

type impatientQ struct {
	k     int
	reply chan int
}

func newImpatient() *impatient {
	s := &impatient{ch: make(chan impatientQ)}
	go s.loop()
	return s
}

func (s *impatient) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *impatient) get(ctx context.Context, k int) int {
	r := impatientQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: what asks may give up, for another reason"
		return <-r.reply
	case <-ctx.Done():
		return 0
	}
}

type trying struct{ ch chan tryingQ }

type tryingQ struct {
	k     int
	reply chan int
}

func newTrying() *trying {
	s := &trying{ch: make(chan tryingQ)}
	go s.loop()
	return s
}

func (s *trying) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *trying) get(k int) int {
	r := tryingQ{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: what asks may give up, for another reason"
		return <-r.reply
	default:
		return 0
	}
}

type through struct{ ch chan throughQ }

type throughQ struct {
	k     int
	reply chan int
}

func newThrough() *through {
	s := &through{ch: make(chan throughQ)}
	go s.loop()
	return s
}

func (s *through) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

type S2 struct{ *through }

func (s S2) get(k int) int {
	r := throughQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what is asked is no variable of type \*through"
	return <-r.reply
}

type sized2 struct{ ch chan sized2Q }

type sized2Q struct {
	k     int
	reply chan int
}

func newSized2() *sized2 {
	s := &sized2{ch: make(chan sized2Q)}
	go s.loop()
	return s
}

func (s *sized2) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *sized2) get(k int) int {
	reply := make(chan int, 1)
	s.ch <- sized2Q{k: k, reply: reply} // want "one by one" // refuse "mutex: reply is used for more than answers"
	v := <-reply
	return v + cap(reply)
}

type given struct{ ch chan givenQ }

type givenQ struct {
	k     int
	reply chan int
}

func newGiven() *given {
	s := &given{ch: make(chan givenQ)}
	go s.loop()
	return s
}

func (s *given) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *given) get(k int, reply chan int) int {
	r := givenQ{k: k, reply: reply}
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-r.reply
}

type given2 struct{ ch chan given2Q }

type given2Q struct {
	k     int
	reply chan int
}

func newGiven2() *given2 {
	s := &given2{ch: make(chan given2Q)}
	go s.loop()
	return s
}

func (s *given2) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *given2) get(k int, reply chan int) int {
	s.ch <- given2Q{k: k, reply: reply} // want "one by one" // refuse "mutex: reply is used for more than answers"
	return <-reply
}

type function struct{ ch chan functionQ }

type functionQ struct {
	k     int
	reply chan int
}

func newFunction() *function {
	s := &function{ch: make(chan functionQ)}
	go s.loop()
	return s
}

func (s *function) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *function) get(k int) int {
	reply := make(chan int)
	s.ch <- request(k, reply) // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-reply
}

func request(k int, reply chan int) functionQ { return functionQ{k, reply} }

type keyless struct{ ch chan keylessQ }

type keylessQ struct {
	k     int
	reply chan int
}

func newKeyless() *keyless {
	s := &keyless{ch: make(chan keylessQ)}
	go s.loop()
	return s
}

func (s *keyless) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *keyless) get(k int) int {
	r := keylessQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-r.reply
}

func (s *keyless) none() keylessQ { return keylessQ{1, nil} }

type inHead struct{ ch chan inHeadQ }

type inHeadQ struct {
	k     int
	reply chan int
}

func newInHead() *inHead {
	s := &inHead{ch: make(chan inHeadQ)}
	go s.loop()
	return s
}

func (s *inHead) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *inHead) get(k int) bool {
	r := inHeadQ{k: k, reply: make(chan int)}
	if s.ch <- r; <-r.reply > 0 { // want "one by one" // refuse "mutex: the request is part of another statement"
		return true
	}
	return false
}

var ready = make(chan int)

type set struct{ ch chan setQ }

type setQ struct {
	k     int
	reply chan int
}

func newSet() *set {
	s := &set{ch: make(chan setQ)}
	go s.loop()
	return s
}

func (s *set) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *set) get(k int, reply chan int) int {
	r := setQ{k: k}
	r.reply = reply
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-r.reply
}

type without struct{ ch chan withoutQ }

type withoutQ struct {
	k     int
	reply chan int
}

func newWithout() *without {
	s := &without{ch: make(chan withoutQ)}
	go s.loop()
	return s
}

func (s *without) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *without) get(k int) int {
	s.ch <- withoutQ{k: k} // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	return <-ready
}

type another struct{ ch chan anotherQ }

type anotherQ struct {
	k     int
	reply chan int
}

func newAnother() *another {
	s := &another{ch: make(chan anotherQ)}
	go s.loop()
	return s
}

func (s *another) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *another) get(k int) int {
	reply := make(chan int)
	s.ch <- anotherQ{k: k, reply: reply} // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	return <-ready
}

// The first answer that is waited for is that to the second.
type crossed struct{ ch chan crossedQ }

type crossedQ struct {
	k     int
	reply chan int
}

func newCrossed() *crossed {
	s := &crossed{ch: make(chan crossedQ)}
	go s.loop()
	return s
}

func (s *crossed) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *crossed) get() int {
	a, b := crossedQ{1, make(chan int, 1)}, crossedQ{2, make(chan int, 1)}
	s.ch <- a // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	s.ch <- b
	return <-b.reply - <-a.reply
}

type becomes struct{ ch chan becomesQ }

type becomesQ struct {
	k     int
	reply chan int
}

func newBecomes() *becomes {
	s := &becomes{ch: make(chan becomesQ)}
	go s.loop()
	return s
}

func (s *becomes) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *becomes) get(a, b becomesQ) int {
	s.ch <- a // want "one by one" // refuse "mutex: the request becomes another"
	s.ch <- b
	a, b = b, a
	return <-a.reply
}

type anew struct{ ch chan anewQ }

type anewQ struct {
	k     int
	reply chan int
}

func newAnew() *anew {
	s := &anew{ch: make(chan anewQ)}
	go s.loop()
	return s
}

func (s *anew) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *anew) get(k int) int {
	r := anewQ{k, make(chan int, 2)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	s.ch <- r
	for range 2 {
		k += <-r.reply
	}
	return k
}

// So is that of channels which are kept.
type swapped struct{ ch chan swappedQ }

type swappedQ struct {
	k     int
	reply chan int
}

func newSwapped() *swapped {
	s := &swapped{ch: make(chan swappedQ)}
	go s.loop()
	return s
}

func (s *swapped) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *swapped) get() int {
	first := make(chan int, 1)
	second := make(chan int, 1)
	a, b := swappedQ{1, first}, swappedQ{2, second}
	s.ch <- a // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	s.ch <- b
	return <-second - <-first
}

// A request that is put off gets its answer later.
type parked struct{ ch chan parkedQ }

type parkedQ struct {
	k     int
	reply chan int
}

func newParked() *parked {
	s := &parked{ch: make(chan parkedQ)}
	go s.loop()
	return s
}

func (s *parked) loop() {
	var waiting []parkedQ
	for r := range s.ch {
		if r.k > 0 {
			waiting = append(waiting, r)
			continue
		}
		for _, w := range waiting {
			w.reply <- r.k
		}
		waiting = nil
		r.reply <- 0
	}
}

func (s *parked) get(k int) int {
	r := parkedQ{k, make(chan int, 1)}
	s.ch <- r // want "one by one" // refuse "mutex: reply is used in another way than to answer"
	return <-r.reply
}

// So does one that is nothing but the channel.
type turns struct {
	in   chan chan int
	next chan nextQ
}

type nextQ struct{ ok chan bool }

func newTurns() *turns {
	s := &turns{in: make(chan chan int), next: make(chan nextQ)}
	go s.loop()
	return s
}

func (s *turns) loop() {
	var waiting []chan int
	for {
		select {
		case c := <-s.in:
			if len(waiting) > 3 {
				c <- 0
				continue
			}
			waiting = append(waiting, c)
		case q := <-s.next:
			q.ok <- len(waiting) > 0
		}
	}
}

func (s *turns) get() int {
	c := make(chan int)
	s.in <- c // want "one by one" // refuse "mutex: c is used in another way than to answer"
	return <-c
}

func (s *turns) more() bool {
	q := nextQ{make(chan bool)}
	s.next <- q
	return <-q.ok
}

// The function that answers runs later.
type deferred struct{ ch chan deferredQ }

type deferredQ struct {
	k     int
	reply chan int
}

func newDeferred() *deferred {
	s := &deferred{ch: make(chan deferredQ)}
	go s.loop()
	return s
}

func (s *deferred) loop() {
	var later []func()
	for r := range s.ch {
		if r.k > 0 {
			later = append(later, func() { r.reply <- r.k })
			continue
		}
		for _, f := range later {
			f()
		}
		r.reply <- 0
	}
}

func (s *deferred) get(k int) int {
	r := deferredQ{k, make(chan int, 1)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine answers in another function or statement"
	return <-r.reply
}

type perhapsNot struct{ ch chan perhapsNotQ }

type perhapsNotQ struct {
	k     int
	reply chan int
}

func newPerhapsNot() *perhapsNot {
	s := &perhapsNot{ch: make(chan perhapsNotQ)}
	go s.loop()
	return s
}

func (s *perhapsNot) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *perhapsNot) get(k int) bool {
	r := perhapsNotQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	return k > 0 && <-r.reply > 0
}

// What asks may go away before.
type leaves struct{ ch chan leavesQ }

type leavesQ struct {
	k     int
	reply chan int
}

func newLeaves() *leaves {
	s := &leaves{ch: make(chan leavesQ)}
	go s.loop()
	return s
}

func (s *leaves) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *leaves) get(k int) int {
	r := leavesQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	if k < 0 {
		return 0
	}
	return <-r.reply
}
