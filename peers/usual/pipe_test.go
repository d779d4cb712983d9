package usual

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/pipe"
)

func pipes() []load {
	return []load{
		{"Items", "/work=10000", items, 600},
		{"CSV", "", csv, 3000},
	}
}

// items are n of 10 µs.
func items() []variant {
	const ns, batch = 10_000, 256
	return []variant{
		{name: "serial", do: func(n int) (sum int) {
			for range n {
				sum += one(ns)
			}
			return sum
		}},
		{name: "batches", do: func(n int) int { // by hand: what the hint "use batches" comes to
			var sum atomic.Int64
			batches := make(chan int, runtime.GOMAXPROCS(0))
			var wg sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				wg.Go(func() {
					for k := range batches {
						mine := 0
						for range k {
							mine += one(ns)
						}
						sum.Add(int64(mine))
					}
				})
			}
			for left := n; left > 0; left -= batch {
				batches <- min(left, batch)
			}
			close(batches)
			wg.Wait()
			return int(sum.Load())
		}},
		{name: "payoff", do: func(n int) int {
			work := func(int) int { return one(ns) }
			sum, err := pipe.Reduce(context.Background(), pipe.Map(pipe.Range(n), work), 0, func(a, v int) int { return a + v })
			if err != nil {
				panic(err)
			}
			return sum
		}},
	}
}

// table is lines of five numbers with commas between.
var table = func() []byte {
	var b []byte
	for i := range 20_000 {
		for j := range 5 {
			if j > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(i*(j+1)*7919%100_000), 10)
		}
		b = append(b, '\n')
	}
	return b
}()

const tableLines = 20_000

// total is the sum of a line's numbers.
func total(line string) (sum int) {
	for field := range strings.SplitSeq(line, ",") {
		v, err := strconv.Atoi(field)
		if err != nil {
			panic(err)
		}
		sum += v
	}
	return sum
}

// csv adds up n lines of the table, which begins anew at its end.
func csv() []variant {
	each := func(f func(text []byte) int) func(n int) int {
		return func(n int) (sum int) {
			for ; n > 0; n -= tableLines {
				text := table
				if n < tableLines {
					end := 0
					for range n {
						end += 1 + bytes.IndexByte(text[end:], '\n')
					}
					text = text[:end]
				}
				sum += f(text)
			}
			return sum
		}
	}
	return []variant{
		{name: "serial", do: each(func(text []byte) (sum int) {
			s := bufio.NewScanner(bytes.NewReader(text))
			for s.Scan() {
				sum += total(s.Text())
			}
			return sum
		})},
		{name: "chunks", do: each(func(text []byte) int {
			const size = 64 << 10
			var sum atomic.Int64
			chunks := make(chan string, runtime.GOMAXPROCS(0))
			var wg sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				wg.Go(func() {
					mine := 0
					for chunk := range chunks {
						for line := range strings.SplitSeq(strings.TrimSuffix(chunk, "\n"), "\n") {
							mine += total(line)
						}
					}
					sum.Add(int64(mine))
				})
			}
			r, rest := bytes.NewReader(text), []byte(nil)
			for buf := make([]byte, size); ; {
				n, err := io.ReadFull(r, buf)
				rest = append(rest, buf[:n]...)
				end := bytes.LastIndexByte(rest, '\n') + 1
				if end > 0 {
					chunks <- string(rest[:end])
					rest = append(rest[:0], rest[end:]...)
				}
				if err != nil {
					break
				}
			}
			close(chunks)
			wg.Wait()
			return int(sum.Load())
		})},
		{name: "payoff", do: each(func(text []byte) int {
			sum, err := pipe.Reduce(context.Background(), pipe.Map(pipe.Lines(bytes.NewReader(text)), total), 0,
				func(a, v int) int { return a + v })
			if err != nil {
				panic(err)
			}
			return sum
		})},
	}
}
