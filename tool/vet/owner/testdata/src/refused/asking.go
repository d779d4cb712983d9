package refused

import (
	"context"
	"sync"
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
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	return doubled(k) + <-r.reply
}

func doubled(k int) int { return k + k }

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
			s.ch <- sharedQ{k: i, reply: reply} // want "one by one" // refuse "mutex: reply is used by several functions"
			println(<-reply)
		})
	}
	wg.Wait()
	return sum
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
	s.ch <- sized2Q{k: k, reply: reply} // want "one by one" // refuse "mutex: reply is used for more than one answer"
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
	s.ch <- given2Q{k: k, reply: reply} // want "one by one" // refuse "mutex: reply is not made for the answer alone"
	return <-reply
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
	s.ch <- r // want "one by one" // refuse "mutex: the channel of the answer is made elsewhere"
	return <-r.reply
}

func (s *elsewhere) one() int { return s.get(elsewhereQ{k: 1, reply: make(chan int)}) }

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
	s.ch <- request(k, reply) // want "one by one" // refuse "mutex: the request is computed"
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
	s.ch <- r // want "one by one" // refuse "mutex: a request has no field names"
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
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
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
	s.ch <- r // want "one by one" // refuse "mutex: what asks does more than to wait for the answer"
	return <-r.reply + <-ready
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
	s.ch <- withoutQ{k: k} // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
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
	s.ch <- anotherQ{k: k, reply: reply} // want "one by one" // refuse "mutex: the channel of the answer is not made for it alone"
	return <-ready
}
