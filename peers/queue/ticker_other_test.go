//go:build !linux

package queue

import "time"

// A ticker is the runtime's, where the kernel's is not known.
type ticker struct{ t *time.Ticker }

func newTicker(period time.Duration) (*ticker, error) {
	return &ticker{time.NewTicker(period)}, nil
}

func (t *ticker) wait() error { <-t.t.C; return nil }

func (t *ticker) stop() { t.t.Stop() }
