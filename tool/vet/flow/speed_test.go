package flow

import (
	"runtime"
	"testing"

	"golang.org/x/tools/go/packages"
)

// How long the analysis takes once packages are loaded, for 100,000 lines, and
// what it holds on to meanwhile.
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
	for b.Loop() {
		all := read(b, nil, pkgs)
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(all)
		b.StartTimer()
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(lines)*1e5, "s/100klines")
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(lines)*1e5/(1<<20), "MB/100klines")
	b.ReportMetric(float64(lines), "lines")
}
