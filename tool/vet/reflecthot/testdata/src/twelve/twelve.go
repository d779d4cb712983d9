package twelve

import (
	"bytes"
	"encoding/json"
)

// many has twelve loops, each with an encoder of its own.
func many(xs []int, b *bytes.Buffer) {
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
	for _, x := range xs {
		json.NewEncoder(b).Encode(x) // want "Encode"
	}
}
