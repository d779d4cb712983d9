package fresh

import "sync"

// A recorder fills buffers that the analysis gives back to it.

const takes, bufferLen = 24, 24 << 10

var buffers = [3][]uint64{make([]uint64, bufferLen), make([]uint64, bufferLen), make([]uint64, bufferLen)}

func recorderSerial() int {
	sum := 0
	for i := range takes {
		fillBlock(buffers[0], i)
		sum += sumBlock(buffers[0])
	}
	return sum
}

func recorderRecycling() int {
	empty, full := make(chan []uint64, len(buffers)), make(chan []uint64, len(buffers))
	for _, b := range buffers {
		empty <- b
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(full)
		for i := range takes {
			b := <-empty
			fillBlock(b, i)
			full <- b
		}
	})
	sum := 0
	for b := range full {
		sum += sumBlock(b)
		empty <- b
	}
	wg.Wait()
	return sum
}

func fillBlock(block []uint64, seed int) {
	for i := range block {
		block[i] = uint64(seed+i) * 3
	}
}

func sumBlock(block []uint64) int {
	sum := uint64(0)
	for _, x := range block {
		sum += x
	}
	return int(sum)
}
