// Package tags has fields that a file which is not built writes under the lock.
package tags

import (
	"encoding/json"
	"sync"
)

type store struct {
	mu    sync.Mutex
	name  string
	count int
	last  []byte
}

func (s *store) note() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := json.Marshal(s.name) // want `s.mu is held over json.Marshal` // refuse "shorter: tags_never.go, which this build leaves out, uses name"
	if err != nil {
		return err
	}
	s.last = data
	s.count++
	return nil
}
