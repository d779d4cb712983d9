package main

var scale int64 = 1

func (m *meter) scaled(x int64) { m.seen.Add(x * scale) }

// The name of the package's variable is that of another one.
func scales(xs []int) int64 {
	var m meter
	scale := 2
	halves(xs, func(part []int) {
		for _, x := range part {
			m.scaled(int64(x * scale)) // want `m.scaled updates m.seen`
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
			m.apart(x, d) // want `m.apart updates m.seen`
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
			m.show(x + 1) // want `m.show updates m.seen`
		}
	})
	return m.seen.Load()
}

func (m *meter) early(x int) {
	if x < 0 {
		return
	}
	m.seen.Add(1)
}

func earlies(xs []int) int64 {
	var m meter
	halves(xs, func(part []int) {
		for _, x := range part {
			m.early(x) // want `m.early updates m.seen`
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
			m.last(x) // want `m.last updates m.seen`
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
			m.limited(x) // want `m.limited updates m.seen` // refuse `local: limited does more than add up`
		}
	})
	return m.seen.Load()
}
