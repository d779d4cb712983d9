//go:build cgo

// Package native holds programs that call C.
package native

/*
#include <stdlib.h>
#include <string.h>

static int weigh(int a, int b) { return (a * 31 + b) & 0xffff; }

static int length(const char *s) { return (int)strlen(s); }

static int fold(const int *xs, int n) {
	int h = 1;
	for (int i = 0; i < n; i++)
		h = (h * 31 + xs[i]) & 0xffff;
	return h;
}
*/
import "C"

import (
	"sync"
	"unsafe"
)

const workers = 2

func split(n int, f func(lo, hi int) int) int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { sums[w] = f(w*n/workers, (w+1)*n/workers) })
	}
	wg.Wait()
	return sums[0] + sums[1]
}

func weigh(a, b int32) int32 { return (a*31 + b) & 0xffff }

func weights(xs []int32) int {
	total := 0
	for _, x := range xs {
		total += int(weigh(x, 7))
	}
	return total
}

// weightsEach asks C for each number.
func weightsEach(xs []int32) int {
	return split(len(xs), func(lo, hi int) int {
		total := 0
		for _, x := range xs[lo:hi] {
			total += int(C.weigh(C.int(x), 7))
		}
		return total
	})
}

func lengths(names []string) int {
	total := 0
	for _, s := range names {
		total += len(s)
	}
	return total
}

// lengthsEach hands each name to C as a string of its own.
func lengthsEach(names []string) int {
	return split(len(names), func(lo, hi int) int {
		total := 0
		for _, s := range names[lo:hi] {
			c := C.CString(s)
			total += int(C.length(c))
			C.free(unsafe.Pointer(c))
		}
		return total
	})
}

func fold(xs []int32) int {
	h := int32(1)
	for _, x := range xs {
		h = (h*31 + x) & 0xffff
	}
	return int(h)
}

func folds(all [][]int32) int {
	total := 0
	for _, xs := range all {
		total += fold(xs)
	}
	return total
}

// foldsWhole calls C once for many numbers.
func foldsWhole(all [][]int32) int {
	return split(len(all), func(lo, hi int) int {
		total := 0
		for _, xs := range all[lo:hi] {
			total += int(C.fold((*C.int)(unsafe.Pointer(&xs[0])), C.int(len(xs))))
		}
		return total
	})
}
