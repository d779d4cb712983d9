package service

import (
	"compress/gzip"
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
	}{z, f}, nil
}
