package refused

import (
	"context"
	"time"
)

type other2 struct{ ch chan query }

func (s *other2) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getOther2(r query) int {
	s := &other2{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: ch is used in another way than to ask and to end"
	return <-r.reply
}

func (s *other2) waiting() int { return len(s.ch) }

type oneWay struct{ ch chan query }

func newOneWay() *oneWay {
	s := &oneWay{ch: make(chan query)}
	go s.loop()
	return s
}

func (s *oneWay) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *oneWay) tell(k int) {
	s.ch <- query{k: k, reply: make(chan int, 1)} // want "one by one" // refuse "mutex: a request is sent, and no answer waited for at once"
}

func (s *oneWay) get(r query) int {
	s.ch <- r
	return <-r.reply
}

type okForm struct{ ch chan query }

func (s *okForm) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getOkForm(r query) int {
	s := &okForm{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	v, _ := <-r.reply
	return v
}

type timely struct{ ch chan query }

func (s *timely) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getTimely(r query) int {
	s := &timely{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	select {
	case v := <-r.reply:
		return v
	case <-time.After(time.Second):
		return 0
	}
}

type impatient struct{ ch chan query }

func (s *impatient) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getImpatient(ctx context.Context, k int) int {
	s := &impatient{ch: make(chan query)}
	go s.loop()
	r := query{k: k, reply: make(chan int)}
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: what asks may give up, for another reason"
		return <-r.reply
	case <-ctx.Done():
		return 0
	}
}

type trying struct{ ch chan query }

func (s *trying) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getTrying(r query) int {
	s := &trying{ch: make(chan query)}
	go s.loop()
	select {
	case s.ch <- r: // want "one by one" // refuse "mutex: what asks may give up, for another reason"
		return <-r.reply
	default:
		return 0
	}
}

type through struct{ ch chan query }

func newThrough() *through {
	s := &through{ch: make(chan query)}
	go s.loop()
	return s
}

func (s *through) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

type S2 struct{ *through }

func (s S2) get(k int) int {
	r := query{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what is asked is no variable of type \*through"
	return <-r.reply
}

type sized2 struct{ ch chan sized2Q }

type sized2Q struct {
	k     int
	reply chan int
}

func (s *sized2) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getSized2(k int) int {
	s := &sized2{ch: make(chan sized2Q)}
	go s.loop()
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

func (s *given) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getGiven(k int, reply chan int) int {
	s := &given{ch: make(chan givenQ)}
	go s.loop()
	r := givenQ{k: k, reply: reply}
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-r.reply
}

type given2 struct{ ch chan given2Q }

type given2Q struct {
	k     int
	reply chan int
}

func (s *given2) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getGiven2(k int, reply chan int) int {
	s := &given2{ch: make(chan given2Q)}
	go s.loop()
	s.ch <- given2Q{k: k, reply: reply} // want "one by one" // refuse "mutex: reply is used for more than answers"
	return <-reply
}

type function struct{ ch chan functionQ }

type functionQ struct {
	k     int
	reply chan int
}

func (s *function) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getFunction(k int) int {
	s := &function{ch: make(chan functionQ)}
	go s.loop()
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

func (s *keyless) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getKeyless(r keylessQ) int {
	s := &keyless{ch: make(chan keylessQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-r.reply
}

func (s *keyless) none() keylessQ { return keylessQ{1, nil} }

type inHead struct{ ch chan query }

func (s *inHead) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getInHead(k int) bool {
	s := &inHead{ch: make(chan query)}
	go s.loop()
	r := query{k: k, reply: make(chan int)}
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

func (s *set) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getSet(k int, reply chan int) int {
	s := &set{ch: make(chan setQ)}
	go s.loop()
	r := setQ{k: k}
	r.reply = reply
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-r.reply
}

type without struct{ ch chan query }

func (s *without) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getWithout(k int) int {
	s := &without{ch: make(chan query)}
	go s.loop()
	s.ch <- query{k: k} // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	return <-ready
}

type another struct{ ch chan query }

func (s *another) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getAnother(k int) int {
	s := &another{ch: make(chan query)}
	go s.loop()
	reply := make(chan int)
	s.ch <- query{k: k, reply: reply} // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	return <-ready
}

// The first answer that is waited for is that to the second.
type crossed struct{ ch chan query }

func (s *crossed) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getCrossed() int {
	s := &crossed{ch: make(chan query)}
	go s.loop()
	a, b := query{1, make(chan int, 1)}, query{2, make(chan int, 1)}
	s.ch <- a // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	s.ch <- b
	return <-b.reply - <-a.reply
}

type becomes struct{ ch chan query }

func (s *becomes) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getBecomes(a, b query) int {
	s := &becomes{ch: make(chan query)}
	go s.loop()
	s.ch <- a // want "one by one" // refuse "mutex: the request becomes another"
	s.ch <- b
	a, b = b, a
	return <-a.reply
}

type anew struct{ ch chan query }

func (s *anew) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getAnew(k int) int {
	s := &anew{ch: make(chan query)}
	go s.loop()
	r := query{k, make(chan int, 2)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	s.ch <- r
	for range 2 {
		k += <-r.reply
	}
	return k
}

// So is that of channels which are kept.
type swapped struct{ ch chan query }

func (s *swapped) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getSwapped() int {
	s := &swapped{ch: make(chan query)}
	go s.loop()
	first := make(chan int, 1)
	second := make(chan int, 1)
	a, b := query{1, first}, query{2, second}
	s.ch <- a // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	s.ch <- b
	return <-second - <-first
}

// A request that is put off gets its answer later.
type parked struct{ ch chan query }

func (s *parked) loop() {
	var waiting []query
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

func getParked(k int) int {
	s := &parked{ch: make(chan query)}
	go s.loop()
	r := query{k, make(chan int, 1)}
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
type deferred struct{ ch chan query }

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

func getDeferred(k int) int {
	s := &deferred{ch: make(chan query)}
	go s.loop()
	r := query{k, make(chan int, 1)}
	s.ch <- r // want "one by one" // refuse "mutex: the goroutine answers in another function or statement"
	return <-r.reply
}

type perhapsNot struct{ ch chan query }

func (s *perhapsNot) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getPerhapsNot(k int) bool {
	s := &perhapsNot{ch: make(chan query)}
	go s.loop()
	r := query{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	return k > 0 && <-r.reply > 0
}

// What asks may go away before.
type leaves struct{ ch chan query }

func (s *leaves) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getLeaves(k int) int {
	s := &leaves{ch: make(chan query)}
	go s.loop()
	r := query{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	if k < 0 {
		return 0
	}
	return <-r.reply
}

type early struct{ ch chan query }

func (s *early) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getEarly(r query) int {
	s := &early{ch: make(chan query, 1)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where early is made, and known there alone"
	go s.loop()
	return <-r.reply
}

type doubly struct{ ch chan query }

func (s *doubly) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getDoubly(r query) int {
	s := &doubly{ch: make(chan query, 2)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	s.ch <- r
	return <-r.reply
}

type query struct {
	k     int
	reply chan int
}
