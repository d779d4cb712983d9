package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/endpoint"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestRecordTraceOverhead measures what payoff trace -from does to the latencies of a
// service at 70 % of what it can do, and writes trace-overhead.md in the folder
// PAYOFF_RECORD. Windows of one second are taken as payoff trace takes them, each
// between two seconds without. PAYOFF_RECORD_TIME is how long it takes (default 5m):
//
//	PAYOFF_RECORD=$PWD/record/DATE-CPU go test ./tool/cmd/payoff -run RecordTraceOverhead -timeout 0 -v
func TestRecordTraceOverhead(t *testing.T) {
	record := os.Getenv("PAYOFF_RECORD")
	if record == "" {
		t.Skip("measures for five minutes: set PAYOFF_RECORD to the folder of the record")
	}
	record, err := filepath.Abs(record)
	if err != nil {
		t.Fatal(err)
	}
	length, err := time.ParseDuration(cmp.Or(os.Getenv("PAYOFF_RECORD_TIME"), "5m"))
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "services")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", bin, "../../testdata/services").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Latencies of a service at 70 %% of what it can do, while payoff trace -from takes a window of a second (a trace and a CPU profile), against the seconds before and after it; and of the second after against the one before. Clients and service are one process, so both are traced. Median of the ratios [95 %% interval], %s, %s/%s, %d processors.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	b.WriteString("| service | per second | windows | p50 | p50 in windows | p99 | p99 in windows | p50 after | p99 after |\n|---|---|---|---|---|---|---|---|---|\n")
	names := []string{"sharded", "database"}
	for _, name := range names {
		out, err := exec.Command(bin, "-run", name, "-for", "8s").Output()
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(out), ": ")
		var most float64
		if _, err := fmt.Sscan(rest, &most); err != nil || most <= 0 {
			t.Fatalf("%s said %q", name, out)
		}
		o := disturbed(t, bin, name, 0.7*most, length/time.Duration(len(names)))
		row := o.row(fmt.Sprintf("%s | %.0f", name, 0.7*most))
		t.Log(row)
		b.WriteString(row)
	}
	if err := os.WriteFile(filepath.Join(record, "trace-overhead.md"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A disturbance is what windows of a service had, each with the second before and the one
// after: p50 and p99 in ns.
type disturbance struct{ before, in, after [][2]float64 }

// disturbed runs a service under load and takes windows of it.
func disturbed(t *testing.T, bin, name string, perSecond float64, length time.Duration) (o disturbance) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	file := filepath.Join(t.TempDir(), "latencies")
	c := exec.Command(bin, "-run", name, "-load", fmt.Sprint(perSecond), "-for", length.String(), "-latencies", file, "-debug", address)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill() // where the test fails
	end := time.Now().Add(length - 5*time.Second)
	time.Sleep(2 * time.Second)
	var windows [][2]time.Time
	for time.Now().Before(end) {
		time.Sleep(1300 * time.Millisecond)
		begin := time.Now()
		_, _, err := endpoint.Take(t.Context(), "http://"+address, endpoint.Options{Windows: 1, Length: time.Second, Patience: 10 * time.Second, Dir: t.TempDir(), Progress: func(string, ...any) {}})
		if err != nil {
			t.Fatal(err)
		}
		windows = append(windows, [2]time.Time{begin, time.Now()})
		time.Sleep(1300 * time.Millisecond)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	took := map[int64][]float64{} // by the tenth of a second in which they were due
	for ; len(data) >= 16; data = data[16:] {
		at := int64(binary.LittleEndian.Uint64(data)) / 1e8
		took[at] = append(took[at], float64(binary.LittleEndian.Uint64(data[8:])))
	}
	among := func(from, to time.Time) [2]float64 {
		var all []float64
		for at := from.UnixNano()/1e8 + 1; at < to.UnixNano()/1e8; at++ {
			all = append(all, took[at]...)
		}
		return quantiles(all)
	}
	for _, w := range windows {
		o.before = append(o.before, among(w[0].Add(-1200*time.Millisecond), w[0].Add(-100*time.Millisecond)))
		o.in = append(o.in, among(w[0], w[1]))
		o.after = append(o.after, among(w[1].Add(100*time.Millisecond), w[1].Add(1200*time.Millisecond)))
	}
	return o
}

func quantiles(x []float64) [2]float64 {
	if len(x) == 0 {
		return [2]float64{math.NaN(), math.NaN()}
	}
	slices.Sort(x)
	return [2]float64{x[len(x)/2], x[len(x)*99/100]}
}

// row is a row of the table.
func (o disturbance) row(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %d", name, len(o.in))
	var after []string
	for q := range 2 {
		var quiet, in, then []float64
		for i := range o.in {
			x := math.Sqrt(o.before[i][q] * o.after[i][q])
			quiet = append(quiet, x)
			in = append(in, math.Log(o.in[i][q]/x))
			then = append(then, math.Log(o.after[i][q]/o.before[i][q]))
		}
		fmt.Fprintf(&b, " | %.0f µs | %s", stats.Median(quiet)/1e3, change(in))
		after = append(after, change(then))
	}
	fmt.Fprintf(&b, " | %s |\n", strings.Join(after, " | "))
	return b.String()
}

// change is a change in per cent, by the logarithms of ratios.
func change(logs []float64) string {
	low, high := stats.SignedRankInterval(logs, 0.95)
	per := func(l float64) float64 { return 100 * (math.Exp(l) - 1) }
	return fmt.Sprintf("%+.1f %% [%+.1f, %+.1f]", per(stats.HodgesLehmann(logs)), per(low), per(high))
}

// TestOverheadRow: a window is held against the seconds before and after it.
func TestOverheadRow(t *testing.T) {
	var o disturbance
	for i := range 20 {
		x := 1000 * float64(100+i)
		o.before = append(o.before, [2]float64{x, 10 * x})
		o.in = append(o.in, [2]float64{1.04 * x, 15 * x})
		o.after = append(o.after, [2]float64{x, 10 * x})
	}
	const want = "| s | 9 | 20 | 110 µs | +4.0 % [+4.0, +4.0] | 1095 µs | +50.0 % [+50.0, +50.0] | +0.0 % [+0.0, +0.0] | +0.0 % [+0.0, +0.0] |\n"
	if got := o.row("s | 9"); got != want {
		t.Errorf("row %q, want %q", got, want)
	}
	if q := quantiles([]float64{3, 1, 2}); q != [2]float64{2, 3} {
		t.Errorf("quantiles %v, want 2 and 3", q)
	}
}
