// Package n09 hands blocks over a channel, not bytes.
package n09

import "hash/crc32"

func checksum(blocks [][]byte) (sum uint32) {
	for _, b := range blocks {
		sum ^= crc32.ChecksumIEEE(b)
		sum += uint32(b[0])
		for _, x := range b {
			sum = sum*31 + uint32(x)
		}
	}
	return sum
}

func checksumPiped(blocks [][]byte) (sum uint32) {
	type summed struct {
		block []byte
		crc   uint32
	}
	done := make(chan summed, 4)
	go func() {
		defer close(done)
		for _, b := range blocks {
			done <- summed{b, crc32.ChecksumIEEE(b)}
		}
	}()
	for s := range done {
		sum ^= s.crc
		sum += uint32(s.block[0])
		for _, x := range s.block {
			sum = sum*31 + uint32(x)
		}
	}
	return sum
}
