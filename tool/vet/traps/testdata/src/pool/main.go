// Package main keeps, hands out and takes back buffers.
package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

var slicesPool = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

// kept returns what it gives back.
func kept(s string) (b []byte) {
	b = slicesPool.Get().([]byte)[:0]
	b = append(b, s...)
	defer slicesPool.Put(b)
	return append([]byte(nil), b...)
}

// early puts in some ways out only.
func early(s string) int {
	b := slicesPool.Get().([]byte)
	b = append(b[:0], s...)
	if len(s) == 0 {
		return 0
	}
	if s[0] == 'x' {
		slicesPool.Put(b)
		return -1
	}
	n := len(b)
	slicesPool.Put(b[:0])
	return n
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// dirty gives buffers back as they are: the next one has to reset them.
func dirty(s string) string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.String()
}

// resets after it gave back a slice of it.
func view(s string) []byte {
	b := new(bytes.Buffer)
	b.WriteString(s)
	return b.Bytes()
}

type node struct {
	v    int
	next *node
}

// list keeps all that it allocates.
func list(n int) (head *node) {
	for i := range n {
		x := &node{v: i}
		x.next = head
		head = x
	}
	return head
}

type pair struct{ a, b int }

func newPair(a, b int) *pair { return &pair{a, b} }

func none(a int) *pair {
	if a < 0 {
		return nil
	}
	return &pair{a, a}
}

func (p *pair) swap() *pair { p.a, p.b = p.b, p.a; return p }

// pairs compares and changes what it allocates.
func pairs(n int) (sum int, same int) {
	last := newPair(0, 0)
	seen := map[*pair]bool{}
	for i := range n {
		p := newPair(i, 2*i)
		q := p
		q.a++
		if p == last {
			same++
		}
		seen[p] = true
		last = p
		sum += p.a + p.swap().a
		if none(i-2) == nil {
			sum += 100
		}
		r := newPair(i, i)
		f := r.swap
		r = newPair(9, 8)
		sum += f().a + r.b
	}
	return sum, same + len(seen)
}

// boxes keeps numbers in interfaces, and compares them.
func boxes(n int) (out []any, eq int) {
	for i := range n {
		var x any = i * 1000
		out = append(out, x, int8(i))
		if x == any(i*1000) {
			eq++
		}
		if x != any(int64(i*1000)) {
			eq += 10
		}
	}
	return out, eq
}

// scratch makes a buffer for each turn, and some keep it.
func scratch(words []string) (out []string, keep [][]byte, fs []func() int) {
	for i, w := range words {
		buf := make([]byte, 8)
		n := copy(buf, w)
		if i%2 == 0 {
			keep = append(keep, buf[:n])
		}
		out = append(out, string(buf))
		m := make(map[string]int)
		m[w]++
		fs = append(fs, func() int { return m[w] + len(m) })
	}
	return out, keep, fs
}

// zeroed relies on new memory being zero.
func zeroed(words []string) (sum int) {
	for _, w := range words {
		counts := make([]int, 256)
		for i := range len(w) {
			counts[w[i]]++
		}
		for _, c := range counts {
			sum += c * c
		}
		seen := map[rune]bool{}
		for _, r := range w {
			if seen[r] {
				sum += 1000
			}
			seen[r] = true
		}
		var b strings.Builder
		b.WriteString(w)
		sum += b.Len()
		buf := bytes.NewBuffer(nil)
		buf.WriteString(w)
		sum += buf.Len()
	}
	return sum
}

func main() {
	a, b := kept("hello"), kept("world")
	fmt.Println(string(a), string(b), early(""), early("xy"), early("abc"))
	fmt.Println(dirty("one"), dirty("two"))
	v, w := view("view"), view("other")
	fmt.Println(string(v), string(w))
	n := 0
	for l := list(10); l != nil; l = l.next {
		n = n*3 + l.v
	}
	fmt.Println(n)
	fmt.Println(pairs(10))
	fmt.Println(boxes(4))
	out, keep, fs := scratch([]string{"a", "bcd", "ef"})
	fmt.Printf("%q %q %d %d\n", out, keep, fs[0](), fs[2]())
	fmt.Println(zeroed([]string{"aab", "xyzzy", ""}))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := strings.Repeat(string(rune('a'+i)), i+1)
			if string(kept(s)) != s || dirty(s) != s || early("z"+s) != i+2 {
				fmt.Println("mixed up", s)
			}
		})
	}
	wg.Wait()
}
