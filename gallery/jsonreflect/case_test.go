package jsonreflect

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

type variant struct {
	name      string
	marshal   func(v *values) ([]byte, error)
	unmarshal func(data []byte, v *values) error // into a zero reading; nil: as easyjson
}

var variants = []variant{
	{"baseline", MarshalJSON, UnmarshalJSON},
	{"interface", MarshalOpen, UnmarshalOpen},
	{"easyjson", MarshalEasyJSON, UnmarshalEasyJSON},
	{"sized", MarshalSized, nil},
	{"msgp", MarshalMsgp, UnmarshalMsgp},
}

// sample is the reading that is measured. As in the article, ten of its strings
// are empty and there are no bytes.
func sample() Reading {
	return Reading{Station: "foo", Channel: 42, Tags: make([]string, 10), Serial: 100, Unit: "bar", Remark: "baz", Span: Span{-5, 5}}
}

// plain returns r with no slice for an empty one: MessagePack has them alike.
func plain(r Reading) Reading {
	if len(r.Tags) == 0 {
		r.Tags = nil
	}
	if len(r.Raw) == 0 {
		r.Raw = nil
	}
	return r
}

// Each variant gets back what it was given, and those that write JSON write the
// same.
func TestVariants(t *testing.T) {
	readings := map[string]Reading{
		"zero":   {},
		"sample": sample(),
		"full": {
			Station: "\"Zürich\" \\ <1>\n\u2028\x7f", Channel: -1 << 31, Tags: []string{"a", "", "ü"},
			Serial: 1<<64 - 1, Unit: "µ", Remark: "&", Raw: []byte{0, 1, 255}, Span: Span{-1 << 63, 1<<63 - 1},
		},
	}
	for name, r := range readings {
		for _, v := range variants {
			data, err := v.marshal(newValues(r))
			if err != nil {
				t.Errorf("%s: marshal %s: %v", v.name, name, err)
				continue
			}
			unmarshal := v.unmarshal
			if unmarshal == nil {
				unmarshal = UnmarshalEasyJSON
			}
			got := newValues(Reading{})
			if err := unmarshal(data, got); err != nil {
				t.Errorf("%s: unmarshal %s: %v", v.name, name, err)
				continue
			}
			if got := plain(got.reading); !reflect.DeepEqual(got, plain(r)) {
				t.Errorf("%s: %s came back as %+v, want %+v", v.name, name, got, r)
			}
			if v.name == "msgp" {
				continue
			}
			var asJSON Reading
			if err := json.Unmarshal(data, &asJSON); err != nil || !reflect.DeepEqual(plain(asJSON), plain(r)) {
				t.Errorf("%s: encoding/json reads %s as %+v (%v), want %+v", v.name, name, asJSON, err, r)
			}
		}
	}
}

var (
	sink    []byte
	sinkErr error
)

func BenchmarkMarshal(b *testing.B) {
	for _, v := range variants {
		b.Run(fmt.Sprintf("variant=%s", v.name), func(b *testing.B) {
			in := newValues(sample())
			for b.Loop() {
				sink, sinkErr = v.marshal(in)
			}
			if sinkErr != nil {
				b.Fatal(sinkErr)
			}
		})
	}
}

// What is unmarshalled into is zero each time; zeroing it is the same for all.
func BenchmarkUnmarshal(b *testing.B) {
	for _, v := range variants {
		if v.unmarshal == nil {
			continue
		}
		b.Run(fmt.Sprintf("variant=%s", v.name), func(b *testing.B) {
			data, err := v.marshal(newValues(sample()))
			if err != nil {
				b.Fatal(err)
			}
			out := newValues(Reading{})
			for b.Loop() {
				out.reading = Reading{}
				if err := v.unmarshal(data, out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
