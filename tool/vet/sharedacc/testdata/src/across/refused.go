package main

import "sync/atomic"

var scale int64 = 1

func (m *meter) scaled(x int64) { m.seen.Add(x * scale) }

// The name of the package's variable is that of another one.
func scales(xs []int) int64 {
	var m meter
	scale := 2
	halves(xs, func(part []int) {
		for _, x := range part {
			m.scaled(int64(x * scale)) // want `m.scaled updates m.seen` // refuse `local: scale is something else where the call stands`
		}
	})
	return m.seen.Load()
}

func (m *meter) apart(x, y int) {
	d := int64(x - y)
	m.seen.Add(d * d)
}

// A variable of the caller has the name of one of what is called.
func clashes(xs []int) int64 {
	var m meter
	halves(xs, func(part []int) {
		for d, x := range part {
			m.apart(x, d) // want `m.apart updates m.seen` // refuse `local: d is something else in what is called`
		}
	})
	return m.seen.Load()
}

func size(x any) int64 {
	n, _ := x.(int)
	return int64(n)
}

func (m *meter) show(x any) { m.seen.Add(size(x)) }

func shows(xs []int) int64 {
	var m meter
	halves(xs, func(part []int) {
		for _, x := range part {
			m.show(x + 1) // want `m.show updates m.seen` // refuse `local: x \+ 1 is converted for the call`
		}
	})
	return m.seen.Load()
}

func (m *meter) last(x int) {
	defer size(x)
	m.seen.Add(1)
}

func lasts(xs []int) int64 {
	var m meter
	halves(xs, func(part []int) {
		for _, x := range part {
			m.last(x) // want `m.last updates m.seen` // refuse `local: it has a deferred call`
		}
	})
	return m.seen.Load()
}

// What was added decides.
func (m *meter) limited(x int) {
	if m.seen.Load() < 100 {
		m.seen.Add(int64(x))
	}
}

func limits(xs []int) int64 {
	var m meter
	halves(xs, func(part []int) {
		for _, x := range part {
			m.limited(x) // want `m.limited updates m.seen` // refuse `local: the goroutines write m.seen and depend on what others wrote`
		}
	})
	return m.seen.Load()
}

// The literal is called for what it returns.
func replace(parts [][]int, f func(int) int) {
	done := make(chan bool)
	for _, p := range parts {
		go func() {
			for i, v := range p {
				p[i] = f(v)
			}
			done <- true
		}()
	}
	for range parts {
		<-done
	}
}

func replaced(parts [][]int) int64 {
	var n atomic.Int64
	replace(parts, func(x int) int {
		n.Add(1) // want `n is updated atomically in each call` // refuse `local: the result of the literal is used`
		return x
	})
	return n.Load()
}

// It is in use while the loop looks at it.
type object struct {
	refs atomic.Int64
	size int
}

func (o *object) use(x int) int {
	o.refs.Add(1)
	n := o.size * x
	o.refs.Add(-1)
	return n
}

func (o *object) free() bool { return o.refs.Load() == 0 }

func usesAll(o *object, xs []int) int64 {
	var sum atomic.Int64
	halves(xs, func(part []int) {
		own := 0
		for _, x := range part {
			own += o.use(x) // want `o.use updates o.refs` // refuse `local: o.refs goes up and down again`
		}
		sum.Add(int64(own))
	})
	return sum.Load()
}
