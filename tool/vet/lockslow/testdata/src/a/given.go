package a

import (
	"encoding/json"
	"fmt"
	"sync"
)

// What the caller hands over may be what the lock guards.

type table struct {
	mu      sync.Mutex
	m       map[string]int
	n       int
	payload any
}

func (t *table) inc(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[key]++
	t.n++
}

func (t *table) dump(v any) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	b, _ := json.Marshal(v) // want `t.mu is held over json.Marshal` // refuse "shorter: what json.Marshal"
	return string(b)
}

func (t *table) copied(m map[string]int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	m2 := m
	b, _ := json.Marshal(m2) // want `t.mu is held over json.Marshal` // refuse "shorter: through m2 it may reach what is written under the lock"
	return string(b)
}

func (t *table) kinds(v any) (b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	switch v := v.(type) {
	case map[string]int:
		b, _ = json.Marshal(v) // want `t.mu is held over json.Marshal` // refuse "shorter: through v it may reach what is written under the lock"
	}
	return b
}

func (t *table) stored() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	b, _ := json.Marshal(t.payload) // want `t.mu is held over json.Marshal` // refuse "shorter: what json.Marshal"
	return string(b)
}

func (t *table) count(n *int, s fmt.Stringer) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	b, _ := json.Marshal(n) // want `t.mu is held over json.Marshal` // refuse "shorter: through n it may reach what is written under the lock"
	return string(b)
}

// Nothing of it is a map, and nothing points to a number.
func (t *table) other(xs []int, names map[string]bool) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	b, err := json.Marshal(xs) // want `t.mu is held over json.Marshal`
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// What it encodes has a method that reads what the lock guards.

type calling struct {
	mu sync.Mutex
	n  int
}

func (c *calling) MarshalJSON() ([]byte, error) {
	c.n++
	return []byte("1"), nil
}

func (c *calling) encode() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, _ := json.Marshal(c) // want `c.mu is held over json.Marshal` // refuse "shorter: n is written"
	return string(b), c.n
}
