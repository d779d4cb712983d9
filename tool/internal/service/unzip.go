package service

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

// zipped reports whether r is a compressed trace.
func (Source) zipped(r io.Reader) bool {
	z, err := gzip.NewReader(r)
	if err != nil {
		return false
	}
	head := make([]byte, 5)
	_, err = io.ReadFull(z, head)
	return err == nil && string(head) == "go 1."
}

// unzip opens a compressed trace.
func (s Source) unzip() (io.ReadCloser, error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{cutOff{z}, f}, nil
}

// A cutOff ends where what is compressed is cut off or damaged: what comes before is
// whole, and the reader of the trace says what it lacks.
type cutOff struct{ r io.Reader }

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt) {
		err = io.EOF
	}
	return n, err
}
