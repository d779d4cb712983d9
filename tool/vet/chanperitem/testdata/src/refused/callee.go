package refused

import "sync"

// Others may call it.
func Fill(out chan<- int, xs []int) {
	for _, x := range xs {
		out <- x
	}
	close(out)
}

func exported(xs []int) (sum int) {
	c := make(chan int)
	go Fill(c, xs) // want "each item crosses c" // refuse "direct: c is handed to a function" "batch: c is handed to" "ring: c is handed to"
	for x := range c {
		sum += x
	}
	return sum
}

// It is called for another channel as well.
func fillTwo(out chan<- int, xs []int) {
	for _, x := range xs {
		out <- x
	}
	close(out)
}

func twiceFilled(xs []int) (sum int) {
	c, d := make(chan int), make(chan int)
	go fillTwo(c, xs) // want "each item crosses c and d" // refuse "direct: c is handed to a function" "batch: c is handed to" "ring: c is handed to" "direct: d is handed to a function" "batch: d is handed to" "ring: d is handed to"
	go fillTwo(d, xs)
	for x := range c {
		sum += x
	}
	for x := range d {
		sum += x
	}
	return sum
}

// It is a value.
func fillValue(out chan<- int, xs []int) {
	for _, x := range xs {
		out <- x
	}
	close(out)
}

var filler = fillValue

func valued(xs []int) (sum int) {
	c := make(chan int)
	go fillValue(c, xs) // want "each item crosses c" // refuse "direct: c is handed to a function" "batch: c is handed to" "ring: c is handed to"
	for x := range c {
		sum += x
	}
	return sum
}

// It keeps the channel.
var hoarded chan<- int

func keep(out chan<- int, xs []int) {
	hoarded = out
	for _, x := range xs {
		out <- x
	}
	close(out)
}

func keeps(xs []int) (sum int) {
	c := make(chan int)
	go keep(c, xs) // want "each item crosses c" // refuse "direct: c is used in another way" "batch: c is used in another way" "ring: c is used in another way"
	for x := range c {
		sum += x
	}
	return sum
}

// A method of an interface, and one that is a value.
type source struct{ xs []int }

type filling interface{ fill(chan<- int) }

var _ filling = (*source)(nil)

func (s *source) fill(out chan<- int) {
	for _, x := range s.xs {
		out <- x
	}
	close(out)
}

func (s *source) fillValue(out chan<- int) {
	for _, x := range s.xs {
		out <- x
	}
	close(out)
}

func method(xs []int) (sum int) {
	s := &source{xs}
	c, d := make(chan int), make(chan int)
	go s.fill(c) // want "each item crosses c and d" // refuse "direct: c is handed to a function" "batch: c is handed to" "ring: c is handed to" "direct: d is handed to a function" "batch: d is handed to" "ring: d is handed to"
	f := s.fillValue
	go s.fillValue(d)
	_ = f
	for x := range c {
		sum += x
	}
	for x := range d {
		sum += x
	}
	return sum
}

// A struct is copied where the goroutine starts, and a method writes to it then.
type limits struct{ n int }

func (l *limits) grow() { l.n++ }

func (l limits) upTo(out chan<- int) {
	for i := range l.n {
		out <- i
	}
	close(out)
}

func growing(n int) (sum int) {
	l := limits{n & 7}
	c := make(chan int)
	go l.upTo(c) // want "each item crosses c" // refuse "direct: the goroutine that sends on c has parameters" "ring: c is handed to"
	l.grow()
	for x := range c {
		sum += x * l.n
	}
	return sum
}

// The receiver's memory is written by who receives.
type store struct{ xs []int }

func (s *store) all(out chan<- int) {
	for i := range s.xs {
		out <- s.xs[i]
	}
	close(out)
}

func stored(xs []int) (sum int) {
	s := &store{xs}
	c := make(chan int)
	go s.all(c) // want "each item crosses c" // refuse "buffer: who receives from c writes to s" "batch: who receives from c writes to s" "ring: c is handed to"
	i := 0
	for x := range c {
		if i++; i+2 < len(s.xs) {
			s.xs[i+2] += x
		}
		sum += x
	}
	return sum
}

// The slices that it sends are written after it.
func rows(out chan<- []int, xs []int) {
	for i := range xs {
		out <- xs[i:]
	}
}

func rewritten(xs []int) (sum int) {
	c := make(chan []int)
	go func() {
		defer close(c)
		rows(c, xs) // want "each item crosses c" // refuse "buffer: who sends on c may write again" "batch: who sends on c may write again" "ring: c is handed to"
		clear(xs)
	}()
	for x := range c {
		sum += len(x)
	}
	return sum
}

// Several fill it at once.
func share(out chan<- int, xs []int, wg *sync.WaitGroup) {
	defer wg.Done()
	for _, x := range xs {
		out <- x
	}
}

func shares(xs []int) (sum int) {
	c := make(chan int)
	var wg sync.WaitGroup
	for i := range xs {
		wg.Add(1)
		go share(c, xs[i:], &wg) // want "each item crosses c" // refuse "direct: several goroutines use one end of c" "ring: c is handed to"
	}
	go func() {
		wg.Wait()
		close(c)
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// A walk that others stop.
type tree struct {
	kids []*tree
	key  int
}

func visit(out chan<- int, t *tree) {
	if t == nil {
		return
	}
	for _, k := range t.kids {
		if k != nil {
			out <- k.key
		}
		visit(out, k)
	}
}

func first(t *tree) int {
	c := make(chan int)
	go func() {
		defer close(c)
		visit(c, t) // want "each item crosses c" // refuse "buffer: items would be computed that nobody" "direct: the loop over c may end early" "batch: what sends on c calls itself" "ring: c is handed to"
	}()
	for x := range c {
		if x > 7 {
			return x
		}
	}
	return 0
}

// What it gets changes until the loop.
func changing(n int) (sum int) {
	c := make(chan int)
	go upTo(c, n) // want "each item crosses c" // refuse "direct: the goroutine that sends on c has parameters" "ring: c is handed to"
	n = 3
	for x := range c {
		sum += x * n
	}
	return sum
}

func upTo(out chan<- int, n int) {
	for i := range n {
		out <- i
	}
	close(out)
}

// Who receives writes to what who sends reads.
func viewed(out chan<- int, xs []int) {
	for i := range xs {
		out <- xs[i]
	}
	close(out)
}

func marks(xs []int) (sum int) {
	c := make(chan int)
	go viewed(c, xs) // want "each item crosses c" // refuse "buffer: who receives from c writes to xs" "batch: who receives from c writes to xs" "ring: c is handed to"
	i := 0
	for x := range c {
		if i++; i+2 < len(xs) {
			xs[i+2] += x
		}
		sum += x
	}
	return sum
}

// An item of the loop's own comes before those of the call.
func more(out chan<- int, n int) {
	for i := range n & 3 {
		out <- i
	}
}

func mixed(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "batch: what sends on c calls another function" "ring: c is handed to"
			more(c, x)
		}
	}()
	for x := range c {
		sum = sum*3 + x
	}
	return sum
}

// It may end within the loop.
func some(out chan<- int, xs []int) {
	defer close(out)
	for _, x := range xs {
		if x == 5 {
			return
		}
		out <- x
	}
}

func ends(xs []int) (sum int) {
	c := make(chan int)
	go some(c, xs) // want "each item crosses c" // refuse "batch: the goroutine that sends on c may end within" "ring: c is handed to"
	for x := range c {
		sum += x
	}
	return sum
}

// Another loop takes what this one leaves.
func quitting(in <-chan int) int {
	for x := range in {
		if x == 5 {
			return 1
		}
	}
	return 0
}

func left(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: c has not one loop" "batch: the loop over c may end early" "ring: c is handed to"
		}
	}()
	sum = quitting(c)
	for x := range c {
		sum += x
	}
	return sum
}

// An array is copied where the goroutine starts.
func copied(xs []int) (sum int) {
	var head [3]int
	copy(head[:], xs)
	c := make(chan int)
	go three(c, head) // want "each item crosses c" // refuse "direct: the goroutine that sends on c has parameters" "ring: c is handed to"
	head[1] = 5
	for x := range c {
		sum += x * head[1]
	}
	return sum
}

func three(out chan<- int, xs [3]int) {
	for _, x := range xs {
		out <- x
	}
	close(out)
}

// Items are taken one by one by a function, which leaves some of a batch.
func taken(in <-chan int, n int) (sum int) {
	for range n & 7 {
		sum += <-in
	}
	return sum
}

func takes(xs []int) int {
	c := make(chan int)
	go func() {
		for i := 0; ; i++ {
			c <- i // want "each item crosses c" // refuse "direct: in is received from" "batch: c is received from by a function" "ring: c is handed to"
		}
	}()
	return taken(c, len(xs))
}

// Who receives starts before who sends.
func waitFor(in <-chan int, sum chan<- int) {
	s := 0
	for x := range in {
		s += x
	}
	sum <- s
}

func early(xs []int) int {
	c, sum := make(chan int), make(chan int)
	go waitFor(c, sum)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: what receives from c comes before" "ring: c is handed to"
		}
	}()
	return <-sum
}
