//go:build never

package tags

func (s *store) rename(name string) {
	s.mu.Lock()
	s.name = name
	s.mu.Unlock()
}
