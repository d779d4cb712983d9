// Package m13 gives buffers back to their pool with what is in them.
package m13

import (
	"bytes"
	"strings"
	"sync"
)

func longest(words []string) (n int) {
	var buf bytes.Buffer
	for _, w := range words {
		buf.Reset()
		buf.WriteString(w)
		buf.WriteByte(',')
		n = max(n, bytes.IndexByte(buf.Bytes(), ',')+1)
	}
	return n
}

func longestPooled(words []string) (n int) {
	bufs := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	for _, w := range words {
		buf := bufs.Get().(*bytes.Buffer)
		buf.WriteString(w)
		buf.WriteByte(',')
		n = max(n, bytes.LastIndexByte(buf.Bytes(), ',')-strings.LastIndexByte(buf.String()[:buf.Len()-1], ','))
		bufs.Put(buf) // mistake: poolreset
	}
	return n
}
