package fresh

import (
	"slices"
	"strconv"
	"sync"
)

// Sessions are counted per user, each worker minding its own users.

var users = func() []int {
	us := numbers(60_000, 120)
	for i, u := range us {
		if u != 0 {
			us[i] = 7 // the one big customer
		} else {
			us[i] = i % 40
		}
	}
	return us
}()

func session(u, i int) int { return int(grind(uint64(u<<20+i), 16) & 7) }

var byUser = func() (parts [workers][]int) {
	for i, u := range users {
		parts[u%workers] = append(parts[u%workers], i)
	}
	return
}()

func sessionsSerial() int {
	sum := 0
	for _, part := range byUser {
		for _, i := range part {
			sum += session(users[i], i)
		}
	}
	return sum
}

func sessionsByUser() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w, part := range byUser {
		wg.Go(func() {
			sum := 0
			for _, i := range part {
				sum += session(users[i], i)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// A fractal, most of whose points lie in few rows.

const fractalSide = 96

func escape(x, y int) int {
	cr, ci := float64(x)/fractalSide*0.5-0.5, float64(y)/fractalSide*8-0.4
	zr, zi := 0.0, 0.0
	for n := range 450 {
		zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
		if zr*zr+zi*zi > 4 {
			return n
		}
	}
	return 450
}

func fractalRow(y int) int {
	n := 0
	for x := range fractalSide {
		n += escape(x, y)
	}
	return n
}

func fractalSerial() int {
	sum := 0
	for y := range fractalSide {
		sum += fractalRow(y)
	}
	return sum
}

func fractalBands() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for y := fractalSide / workers * w; y < fractalSide/workers*(w+1); y++ {
				sum += fractalRow(y)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Files are checked, a worker each, and one of them is the database.

var files = func() [][]byte {
	fs := make([][]byte, 6)
	for i := range fs {
		size := 3_000
		if i == 2 {
			size = 2_400_000
		}
		fs[i] = make([]byte, size)
		for j := range fs[i] {
			fs[i][j] = byte(j * (i + 3))
		}
	}
	return fs
}()

func adler(data []byte) int {
	a, b := uint32(1), uint32(0)
	for _, c := range data {
		a += uint32(c)
		b += a
	}
	return int(a ^ b)
}

func fileSum(data []byte) int {
	sum := 0
	for block := range slices.Chunk(data, 3_000) {
		sum += adler(block)
	}
	return sum
}

func filesSerial() int {
	sum := 0
	for _, f := range files {
		sum += fileSum(f)
	}
	return sum
}

func filesEach() int {
	sums := make([]int, len(files))
	var wg sync.WaitGroup
	for i, f := range files {
		wg.Go(func() { sums[i] = fileSum(f) })
	}
	wg.Wait()
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}

// Batches are read, compressed and written, a stage each.

var batches = func() [][]int {
	return slices.Collect(slices.Chunk(numbers(2_400, 1<<16), 200))
}()

func prepare(b []int) []int {
	out := make([]int, len(b))
	for i, x := range b {
		out[i] = x ^ 0x55
	}
	return out
}

func compress(b []int) []int {
	for i, x := range b {
		b[i] = int(grind(uint64(x), 180) & 0xff)
	}
	return b
}

func store(b []int) int { return digest(b) }

func stagesSerial() int {
	sum := 0
	for _, b := range batches {
		sum += store(compress(prepare(b)))
	}
	return sum
}

func stagesPipeline() int { return stagesWith(1) }

func stagesWith(compressors int) int {
	prepared, compressed := make(chan []int, 4), make(chan []int, 4)
	go func() {
		defer close(prepared)
		for _, b := range batches {
			prepared <- prepare(b)
		}
	}()
	var wg sync.WaitGroup
	for range compressors {
		wg.Go(func() {
			for b := range prepared {
				compressed <- compress(b)
			}
		})
	}
	go func() {
		wg.Wait()
		close(compressed)
	}()
	sum := 0
	for b := range compressed {
		sum += store(b)
	}
	return sum
}

// Rows are normalized by the caller before workers rank them.

const rowLen = 64

var table = numbers(400*rowLen, 1000)

func normalize(row []int, to []int) {
	total := uint64(0)
	for i, x := range row {
		total += grind(uint64(x), 30)
		to[i] = int(total >> 40)
	}
}

func normalizeAll(in, to []int) {
	for i := 0; i < len(to); i += rowLen {
		normalize(in[i:i+rowLen], to[i:i+rowLen])
	}
}

func rank(row []int) int { return row[len(row)-1] - row[0] }

func normalizeSerial() int {
	rows := make([]int, len(table))
	sum := 0
	normalizeAll(table, rows)
	for i := 0; i < len(rows); i += rowLen {
		sum += rank(rows[i : i+rowLen])
	}
	return sum
}

func normalizeFirst() int {
	rows := make([]int, len(table))
	normalizeAll(table, rows)
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for row := range slices.Chunk(cut(rows, w), rowLen) {
				sum += rank(row)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Squares are computed by workers and printed by the collector.

var roots = numbers(24_000, 1<<30)

func appendRow(to []byte, square int) []byte {
	to = append(to, "value="...)
	to = strconv.AppendInt(to, int64(square), 10)
	return append(to, '\n')
}

func printSerial() int {
	out := make([]byte, 0, 30*len(roots))
	for _, r := range roots {
		out = appendRow(out, r*r>>8)
	}
	return len(out)
}

func printCollected() int {
	squares := make([]int, len(roots))
	var wg sync.WaitGroup
	for w := range workers {
		lo := len(roots) * w / workers
		wg.Go(func() {
			for i, r := range cut(roots, w) {
				squares[lo+i] = r * r >> 8
			}
		})
	}
	wg.Wait()
	out := make([]byte, 0, 30*len(roots))
	for _, s := range squares {
		out = appendRow(out, s)
	}
	return len(out)
}
