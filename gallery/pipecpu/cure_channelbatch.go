package pipecpu

// batchSize is how many items one send of ChannelBatch hands over. They take
// some microseconds, many times what the send does.
const batchSize = 500

// ChannelBatch is [FanBuffered] with a batch of items to a send. Its workers add up
// what they have raised, so that each sends one answer.
func ChannelBatch(n, workers int) uint64 {
	batches := make(chan []int, bufferSize)
	go func() {
		defer close(batches)
		for i := 0; i < n; {
			batch := make([]int, min(batchSize, n-i))
			for j := range batch {
				batch[j] = i
				i++
			}
			batches <- batch
		}
	}()

	sums := make(chan uint64)
	for range workers {
		go func() {
			var sum uint64
			for batch := range batches {
				for _, i := range batch {
					sum += power(i)
				}
			}
			sums <- sum
		}()
	}

	var sum uint64
	for range workers {
		sum += <-sums
	}
	return sum
}
