package a

import (
	"slices"
	"sync"
)

type options struct {
	n     int
	list  [2]int
	inner struct{ on bool }
}

func (o *options) set() { o.n++ }

func use(...any) {}

// What a task changes of its copy must not reach the loop's variable.
func ownField(all []options) {
	var wg sync.WaitGroup
	for _, o := range all {
		wg.Add(1)
		go func(o options) { // want "a goroutine starts"
			defer wg.Done()
			o.inner.on = true
			use(o)
		}(o)
	}
	wg.Wait()
}

func ownElement(all []options) {
	var wg sync.WaitGroup
	for _, o := range all {
		wg.Add(1)
		go func(o options) { // want "a goroutine starts"
			defer wg.Done()
			o.list[0] = 1
			use(o)
		}(o)
	}
	wg.Wait()
}

func ownSlice(all []options) {
	var wg sync.WaitGroup
	for _, o := range all {
		wg.Add(1)
		go func(o options) { // want "a goroutine starts"
			defer wg.Done()
			slices.Sort(o.list[:])
			use(o)
		}(o)
	}
	wg.Wait()
}

func ownMethod(all []options) {
	var wg sync.WaitGroup
	for _, o := range all {
		wg.Add(1)
		go func(o options) { // want "a goroutine starts"
			defer wg.Done()
			o.set()
			use(o)
		}(o)
	}
	wg.Wait()
}

func ownLater(all []options) {
	var wg sync.WaitGroup
	for _, o := range all {
		wg.Add(1)
		go func(o options) { // want "a goroutine starts"
			defer wg.Done()
			use(func() options { return o })
		}(o)
	}
	wg.Wait()
}

func ownNone(all []options) {
	var wg sync.WaitGroup
	for _, o := range all {
		wg.Add(1)
		go func(o options) { // want "a goroutine starts"
			defer wg.Done()
			use(o) // it changes nothing
		}(o)
	}
	wg.Wait()
}

// Both may wait for another task.
func both(n int, f, g func(int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w); g(w) }) // want "a goroutine starts"
	}
	wg.Wait()
}
