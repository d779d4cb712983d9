package refused

import "fmt"

type perhaps struct{ ch chan query }

func newPerhaps(on bool) *perhaps {
	s := &perhaps{ch: make(chan query)}
	if on {
		go s.loop()
	}
	return s
}

func (s *perhaps) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *perhaps) get(r query) int {
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where perhaps is made"
	return <-r.reply
}

type twice struct{ ch chan query }

func (s *twice) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getTwice(r query) int {
	s := &twice{ch: make(chan query)}
	go s.loop()
	defer s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: loop is called elsewhere"
	return <-r.reply
}

type known struct{ ch chan query }

var all = map[string]*known{}

func (s *known) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getKnown(r query) int {
	s := &known{ch: make(chan query)}
	all["first"] = s
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where known is made, and known there alone"
	return <-r.reply
}

type asked struct{ ch chan query }

func (s *asked) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getAsked(r query) int {
	s := &asked{ch: make(chan query)}
	go func() { println(s.ch != nil) }()
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where asked is made, and known there alone"
	return <-r.reply
}

type changed struct{ ch chan query }

func (s *changed) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getChanged(r query) int {
	s := &changed{ch: make(chan query)}
	go s.loop()
	s = nil
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where changed is made, and known there alone"
	return <-r.reply
}

type copied struct{ ch, other chan query }

func (s *copied) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getCopied(r query) int {
	s := &copied{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: copied is copied"
	return <-r.reply
}

func (s *copied) copy() { t := *s; println(t.ch) }

type zero struct{ ch chan query }

func newZero() *zero {
	s := &zero{ch: make(chan query)}
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
	r := query{k: k, reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: zero is made elsewhere, or is no pointer"
	return <-r.reply
}

func (s *zero) zero() int { var t zero; return t.get(1) }

type several struct{ ch chan query }

func (s *several) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getSeveral(r query) int {
	s := &several{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where several is made"
	return <-r.reply
}

func (s *several) again() *several { return &several{ch: s.ch} }

type shown struct{ ch chan query }

func (s *shown) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getShown(r query) int {
	s := &shown{ch: make(chan query)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: shown: its fields may be shown"
	return <-r.reply
}

func (s *shown) show() { println(fmt.Sprint(s)) }

type runner struct{ ch chan query }

func (s *runner) turn() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getRunner(r query) int {
	s := &runner{ch: make(chan query)}
	go s.turn()
	s.ch <- r // want "one by one" // refuse "mutex: turn is a method of an interface"
	return <-r.reply
}

type looper interface{ turn() }

type Loops struct{ ch chan query }

func (s *Loops) Loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getLoops(r query) int {
	s := &Loops{ch: make(chan query)}
	go s.Loop()
	s.ch <- r // want "one by one" // refuse "mutex: others may call Loop"
	return <-r.reply
}

type Exported struct{ Ch chan query }

func (s *Exported) loop() {
	for r := range s.Ch {
		r.reply <- r.k
	}
}

func getExported(r query) int {
	s := &Exported{Ch: make(chan query)}
	go s.loop()
	s.Ch <- r // want "one by one" // refuse "mutex: other packages may use Ch"
	return <-r.reply
}

type ExportedReply struct{ ch chan ExportedReplyQ }

type ExportedReplyQ struct {
	k     int
	Reply chan int
}

func (s *ExportedReply) loop() {
	n := 0
	for r := range s.ch {
		n += r.k
		r.Reply <- n
	}
}

func getExportedReply(k int) int {
	s := &ExportedReply{ch: make(chan ExportedReplyQ)}
	go s.loop()
	r := ExportedReplyQ{k: k, Reply: make(chan int)}
	s.ch <- r // want "one by one" // refuse "mutex: other packages may use Reply"
	return <-r.Reply
}

type unasked struct {
	ch chan struct{ reply chan int }
}

func (s *unasked) loop() {
	for r := range s.ch {
		r.reply <- 1
	}
}

func getUnasked() int {
	s := &unasked{ch: make(chan struct{ reply chan int })}
	go s.loop()
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

func (s *embedded) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getEmbedded(k int) int {
	s := &embedded{ch: make(chan embeddedQ)}
	go s.loop()
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

func (s *both) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getBoth(r bothQ) int {
	s := &both{ch: make(chan bothQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: ch cannot be taken away"
	return <-r.reply
}

type theirs2 struct{ ch chan query }

func newTheirs2(t *theirs2) *theirs2 {
	s := &theirs2{ch: make(chan query)}
	go t.loop()
	return s
}

func (s *theirs2) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func (s *theirs2) get(r query) int {
	s.ch <- r // want "one by one" // refuse "mutex: it is not started where theirs2 is made"
	return <-r.reply
}

type pairs struct{ ch chan pairsQ }

type pairsQ struct {
	k            int
	reply, other chan int
}

func (s *pairs) loop() {
	for r := range s.ch {
		r.reply <- r.k
	}
}

func getPairs(r pairsQ) int {
	s := &pairs{ch: make(chan pairsQ)}
	go s.loop()
	s.ch <- r // want "one by one" // refuse "mutex: reply cannot be taken away"
	return <-r.reply
}
