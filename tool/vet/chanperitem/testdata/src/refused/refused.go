// Goldens show the edit direct alone.

// Package refused has streams whose channels are needed.
package refused

import "sync"

// Its room is asked for.
func asked(xs []int) (sum int) {
	c := make(chan int, 8)
	go func() {
		defer close(c)
		for _, x := range xs {
			if len(c) < cap(c) {
				c <- x // want "each item crosses c" // refuse "direct: c may be gone through more than once" "batch: c is used in another way"
			}
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

func fill(out chan<- int, xs []int) {
	for _, x := range xs {
		out <- x
	}
	close(out)
}

// Filled by a function that is declared.
func filled(xs []int) (sum int) {
	c := make(chan int)
	go fill(c, xs) // want "each item crosses c" // refuse "direct: out may be gone through more than once" "batch: c is handed to a function"
	for x := range c {
		sum += x
	}
	return sum
}

// The producer asks the consumer before each item.
func asks(xs []int) (sum int) {
	more, c := make(chan struct{}), make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			<-more
			c <- x // want "each item crosses c" // refuse "direct: the task waits for a channel" "batch: items that come of those of c go to"
		}
	}()
	more <- struct{}{}
	for x := range c {
		sum += x
		more <- struct{}{}
	}
	return sum
}

// The producer keeps the time.
func ticks(xs []int, tick chan bool) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			<-tick
			c <- x // want "each item crosses c" // refuse "direct: the task waits for a channel" "batch: the goroutine that sends on c waits, or looks"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Kept for later.
func kept(keep func(func(int))) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		keep(func(x int) { c <- x }) // want "each item crosses c" // refuse "direct: c is not filled by one goroutine, which closes it" "batch: what sends on c is in no loop, or in a function that ot"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Two at a time.
func two(xs, ys []int) (sum int) {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: c is not filled by one goroutine, which closes it"
		}
	})
	wg.Go(func() {
		for _, y := range ys {
			c <- y
		}
	})
	go func() {
		wg.Wait()
		close(c)
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Goes on after it has closed.
func after(xs []int, f func()) (sum int) {
	c := make(chan int)
	go func() {
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: the goroutine that sends does not end by"
		}
		close(c)
		f()
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Ranged over twice.
func twice(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: c may be gone through more than once"
		}
	}()
	for range 2 {
		for x := range c {
			sum += x
		}
	}
	return sum
}

// A batch that was begun would be lost.
func returns(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			if x < 0 {
				return
			}
			c <- x // want "each item crosses c" // refuse "batch: the goroutine that sends on c may end within the loop"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// What comes out goes in again.
func again(n int) (sum int) {
	in, out := make(chan int, 1), make(chan int, 1)
	go func() {
		for x := range in {
			out <- x // want "each item crosses in and out" // refuse "direct: in is not filled by one goroutine, which closes it" "direct: in is not filled by one" "batch: items that come of those of out go to" "batch: what sends on in is in no loop, or in a function that o"
		}
		close(out)
	}()
	in <- n
	for x := range out {
		sum += x
		if x == 0 {
			close(in)
			continue
		}
		in <- x - 1
	}
	return sum
}

// The send is the step of a loop.
func step(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := 0; i < len(xs); c <- i { // want "each item crosses c" // refuse "direct: what sends on c is part of" "batch: what sends on c is part of"
			i++
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// How many are left out depends on the room.
func leftOut(n int) (sum, left int) {
	c := make(chan int, 8)
	for i := range n {
		select {
		case c <- i: // want "each item crosses c" // refuse "batch: c is a case of" "direct: done is used in another way than to send, receive and cl"
		default:
			left++
		}
	}
	close(c)
	done := make(chan int)
	go func() {
		total := 0
		for x := range c {
			total += x
		}
		done <- total
	}()
	return <-done, left
}

type room struct{ c chan int }

// Between its items it hands over to what takes them.
func exchanged(n int, k *room) (sum int) {
	ch := make(chan int)
	go func() {
		for i := range n {
			ch <- i // want "each item crosses ch" // refuse "batch: the goroutine that sends on ch waits, or looks at what others do" "direct: the task waits in a select"
			select {
			case k.c <- i:
			}
		}
		close(ch)
	}()
	for x := range ch {
		sum += x + <-k.c
	}
	return sum
}

func exchangedPlain(n int, k *room) (sum int) {
	ch := make(chan int)
	go func() {
		for i := range n {
			ch <- i // want "each item crosses ch" // refuse "batch: the goroutine that sends on ch waits, or looks at what others do" "direct: the task sends on another channel"
			k.c <- i
		}
		close(ch)
	}()
	for x := range ch {
		sum += x + <-k.c
	}
	return sum
}

// Between its items it looks at what another channel has room for.
func looked(n int) (sum int) {
	ch, other := make(chan int), make(chan int, 1)
	go func() {
		for i := range n {
			ch <- i // want "each item crosses ch" // refuse "batch: the goroutine that sends on ch waits, or looks at what others do" "direct: the goroutine that sends does not end by closing ch" "direct: other is a case of a select" "batch: other is a case of a select"
			select {
			case other <- i:
			default:
			}
		}
		close(ch)
		close(other)
	}()
	for x := range ch {
		sum += x
	}
	for x := range other {
		sum += x
	}
	return sum
}

// The loop that sends ends by a panic alone.
func forever(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := 0; ; i++ {
			c <- xs[i] // want "each item crosses c" // refuse "batch: the goroutine that sends on c may end within"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// The first item is taken by itself.
func headed(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "batch: c is not received from by loops until" "direct: c is used in another way than to send, receive and close"
		}
	}()
	sum = 10 * <-c
	for x := range c {
		sum += x
	}
	return sum
}

// Nothing closes the channel.
func open(xs []int, sum *int) {
	c := make(chan int)
	go func() {
		for x := range c {
			*sum += x
		}
	}()
	for _, x := range xs {
		c <- x // want "each item crosses c" // refuse "batch: c is not received from by loops until" "direct: c is not filled by one goroutine, which closes it"
	}
}

// Filled first, and only then emptied.
func emptied(xs []int) (sum int) {
	c, done := make(chan int, len(xs)), make(chan struct{})
	go func() { close(done) }()
	for _, x := range xs {
		c <- x // want "each item crosses c" // refuse "batch: one goroutine has both ends of c" "direct: c is not filled by one goroutine, which closes it"
	}
	close(c)
	for x := range c {
		sum += x
	}
	<-done
	return sum
}

// The receiver writes in a literal to what is read two items later.
func inLiteral(xs []int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs[2:] {
			c <- x // want "each item crosses c" // refuse "direct: c may be gone through more than once" "batch: what receives from c may write to what"
		}
	}()
	func() {
		i := 4
		for x := range c {
			if i < len(xs) {
				xs[i] = x
			}
			i++
		}
	}()
}

// The goroutine is handed how many there are.
func handedOver(xs []int) (sum int) {
	c := make(chan int)
	go func(n int) {
		defer close(c)
		for i := range n {
			c <- i // want "each item crosses c" // refuse "direct: the goroutine that sends on c may fail, has parameters"
		}
	}(len(xs))
	for x := range c {
		sum += x
	}
	return sum
}

// What is declared with the channel stays.
func declaredWith(xs []int) (sum int) {
	c, n := make(chan int), 2
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x * n // want "each item crosses c" // refuse "direct: c is declared together with what stays"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// The goroutine fills two channels.
func fillsTwo(xs []int) (sum int) {
	c, d := make(chan int), make(chan int, 1)
	go func() {
		defer close(c)
		defer close(d)
		for _, x := range xs {
			c <- x // want "each item crosses c and d" // refuse "direct: the task sends on another channel" "direct: the task sends on another channel"
			d <- x
		}
	}()
	for x := range c {
		sum += x
	}
	for x := range d {
		sum += x
	}
	return sum
}

// A caller may stop the panic of the function that sends.
func sendsItself(xs []int) {
	c := make(chan int)
	go func() {
		for x := range c {
			println(x)
		}
	}()
	for i := range xs {
		c <- xs[i+1] // want "each item crosses c" // refuse "direct: c is not filled by one goroutine, which closes it" "batch: the goroutine that sends on c may end within the loop, or recover"
	}
	close(c)
}

// The loop stands above the goroutine.
func above(xs []int) (sum int) {
	c := make(chan int)
	done := make(chan bool)
	go func() {
		for x := range c {
			sum += x
		}
		close(done)
	}()
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: one goroutine has both ends of c, or the loop over it comes first"
		}
	}()
	<-done
	return sum
}

// The group counts another goroutine as well.
func countedBeside(xs []int) (sum int) {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "direct: a wait group counts the goroutine beside others"
		}
	})
	wg.Go(func() { println(len(xs)) })
	for x := range c {
		sum += x
	}
	wg.Wait()
	return sum
}
