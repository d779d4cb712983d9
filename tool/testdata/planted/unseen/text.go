// Package unseen is ordinary concurrent code, each piece beside the loop that
// does the same: programs on which no rule for finding causes was tuned.
// want.json says which cause is to be named first, by the number of processors.
//
//	cd tool && go test -bench . -cpu 1 ./testdata/planted/unseen
//	cd tool && go test -bench . -cpu 2 ./testdata/planted/unseen
package unseen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Counter counts words and is safe for concurrent use: one mutex around one
// map, taken for every word.
type Counter struct {
	mu    sync.Mutex
	words map[string]int
}

func NewCounter() *Counter { return &Counter{words: map[string]int{}} }

func (c *Counter) Inc(word string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words[word]++
}

func CountWords(words []string) int {
	c := NewCounter()
	for _, w := range words {
		c.Inc(w)
	}
	return c.words["the"]
}

func CountWordsConcurrently(words []string) int {
	c := NewCounter()
	var wg sync.WaitGroup
	const n = 8
	for i := 0; i < n; i++ {
		part := words[i*len(words)/n : (i+1)*len(words)/n]
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, w := range part {
				c.Inc(w)
			}
		}()
	}
	wg.Wait()
	return c.words["the"]
}

// logLine makes line i of an access log.
func logLine(i int) string {
	return fmt.Sprintf("10.0.%d.%d GET /item/%d %d %d", i%7, i%250, i%1000, 200+i%3*100, i*37%5000)
}

// logSize returns the size of a successful request, or 0.
func logSize(line string) int {
	size := strings.LastIndexByte(line, ' ')
	status := strings.LastIndexByte(line[:size], ' ')
	if line[status+1:size] != "200" {
		return 0
	}
	n, err := strconv.Atoi(line[size+1:])
	if err != nil {
		return 0
	}
	return n
}

func SumLog(lines []string) (total int) {
	for _, l := range lines {
		total += logSize(l)
	}
	return total
}

// SumLogPipeline reads, parses and sums up in three stages; a line takes tens
// of nanoseconds to parse, and crosses two channels.
func SumLogPipeline(lines []string) (total int) {
	raw := make(chan string)
	sizes := make(chan int)
	go func() {
		defer close(raw)
		for _, l := range lines {
			raw <- l
		}
	}()
	go func() {
		defer close(sizes)
		for l := range raw {
			sizes <- logSize(l)
		}
	}()
	for n := range sizes {
		total += n
	}
	return total
}

// SumLogPool sends line numbers to workers that append what they find to one
// slice.
func SumLogPool(lines []string) (total int) {
	var (
		mu      sync.Mutex
		wg      sync.WaitGroup
		results []int
	)
	jobs := make(chan int)
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				n := logSize(lines[i])
				mu.Lock()
				results = append(results, n)
				mu.Unlock()
			}
		}()
	}
	for i := range lines {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	for _, n := range results {
		total += n
	}
	return total
}

// SumLogStamped also looks at the clock for every line.
func SumLogStamped(lines []string) int {
	var wg sync.WaitGroup
	totals := make([]int, 2)
	for w := range totals {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var slowest time.Duration
			total := 0
			for _, l := range lines[w*len(lines)/2 : (w+1)*len(lines)/2] {
				start := time.Now()
				total += logSize(l)
				slowest = max(slowest, time.Since(start))
			}
			if slowest >= 0 {
				totals[w] = total
			}
		}()
	}
	wg.Wait()
	return totals[0] + totals[1]
}

// SumBytes and SumBytesContext add up bytes; the latter looks for cancellation
// at every one.
func SumBytes(data []byte) (total int) {
	for _, b := range data {
		total += int(b)
	}
	return total
}

func SumBytesContext(ctx context.Context, data []byte) int {
	var wg sync.WaitGroup
	totals := make([]int, 2)
	for w := range totals {
		wg.Add(1)
		go func() {
			defer wg.Done()
			total := 0
			for _, b := range data[w*len(data)/2 : (w+1)*len(data)/2] {
				select {
				case <-ctx.Done():
					return
				default:
				}
				total += int(b)
			}
			totals[w] = total
		}()
	}
	wg.Wait()
	return totals[0] + totals[1]
}

var dated = regexp.MustCompile(`GET /item/(\d*)5 (200|300) \d+`)

func Grep(lines []string) (n int) {
	for _, l := range lines {
		if dated.MatchString(l) {
			n++
		}
	}
	return n
}

func GrepParallel(lines []string) int {
	found := make(chan int)
	const parts = 4
	for p := 0; p < parts; p++ {
		go func() { found <- Grep(lines[p*len(lines)/parts : (p+1)*len(lines)/parts]) }()
	}
	n := 0
	for p := 0; p < parts; p++ {
		n += <-found
	}
	return n
}

// A Record has enough in it to take tens of microseconds to decode.
type Record struct {
	ID     int
	Name   string
	Scores []int
}

func records(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		r := Record{ID: i, Name: "record " + strconv.Itoa(i)}
		for k := 0; k < 400; k++ {
			r.Scores = append(r.Scores, i*k%1000)
		}
		out[i], _ = json.Marshal(r)
	}
	return out
}

func decodeOne(data []byte) int {
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return -1
	}
	n := r.ID
	for _, s := range r.Scores {
		n += s
	}
	return n
}

func Decode(recs [][]byte) (n int) {
	for _, r := range recs {
		n += decodeOne(r)
	}
	return n
}

func DecodeEach(recs [][]byte) (n int) {
	out := make([]int, len(recs))
	var wg sync.WaitGroup
	for i, r := range recs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = decodeOne(r)
		}()
	}
	wg.Wait()
	for _, v := range out {
		n += v
	}
	return n
}

// A Row is written as comma-separated values.
type Row struct {
	ID, Qty, Price int
	Note           string
}

func rows(n int) []Row {
	out := make([]Row, n)
	for i := range out {
		out[i] = Row{i, i % 7, i * 13 % 997, "none"}
	}
	return out
}

func WriteCSV(rs []Row) int {
	var buf []byte
	n := 0
	for _, r := range rs {
		buf = strconv.AppendInt(buf[:0], int64(r.ID), 10)
		buf = append(buf, ',')
		buf = strconv.AppendInt(buf, int64(r.Qty), 10)
		buf = append(buf, ',')
		buf = strconv.AppendInt(buf, int64(r.Price), 10)
		buf = append(append(append(buf, ','), r.Note...), '\n')
		n += len(buf)
	}
	return n
}

// WriteCSVGeneric writes structs of any type, field by field.
func WriteCSVGeneric(rs []Row) int {
	var wg sync.WaitGroup
	counts := make([]int, 2)
	for w := range counts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var buf bytes.Buffer
			for _, r := range rs[w*len(rs)/2 : (w+1)*len(rs)/2] {
				buf.Reset()
				v := reflect.ValueOf(&r).Elem()
				for i := 0; i < v.NumField(); i++ {
					if i > 0 {
						buf.WriteByte(',')
					}
					if _, ok := v.Type().FieldByName(v.Type().Field(i).Name); ok {
						fmt.Fprint(&buf, v.Field(i))
					}
				}
				buf.WriteByte('\n')
				counts[w] += buf.Len()
			}
		}()
	}
	wg.Wait()
	return counts[0] + counts[1]
}

// Render builds each page in one buffer that it keeps.
func Render(n int) int {
	var buf bytes.Buffer
	total := 0
	for i := 0; i < n; i++ {
		buf.Reset()
		renderPage(&buf, i)
		total += buf.Len()
	}
	return total
}

func renderPage(w *bytes.Buffer, i int) {
	for k := 0; k < 12; k++ {
		w.WriteString("<tr><td>a cell of the table of page</td><td>")
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(i+k), 10))
		w.WriteString("</td></tr>\n")
	}
}

// RenderFresh starts each page with an empty buffer, which grows five times,
// and copies the page out.
func RenderFresh(n int) int {
	pages := make(chan int)
	for w := 0; w < 2; w++ {
		go func() {
			total := 0
			var last []byte
			for i := w * n / 2; i < (w+1)*n/2; i++ {
				var buf bytes.Buffer
				renderPage(&buf, i)
				last = append([]byte(nil), buf.Bytes()...)
				total += len(last)
			}
			pages <- total
		}()
	}
	return <-pages + <-pages
}

var scratch = sync.Pool{New: func() any { return make([]byte, 0, 16) }}

// RenderPooled pools slices by value, too short ones, and puts back what it
// got instead of what it grew.
func RenderPooled(n int) int {
	pages := make(chan int)
	for w := 0; w < 2; w++ {
		go func() {
			total := 0
			for i := w * n / 2; i < (w+1)*n/2; i++ {
				got := scratch.Get().([]byte)
				buf := bytes.NewBuffer(got)
				renderPage(buf, i)
				total += buf.Len()
				scratch.Put(got)
			}
			pages <- total
		}()
	}
	return <-pages + <-pages
}

// LineSizes reads the file once, LineSizesAt seeks and reads every line.
func LineSizes(f *os.File, offsets []int64) int {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, offsets[len(offsets)-1]))
	if err != nil {
		return -1
	}
	n := 0
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		n += logSize(string(data[:i]))
		data = data[i+1:]
	}
	return n
}

func LineSizesAt(f *os.File, offsets []int64) int {
	sizes := make(chan int)
	lines := len(offsets) - 1
	for w := 0; w < 2; w++ {
		go func() {
			n := 0
			buf := make([]byte, 128)
			for i := w * lines / 2; i < (w+1)*lines/2; i++ {
				line := buf[:offsets[i+1]-offsets[i]]
				if _, err := f.ReadAt(line, offsets[i]); err != nil {
					break
				}
				n += logSize(string(line[:len(line)-1]))
			}
			sizes <- n
		}()
	}
	return <-sizes + <-sizes
}

// RankHalves sorts the halves of the scores from the top, each in a goroutine,
// and merges.
func RankHalves(scores, out []int) int {
	copy(out, scores)
	a, b := out[:len(out)/2], out[len(out)/2:]
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); sort.Sort(sort.Reverse(sort.IntSlice(a))) }()
	go func() { defer wg.Done(); sort.Sort(sort.Reverse(sort.IntSlice(b))) }()
	wg.Wait()
	h := 0
	for len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] >= b[0] {
			h, a = h*31+a[0], a[1:]
		} else {
			h, b = h*31+b[0], b[1:]
		}
	}
	return h
}
