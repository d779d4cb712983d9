package clib

// GoMixed is Mixed in Go.
func GoMixed(x uint32, steps int) uint32 {
	for range steps {
		x = (x ^ x>>13) * 2654435761
	}
	return x
}

// GoWeight is Weight in Go.
func GoWeight(s []byte) uint32 {
	h := uint32(7)
	for _, c := range s {
		h = h*31 + uint32(c)
	}
	return h
}
