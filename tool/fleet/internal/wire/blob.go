package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Blob is bytes in the object store, by their content. It is stored in parts, each
// under its own sum: what was sent before it was interrupted is not sent again.
type Blob struct {
	Sum   string   `json:"sum"` // of all
	Size  int      `json:"size"`
	Parts []string `json:"parts,omitempty"` // sums, of partSize bytes each but for the last
}

const partSize = 4 << 20

func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// BlobOf says how data is stored.
func BlobOf(data []byte) Blob {
	b := Blob{Sum: sum(data), Size: len(data)}
	for part := range chunks(data) {
		b.Parts = append(b.Parts, sum(part))
	}
	return b
}

func chunks(data []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(data) > 0 {
			n := min(len(data), partSize)
			if !yield(data[:n]) {
				return
			}
			data = data[n:]
		}
	}
}

// PutBlob stores data, as far as it is not there, and returns how many parts it had to
// send.
func (f *Fleet) PutBlob(ctx context.Context, data []byte) (b Blob, sent int, err error) {
	b = BlobOf(data)
	i := 0
	for part := range chunks(data) {
		name := b.Parts[i]
		i++
		err := f.patiently(ctx, func() error {
			info, err := f.blobs.GetInfo(ctx, name)
			// What is about to be too old would be gone when it is wanted.
			if err == nil && info.Size == uint64(len(part)) && time.Since(info.ModTime) < Kept/2 {
				return nil
			}
			if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
				return err
			}
			if _, err = f.blobs.PutBytes(ctx, name, part); err == nil {
				sent++
			}
			return err
		})
		if err != nil {
			return b, sent, f.full(ctx, err, len(data))
		}
	}
	return b, sent, nil
}

// full says of a store that takes no more what it holds.
func (f *Fleet) full(ctx context.Context, err error, size int) error {
	about, e := f.blobs.Status(ctx)
	if e != nil || errors.Is(err, nats.ErrTimeout) {
		return fmt.Errorf("the fleet's store does not take %d MB: %w", size>>20, err)
	}
	return fmt.Errorf("the fleet's store does not take %d MB beside the %d MB that it has: %w: give it more disk, or payoff-fleet serve -store a larger size", size>>20, about.Size()>>20, err)
}

// GetBlob returns what PutBlob stored, or an error: nothing else than what its sum says.
func (f *Fleet) GetBlob(ctx context.Context, b Blob) ([]byte, error) {
	if b.Size < 0 || (b.Size+partSize-1)/partSize != len(b.Parts) {
		return nil, fmt.Errorf("blob %.12s: %d bytes in %d parts", b.Sum, b.Size, len(b.Parts))
	}
	data := make([]byte, 0, b.Size)
	limit := 2 * f.Timing.Beat
	for _, name := range b.Parts {
		var part []byte
		wrong := 0
		err := f.patiently(ctx, func() (err error) {
			// Where two coordinators store the same at the same time, the second one takes
			// away what the first has stored, and nothing says so to those that read it. The
			// limit doubles, for slow lines.
			once, stop := context.WithTimeout(ctx, limit)
			defer stop()
			part, err = f.part(once, name)
			switch {
			case errors.Is(err, errOther), errors.Is(err, jetstream.ErrDigestMismatch): // some of each
				if wrong++; wrong < 3 {
					err = nats.ErrTimeout
				}
			case errors.Is(err, os.ErrDeadlineExceeded): // as nats.go says it at times
				err = nats.ErrTimeout
			}
			if once.Err() != nil {
				limit *= 2
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("blob %.12s: part %.12s: %w", b.Sum, name, err)
		}
		data = append(data, part...)
		if len(data) > b.Size {
			break
		}
	}
	if got := sum(data); got != b.Sum || len(data) != b.Size {
		return nil, fmt.Errorf("blob %.12s: what came has sum %.12s and %d bytes, want %d", b.Sum, got, len(data), b.Size)
	}
	return data, nil
}

var errOther = errors.New("it is not what its name says")

func (f *Fleet) part(ctx context.Context, name string) ([]byte, error) {
	r, err := f.blobs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var part bytes.Buffer
	if _, err := io.Copy(&part, io.LimitReader(r, partSize+1)); err != nil {
		return nil, err
	}
	if sum(part.Bytes()) != name {
		return nil, errOther
	}
	return part.Bytes(), r.Error()
}
