package before

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"sync"
)

type form struct {
	Name  string
	Cents int
}

type maker interface {
	Make(kind string, body []byte) string
}

type entry struct {
	seal string
	n    int
}

type register struct {
	maker maker
	size  func(form) (int, error)
	mu    sync.Mutex
	forms map[string][]byte
	kinds map[string]int
	all   map[string]*entry
	names chan string
	n     int
}

var (
	errTwice = errors.New("twice")
	ErrDebt  = errors.New("debt")
)

// The first statements need nothing of the lock, and may leave.
func (r *register) add(f form) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, err := json.Marshal(f) // want "r.mu is held over json.Marshal"
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	key := hex.EncodeToString(sum[:])
	if f.Name[0] == '-' {
		return key, ErrDebt
	}
	if r.forms[key] != nil {
		return key, errTwice
	}
	r.forms[key] = text
	return key, nil
}

// Others give the lock back before they leave.
func (r *register) early(f form) {
	r.mu.Lock()
	text, err := json.Marshal(f) // want "r.mu is held over json.Marshal"
	if err != nil {
		r.mu.Unlock()
		return
	}
	r.forms[f.Name] = text
	r.mu.Unlock()
}

// A statement comes before what is slow.
func (r *register) second(kind string, body []byte) {
	r.mu.Lock()
	r.n++
	seal := r.maker.Make(kind, body) // want "r.mu is held over r.maker.Make"
	r.kinds[seal]++
	r.mu.Unlock()
}

// It stands within a statement.
func (r *register) inner(kind string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	r.kinds[r.maker.Make(kind, body)] = len(<-r.names) // want "r.mu is held over r.maker.Make"
}

// It is done in a function that others call as well.
func (r *register) put(kind string, body []byte) string {
	if len(body) == 0 {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entry(kind, body) // want "r.mu is held over r.entry"
	e.n++
	return e.seal
}

func (r *register) twice(k string, b []byte) {
	r.mu.Lock()
	r.n++
	r.entry(k, b).n += 2 // want "r.mu is held over r.entry"
	r.mu.Unlock()
}

func (r *register) entry(kind string, body []byte) *entry {
	s := r.maker.Make(kind, body)
	e := r.all[s]
	if e == nil {
		e = &entry{seal: s}
		r.all[s] = e
	}
	return e
}

// The function fails with it.
func (r *register) weigh(f form) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.weighed(f) // want "r.mu is held over r.weighed"
}

func (r *register) weighed(f form) error {
	n, err := r.size(f)
	if err != nil {
		return err
	}
	r.n += n
	return nil
}

// It may panic, which the statement before it is done for.
func (r *register) picked(names []string, i int) {
	r.mu.Lock()
	r.n++
	r.kinds[longest(names, i)] = i // want "r.mu is held over longest"
	r.mu.Unlock()
}

func longest(names []string, i int) string {
	last := names[i]
	for _, name := range names {
		last = max(last, name)
	}
	return last
}

// A lock of a function.
func count(texts []string, words func(string) []string) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	all := map[string]int{}
	seen, split := 0, words
	for _, text := range texts {
		wg.Go(func() {
			mu.Lock()
			seen++
			ws := split(text) // want "mu is held over split"
			for _, w := range ws {
				all[w]++
			}
			mu.Unlock()
		})
	}
	wg.Wait()
	return all
}

const label = "all"

// What is declared for a result hides what is used before it.
func (r *register) hides(kind string, body []byte) {
	if kind != "" {
		r.mu.Lock()
		r.kinds[kind]++
		kind := r.maker.Make(kind, body) // want "r.mu is held over r.maker.Make"
		r.kinds[kind]++
		r.mu.Unlock()
	}
}

func (r *register) labels(kind string, body []byte) {
	r.mu.Lock()
	r.n++
	r.label(kind, body) // want "r.mu is held over r.label"
	r.mu.Unlock()
}

func (r *register) label(kind string, body []byte) {
	r.kinds[label]++
	label := r.maker.Make(kind, body)
	r.kinds[label]++
}
