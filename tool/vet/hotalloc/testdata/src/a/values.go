package a

type point struct{ x, y int }

func (p *point) move(d int) { p.x += d }

func (p point) sum() int { return p.x + p.y }

func newPoint(x, y int) *point { // want "newPoint returns a pointer to what it makes"
	return &point{x, y}
}

func makePoint(x int) *point { // want "makePoint returns a pointer to what it makes"
	p := new(point)
	p.x = x
	if x < 0 {
		return &point{y: 1}
	}
	p.move(1)
	return p
}

func usePoints(xs []int) (n int) {
	for _, x := range xs {
		p := newPoint(x, 1)
		p.move(2)
		q := makePoint(p.y)
		n += p.sum() + q.x + read(p) + newPoint(1, 2).x
		r := *makePoint(2)
		n += r.x
	}
	return n
}

func read(p *point) int { return p.x * p.y }

func spread(xs []int) (n int) {
	var all []*point
	for i := 1; i < len(xs); i++ {
		all = append(all, &point{xs[i-1], xs[i]}) // want "each element of all is allocated by itself" "all grows"
	}
	for _, p := range all {
		n += p.x - p.sum()
	}
	return n + len(all)
}

type spot struct{ x, y int }

func (p spot) moved(by int) spot { return spot{p.x + by, p.y - by} }

func (p spot) sum() int { return p.x*3 + p.y }

//go:noinline
func movedCopy(p *spot, by int) *spot { // want "movedCopy returns a pointer to what it makes"
	q := p.moved(by)
	q.x++
	return &q
}

func moves(ps []spot) (sum int) {
	for i := range ps {
		sum += movedCopy(&ps[i], 2).sum()
	}
	return sum
}

var lastSpot *spot

func known(by int) *spot { // want "known returns a pointer to what it makes" // refuse "value: the address of a part of q is taken"
	q := spot{by, by}
	lastSpot = &q
	return &q
}

func knows() int { return known(3).x }
