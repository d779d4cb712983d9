package a

import "fmt"

// A record is what a request needs.
type record struct {
	id     int
	name   string
	body   []byte
	counts [4]int
}

func (r *record) fill(i int) {
	r.id += i
	r.body = append(r.body, byte(i))
	r.counts[i%len(r.counts)] += i
}

// answer is a variable, as handlers are: the compiler does not know what it keeps.
var answer = func(r *record) int {
	sum := r.id + len(r.name) + len(r.body)
	for _, c := range r.counts {
		sum += c
	}
	if sum > 1000 {
		panic("large")
	}
	return sum
}

var total = totalOf

func totalOf(r *record) int { return r.id + r.counts[0] }

func request(i int) int {
	r := new(record) // want "r is made anew in each call"
	r.fill(i)
	return answer(r)
}

// It ends in several ways, and the struct has a value at first.
func named(i int, name string) (n int, err error) {
	if i < 0 {
		return 0, fmt.Errorf("record %d", i)
	}
	r := &record{id: i, name: name} // want "r is made anew in each call"
	if i%2 == 0 {
		return total(r), nil
	}
	r.counts[1]++
	n = answer(r)
	return n, nil
}

// It is recovered from, and the next one is zero all the same.
func safe(i int) (n int) {
	defer func() {
		if recover() != nil {
			n = -1
		}
	}()
	r := &record{} // want "r is made anew in each call"
	r.fill(i)
	return answer(r)
}

func (r *record) both() (int, string) { return r.id, r.name }

// The results are computed before the struct goes back.
func results(i int) (n int, name string) {
	defer func() { n++ }()
	r := &record{name: "r"} // want "r is made anew in each call"
	n = total(r)
	switch r.id += i; i {
	case 0:
		return
	case 1:
		return r.both()
	case 2:
		return n, r.name
	case 3:
		return n, "three"
	}
	return r.id + n, "rest"
}

type yes bool

// The type of the result is that of the function.
func large(i int) yes {
	r := &record{id: i} // want "r is made anew in each call"
	return total(r) > 7
}

// Another r is there where it returns.
func hides(i int) int {
	r := &record{id: i} // want "r is made anew in each call"
	if r := total(r); r > 2 {
		return r + i
	}
	return r.id
}

var sum int

func adds(i int) {
	r := &record{id: i} // want "r is made anew in each call"
	if i < 0 {
		return
	}
	sum += answer(r)
}

func each(xs []int, record int) (sum int) {
	for _, x := range xs {
		r := new(struct{ a, b int }) // want "r is made anew in each iteration"
		r.a += x
		r.b -= record
		sum += len(fmt.Sprint(r))
	}
	return sum
}

func eachNamed(xs []int) (sum int) {
	for i, x := range xs {
		for range 2 {
			r := &record{id: x, counts: [4]int{1: i}} // want "r is made anew in each iteration"
			r.counts[0]++
			q := r
			sum += answer(q) + total(r)
		}
	}
	return sum
}
