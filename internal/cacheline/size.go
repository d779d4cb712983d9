//go:build !s390x

package cacheline

const size = 128
