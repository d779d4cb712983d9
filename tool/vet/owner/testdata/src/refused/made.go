package refused

import (
	"fmt"
)

type perhaps struct{ ch chan perhapsQ }

type perhapsQ struct {
	k     int
	reply chan int
}

func newPerhaps(on bool) *perhaps {
	s := &perhaps{ch: make(chan perhapsQ)}
	if on {
		go s.loop()
	}
	return s
}

func (s *perhaps) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *perhaps) get(k int) int {
	r := perhapsQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where perhaps is made"
	return <-r.reply
}

type twice struct{ ch chan twiceQ }

type twiceQ struct {
	k     int
	reply chan int
}

func newTwice() *twice {
	s := &twice{ch: make(chan twiceQ)}
	go s.loop()
	defer s.loop()
	return s
}

func (s *twice) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *twice) get(k int) int {
	r := twiceQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: loop is called elsewhere"
	return <-r.reply
}

type known struct{ ch chan knownQ }

type knownQ struct {
	k     int
	reply chan int
}

var all = map[string]*known{}

func newKnown() *known {
	s := &known{ch: make(chan knownQ)}
	all["first"] = s
	go s.loop()
	return s
}

func (s *known) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *known) get(k int) int {
	r := knownQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where known is made, and known there alone"
	return <-r.reply
}

type asked struct{ ch chan askedQ }

type askedQ struct {
	k     int
	reply chan int
}

func newAsked() *asked {
	s := &asked{ch: make(chan askedQ)}
	go func() { println(s.ch != nil) }()
	go s.loop()
	return s
}

func (s *asked) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *asked) get(k int) int {
	r := askedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where asked is made, and known there alone"
	return <-r.reply
}

type changed struct{ ch chan changedQ }

type changedQ struct {
	k     int
	reply chan int
}

func newChanged() *changed {
	s := &changed{ch: make(chan changedQ)}
	go s.loop()
	s = nil
	return s
}

func (s *changed) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *changed) get(k int) int {
	r := changedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where changed is made, and known there alone"
	return <-r.reply
}

type copied struct{ ch chan copiedQ }

type copiedQ struct {
	k     int
	reply chan int
}

func newCopied() *copied {
	s := &copied{ch: make(chan copiedQ)}
	go s.loop()
	return s
}

func (s *copied) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *copied) get(k int) int {
	r := copiedQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: copied is copied"
	return <-r.reply
}

func (s *copied) copy() { t := *s; println(t.ch) }

type zero struct{ ch chan zeroQ }

type zeroQ struct {
	k     int
	reply chan int
}

func newZero() *zero {
	s := &zero{ch: make(chan zeroQ)}
	go s.loop()
	return s
}

func (s *zero) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *zero) get(k int) int {
	r := zeroQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: zero is made elsewhere, or is no pointer"
	return <-r.reply
}

func (s *zero) zero() int { var t zero; return t.get(1) }

type several struct{ ch chan severalQ }

type severalQ struct {
	k     int
	reply chan int
}

func newSeveral() *several {
	s := &several{ch: make(chan severalQ)}
	go s.loop()
	return s
}

func (s *several) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *several) get(k int) int {
	r := severalQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where several is made"
	return <-r.reply
}

func (s *several) again() *several { return &several{ch: s.ch} }

type shown struct{ ch chan shownQ }

type shownQ struct {
	k     int
	reply chan int
}

func newShown() *shown {
	s := &shown{ch: make(chan shownQ)}
	go s.loop()
	return s
}

func (s *shown) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *shown) get(k int) int {
	r := shownQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: shown: its fields may be shown"
	return <-r.reply
}

func (s *shown) show() { println(fmt.Sprint(s)) }

type runner struct{ ch chan runnerQ }

type runnerQ struct {
	k     int
	reply chan int
}

func newRunner() *runner {
	s := &runner{ch: make(chan runnerQ)}
	go s.turn()
	return s
}

func (s *runner) turn() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *runner) get(k int) int {
	r := runnerQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: turn is a method of an interface"
	return <-r.reply
}

type looper interface{ turn() }

type Loops struct{ ch chan LoopsQ }

type LoopsQ struct {
	k     int
	reply chan int
}

func newLoops() *Loops {
	s := &Loops{ch: make(chan LoopsQ)}
	go s.Loop()
	return s
}

func (s *Loops) Loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *Loops) get(k int) int {
	r := LoopsQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: others may call Loop"
	return <-r.reply
}

type Exported struct{ Ch chan ExportedQ }

type ExportedQ struct {
	k     int
	reply chan int
}

func newExported() *Exported {
	s := &Exported{Ch: make(chan ExportedQ)}
	go s.loop()
	return s
}

func (s *Exported) loop() {
	n := 0
	for r := range s.Ch {
		n += r.k
		r.reply <- n
	}
}

func (s *Exported) get(k int) int {
	r := ExportedQ{k: k, reply: make(chan int)}
	s.Ch <- r // want "one by one" // refuse "mutex: other packages may use Ch"
	return <-r.reply
}

type ExportedReply struct{ ch chan ExportedReplyQ }

type ExportedReplyQ struct {
	k     int
	Reply chan int
}

func newExportedReply() *ExportedReply {
	s := &ExportedReply{ch: make(chan ExportedReplyQ)}
	go s.loop()
	return s
}

func (s *ExportedReply) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.Reply <- n
	}
}

func (s *ExportedReply) get(k int) int {
	r := ExportedReplyQ{k: k, Reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: other packages may use Reply"
	return <-r.Reply
}

type unasked struct {
	ch chan struct{ reply chan int }
}

func newUnasked() *unasked {
	s := &unasked{ch: make(chan struct{ reply chan int })}
	go s.loop()
	return s
}

func (s *unasked) loop() {
	for r := range s.ch {
		r.reply <- 1
	}
}

func (s *unasked) get() int {
	r := struct{ reply chan int }{make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: the type of a request has no name of its own"
	return <-r.reply
}

type embedded struct{ ch chan embeddedQ }

type embeddedQ struct {
	k int
	embeddedBase
}

type embeddedBase struct{ reply chan int }

func newEmbedded() *embedded {
	s := &embedded{ch: make(chan embeddedQ)}
	go s.loop()
	return s
}

func (s *embedded) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *embedded) get(k int) int {
	r := embeddedQ{k: k}
	r.reply = make(chan int)
	s.ch <- r // want "one by one" // refuse "mutex: embeddedQ is not written as a struct that has reply"
	return <-r.reply
}

type both struct{ ch, other chan bothQ }

type bothQ struct {
	k     int
	reply chan int
}

func newBoth() *both {
	s := &both{ch: make(chan bothQ)}
	go s.loop()
	return s
}

func (s *both) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *both) get(k int) int {
	r := bothQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: ch cannot be taken away"
	return <-r.reply
}

type theirs2 struct{ ch chan theirs2Q }

type theirs2Q struct {
	k     int
	reply chan int
}

func newTheirs2(t *theirs2) *theirs2 {
	s := &theirs2{ch: make(chan theirs2Q)}
	go t.loop()
	return s
}

func (s *theirs2) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *theirs2) get(k int) int {
	r := theirs2Q{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where theirs2 is made"
	return <-r.reply
}

type pairs struct{ ch chan pairsQ }

type pairsQ struct {
	k            int
	reply, other chan int
}

func newPairs() *pairs {
	s := &pairs{ch: make(chan pairsQ)}
	go s.loop()
	return s
}

func (s *pairs) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.reply <- n
	}
}

func (s *pairs) get(k int) int {
	r := pairsQ{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: reply cannot be taken away"
	return <-r.reply
}
