// Package m08 holds a lock while it encodes a record and writes it to a file.
package m08

import (
	"encoding/json"
	"os"
	"sync"
)

type record struct {
	ID   int
	Name string
	Tags []string
}

type log struct {
	mu sync.Mutex
	f  *os.File
	n  int
}

func (l *log) add(r record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(r) // mistake: lockslow
	if err != nil {
		return err
	}
	l.n++
	_, err = l.f.Write(append(line, '\n'))
	return err
}

func write(l *log, rs []record) error {
	for _, r := range rs {
		if err := l.add(r); err != nil {
			return err
		}
	}
	return nil
}

func writeAtOnce(l *log, rs []record, workers int) error {
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := rs[len(rs)*w/workers : len(rs)*(w+1)/workers]
		wg.Go(func() { errs[w] = write(l, part) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
