package service

import (
	"bytes"
	"compress/gzip"
	"io"
)

// unzipped is what data holds if that is a trace, whole or cut off. Profiles are
// compressed as well: package profile reads those.
func unzipped(data []byte) ([]byte, bool) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	head := make([]byte, 5)
	if _, err := io.ReadFull(z, head); err != nil || string(head) != "go 1." {
		return nil, false
	}
	rest, err := io.ReadAll(io.LimitReader(z, mostUnzipped))
	if err != nil && len(rest) == 0 {
		return nil, false
	}
	return append(head, rest...), true // what is cut off is said of the trace
}

// mostUnzipped bounds what is held in memory of a trace that was compressed. A longer
// one is cut off there, and said to be.
const mostUnzipped = 256 << 20
