// Package copied has maps that are seldom written.
package copied

import "sync"

type point struct{ x, y int }

type handlers struct {
	m sync.Map
}

func (h *handlers) handle(p point, f func() int) {
	if f == nil {
		h.m.Delete(p) // want `h.m is a sync.Map` // dearer "copied: .* slower: each call copies all of it" "locked: $" "rwlocked: $"
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

// Who stops a panic would see what was counted before it.
func (n *names) count(ids []int) (err any) {
	defer func() { err = recover() }()
	var counts sync.Map
	go func() { counts.Load(0) }() // want `counts is a sync.Map`
	for _, id := range ids {
		for {
			old, loaded := counts.LoadOrStore(id, 1)
			if !loaded || counts.CompareAndSwap(id, old, old.(int)+1) {
				break
			}
		}
	}
	return err
}
