// Package b is what package a calls.
package b

var Total int

type Stack struct {
	items []*int
	n     int
}

func (s *Stack) Push(p *int) {
	s.items = append(s.items, p)
	s.n++
}

func (s *Stack) Top() *int { return s.items[len(s.items)-1] }

func (s *Stack) Each(do func(*int)) {
	for _, p := range s.items {
		do(p)
	}
}

func Count() { Total++ }

func Wait(c chan int) int { return <-c }

func Counter() func() int {
	n := 0
	return func() int {
		n++
		return n
	}
}

type Shape interface{ Area() int }

func Sum(shapes []Shape, one Shape) (n int) { return one.Area() }
