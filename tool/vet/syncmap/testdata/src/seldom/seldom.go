// Package seldom has maps that are seldom written.
package seldom

import "sync"

type point struct{ x, y int }

type handlers struct {
	m sync.Map
}

func (h *handlers) handle(p point, f func() int) {
	if f == nil {
		h.m.Delete(p) // want `h.m is a sync.Map`
		return
	}
	h.m.Store(p, f)
}

func (h *handlers) call(ps []point) (sum int) {
	for _, p := range ps {
		if f, ok := h.m.Load(p); ok {
			sum += f.(func() int)()
		}
	}
	return sum
}

func (h *handlers) each(f func(k, v any) bool) { h.m.Range(f) }

type names struct{ m sync.Map }

func (n *names) name(id int) string {
	if v, ok := n.m.Load(id); ok { // want `n.m is a sync.Map`
		return v.(string)
	}
	v, _ := n.m.LoadOrStore(id, "new")
	return v.(string)
}

func (n *names) known() (all []string) {
	n.m.Range(func(_, v any) bool {
		all = append(all, v.(string))
		return true
	})
	return all
}
