// Package m16 encodes every point by reflection.
package m16

import (
	"encoding/json"
	"strconv"
)

type point struct {
	X int `json:"x"`
	Y int `json:"y"`
}

func encode(ps []point) (n int) {
	var buf []byte
	for _, p := range ps {
		buf = append(buf[:0], `{"x":`...)
		buf = strconv.AppendInt(buf, int64(p.X), 10)
		buf = append(buf, `,"y":`...)
		buf = strconv.AppendInt(buf, int64(p.Y), 10)
		buf = append(buf, '}')
		n += len(buf)
	}
	return n
}

func encodeJSON(ps []point) (n int) {
	for _, p := range ps {
		buf, err := json.Marshal(p) // mistake: reflecthot
		if err != nil {
			return -1
		}
		n += len(buf)
	}
	return n
}
