package fresh

import (
	"strconv"
	"strings"
	"sync"
)

// An image is inverted and its light summed up.

const imageWidth, imageHeight = 192, 600

var picture = func() []byte {
	p := make([]byte, imageWidth*imageHeight)
	for i, x := range numbers(len(p), 256) {
		p[i] = byte(x)
	}
	return p
}()

func rowLight(y int) int {
	light := 0
	for _, p := range picture[y*imageWidth : (y+1)*imageWidth] {
		light += int(^p)
	}
	return light
}

func lightSerial() int {
	sum := 0
	for y := range imageHeight {
		sum += rowLight(y)
	}
	return sum
}

func lightRows() int {
	rows := make([]int, imageHeight)
	var wg sync.WaitGroup
	for y := range imageHeight {
		wg.Go(func() { rows[y] = rowLight(y) })
	}
	wg.Wait()
	sum := 0
	for _, r := range rows {
		sum += r
	}
	return sum
}

// A tree is summed up.

type node struct {
	left, right *node
	value       int
}

func grow(depth, seed int) *node {
	n := &node{value: seed}
	if depth > 0 {
		n.left, n.right = grow(depth-1, seed*2), grow(depth-1, seed*2+1)
	}
	return n
}

var tree = grow(10, 1)

func (n *node) weight() int { return int(grind(uint64(n.value), 60) & 0xff) }

func treeSerial() int { return treeSum(tree) }

func treeSum(n *node) int {
	if n == nil {
		return 0
	}
	return n.weight() + treeSum(n.left) + treeSum(n.right)
}

func treeSpawning() int { return treeSpawn(tree) }

func treeSpawn(n *node) int {
	if n == nil {
		return 0
	}
	left := 0
	var wg sync.WaitGroup
	wg.Go(func() { left = treeSpawn(n.left) })
	right := treeSpawn(n.right)
	wg.Wait()
	return n.weight() + left + right
}

// A column of a table is parsed, with the first error kept.

var column = func() []string {
	var c []string
	for _, x := range numbers(500, 1e6) {
		c = append(c, strconv.Itoa(x)+","+strconv.Itoa(x*3)+","+strconv.Itoa(x/2)+","+strconv.Itoa(x%99))
	}
	return c
}()

type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) run(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	})
}

func (g *group) wait() error {
	g.wg.Wait()
	return g.err
}

func parseInto(to *int, s string) error {
	for field := range strings.SplitSeq(s, ",") {
		v, err := strconv.Atoi(field)
		if err != nil {
			return err
		}
		*to += v
	}
	return nil
}

func columnSerial() int {
	parsed := make([]int, len(column))
	for range 3 {
		for i, s := range column {
			if parseInto(&parsed[i], s) != nil {
				return -1
			}
		}
	}
	return digest(parsed)
}

func columnGroup() int {
	parsed := make([]int, len(column))
	for range 3 {
		var g group
		for i, s := range column {
			g.run(func() error { return parseInto(&parsed[i], s) })
		}
		if g.wait() != nil {
			return -1
		}
	}
	return digest(parsed)
}

func digest(xs []int) int {
	d := 0
	for i, x := range xs {
		d += x * (i%7 + 1)
	}
	return d
}

// Prices come as futures.

var amounts = numbers(800, 1<<16)

func price(x int) int { return int(grind(uint64(x), 60) & 0xfff) }

func futuresSerial() int {
	sum := 0
	for _, a := range amounts {
		sum += price(a)
	}
	return sum
}

func future(f func() int) <-chan int {
	c := make(chan int, 1)
	go func() { c <- f() }()
	return c
}

func futuresEach() int {
	fs := make([]<-chan int, len(amounts))
	for i, a := range amounts {
		fs[i] = future(func() int { return price(a) })
	}
	sum := 0
	for _, f := range fs {
		sum += <-f
	}
	return sum
}
