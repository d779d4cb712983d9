package a

import "sync"

// A Public has a field that other packages may set.
type Public struct {
	mu   sync.Mutex
	Most int
}

func (p *Public) Note(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n > p.Most {
		p.Most = n
	}
}

func public(p *Public, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, x := range xs {
				p.Note(x) // want `p.Note locks p.mu in each iteration` // refuse `local: other packages may set Most`
			}
		})
	}
	wg.Wait()
}
