package flow

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/machine"
)

// How long it takes to read 100,000 lines once packages are loaded, if all
// functions are asked for, and what is held on to meanwhile. Checks ask for few.
func BenchmarkIndex(b *testing.B) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule},
		"net/http", "go/types", "go/printer", "encoding/json", "encoding/xml", "database/sql", "text/template", "math/big", "crypto/tls", "net", "os", "reflect", "image/...", "compress/...", "archive/...", "debug/...")
	if err != nil {
		b.Fatal(err)
	}
	lines := 0
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			lines += p.Fset.File(f.FileStart).LineCount()
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var used time.Duration // processor time
	for b.Loop() {
		from, _ := machine.CPUTime()
		all := read(b, nil, pkgs, false)
		var wg sync.WaitGroup
		for _, x := range all {
			wg.Go(func() {
				for _, fn := range x.solver.funcs {
					x.solver.solve(fn)
				}
			})
		}
		wg.Wait()
		b.StopTimer()
		to, _ := machine.CPUTime()
		used += to - from
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(all)
		b.StartTimer()
	}
	b.ReportMetric(used.Seconds()/float64(b.N)/float64(lines)*1e5, "cpu-s/100klines")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(lines)*1e5, "s/100klines")
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(lines)*1e5/(1<<20), "MB/100klines")
	b.ReportMetric(float64(lines), "lines")
}
