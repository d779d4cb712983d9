// Program run has lists of free objects.
package main

import (
	"fmt"
	"sync"
)

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// main prints what is computed in objects of the lists.
func main() {
	var l list
	s := stack{size: 3}
	var q queue
	sums := make([]int, 8)
	each(len(sums), func(w int) {
		for i := range 1000 {
			b := l.get()
			b[i&63] = byte(i)
			t := s.get()
			t.n = i + w
			v := borrow()
			v.x = t.n
			o := q.take()
			o.id = v.x
			c := near(v.x)
			sums[w] += int(b[i&63]) + t.n + v.x + o.id + c
			l.put(b)
			s.put(t)
			giveBack(v)
			q.give(o)
		}
	})
	fmt.Println(sums)
}
