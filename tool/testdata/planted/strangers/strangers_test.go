package strangers

import (
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
)

var sink int

// A job is done in two ways.
type job struct {
	serial func() int
	name   string
	other  func() int
}

func (j job) loop(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sink = j.serial()
		}
	})
	b.Run("variant="+j.name, func(b *testing.B) {
		for b.Loop() {
			sink = j.other()
		}
	})
	cure(b)
}

func (j job) count(b *testing.B) {
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", j.serial}, {j.name, j.other}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				sink = v.f()
			}
		})
	}
	cure(b)
}

func numbers(n, limit int) []int {
	r := rand.New(rand.NewSource(11))
	vs := make([]int, n)
	for i := range vs {
		vs[i] = r.Intn(limit)
	}
	return vs
}

func words(prefix string, n int) []string {
	ws := make([]string, n)
	for i := range ws {
		ws[i] = prefix + strconv.Itoa(i*7919)
	}
	return ws
}

func of(n int, serial func(int) int, name string, other func(int) int) job {
	return job{func() int { return serial(n) }, name, func() int { return other(n) }}
}

func onNumbers(vs []int, serial func([]int) int, name string, other func([]int) int) job {
	return job{func() int { return serial(vs) }, name, func() int { return other(vs) }}
}

func extents() job {
	return onNumbers(numbers(200_000, 1000), Extents, "persensor", ExtentsPerSensor)
}

func freeIDs() job {
	f := NewFreeIDs(64)
	return of(30_000, f.Leases, "lockfree", f.LeasesAtOnce)
}

func dice() job { return of(40_000, Dice, "table", DiceAtOneTable) }

func filterOf() job { return onNumbers(numbers(40_000, 3000), Bloom, "threadsafe", BloomParts) }

func topK() job { return onNumbers(rising(), Best, "crew", BestOfCrew) }

// rising are numbers of which later ones tend to be greater.
func rising() []int {
	vs := numbers(40_000, 20_000)
	for i := range vs {
		vs[i] += 2 * i
	}
	return vs
}

func collatz() job {
	m := &Memo{steps: make(map[int]int, 40_000)}
	return of(8000, m.Longest, "memo", m.LongestAtOnce)
}

func registry() job {
	p := NewPorts(words("service-", 50))
	return of(40_000, p.Resolve, "readers", p.ResolveAtOnce)
}

func transcode() job { return of(3000, Transcode, "iopipe", TranscodeStreaming) }
func relay() job     { return of(3000, Relay, "each", RelayEach) }

func fringe() job {
	tree := NewBranch(13, 1)
	return job{tree.Fringe, "generator", tree.FringeGenerated}
}

func median() job {
	vs, buf := numbers(4096, 1<<20), make([]int, 2*4096)
	return job{func() int { return Median(vs, buf, mergeSort) }, "spawning", func() int { return Median(vs, buf, mergeSortGo) }}
}

func quote() job { return onNumbers(numbers(3000, 10_000), Quote, "foreach", QuoteForEach) }

func report() job {
	rows := newReport(400, 100)
	return job{func() int { return Report(rows) }, "parts", func() int { return ReportParts(rows) }}
}

func writeBatches() job {
	return onNumbers(numbers(3050, 1_000_000), WriteAll, "lingering", WriteLingering)
}

func filterRings() job { return of(150, Filter, "rings", FilterRings) }

func triplesOf() job { return onNumbers(numbers(220, 1000), Triples, "halves", TriplesHalves) }

func tenants() job {
	es := newEvents(72)
	return job{func() int { return Tenants(es) }, "sharded", func() int { return TenantsSharded(es) }}
}

func tours() job {
	m := newRoadMap(8)
	return job{m.Tour, "orders", m.TourOfOrders}
}

func archive() job {
	vs := newVisits(3000)
	return job{func() int { return Archive(vs) }, "gob", func() int { return ArchiveGob(vs) }}
}

func scores() job {
	vs, buf := numbers(20_000, 32), make([]int, 40_000)
	return job{func() int { return Scores(vs, buf) }, "halves", func() int { return ScoresHalves(vs, buf) }}
}

func inversion() job {
	pixels := make([]uint64, 6<<20)
	invert(pixels)
	return job{func() int { return Invert(pixels) }, "halves", func() int { return InvertHalves(pixels) }}
}

func herds() job {
	hs := [2]*Sheep{NewHerd(2500), NewHerd(2500)}
	return job{func() int { return Herds(hs, 40) }, "turns", func() int { return HerdsInTurns(hs, 40) }}
}

func spellings() job {
	ws := words("x", 600)
	return job{func() int { return Spelling(ws) }, "recursive", func() int { return SpellingRecursive(ws) }}
}

func queensJob() job { return job{Queens, "columns", QueensColumns} }

func compression() job {
	c := NewCompressor(16)
	return job{c.Compress, "blocks", c.CompressBlocks}
}

func holidaysJob() job {
	return onNumbers(numbers(400_000, 1<<20), Holidays, "halves", HolidaysHalves)
}

func catalogue() job {
	c := NewCatalogue(500)
	return of(40_000, c.Sum, "readers", c.SumAtOnce)
}

func determinants() job {
	ms := newMatrices(40, 48)
	return job{func() int { return Determinants(ms) }, "group", func() int { return DeterminantsGroup(ms) }}
}

func BenchmarkExtents(b *testing.B)      { extents().loop(b) }
func BenchmarkFreeIDs(b *testing.B)      { freeIDs().count(b) }
func BenchmarkDice(b *testing.B)         { dice().loop(b) }
func BenchmarkBloom(b *testing.B)        { filterOf().count(b) }
func BenchmarkTopK(b *testing.B)         { topK().loop(b) }
func BenchmarkCollatz(b *testing.B)      { collatz().count(b) }
func BenchmarkRegistry(b *testing.B)     { registry().loop(b) }
func BenchmarkTranscode(b *testing.B)    { transcode().loop(b) }
func BenchmarkRelay(b *testing.B)        { relay().count(b) }
func BenchmarkFringe(b *testing.B)       { fringe().loop(b) }
func BenchmarkMedian(b *testing.B)       { median().count(b) }
func BenchmarkQuote(b *testing.B)        { quote().loop(b) }
func BenchmarkReport(b *testing.B)       { report().count(b) }
func BenchmarkLingering(b *testing.B)    { writeBatches().loop(b) }
func BenchmarkFilters(b *testing.B)      { filterRings().count(b) }
func BenchmarkTriples(b *testing.B)      { triplesOf().loop(b) }
func BenchmarkTenants(b *testing.B)      { tenants().count(b) }
func BenchmarkTours(b *testing.B)        { tours().loop(b) }
func BenchmarkArchive(b *testing.B)      { archive().loop(b) }
func BenchmarkScores(b *testing.B)       { scores().count(b) }
func BenchmarkInvert(b *testing.B)       { inversion().loop(b) }
func BenchmarkHerds(b *testing.B)        { herds().loop(b) }
func BenchmarkSpelling(b *testing.B)     { spellings().count(b) }
func BenchmarkQueens(b *testing.B)       { queensJob().loop(b) }
func BenchmarkCompress(b *testing.B)     { compression().count(b) }
func BenchmarkHolidays(b *testing.B)     { holidaysJob().loop(b) }
func BenchmarkCatalogue(b *testing.B)    { catalogue().loop(b) }
func BenchmarkDeterminants(b *testing.B) { determinants().count(b) }

// BenchmarkHits serves requests from as many goroutines as there are
// processors, each with a shard to itself.
func BenchmarkHits(b *testing.B) {
	const requests = 40_000
	b.Run("variant=serial", func(b *testing.B) {
		var h Hits
		for i := 0; i < b.N; i++ {
			h.Serve(0, requests)
		}
	})
	b.Run("variant=sharded", func(b *testing.B) {
		var h Hits
		var shards atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			shard := int(shards.Add(1)-1) % len(h.shards)
			for pb.Next() {
				h.Serve(shard, requests)
			}
		})
	})
	if !withCures {
		return
	}
	b.Run("variant=cure", func(b *testing.B) {
		var h Hits
		var shards atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			shard := int(shards.Add(1)-1) % len(h.shards)
			for pb.Next() {
				serveOnce(&h, shard, requests)
			}
		})
	})
}

// BenchmarkKnapsack packs the same knapsack again and again.
func BenchmarkKnapsack(b *testing.B) {
	const room = 2000
	items := numbers(60, 1<<20)
	b.Run("variant=serial", func(b *testing.B) {
		row := make([]int, room)
		for b.Loop() {
			sink = Knapsack(row, items)
		}
	})
	b.Run("variant=runparallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			row := make([]int, room)
			for pb.Next() {
				Knapsack(row, items)
			}
		})
	})
}

func directory(tb testing.TB) (dir string, names []string) {
	dir, names = tb.TempDir(), words("file-", 1500)
	for i := 0; i < len(names); i += 50 {
		if err := os.WriteFile(filepath.Join(dir, names[i]), nil, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir, names
}

func BenchmarkExist(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		dir, names := directory(b)
		b.ResetTimer()
		for i := 0; i < b.N; i++ {
			sink = Exist(dir, names)
		}
	})
	b.Run("variant=stat", func(b *testing.B) {
		dir, names := directory(b)
		b.ResetTimer()
		for i := 0; i < b.N; i++ {
			sink = ExistStat(dir, names)
		}
	})
}

func TestSame(t *testing.T) {
	for name, make := range map[string]func() job{
		"extents": extents, "freeIDs": freeIDs, "dice": dice, "bloom": filterOf, "topK": topK,
		"collatz": collatz, "registry": registry, "transcode": transcode, "relay": relay,
		"fringe": fringe, "median": median, "quote": quote, "report": report,
		"lingering": writeBatches, "filters": filterRings, "triples": triplesOf, "tenants": tenants,
		"tours": tours, "archive": archive, "scores": scores, "invert": inversion, "herds": herds,
		"spelling": spellings, "queens": queensJob, "compress": compression, "holidays": holidaysJob,
		"catalogue": catalogue, "determinants": determinants,
		"exist": func() job {
			dir, names := directory(t)
			return job{func() int { return Exist(dir, names) }, "stat", func() int { return ExistStat(dir, names) }}
		},
		"hits": func() job {
			var h Hits
			return job{
				func() int { return 2 * h.Serve(0, 500) }, "sharded", func() int {
					before := h.Total()
					inParts(2, 2, func(p, _, _ int) { h.Serve(p, 500) })
					return h.Total() - before
				},
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := make()
			want := j.serial()
			if want == 0 {
				t.Error("nothing done")
			}
			for range 3 {
				if got := j.other(); got != want {
					t.Errorf("got %d, want %d as serial", got, want)
				}
			}
		})
	}
}
