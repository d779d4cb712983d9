package jsonreflect

// The generated code is that of these commands, run here; it is not edited.
// easyjson's is kept out of MarshalJSON and UnmarshalJSON, or encoding/json
// would call it.
//
//go:generate go run github.com/mailru/easyjson/easyjson@v0.9.2 -no_std_marshalers -output_filename reading_easyjson.go reading.go
//go:generate go run github.com/tinylib/msgp@v1.6.5 -file reading.go -o reading_msgp.go -io=false -tests=false

// A Reading has fields of the article's types in the article's order, and a
// struct in addition.
//
//easyjson:json
type Reading struct {
	Station string
	Channel int
	Tags    []string
	Serial  uint64
	Unit    string
	Remark  string
	Raw     []byte
	Span    Span
}

// A Span is from a lowest to a highest value.
//
//easyjson:json
type Span struct{ Low, High int64 }
