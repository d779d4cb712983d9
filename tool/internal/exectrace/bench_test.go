package exectrace

import (
	"bytes"
	"flag"
	"io"
	"runtime"
	"runtime/metrics"
	rtrace "runtime/trace"
	"sync"
	"testing"

	"golang.org/x/exp/trace"
)

var megabytes = flag.Int("exectrace.mb", 8, "length of the traces that BenchmarkRead records, in MB")

// loads make traces of the kinds of which programs make the most events.
var loads = []struct {
	name string
	run  func()
}{
	{"handoff", func() {
		c := make(chan int)
		go func() {
			for i := range 1000 {
				c <- i
			}
			close(c)
		}()
		for range c {
		}
	}},
	{"spawn", func() {
		var wg sync.WaitGroup
		for range 500 {
			wg.Go(func() {})
		}
		wg.Wait()
	}},
}

// traceOf traces load until the trace is as long as asked for.
func traceOf(b *testing.B, load func()) []byte {
	var buf bytes.Buffer
	if err := rtrace.Start(&buf); err != nil {
		b.Skip(err) // the test itself is being traced
	}
	w := &buf
	for w.Len() < *megabytes<<20 {
		for range 100 {
			load()
		}
	}
	rtrace.Stop()
	return buf.Bytes()
}

// BenchmarkRead reads traces of real loads. who=decoder takes the events from
// x/exp/trace and looks at none, which bounds what a reader can reach.
// For a long trace: go test -run - -bench Read -benchtime 1x -exectrace.mb 100
func BenchmarkRead(b *testing.B) {
	for _, load := range loads {
		var recording []byte
		for _, who := range []string{"exectrace", "decoder"} {
			b.Run("load="+load.name+"/who="+who, func(b *testing.B) {
				if recording == nil {
					recording = traceOf(b, load.run)
				}
				runtime.GC()
				b.SetBytes(int64(len(recording)))
				var events int64
				var peak uint64
				for b.Loop() {
					r := &heapWatcher{r: bytes.NewReader(recording)}
					if who == "exectrace" {
						f, err := Read(r, Options{})
						if err != nil {
							b.Fatal(err)
						}
						events += f.Events
					} else {
						events += decodeOnly(b, r)
					}
					peak = max(peak, r.peak-r.base)
				}
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
			})
		}
	}
}

func decodeOnly(b *testing.B, r io.Reader) (n int64) {
	tr, err := trace.NewReader(r)
	if err != nil {
		b.Fatal(err)
	}
	for {
		_, err := tr.ReadEvent()
		if err == io.EOF {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// A heapWatcher notes the size of the heap at the first read and the greatest
// at any: all in use, garbage as well.
type heapWatcher struct {
	r          io.Reader
	base, peak uint64
}

func (h *heapWatcher) Read(p []byte) (int, error) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if h.base == 0 {
		h.base = s[0].Value.Uint64()
	}
	h.peak = max(h.peak, s[0].Value.Uint64())
	return h.r.Read(p)
}
