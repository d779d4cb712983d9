package jsonreflect

import (
	"encoding/json"

	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/buffer"
	"github.com/mailru/easyjson/jwriter"
)

// values are a reading and an interface around it.
type values struct {
	reading Reading
	open    any // always &reading
}

func newValues(r Reading) *values {
	v := &values{reading: r}
	v.open = &v.reading
	return v
}

// MarshalJSON and UnmarshalJSON are those of encoding/json, which finds its way
// through the struct by reflection.

func MarshalJSON(v *values) ([]byte, error) { return json.Marshal(&v.reading) }

func UnmarshalJSON(data []byte, v *values) error { return json.Unmarshal(data, &v.reading) }

// MarshalOpen and UnmarshalOpen are the same through the interface, by a pointer
// to that. What is unmarshalled has to have the right type in there already.

func MarshalOpen(v *values) ([]byte, error) { return json.Marshal(&v.open) }

func UnmarshalOpen(data []byte, v *values) error { return json.Unmarshal(data, &v.open) }

// MarshalEasyJSON and UnmarshalEasyJSON are generated code for JSON, as it comes.

func MarshalEasyJSON(v *values) ([]byte, error) { return easyjson.Marshal(&v.reading) }

func UnmarshalEasyJSON(data []byte, v *values) error { return easyjson.Unmarshal(data, &v.reading) }

// MarshalSized is MarshalEasyJSON with a buffer of a size that suits. That of
// easyjson begins with 128 bytes, which are too few here, and what does not fit
// is joined in another one.
func MarshalSized(v *values) ([]byte, error) {
	w := jwriter.Writer{Buffer: buffer.Buffer{Buf: make([]byte, 0, 256)}}
	v.reading.MarshalEasyJSON(&w)
	return w.BuildBytes()
}

// MarshalMsgp and UnmarshalMsgp are generated code for MessagePack.

func MarshalMsgp(v *values) ([]byte, error) { return v.reading.MarshalMsg(nil) }

func UnmarshalMsgp(data []byte, v *values) error {
	_, err := v.reading.UnmarshalMsg(data)
	return err
}
