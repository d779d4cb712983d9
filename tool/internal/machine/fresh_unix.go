//go:build unix

package machine

import (
	"syscall"
	"unsafe"
)

// fresh returns memory that no one has touched.
func fresh(size int) (words []uint64, release func(), err error) {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
	return words, func() { syscall.Munmap(b) }, nil
}

// pageFaults is how many faults of pages this process had, if that is known.
func pageFaults() (n int64, ok bool) {
	var ru syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &ru) != nil {
		return 0, false
	}
	return int64(ru.Minflt) + int64(ru.Majflt), true
}
