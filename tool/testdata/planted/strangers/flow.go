package strangers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"text/template"
	"time"
)

func record(buf []byte, i int) []byte {
	buf = binary.LittleEndian.AppendUint64(buf[:0], uint64(i))
	return binary.LittleEndian.AppendUint64(buf, uint64(i*i))
}

func writeRecords(w io.Writer, n int) error {
	buf := make([]byte, 0, 16)
	for i := range n {
		buf = record(buf, i)
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

func readRecords(r io.Reader) int {
	sum, buf := 0, make([]byte, 16)
	for {
		if _, err := io.ReadFull(r, buf); err != nil {
			return sum
		}
		sum += int(binary.LittleEndian.Uint64(buf) ^ binary.LittleEndian.Uint64(buf[8:]))
	}
}

// Transcode writes n records into a buffer and reads them from there.
func Transcode(n int) int {
	var buf bytes.Buffer
	if err := writeRecords(&buf, n); err != nil {
		panic(err)
	}
	return readRecords(&buf)
}

// TranscodeStreaming reads the records while they are written.
func TranscodeStreaming(n int) int {
	r, w := io.Pipe()
	go func() { w.CloseWithError(writeRecords(w, n)) }()
	return readRecords(r)
}

// Relay sends n records through a pipe of the operating system at once.
func Relay(n int) int {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer r.Close()
	var buf bytes.Buffer
	if err := writeRecords(&buf, n); err != nil {
		panic(err)
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		panic(err)
	}
	w.Close()
	all, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return readRecords(bytes.NewReader(all))
}

// RelayEach sends them as they come, from another goroutine.
func RelayEach(n int) int {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		if err := writeRecords(w, n); err != nil {
			panic(err)
		}
	}()
	return readRecords(r)
}

// Branch is a node of a tree with values at its leaves.
type Branch struct {
	left, right *Branch
	value       int
}

// NewBranch grows a tree.
func NewBranch(depth, seed int) *Branch {
	if depth == 0 {
		return &Branch{value: seed}
	}
	return &Branch{left: NewBranch(depth-1, 2*seed), right: NewBranch(depth-1, 2*seed+1)}
}

func (b *Branch) walk(yield func(int)) {
	if b.left == nil {
		yield(b.value)
		return
	}
	b.left.walk(yield)
	b.right.walk(yield)
}

// Fringe hashes the leaves from left to right.
func (b *Branch) Fringe() int {
	h := 17
	b.walk(func(v int) { h = (h*31 + v) & (1<<32 - 1) })
	return h
}

// FringeGenerated is Fringe with a goroutine that generates the leaves.
func (b *Branch) FringeGenerated() int {
	leaves := make(chan int)
	go func() {
		defer close(leaves)
		b.walk(func(v int) { leaves <- v })
	}()
	h := 17
	for v := range leaves {
		h = (h*31 + v) & (1<<32 - 1)
	}
	return h
}

func merge(out, x, y []int) {
	for i := range out {
		if len(y) == 0 || len(x) > 0 && x[0] <= y[0] {
			out[i], x = x[0], x[1:]
		} else {
			out[i], y = y[0], y[1:]
		}
	}
}

func mergeSort(xs, tmp []int) {
	if len(xs) < 2 {
		return
	}
	m := len(xs) / 2
	mergeSort(xs[:m], tmp[:m])
	mergeSort(xs[m:], tmp[m:])
	merge(tmp, xs[:m], xs[m:])
	copy(xs, tmp)
}

func mergeSortGo(xs, tmp []int) {
	if len(xs) < 2 {
		return
	}
	m := len(xs) / 2
	done := make(chan struct{})
	go func() {
		mergeSortGo(xs[:m], tmp[:m])
		close(done)
	}()
	mergeSortGo(xs[m:], tmp[m:])
	<-done
	merge(tmp, xs[:m], xs[m:])
	copy(xs, tmp)
}

// Median sorts a copy of vs, which lies in buf, and is the one in the middle.
func Median(vs, buf []int, sorter func(xs, tmp []int)) int {
	xs := buf[:len(vs)]
	copy(xs, vs)
	sorter(xs, buf[len(vs):])
	return xs[len(xs)/2]
}

var errPrice = errors.New("no price")

func price(v int) (int, error) {
	if v < 0 {
		return 0, errPrice
	}
	for i := range 10 {
		v = v*v%10007 + i
	}
	return v, nil
}

// ForEach calls f for each item at once and returns one of the errors.
func ForEach[T any](items []T, f func(i int, item T) error) error {
	var (
		wg   sync.WaitGroup
		once sync.Once
		err  error
	)
	for i, item := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if e := f(i, item); e != nil {
				once.Do(func() { err = e })
			}
		}()
	}
	wg.Wait()
	return err
}

// Quote adds up the prices of vs.
func Quote(vs []int) (sum int) {
	for _, v := range vs {
		p, err := price(v)
		if err != nil {
			return 0
		}
		sum += p
	}
	return sum
}

// QuoteForEach is Quote with ForEach.
func QuoteForEach(vs []int) (sum int) {
	prices := make([]int, len(vs))
	err := ForEach(vs, func(i, v int) (err error) {
		prices[i], err = price(v)
		return err
	})
	if err != nil {
		return 0
	}
	for _, p := range prices {
		sum += p
	}
	return sum
}

var reportPage = template.Must(template.New("report").Parse(
	`{{range $i, $r := .}}{{if $i}}, {{end}}{{$r.Name}}: {{printf "%d" $r.Sum}}{{end}}`))

type reportRow struct {
	Name string
	Sum  int
	vs   []int
}

func (r *reportRow) fill() {
	r.Sum = 0
	for i, v := range r.vs {
		r.Sum += v * (i & 3) % 1001
	}
}

func newReport(rows, n int) []*reportRow {
	rs := make([]*reportRow, rows)
	for i := range rs {
		rs[i] = &reportRow{Name: "row " + strconv.Itoa(i), vs: make([]int, n)}
		for j := range rs[i].vs {
			rs[i].vs[j] = i ^ j
		}
	}
	return rs
}

func printReport(rs []*reportRow) int {
	var buf bytes.Buffer
	if err := reportPage.Execute(&buf, rs); err != nil {
		panic(err)
	}
	return buf.Len()
}

// Report adds up the rows and prints them.
func Report(rs []*reportRow) int {
	for _, r := range rs {
		r.fill()
	}
	return printReport(rs)
}

// ReportParts adds up the rows in two parts and prints them.
func ReportParts(rs []*reportRow) int {
	inParts(len(rs), 2, func(_, lo, hi int) {
		for _, r := range rs[lo:hi] {
			r.fill()
		}
	})
	return printReport(rs)
}

// store encodes a batch.
func store(out []byte, batch []int) []byte {
	for _, v := range batch {
		out = strconv.AppendInt(out, int64(v), 10)
		out = append(out, '\n')
	}
	return out
}

// WriteAll stores the rows in batches of 100.
func WriteAll(rows []int) int {
	var out []byte
	for len(rows) > 0 {
		n := min(100, len(rows))
		out = store(out, rows[:n])
		rows = rows[n:]
	}
	return len(out)
}

// batchWriter stores batches of 100, or what there is when nothing has come
// for a while.
type batchWriter struct {
	in     chan []int
	linger time.Duration
	stored chan int
	out    []byte
}

func (w *batchWriter) run() {
	var batch []int
	timer := time.NewTimer(w.linger)
	defer timer.Stop()
	flush := func(n int) {
		w.out = store(w.out, batch[:n])
		batch = batch[n:]
		w.stored <- n
	}
	for {
		select {
		case rows, ok := <-w.in:
			if !ok {
				return
			}
			batch = append(batch, rows...)
			for len(batch) >= 100 {
				flush(100)
			}
			timer.Reset(w.linger)
		case <-timer.C:
			if len(batch) > 0 {
				flush(len(batch))
			}
		}
	}
}

// WriteLingering stores the rows with a batch writer and waits until all are.
func WriteLingering(rows []int) int {
	w := &batchWriter{in: make(chan []int, 16), linger: 2 * time.Millisecond, stored: make(chan int, 64)}
	var wg sync.WaitGroup
	wg.Go(w.run)
	for i := 0; i < len(rows); i += 250 {
		w.in <- rows[i:min(i+250, len(rows))]
	}
	for n := 0; n < len(rows); {
		n += <-w.stored
	}
	close(w.in)
	wg.Wait()
	return len(w.out)
}

// ring hands values from one goroutine to another without a lock.
type ring struct {
	head atomic.Int64
	_    [56]byte
	tail atomic.Int64
	_    [56]byte
	slot [2]int
}

func (r *ring) push(v int) {
	for r.tail.Load()-r.head.Load() == int64(len(r.slot)) {
		runtime.Gosched()
	}
	t := r.tail.Load()
	r.slot[int(t)%len(r.slot)] = v
	r.tail.Store(t + 1)
}

func (r *ring) pop() int {
	for r.tail.Load() == r.head.Load() {
		runtime.Gosched()
	}
	h := r.head.Load()
	v := r.slot[int(h)%len(r.slot)]
	r.head.Store(h + 1)
	return v
}

const filters = 16

func filter(f, v int) int {
	for range 40 {
		v = (v*1103515245 + f) & (1<<31 - 1)
	}
	return v
}

// Filter sends n values through all filters.
func Filter(n int) (sum int) {
	for v := range n {
		for f := range filters {
			v = filter(f, v)
		}
		sum += v
	}
	return sum
}

// FilterRings has a goroutine for each filter and rings between them.
func FilterRings(n int) (sum int) {
	rings := make([]ring, filters+1)
	var wg sync.WaitGroup
	for f := range filters {
		wg.Go(func() {
			for range n {
				rings[f+1].push(filter(f, rings[f].pop()))
			}
		})
	}
	wg.Go(func() {
		for v := range n {
			rings[0].push(v)
		}
	})
	for range n {
		sum += rings[filters].pop()
	}
	wg.Wait()
	return sum
}

// Exist counts which of the names are in dir, from a listing of it.
func Exist(dir string, names []string) (n int) {
	f, err := os.Open(dir)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	there, err := f.Readdirnames(-1)
	if err != nil {
		panic(err)
	}
	set := make(map[string]bool, len(there))
	for _, name := range there {
		set[name] = true
	}
	for _, name := range names {
		if set[name] {
			n++
		}
	}
	return n
}

// ExistStat asks for each name, in two goroutines.
func ExistStat(dir string, names []string) int {
	var found atomic.Int64
	inParts(len(names), 2, func(_, lo, hi int) {
		for _, name := range names[lo:hi] {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				found.Add(1)
			}
		}
	})
	return int(found.Load())
}
