//go:build cgo

// Package clib is a small library in C, and the same in Go where there is no cgo.
package clib

/*
static unsigned mixed(unsigned x, int steps) {
	for (int i = 0; i < steps; i++) x = (x ^ x >> 13) * 2654435761u;
	return x;
}
static unsigned weight(const unsigned char *s, int n) {
	unsigned h = 7;
	for (int i = 0; i < n; i++) h = h * 31 + s[i];
	return h;
}
*/
import "C"

import "unsafe"

// Mixed hashes x in steps.
func Mixed(x uint32, steps int) uint32 { return uint32(C.mixed(C.uint(x), C.int(steps))) }

// Weight hashes s, which must not be empty.
func Weight(s []byte) uint32 {
	return uint32(C.weight((*C.uchar)(unsafe.Pointer(&s[0])), C.int(len(s))))
}
