package local

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"
)

// An output keeps the last of what is written to it, and the first line with
// which a Go program dies: goroutine dumps are long. Its methods may be called
// at once.
type output struct {
	max   int
	mu    sync.Mutex // guards what follows
	buf   []byte
	first string // line of death in what was cut off
}

var _ io.Writer = (*output)(nil)

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = append(o.buf, p...)
	if len(o.buf) > 2*o.max {
		cut := len(o.buf) - o.max
		if i := bytes.LastIndexByte(o.buf[:cut], '\n'); i >= 0 {
			cut = i + 1 // the line is whole when it is searched
		}
		if o.first == "" {
			o.first = death(o.buf[:cut])
		}
		o.buf = append(o.buf[:0], o.buf[cut:]...)
	}
	return len(p), nil
}

func (o *output) bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.buf[max(0, len(o.buf)-o.max):])
}

func (o *output) death() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first != "" {
		return o.first
	}
	return death(o.buf)
}

var (
	deathLine = regexp.MustCompile(`(?m)^(?:panic|fatal error): .*$`)
	// deathAfter finds it behind a line that the program left unfinished.
	deathAfter = regexp.MustCompile(`(?m)((?:panic|fatal error): .*)\n(?:\[.*\n|\t.*\n|\n)*goroutine \d+ `)
)

func death(output []byte) string {
	line := deathLine.Find(output)
	if line == nil {
		if m := deathAfter.FindSubmatch(output); m != nil {
			line = m[1]
		}
	}
	if s := string(bytes.TrimSpace(line)); len(s) <= 200 {
		return strings.ToValidUTF8(s, "?")
	} else {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
}
