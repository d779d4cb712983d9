package main

func size(x any) int64 {
	n, _ := x.(int)
	return int64(n)
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
