package refused

// Others may call it.
func Fill(out chan<- int, xs []int) {
	for _, x := range xs {
		out <- x
	}
	close(out)
}

func exported(xs []int) (sum int) {
	c := make(chan int)
	go Fill(c, xs) // want "each item crosses c" // refuse "direct: c is handed to a function" "batch: c is handed to"
	for x := range c {
		sum += x
	}
	return sum
}

// The receiver's memory is written by what receives.
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
	go s.all(c) // want "each item crosses c" // refuse "direct: c is handed to a function" "buffer: what receives from c may write to what the sender" "batch: c is handed to a function"
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
		rows(c, xs) // want "each item crosses c" // refuse "buffer: what sends on c may write again" "direct: c is handed to a function" "batch: c is handed to a function"
		clear(xs)
	}()
	for x := range c {
		sum += len(x)
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
		visit(c, t) // want "each item crosses c" // refuse "buffer: items would be computed in vain" "direct: c is handed to a function" "batch: c is handed to a function"
	}()
	for x := range c {
		if x > 7 {
			return x
		}
	}
	return 0
}

// The receiver writes to what the sender reads.
func viewed(out chan<- int, xs []int) {
	for i := range xs {
		out <- xs[i]
	}
	close(out)
}

func marks(xs []int) (sum int) {
	c := make(chan int)
	go viewed(c, xs) // want "each item crosses c" // refuse "direct: c is handed to a function" "buffer: what receives from c may write to what the sender" "batch: c is handed to a function"
	i := 0
	for x := range c {
		if i++; i+2 < len(xs) {
			xs[i+2] += x
		}
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
			c <- x // want "each item crosses c" // refuse "direct: c is handed to a function" "buffer: items would be computed in vain," "batch: c is handed to a function"
		}
	}()
	sum = quitting(c)
	for x := range c {
		sum += x
	}
	return sum
}

// The receiver starts before the sender.
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
			c <- x // want "each item crosses c" // refuse "direct: c is handed to a function" "batch: c is handed to a function"
		}
	}()
	return <-sum
}
