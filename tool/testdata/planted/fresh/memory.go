package fresh

import (
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Fields of log lines are counted.

var logText = func() []string {
	var ls []string
	for _, x := range numbers(1_600, 1000) {
		ls = append(ls, "GET /item/"+strconv.Itoa(x)+" 200 "+strconv.Itoa(x*3)+"us user"+strconv.Itoa(x%17))
	}
	return ls
}()

func fieldBytes(line string) int {
	n, fields := 0, 1
	for i := range len(line) {
		if line[i] == ' ' {
			fields++
		} else {
			n++
		}
	}
	return n * fields
}

func fieldsSerial() int {
	sum := 0
	for _, l := range logText {
		sum += fieldBytes(l)
	}
	return sum
}

func fieldsSplit() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, l := range cut(logText, w) {
				fields := strings.Split(l, " ")
				n := 0
				for _, f := range fields {
					n += len(f)
				}
				sum += n * len(fields)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Points are moved.

type point struct{ x, y, z float64 }

func (p point) moved(by float64) point { return point{p.x + by, p.y - by, p.z * by} }

func (p point) length() float64 { return math.Sqrt(p.x*p.x + p.y*p.y + p.z*p.z) }

//go:noinline
func movedCopy(p *point, by float64) *point {
	q := p.moved(by)
	return &q
}

var points = func() []point {
	ps := make([]point, 12_000)
	for i, x := range numbers(len(ps), 100) {
		ps[i] = point{float64(x), float64(i), 1}
	}
	return ps
}()

func pointsSerial() int {
	var sums [workers]float64
	for w := range workers {
		sum := 0.0
		part := cut(points, w)
		for i := range part {
			sum += part[i].moved(2).length()
		}
		sums[w] = sum
	}
	return int(sums[0]) + int(sums[1]) + int(sums[2]) + int(sums[3])
}

func pointsCopied() int {
	var sums [workers]float64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0.0
			part := cut(points, w)
			for i := range part {
				sum += movedCopy(&part[i], 2).length()
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return int(sums[0]) + int(sums[1]) + int(sums[2]) + int(sums[3])
}

// Lines of a table are joined from cells.

var cells = names("c", 9_000, 50)

const lineCells = 12

func joinSerial() int {
	n := 0
	var line []byte
	for i := 0; i < len(cells); i += lineCells {
		line = line[:0]
		for _, c := range cells[i : i+lineCells] {
			line = append(append(line, c...), ',')
		}
		n += len(line)
	}
	return n
}

func joinConcat() int {
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			part := cut(cells, w)
			for i := 0; i < len(part); i += lineCells {
				line := ""
				for _, c := range part[i:min(i+lineCells, len(part))] {
					line += c + ","
				}
				ns[w] += len(line)
			}
		})
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}

// Rows of pixels are smoothed, over a row of sums.

const smoothRow = 512

var smoothed = numbers(160*smoothRow, 256)

func smooth(row, sums []int) int {
	for i := range row {
		sums[i] = row[i] + row[max(i-1, 0)]
	}
	return sums[len(row)-1] + sums[len(row)/2]
}

func smoothSerial() int {
	sums, n := make([]int, smoothRow), 0
	for i := 0; i < len(smoothed); i += smoothRow {
		n += smooth(smoothed[i:i+smoothRow], sums)
	}
	return n
}

func smoothGrown() int {
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			part := cut(smoothed, w)
			for i := 0; i < len(part); i += smoothRow {
				var sums []int
				for _, x := range part[i : i+smoothRow] {
					sums = append(sums, x)
				}
				ns[w] += smooth(part[i:i+smoothRow], sums)
			}
		})
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}

// Batches of a job are done, and the memory is tidied up after them.

func batchWork(b []int) int {
	tmp := make([]int, len(b))
	for i, x := range b {
		tmp[i] = int(grind(uint64(x), 100) & 0xff)
	}
	return digest(tmp)
}

func tidySerial() int {
	sum := 0
	for _, b := range batches {
		sum += batchWork(b)
	}
	return sum
}

func tidyCollecting() int {
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for i := w; i < len(batches); i += 2 {
				sums[w] += batchWork(batches[i])
			}
		})
	}
	wg.Wait()
	runtime.GC()
	return sums[0] + sums[1]
}

// Messages are rendered, under a heap kept small or not.

func render(m int) string { return "message " + strconv.Itoa(m) + " of the day" }

var messages = numbers(5_000, 1<<20)

func messagesSerial() int {
	n := 0
	for _, m := range messages {
		n += len(rendered(m))
	}
	return n
}

//go:noinline
func rendered(m int) []byte { return []byte(render(m)) }

func messagesWorkers() int {
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			n := 0
			for _, m := range cut(messages, w) {
				n += len(rendered(m))
			}
			ns[w] = n
		})
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}

// The same with a history of what was sent, by pointers or without any.

type sent struct {
	prev, thread *sent
}

const historyLen = 1 << 19

var (
	historyNodes []*sent
	historyFlat  []int
)

func linkHistory() func() {
	historyNodes = make([]*sent, historyLen)
	for i := range historyNodes {
		historyNodes[i] = new(sent)
	}
	for i, n := range historyNodes { // what it answers, and where that began
		h := mix(uint64(i))
		n.prev, n.thread = historyNodes[h%historyLen], historyNodes[h>>32%historyLen]
	}
	return func() { historyNodes = nil }
}

func flatHistory() func() {
	historyFlat = make([]int, historyLen*3)
	return func() { historyFlat = nil }
}

func historySerial() int {
	n := messagesSerial()
	historyFlat[n%historyLen] = n
	return n
}

func historyLinked() int {
	n := messagesWorkers()
	historyNodes[n%historyLen].thread = historyNodes[0]
	return n
}

// Tokens are upper-cased in a scratch buffer.

var tokenNames = names("tok", 8_000, 90)

func upper(s string, scratch []byte) int {
	n := 0
	for i := range len(s) {
		scratch[i] = s[i] &^ 0x20
		n += int(scratch[i])
	}
	return n
}

func upperSerial() int {
	var scratch [32]byte
	sum := 0
	for _, t := range tokenNames {
		sum += upper(t, scratch[:])
	}
	return sum
}

var scratchPool = sync.Pool{New: func() any { return new([32]byte) }}

func upperPooled() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, t := range cut(tokenNames, w) {
				s := scratchPool.Get().(*[32]byte)
				sum += upper(t, s[:])
				scratchPool.Put(s)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// The same with slices in the pool, each put as a value.

var slicePool = sync.Pool{New: func() any { return make([]byte, 32) }}

func tokensPooled() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, t := range cut(tokenNames, w) {
				s := slicePool.Get().([]byte)
				sum += upper(t, s)
				slicePool.Put(s)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Frames are decoded into buffers of a pool that nobody puts back.

const frameBytes = 2 << 10

func decode(seed int, to []byte) int {
	for i := range 256 {
		to[i*8] = byte(seed >> (i & 7))
	}
	return int(to[0]) + int(to[255*8])
}

func framesSerial() int {
	buf := make([]byte, frameBytes)
	sum := 0
	for _, s := range frames[:400] {
		sum += decode(s, buf)
	}
	return sum
}

var framePool = sync.Pool{New: func() any { return new([frameBytes]byte) }}

func framesPooled() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, s := range cut(frames[:400], w) {
				sums[w] += decode(s, framePool.Get().(*[frameBytes]byte)[:])
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Visitors are told apart.

var visitors = func() []int {
	vs := make([]int, 6_000)
	for i := range vs {
		vs[i] = int(mix(uint64(i)) >> 20)
	}
	return vs
}()

func distinct(vs []int, seen map[int]struct{}) int {
	for _, v := range vs {
		seen[v] = struct{}{}
	}
	return len(seen)
}

var seenBefore = make(map[int]struct{}, len(visitors))

func visitorsSerial() int {
	sum := 0
	for w := range workers {
		clear(seenBefore)
		sum += distinct(cut(visitors, w), seenBefore)
	}
	return sum
}

func visitorsMaps() int {
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { ns[w] = distinct(cut(visitors, w), map[int]struct{}{}) })
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}

// Records are indexed by their key.

type record struct {
	key  uint64
	a, b int
}

var records = func() []record {
	rs := make([]record, 4_000)
	for i := range rs {
		rs[i] = record{mix(uint64(i + 1)), i, -i}
	}
	return rs
}()

func index(rs []record, hint int) int {
	m := make(map[uint64]record, hint)
	for _, r := range rs {
		m[r.key] = r
	}
	return m[rs[7].key].a + len(m)
}

func indexSerial() int {
	sum := 0
	for w := range workers {
		part := cut(records, w)
		sum += index(part, len(part))
	}
	return sum
}

func indexWorkers() int {
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { ns[w] = index(cut(records, w), 0) })
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}

// Words of documents are counted, per document.

var textWords = names("word", 9_600, 3000)

const docWords = 160

func docTop(words []string, counts map[string]int) int {
	top := 0
	for _, w := range words {
		counts[w]++
		top = max(top, counts[w])
	}
	return top * len(counts)
}

func docsSerial() int {
	counts := make(map[string]int, docWords)
	sum := 0
	for i := 0; i < len(textWords); i += docWords {
		clear(counts)
		sum += docTop(textWords[i:i+docWords], counts)
	}
	return sum
}

func docsMaps() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			part := cut(textWords, w)
			for i := 0; i < len(part); i += docWords {
				sums[w] += docTop(part[i:i+docWords], make(map[string]int))
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Words are counted in a map for all.

var wordStream = names("w", 8_000, 400)

func wordsSerial() int {
	counts := make(map[string]int, 400)
	for _, w := range wordStream {
		counts[w]++
	}
	return countDigest(counts)
}

func countDigest(counts map[string]int) int {
	d := 0
	for w, n := range counts {
		d += n * n * len(w)
	}
	return d
}

func wordsSyncMap() int {
	var counts sync.Map // of *int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, word := range cut(wordStream, w) {
				for {
					old, loaded := counts.LoadOrStore(word, 1)
					if !loaded || counts.CompareAndSwap(word, old, old.(int)+1) {
						break
					}
				}
			}
		})
	}
	wg.Wait()
	d := 0
	counts.Range(func(w, n any) bool {
		d += n.(int) * n.(int) * len(w.(string))
		return true
	})
	return d
}

// Routes are looked up.

var routeKeys = numbers(20_000, 2048)

var routesPlain, routesSync = func() (map[int]int, *sync.Map) {
	m, s := map[int]int{}, new(sync.Map)
	for k := range 2048 {
		m[k] = k * 3
		s.Store(k, k*3)
	}
	return m, s
}()

func routesSerial() int {
	sum := 0
	for _, k := range routeKeys {
		sum += routesPlain[k]
	}
	return sum
}

func routesLoaded() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, k := range cut(routeKeys, w) {
				v, _ := routesSync.Load(k)
				sum += v.(int)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Sessions open and close.

var logins = numbers(5_000, 1<<40)

func loginsSerial() int {
	open := make(map[int]int, 64)
	n := 0
	for i, l := range logins {
		open[l] = i
		if i >= 32 {
			if _, ok := open[logins[i-32]]; ok {
				n++
			}
			delete(open, logins[i-32])
		}
	}
	return n
}

func loginsSyncMap() int {
	var open sync.Map
	n := 0
	for i, l := range logins {
		open.Store(l, i)
		if i >= 32 {
			if _, ok := open.LoadAndDelete(logins[i-32]); ok {
				n++
			}
		}
	}
	return n
}

// Tiles are drawn in an arena mapped for each.

const arenaBytes = 64 << 10

func draw(seed int, arena []byte) int {
	for i := 0; i < len(arena); i += 8 {
		arena[i] = byte(seed + i>>3)
	}
	return int(arena[256]) + int(arena[len(arena)-256])
}

func mapArena() []byte {
	m, err := syscall.Mmap(-1, 0, arenaBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	return m
}

func unmapArena(m []byte) {
	if err := syscall.Munmap(m); err != nil {
		panic(err)
	}
}

const tiles = 16

var keptArenas = func() (as [workers][]byte) {
	for w := range as {
		as[w] = make([]byte, arenaBytes)
	}
	return
}()

func tilesSerial() int {
	sum := 0
	for t := range tiles {
		sum += draw(t, keptArenas[0])
	}
	return sum
}

func tilesMapped() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for t := w; t < tiles; t += workers {
				a := mapArena()
				sums[w] += draw(t, a)
				unmapArena(a)
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Caches are filled, and their memory is given back after use.

var mappedCaches = func() (as [workers][]byte) {
	for w := range as {
		as[w] = mapArena()
	}
	return
}()

func giveBack(m []byte) {
	if err := syscall.Madvise(m, syscall.MADV_DONTNEED); err != nil {
		panic(err)
	}
}

func fillSerial() int {
	sum := 0
	for t := range tiles {
		sum += draw(t, mappedCaches[t%workers])
	}
	return sum
}

func fillGivenBack() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for t := w; t < tiles; t += workers {
				sums[w] += draw(t, mappedCaches[w])
				giveBack(mappedCaches[w])
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}
