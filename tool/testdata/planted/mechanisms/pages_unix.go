//go:build unix

package mechanisms

import (
	"os"
	"runtime/debug"
	"syscall"
)

// Memory that is fresh each time.

const arena = 8 << 20

// fill writes all of an arena.
func fill(words []byte, seed int) int {
	for i := 0; i < len(words); i += 64 {
		words[i] = byte(seed + i)
	}
	return int(words[64]) + int(words[len(words)-64])
}

// fillKept has two arenas for all jobs.
func fillKept(kept [workers][]byte, jobs int) int {
	total := 0
	for j := range jobs {
		total += fill(kept[j*workers/jobs], j)
	}
	return total
}

// fillMapped maps an arena for each job and gives it back.
func fillMapped(jobs int) int {
	return split(jobs, func(lo, hi int) int {
		total := 0
		for j := lo; j < hi; j++ {
			words, err := syscall.Mmap(-1, 0, arena, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			if err != nil {
				return -1
			}
			total += fill(words, j)
			syscall.Munmap(words)
		}
		return total
	})
}

// fillHalves has a warm arena for each worker.
func fillHalves(kept [workers][]byte, jobs int) int {
	return split(workers, func(w, _ int) int {
		total := 0
		for j := w * jobs / workers; j < (w+1)*jobs/workers; j++ {
			total += fill(kept[w], j)
		}
		return total
	})
}

// scan adds up a file that is in memory.
func scan(data []byte) int {
	total := 0
	for _, c := range data {
		total = total*31 + int(c)
	}
	return total & 0xffff
}

func scanHalves(data []byte) int { return scan(data[:len(data)/2]) + scan(data[len(data)/2:]) }

// scanMapped maps the file anew for each half.
func scanMapped(f *os.File, size int) int {
	return split(workers, func(w, _ int) int {
		data, err := syscall.Mmap(int(f.Fd()), int64(w*size/workers), size/workers, syscall.PROT_READ, syscall.MAP_PRIVATE)
		if err != nil {
			return -1
		}
		defer syscall.Munmap(data)
		return scan(data)
	})
}

// batch builds a large table and throws it away.
func batch(table []int) int {
	for i := range table {
		table[i] = i ^ 5
	}
	return table[77]
}

var tables [workers][]int

// batchFreed builds its tables fresh and hands the memory back to the system.
func batchFreed(n int) int {
	total := split(workers, func(w, _ int) int {
		tables[w] = make([]int, n/workers)
		return batch(tables[w])
	})
	tables = [workers][]int{}
	debug.FreeOSMemory()
	return total / workers
}
