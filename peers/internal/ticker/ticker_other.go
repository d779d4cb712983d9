//go:build !linux

package ticker

import "time"

// A Ticker is the runtime's, where the kernel's is not known.
type Ticker struct{ t *time.Ticker }

// New returns a ticker that fires once in each period.
func New(period time.Duration) (*Ticker, error) {
	return &Ticker{time.NewTicker(period)}, nil
}

// Wait waits until the ticker fires, or returns at once if it did meanwhile.
func (t *Ticker) Wait() error { <-t.t.C; return nil }

// Stop ends the ticker. Nobody may wait for it any more.
func (t *Ticker) Stop() { t.t.Stop() }
