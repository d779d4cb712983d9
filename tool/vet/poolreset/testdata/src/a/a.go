// Package a puts back what has grown.
package a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func text(x int) string {
	buf := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(buf) // want "buf is put back with what is in it: it grows with each use" // refuse "reset: what the next Get finds would change: put buf.Reset"
	fmt.Fprintf(buf, "%d", x)
	return buf.String()
}

func encoded(x any) (n int, err error) {
	buf := bufs.Get().(*bytes.Buffer)
	err = json.NewEncoder(buf).Encode(x)
	n = buf.Len()
	bufs.Put(buf) // want "buf is put back with what is in it" // refuse "reset: .*put buf.Reset"
	return n, err
}
