// Package refused has maps that stay.
package refused

import (
	"fmt"
	"sync"
)

var Shared sync.Map

func shared() { Shared.Store(1, 2) } // want `Shared is a sync.Map` // refuse "plain: other packages may use Shared"

type embeds struct{ sync.Map }

func (e *embeds) put() { e.Map.Store(1, 2) } // want `e.Map is a sync.Map` // refuse "plain: Map is embedded, or leads to the map"

var mixed sync.Map

func mixes() {
	mixed.Store(1, 2) // want `mixed is a sync.Map` // refuse "plain: its keys are of several types, or interface values"
	mixed.Store("1", 2)
}

var boxed sync.Map

func boxes(k any) {
	boxed.Store(k, 2) // want `boxed is a sync.Map` // refuse "plain: its keys are, or have within, interface values or floating point numbers"
}

var floats sync.Map

func float(x float64) {
	floats.Store(x, 2) // want `floats is a sync.Map` // refuse "plain: its keys are, or have within, interface values or floating point numbers"
}

type key struct{ v any }

var keyed sync.Map

func keys(v any) {
	keyed.Store(key{v}, 2) // want `keyed is a sync.Map` // refuse "plain: its keys are, or have within, interface values or floating point numbers"
}

var method sync.Map

func methods() func(k, v any) {
	method.Store(1, 2) // want `method is a sync.Map` // refuse "plain: the map is used otherwise than to call its methods"
	return method.Store
}

type shown struct{ m sync.Map }

func (s *shown) put() {
	s.m.Store(1, 2) // want `s.m is a sync.Map` // refuse "plain: its fields may be shown: it is made an empty interface"
	fmt.Println(s)
}

type copies struct{ m sync.Map }

func (c *copies) put() copies {
	c.m.Store(1, 2) // want `c.m is a sync.Map` // refuse "plain: its struct is copied"
	return *c
}

type generic[T comparable] struct{ m sync.Map }

func (g *generic[T]) put(k T) {
	g.m.Store(k, 2) // want `g.m is a sync.Map` // refuse "plain: its struct is generic"
}

func given(m *sync.Map) {
	m.Store(1, 2) // want `m is a sync.Map` // refuse "plain: m is embedded, or leads to the map"
}

var passed sync.Map

func pass() {
	passed.Store(1, 2) // want `passed is a sync.Map` // refuse "plain: the map is used otherwise than to call its methods"
	given(&passed)
}

// One type is written for maps of two.
type two struct{ a, b sync.Map }

func (t *two) put() {
	t.a.Store(1, 2) // want `t.a is a sync.Map` // refuse "plain: a is declared with a value, or together with others"
	t.b.Store(1, 2) // want `t.b is a sync.Map` // refuse "plain: b is declared with a value, or together with others"
}

// Keys of a Range are interface values.
var cleared sync.Map

func clears() {
	cleared.Store(1, 2) // want `cleared is a sync.Map` // refuse "plain: its keys are of several types, or interface values"
	cleared.Range(func(k, _ any) bool {
		cleared.Delete(k)
		return true
	})
}

func again(keys []int) (n int) {
	var seen sync.Map
	each := func(f func(k int)) {
		for _, k := range keys {
			f(k)
		}
	}
	each(func(k int) { seen.Store(k, k) }) // want `seen is a sync.Map` // refuse "plain: the map is used otherwise than to call its methods"
	for range seen.Range {
		n++
	}
	return n
}
