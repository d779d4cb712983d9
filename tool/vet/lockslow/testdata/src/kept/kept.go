package kept

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"
)

type item struct {
	Name string
	N    int
}

type sink interface{ Write([]byte) (int, error) }

type store struct {
	mu    sync.Mutex
	other sync.Mutex
	made  func(int) int
	items map[string]*item
	texts map[string][]byte
	limit int
	n     int
	hits  atomic.Int64

	load    func(int) (item, error)
	numbers chan int
	conf    item
	Err     error
	labels  table
	plan    item
}

func (s *store) setLimit(n int) { s.limit = n }

// Other packages may take the lock.
type Open struct {
	sync.Mutex
	N int
}

func (o *Open) add(made func(int) int, n int) {
	o.Lock()
	v := made(n) // want "held over" // refuse "before: other packages may use Mutex"
	o.N += v
	o.Unlock()
}

// What it is made of changes under the lock.
func (s *store) guarded() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.made(s.n) // want "held over" // refuse "before: it uses n, which changes"
	s.n++
	return v
}

// A field is set elsewhere: the lock may hand it over.
func (s *store) set() {
	s.mu.Lock()
	if s.n > 3 {
		s.n = 0
	}
	v := s.made(s.limit) // want "held over" // refuse "before: it uses limit, which changes"
	s.n += v
	s.mu.Unlock()
}

// Others change what a pointer leads to.
func (s *store) pointed(x *item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _ := json.Marshal(x) // want "held over" // refuse "before: it looks at what x leads to, which others may change under the lock"
	s.texts[x.Name] = text
	s.items[x.Name] = x
}

func (s *store) grow(name string) {
	s.mu.Lock()
	s.items[name].N++
	s.mu.Unlock()
}

// It would be called where it was not.
func (s *store) cached(name string, n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.items[name]; x != nil {
		return x.N
	}
	v := s.made(n) // want "held over" // refuse "before: the section may be left here, and then s.made is not called|before: the section may be left here"
	s.items[name] = &item{N: v}
	return v
}

func (s *store) sometimes(n int, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if is && s.made(n) > 3 { // want "held over" // refuse "before: it waits, or is not always done"
		s.n = n
	}
}

func (s *store) or(n int, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if is || s.made(n) > 3 { // want "held over" // refuse "before: it waits, or is not always done"
		s.n = n
	}
}

// A call within a function is not always made, waits, or would be made elsewhere.
func (s *store) rare(n int) {
	s.mu.Lock()
	s.rarely(n) // want "held over" // refuse "before: it waits, or is not always done"
	s.mu.Unlock()
}

func (s *store) rarely(n int) {
	if s.n > 3 {
		s.n = s.made(n)
	}
}

func (s *store) got() {
	s.mu.Lock()
	s.get() // want "held over" // refuse "before: it waits, or is not always done"
	s.mu.Unlock()
}

func (s *store) get() { s.n = <-s.numbers }

func (s *store) maybe(n int) {
	s.mu.Lock()
	if n--; n > 3 {
		s.might(n) // want "held over" // refuse "before: it waits, or is not always done"
	}
	s.mu.Unlock()
}

func (s *store) surely(n int) {
	s.mu.Lock()
	s.might(n) // want "held over" // refuse "before: might is called elsewhere, or not always"
	s.mu.Unlock()
}

func (s *store) might(n int) {
	v := s.made(n)
	s.n += v
}

// A loop, and no more.
func (s *store) looped(n int) {
	s.mu.Lock()
	s.sum(n) // want "held over" // refuse "before: all of sum is slow"
	s.mu.Unlock()
}

func (s *store) sum(n int) {
	for i := range n {
		s.n += i
	}
}

// Its results cannot be parameters.
func (s *store) shade(n int) {
	s.mu.Lock()
	s.shaded(n) // want "held over" // refuse "before: not all calls of shaded can give the result"
	s.mu.Unlock()
}

func (s *store) shaded(item int) {
	x, _ := s.load(item)
	s.n += x.N
}

func (s *store) ignored(n int) {
	s.mu.Lock()
	s.ignore(n) // want "held over" // refuse "before: not all calls of ignore can give the result"
	s.mu.Unlock()
}

func (s *store) ignore(int) {
	v := s.made(4)
	s.n += v
}

// A name of the function means something else where it is called.
func (s *store) unnamed(name int) {
	s.mu.Lock()
	s.naming() // want "held over" // refuse "before: name is not known where naming is called"
	s.n += name
	s.mu.Unlock()
}

func (s *store) naming() {
	v := s.made(name)
	s.n += v
}

// Nothing is done before it that others see.
type size struct{ n int }

func (x *size) set(n int) { x.n = n }

func (s *store) hit(x size) {
	s.mu.Lock()
	v := s.made(x.n) + time.Now().Second() // want "held over"
	s.n += v
	s.mu.Unlock()
}

func (s *store) published(n int) {
	x := &item{}
	s.pointed(x)
	s.mu.Lock()
	x.N = s.made(n) // want "held over"
	s.n++
	s.mu.Unlock()
}

func (s *store) slot(to []int, n int) {
	s.mu.Lock()
	to[0] = s.made(n) // want "held over"
	s.n++
	s.mu.Unlock()
}

func (s *store) copied(to, from []byte) {
	s.mu.Lock()
	n := copy(to, from)
	v := s.made(n) // want "held over" // refuse "before: n changes before it"
	s.n += v
	s.mu.Unlock()
}

func (s *store) parsed(b []byte) {
	s.mu.Lock()
	err := json.Unmarshal(b, &s.conf) // want "held over" // refuse "before: conf changes before it"
	if err == nil {
		s.n++
	}
	s.mu.Unlock()
}

func (s *store) later(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.made(n) // want "held over"
	defer describe(v)
	s.n += v
}

func (s *store) tellsFirst(n int) {
	s.mu.Lock()
	s.made(n) // want "held over" // refuse "before: nothing takes what it returns"
	s.n++
	s.mu.Unlock()
}

func (s *store) looks(n int) {
	s.mu.Lock()
	s.n++
	describe(n) // want "held over" // refuse "before: all of describe is slow"
	s.mu.Unlock()
}

func describe(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

// Memory that pointers lead to.
func (s *store) starred(p *int) {
	s.mu.Lock()
	v := s.made(*p) // want "held over" // refuse "before: it looks at what p leads to, which others may change under the lock"
	s.n += v
	s.mu.Unlock()
}

var pointer = new(int)

func (s *store) behind(n int) {
	s.mu.Lock()
	v := follow(n) // want "held over" // refuse "before: all of follow is slow"
	s.n += v
	s.mu.Unlock()
}

func follow(n int) (sum int) {
	for range n {
		sum += *pointer
	}
	return sum
}

var rate = 3

func setRate(to int) { rate = to }

func (s *store) rated(n int) {
	s.mu.Lock()
	v := rated(n) // want "held over" // refuse "before: all of rated is slow"
	s.n += v
	s.mu.Unlock()
}

func rated(n int) (sum int) {
	for range n {
		sum += rate
	}
	return sum
}

// A part of a field is set elsewhere.
func (s *store) part() {
	s.mu.Lock()
	text, _ := json.Marshal(s.plan) // want "held over" // refuse "before: it uses plan, which changes"
	s.texts["plan"] = text
	s.mu.Unlock()
}

type table map[string]int

func (t table) sum() (n int) {
	for _, v := range t {
		n += v
	}
	return n
}

func (s *store) summed(t table) {
	s.mu.Lock()
	v := t.sum() // want "held over" // refuse "before: all of sum is slow"
	s.n += v
	s.mu.Unlock()
}

func (s *store) labelled() {
	s.mu.Lock()
	text, _ := json.Marshal(s.labels) // want "held over" // refuse "before: it looks at what labels leads to, which others may change under the lock"
	s.texts["labels"] = text
	s.mu.Unlock()
}

func (s *store) rename(to string) { s.plan.Name = to }

// Variables of the statement, and of one before it.
func (s *store) init() {
	s.mu.Lock()
	if k := s.n; s.made(k) > 3 { // want "held over" // refuse "before: k changes before it"
		s.n++
	}
	s.mu.Unlock()
}

func (s *store) before() {
	s.mu.Lock()
	k := s.n + 1
	v := s.made(k) // want "held over" // refuse "before: k changes before it"
	s.n += v
	s.mu.Unlock()
}

// A call of the statement comes before it.
func (s *store) both(n int) {
	s.mu.Lock()
	s.n = time.Now().Second() + s.made(n) // want "held over" // refuse "before: it may have to come after this: it asks the world"
	s.mu.Unlock()
}

// Another lock, and an atomic.
func (s *store) locks(n int) {
	s.mu.Lock()
	v := s.locked(n) // want "held over" // refuse "before: .*"
	s.n += v
	s.mu.Unlock()
}

func (s *store) locked(n int) int {
	s.other.Lock()
	defer s.other.Unlock()
	return s.made(n) // want "held over" // refuse "before: nothing in the section needs the lock"
}

func (s *store) counts(x item) {
	s.mu.Lock()
	text := s.text(x) // want "held over"
	s.texts[x.Name] = text
	s.mu.Unlock()
}

func (s *store) text(x item) []byte {
	s.hits.Add(1)
	b, _ := json.Marshal(x)
	return b
}

// It waits: the lock keeps the others apart.
func (s *store) pace() {
	s.mu.Lock()
	time.Sleep(time.Millisecond) // want "held over" // refuse "before: .*"
	s.n++
	s.mu.Unlock()
}

// A variable is set before it.
func (s *store) local(n int) {
	s.mu.Lock()
	n += s.n
	v := s.made(n) // want "held over" // refuse "before: n changes before it"
	s.n = v
	s.mu.Unlock()
}

// A name means something else above.
var name = 3

func (s *store) named() {
	s.mu.Lock()
	s.n += name
	name := s.made(4) // want "held over"
	s.n += name
	s.mu.Unlock()
}

// It changes what others see.
func (s *store) writes(n int) {
	s.mu.Lock()
	s.n = s.made(n) // want "held over"
	s.mu.Unlock()
}

// The function is called without the lock, too.
func (s *store) one(n int) {
	s.mu.Lock()
	s.helped(n) // want "held over" // refuse "before: helped is called elsewhere, or not always"
	s.mu.Unlock()
}

func (s *store) helped(n int) {
	v := s.made(n)
	s.n += v
}

func (s *store) free(n int) { s.helped(n) }

// Part of what another package may set.
var Scale = 3

func (s *store) scaled() {
	s.mu.Lock()
	is := s.Err == nil
	v := s.made(Scale) // want "held over"
	if is {
		s.n += v
	}
	s.mu.Unlock()
}

// What the function is given changes under the lock.
func (s *store) given() {
	s.mu.Lock()
	s.take(s.n) // want "held over" // refuse "before: it uses n, which changes"
	s.mu.Unlock()
}

func (s *store) take(n int) {
	v := s.made(n)
	s.n += v
}

// A value that the function changes.
func (s *store) changed(n int) {
	s.mu.Lock()
	s.change(n) // want "held over" // refuse "before: n .*"
	s.mu.Unlock()
}

func (s *store) change(n int) {
	n *= 2
	v := s.made(n)
	s.n += v
}

// It gets what an interface holds.
func (s *store) wide(n int) {
	s.mu.Lock()
	s.widened(n) // want "held over" // refuse "before: it is no variable of the same type that is given"
	s.mu.Unlock()
}

func (s *store) widened(x any) {
	text, _ := json.Marshal(x)
	s.texts[""] = text
}

// Nothing but the slow part is under the lock.
func (s *store) alone(n int) int {
	s.other.Lock()
	v := s.made(n) // want "held over" // refuse "before: nothing in the section needs the lock"
	s.other.Unlock()
	return v
}

// It is called for what it does.
func (s *store) tells(w sink, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	n, err := w.Write(text) // want "held over" // refuse "before: w.Write is called for what it does"
	s.n += n
	return err
}

func (s *store) asks(done func(int) error, n int) {
	s.mu.Lock()
	s.n++
	err := done(n) // want "held over" // refuse "before: done is called for what it does"
	if err != nil {
		s.n--
	}
	s.mu.Unlock()
}

// The section is left before it.
func (s *store) checked(n int) {
	s.mu.Lock()
	if s.items == nil {
		s.mu.Unlock()
		return
	}
	v := s.made(n) // want "held over" // refuse "before: the section may be left here"
	s.n += v
	s.mu.Unlock()
}

// It comes after what waits, and after another call.
func (s *store) waits(more *sync.Cond, n int) {
	s.mu.Lock()
	for s.n == 0 {
		more.Wait()
	}
	v := s.made(n) // want "held over" // refuse "before: it may have to come after this: it .*"
	s.n += v
	s.mu.Unlock()
}

func (s *store) order(n int) {
	s.mu.Lock()
	a := s.made(s.n) // want "held over" // refuse "before: it uses n, which changes"
	b := s.made(n)
	if s.n > 3 {
		s.mu.Unlock()
		return
	}
	s.n += a + b
	s.mu.Unlock()
}

// A variable that another goroutine changes under the lock.
func shared(made func(int) int) int {
	var mu sync.Mutex
	last, total := 0, 0
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		last++
		mu.Unlock()
	})
	var other sync.Mutex
	wg.Go(func() {
		mu.Lock()
		other.Lock()
		other.Unlock()
		v := made(3) // want "held over" // refuse "before: it may have to come after this: it .*"
		total += v
		mu.Unlock()
	})
	mu.Lock()
	v := made(last) // want "held over" // refuse "before: it uses last, which changes"
	total += v
	mu.Unlock()
	wg.Wait()
	return total
}

// A map that is changed under the lock.
func (s *store) mapped(texts map[string][]byte) {
	s.mu.Lock()
	b, _ := json.Marshal(texts) // want "held over" // refuse "before: it looks at what texts leads to, which others may change under the lock"
	s.texts["all"] = b
	s.mu.Unlock()
}

// A clock: the order of its times is that in which the lock is taken.
func (s *store) stamp(now func() int) {
	s.mu.Lock()
	t := now() // want "held over" // refuse "before: what now returns may depend on when"
	s.n = max(s.n, t)
	s.mu.Unlock()
}

// A method of an interface may ask for it.
type asks interface{ weigh(n int) }

func (s *store) asked(n int) {
	s.mu.Lock()
	s.weigh(n) // want "held over" // refuse "before: not all calls of weigh can give the result"
	s.mu.Unlock()
}

func (s *store) weigh(n int) {
	v := s.made(n)
	s.n += v
}

// Memory of the function that another statement changes.
func (s *store) filled(hash func([]byte) int, from string) {
	buf := make([]byte, 8)
	s.mu.Lock()
	s.n += fill(buf, from)
	v := hash(buf) // want "held over" // refuse "before: buf changes before it"
	s.n += v
	s.mu.Unlock()
}

func fill(to []byte, from string) int {
	to[0] = from[0]
	return 1
}
