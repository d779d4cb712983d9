//go:build go1.27 && goexperiment.jsonv2

package jsonreflect

import "encoding/json/v2"

// MarshalV2 and UnmarshalV2 are those of encoding/json/v2, by reflection too.

func MarshalV2(v *values) ([]byte, error) { return json.Marshal(&v.reading) }

func UnmarshalV2(data []byte, v *values) error { return json.Unmarshal(data, &v.reading) }
