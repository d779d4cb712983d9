// Package b allocates in ways that stay.
package b

import (
	"bytes"
	"fmt"
	"io"
	"iter"
)

// Outside of loops, or with room.
func once(xs []int, x int) []int {
	out := []int{}
	out = append(out, x)
	room := make([]int, 0, len(xs))
	for _, x := range xs {
		room = append(room, x)
	}
	if x > 0 {
		return room
	}
	return append(out, room...)
}

func unknown(ch chan int, seq iter.Seq[int]) (out []int) {
	var got []int
	for x := range ch {
		got = append(got, x) // want "got grows" // refuse "presize: the loop does not say how often it runs"
	}
	all := []int{}
	for x := range seq {
		all = append(all, x) // want "all grows" // refuse "presize: the loop does not say how often it runs"
	}
	return append(got, all...)
}

func filtered(xs []int) []int {
	var out []int
	for _, x := range xs {
		if x > 0 {
			out = append(out, x) // want "out grows" // refuse "presize: out is nil where nothing is appended"
		}
	}
	return out
}

func skipped(xs []int) []int {
	var out []int
	for _, x := range xs {
		if x > 0 {
			continue
		}
		out = append(out, x) // want "out grows" // refuse "presize: out is nil where nothing is appended"
	}
	return out
}

func until(n int, try func() bool) []int {
	out := []int{}
	for i := 0; i < n; i++ {
		out = append(out, i) // want "out grows" // refuse "presize: the loop may end long before n"
		if try() {
			return out
		}
	}
	return out
}

func attempts(n int, try func() bool) []int {
	out := []int{}
	for i := 0; i < n; i++ {
		if try() {
			break
		}
		out = append(out, i) // want "out grows" // refuse "presize: of n iterations only some may add"
	}
	return out
}

// There are few primes, and n may be any number.
func primes(n int, prime func(int) bool) []int {
	out := []int{}
	for i := 2; i < n; i++ {
		if prime(i) {
			out = append(out, i) // want "out grows" // refuse "presize: of n iterations only some may add an element"
		}
	}
	return out
}

func digits(n int) map[int]int {
	m := map[int]int{}
	for i := range n {
		m[i%10] = i // want "m grows" // refuse "presize: of n iterations only some may add an element"
	}
	return m
}

// It is flushed when it is full.
func full(xs []int, f func([]int)) {
	out := []int{}
	for _, x := range xs {
		out = append(out, x) // want "out grows" // refuse "presize: the capacity of out is asked for"
	}
	if len(out) == cap(out) {
		f(out)
	}
}

// Each element is a prefix, which appending to it must not change.
func prefixes(xs []int) (all [][]int) {
	p := []int{}
	for _, x := range xs {
		p = append(p, x) // want "p grows" // refuse "presize: the loop does something else with p"
		all = append(all, p)
	}
	return all
}

func captured(xs []int, f func(func() int)) []int {
	out := []int{}
	for _, x := range xs {
		out = append(out, x) // want "out grows" // refuse "presize: a function literal uses out"
	}
	f(func() int { return cap(out) })
	return out
}

type holder struct{ data []byte }

var global []byte

// What leaves the iteration.
func escapes(n int, ch chan []byte, h *holder, w io.Writer, f func([]byte)) (all [][]byte) {
	for i := range n {
		a := make([]byte, 8) // want "a is made anew" // refuse "hoist: a is kept or passed on"
		all = append(all, a)
		b := make([]byte, 8) // want "b is made anew" // refuse "hoist: b is kept or passed on"
		ch <- b
		c := make([]byte, 8) // want "c is made anew" // refuse "hoist: c is kept or passed on"
		h.data = c
		d := make([]byte, 8) // want "d is made anew" // refuse "hoist: d is kept or passed on"
		f(d)
		e := make([]byte, 8) // want "e is made anew" // refuse "hoist: keep may keep it: p is kept or passed on"
		keep(e)
		g := make([]byte, 8) // want "g is made anew" // refuse "hoist: a function literal uses g"
		go func() { g[0] = byte(i) }()
		k := make([]byte, 8) // want "k is made anew" // refuse "hoist: the address of a part of k is taken"
		set(&k[0])
		l := make([]byte, 8) // want "l is made anew" // refuse "hoist: l is kept or passed on"
		m := holder{data: l}
		m.data[0]++
		o := make([]byte, 8) // want "o is made anew" // refuse "hoist: o is used later"
		defer w.Write(o)
		p := make([]byte, 8) // want "p is made anew" // refuse "hoist: p is cut off at its beginning"
		p = p[1:]
		w.Write(p)
		q := make([]byte, 0, 8) // want "q is made anew" // refuse "hoist: q may be sliced beyond its length"
		w.Write(q[:8])
		var r []byte // want "r is made anew" // refuse "hoist: r is compared with nil"
		if i > 0 {
			r = append(r, 1)
		}
		if r != nil {
			w.Write(r)
		}
		s := make([]byte, 0, 8) // want "s is made anew" // refuse "hoist: what t appends may lie in s"
		t := s
		t = append(t, 1)
		w.Write(t)
		u := make([]byte, 8) // want "u is made anew" // refuse "hoist: u becomes another"
		u = global
		w.Write(u)
		v := make([]byte, i) // want "v is made anew" // refuse "hoist: its size or type belongs to the iteration"
		w.Write(v)
		x := make([]byte, n) // want "x is made anew" // refuse "hoist: its size or type belongs to the iteration"
		w.Write(x)
		zz := make([]byte, 0, 8) // want "zz is made anew" // refuse "hoist: zz is asked for its capacity"
		for len(zz) < cap(zz) {
			zz = append(zz, 1)
		}
		var y bytes.Buffer // want "y is made anew" // refuse "hoist: y is kept or copied"
		z := &y
		z.WriteByte(1)
	}
	return all
}

func keep(p []byte) { global = p }

func set(p *byte) { *p = 1 }

func returned(n int) []byte {
	buf := make([]byte, n)
	return buf
}

func generic[T any](xs []T) (n int) {
	buf := make([]T, len(xs)) // want "buf is made anew in each call" // refuse "pool: the function is generic"
	return copy(buf, xs)
}

func computed(f func() int) (sum int) {
	buf := make([]byte, f()) // want "buf is made anew in each call" // refuse "pool: its size is computed by a call"
	for i := range buf {
		sum += i
	}
	return sum
}

func texts(words []string, f func(*string)) (s, r string) {
	for _, w := range words {
		s += w // want "s is copied" // refuse "builder: s is a parameter, or declared beside others"
	}
	var t string
	for _, w := range words {
		t += w // want "t is copied" // refuse "builder: t is assigned, too, or its address is taken"
	}
	f(&t)
	u := ""
	for _, w := range words {
		u += w // want "u is copied" // refuse "builder: u is assigned, too, or"
		if len(u) > 9 {
			u = w
		}
	}
	v := ""
	for range words {
		v += v[:0] // want "v is copied" // refuse "builder: what is added depends on v"
	}
	// In each iteration another.
	for _, w := range words {
		x := ""
		x += w
		r = x
	}
	return s + t, r + u + v
}

// What it is cut to is as long as before in the next iteration.
func trimmed(words []string) (n int) {
	for _, w := range words {
		buf := make([]byte, 8) // want "buf is made anew" // refuse "hoist: its length changes"
		copy(buf, w)
		buf = buf[:len(w)%8]
		n += len(buf)
	}
	return n
}

func twoNames(rows [][]int) (n int) {
	seen := 0
	for _, row := range rows {
		seen := make(map[int]bool) // want "seen is made anew" // refuse "hoist: something else has its name"
		for _, x := range row {
			seen[x] = true // want "seen grows"
		}
		n += len(seen)
	}
	return n + seen
}

// A Reader reads from what it was reset to.
func readers(words []string) (r bytes.Reader) {
	for _, w := range words {
		buf := make([]byte, 8) // want "buf is made anew" // refuse "hoist: Reset may keep buf"
		copy(buf, w)
		r.Reset(buf)
	}
	return r
}

// Each name shows as a slice that others keep.
type names []string

var lastNames names

func (n names) String() string {
	lastNames = n
	return ""
}

func printed(words []string, w io.Writer) {
	for _, x := range words {
		ns := names{} // want "ns is made anew" // refuse "hoist: String may keep it"
		ns = append(ns, x)
		fmt.Fprint(w, ns)
		ms := names{} // want "ms is made anew" // refuse "hoist: ms is kept or passed on"
		ms = append(ms, x)
		fmt.Fprint(w, any(ms))
		ps := make([]byte, 8) // want "ps is made anew" // refuse "hoist: a method gets its receiver as an argument"
		io.Writer.Write(w, ps)
	}
}

// What grow is handed may stay, and be longer there.
func paths(xs []int, grow func([]int) int) []int {
	all := []int{}
	for range xs {
		all = append(all, grow(all)) // want "all grows" // refuse "presize: the loop does something else with all"
	}
	return all
}

type size int

// Its size is no int for slices.Grow.
func sized(n size, xs []int) int {
	buf := make([]int, n) // want "buf is made anew in each call" // refuse "pool: its size is computed by a call, or no int"
	return copy(buf, xs)
}

type stack []int

func (s *stack) push(x int) { *s = append(*s, x) }

func (s *stack) all() []int { return *s }

// The method knows the array of the variable.
func pushed(xs []int) (out [][]int) {
	for _, x := range xs {
		st := stack{} // want "st is made anew" // refuse "hoist: a method gets the address of st"
		st.push(x)
		out = append(out, st.all())
	}
	return out
}

// A recorder is no good io.Writer.
type recorder struct{ all [][]byte }

func (r *recorder) Write(p []byte) (int, error) {
	r.all = append(r.all, p)
	return len(p), nil
}

func recorded(words []string, r *recorder) {
	for _, w := range words {
		buf := []byte{} // want "buf is made anew" // refuse "hoist: Write may keep it"
		buf = append(buf, w...)
		r.Write(buf)
	}
}

func copied(words []string) (all []bytes.Buffer, n int) {
	for _, w := range words {
		buf := new(bytes.Buffer) // want "buf is made anew" // refuse "hoist: buf is kept or copied"
		buf.WriteString(w)
		all = append(all, *buf)
		var room bytes.Buffer // want "room is made anew" // refuse "hoist: room is asked for its capacity"
		room.WriteString(w)
		n += room.Cap()
		late := make([]int, 2, 8) // want "late is made anew" // refuse "hoist: late may be sliced beyond its length"
		more := late[:8]
		n += more[7]
		more[7] = 1
	}
	return all, n
}

// Both would lie in the room that none of the words took.
func twice(words []string) (x, y []string) {
	flags := []string{}
	for _, w := range words {
		if w[0] == '-' {
			flags = append(flags, w) // want "flags grows" // refuse "presize: what is appended to flags twice"
		}
	}
	return append(flags, "x"), both(append(flags, "y"))
}

func both(xs []string) []string { return xs }

func again(s string, words []string) string {
	{
		s := s + ":"
		for _, w := range words {
			s += w // want "s is copied" // refuse "builder: it begins with a text"
		}
		return s
	}
}

// With room for one, the second does not lie where the first does.
func parted(xs []int) (sum int) {
	for range xs {
		v := make([]int, 0, 1) // want "v is made anew" // refuse "hoist: v is appended to while another variable has its array"
		v = append(v, 1)
		w := v
		v = append(v, 2)
		w[0] = 9
		sum += v[0]
	}
	return sum
}

type node struct{ n int }

func (n *node) enter() { nodes = append(nodes, n) }

var nodes []*node

// What enters lies in the array of that time.
func entered(xs []int) []node {
	out := []node{}
	for i, x := range xs {
		out = append(out, node{x}) // want "out grows" // refuse "presize: the loop does something else with out"
		out[i].enter()
		out[0].n++
	}
	return out
}
