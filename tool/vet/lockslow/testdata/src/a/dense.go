package a

import (
	"encoding/json"
	"sync"
)

// Types that lead to each other by more ways than can be counted.
type (
	node0 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node1 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node2 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node3 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node4 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node5 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node6 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
	node7 struct {
		A *node0
		B *node1
		C *node2
		D *node3
		E *node4
		F *node5
		G *node6
		H *node7
	}
)

type graph struct {
	mu    sync.Mutex
	names map[string]int
	root  *node0
}

func (t *graph) save(name string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names[name]++
	b, _ := json.Marshal(t.root) // want `t.mu is held over json.Marshal`
	return b
}
