package a

import "sync"

// Other packages may take the lock, and cannot reach what is read under it.

type Names[K comparable, V any] struct {
	sync.RWMutex
	entries map[K]V
}

func (n *Names[K, V]) Get(k K) (V, bool) {
	n.RLock() // want `n is read-locked`
	defer n.RUnlock()
	v, ok := n.entries[k]
	return v, ok
}

type Ports struct {
	Names[string, int]
	known int
}

func NewPorts(names []string) *Ports {
	p := new(Ports)
	p.entries = map[string]int{}
	for i, n := range names {
		p.entries[n] = i
	}
	return p
}

// They may write what is read here.

type Shown struct {
	Mu sync.RWMutex
	N  int
}

func (s *Shown) Get() int {
	s.Mu.RLock() // want `s.Mu is read-locked` // refuse "drop: other packages may take Mu and write N"
	defer s.Mu.RUnlock()
	return s.N
}
