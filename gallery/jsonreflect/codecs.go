package jsonreflect

import (
	"encoding/json"

	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/buffer"
	"github.com/mailru/easyjson/jwriter"
)

// values is one reading in both forms. A variant uses one of them.
type values struct {
	reading Reading
	open    OpenReading
}

// MarshalJSON and UnmarshalJSON are those of encoding/json, which finds its way
// through the struct by reflection.

func MarshalJSON(v *values) ([]byte, error) { return json.Marshal(&v.reading) }

func UnmarshalJSON(data []byte, v *values) error { return json.Unmarshal(data, &v.reading) }

// MarshalOpen and UnmarshalOpen are the same for a struct that has an interface
// in it. What is unmarshalled has to have the right type in there already.

func MarshalOpen(v *values) ([]byte, error) { return json.Marshal(&v.open) }

func UnmarshalOpen(data []byte, v *values) error {
	v.open.Span = new(Span)
	return json.Unmarshal(data, &v.open)
}

// MarshalEasyJSON and UnmarshalEasyJSON are generated code for JSON.

func MarshalEasyJSON(v *values) ([]byte, error) {
	// easyjson.Marshal begins with 128 bytes, which are too few here, and joins
	// two buffers in a third.
	w := jwriter.Writer{Buffer: buffer.Buffer{Buf: make([]byte, 0, 256)}}
	v.reading.MarshalEasyJSON(&w)
	return w.BuildBytes()
}

func UnmarshalEasyJSON(data []byte, v *values) error { return easyjson.Unmarshal(data, &v.reading) }

// MarshalMsgp and UnmarshalMsgp are generated code for MessagePack.

func MarshalMsgp(v *values) ([]byte, error) { return v.reading.MarshalMsg(nil) }

func UnmarshalMsgp(data []byte, v *values) error {
	_, err := v.reading.UnmarshalMsg(data)
	return err
}
