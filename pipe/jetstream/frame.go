package jetstream

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A kind says what an item in a message is.
type kind byte

const (
	value  kind = iota // encoded
	object             // its name in the object store: it is too large
	failed             // the text of the error that its function returned
	burst              // the text of a panic and its stack
	poison             // its processes died, or ended it without an answer
)

// An item in a message: a call of the pipe's, on its way there or back. Calls are
// numbered by the client, so that an answer finds its call however messages are cut.
type item struct {
	call uint64
	kind kind
	work uint64 // nanoseconds that functions have taken for it until here
	data []byte
}

const version = 1

// appendItem adds an item to a message; the first one begins it.
func appendItem(buf []byte, i item) []byte {
	if len(buf) == 0 {
		buf = append(buf, version)
	}
	buf = binary.AppendUvarint(buf, i.call)
	buf = append(buf, byte(i.kind))
	buf = binary.AppendUvarint(buf, i.work)
	buf = binary.AppendUvarint(buf, uint64(len(i.data)))
	return append(buf, i.data...)
}

// headroom is what an item takes in a message beside its data, at most.
const headroom = 3*binary.MaxVarintLen64 + 1

var errCut = errors.New("the message ends within an item")

// parseItems returns the items of a message. Their data is part of it.
func parseItems(buf []byte) (items []item, err error) {
	if len(buf) == 0 || buf[0] != version {
		return nil, fmt.Errorf("the message is not of this package, or of another version than %d", version)
	}
	buf = buf[1:]
	number := func() (n uint64) {
		n, w := binary.Uvarint(buf)
		if w <= 0 {
			err, buf = errCut, nil
			return 0
		}
		buf = buf[w:]
		return n
	}
	for len(buf) > 0 && err == nil {
		i := item{call: number()}
		if len(buf) == 0 {
			return nil, errCut
		}
		i.kind, buf = kind(buf[0]), buf[1:]
		i.work = number()
		n := number()
		if err != nil || n > uint64(len(buf)) {
			return nil, errCut
		}
		i.data, buf = buf[:n:n], buf[n:]
		items = append(items, i)
	}
	return items, err
}
