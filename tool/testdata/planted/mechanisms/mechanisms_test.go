package mechanisms

import (
	"net"
	"runtime"
	"testing"
)

var sink int

// A pair is a job done in two ways, which must give the same answer.
type pair struct {
	serial  func() int
	name    string
	variant func() int
}

func (p pair) bench(b *testing.B) {
	b.Helper()
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", p.serial}, {p.name, p.variant}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for b.Loop() {
				sink = v.f()
			}
		})
	}
}

func (p pair) test(t *testing.T) {
	t.Helper()
	want := p.serial()
	for range 3 {
		if got := p.variant(); got != want {
			t.Errorf("%s = %d, want %d as serial", p.name, got, want)
		}
	}
}

// pairs are the programs that need nothing but numbers.
var pairs = map[string]func() pair{
	"Words": func() pair {
		text := makeWords(20_000)
		return pair{func() int { return words(text, 0, len(text)) }, "pooled", func() int { return wordsPooled(text) }}
	},
	"Messages": on(5_000, messages, "lost", messagesLost),
	"Pages":    on(400, pages, "pooled", pagesPooled),
	"Distinct": on(50_000, distinct, "grown", distinctGrown),
	"Sized":    on(200_000, distinct, "sized", distinctSized),
	"Largest": func() pair {
		all := orders(40_000)
		return pair{func() int { return largest(all) }, "groups", func() int { return largestGroups(all) }}
	},
	"Hits":   on(50_000, hits, "syncmap", hitsSyncMap),
	"Latest": on(50_000, latest, "syncmap", latestSyncMap),
	"Plans": func() pair {
		shared, own := plans()
		return pair{func() int { return carryOut(own, 200) }, "syncmap", func() int { return carryOutSyncMap(shared, 200) }}
	},
	"Drain":   on(10_000, drain, "after", drainAfter),
	"Limited": on(2_000, drainSlowly, "onetimer", drainOneTimer),
	"Answers": on(10_000, answers, "guarded", answersGuarded),
	"Twelve":  on(100_000, add, "select", addTwelve),
	"Any":     on(50_000, add, "reflect", addAny),
	"Refine":  on(40_000, refineAll, "two", refineTwo),
}

func on(n int, serial func([]int) int, name string, variant func([]int) int) func() pair {
	return func() pair {
		xs := numbers(n)
		return pair{func() int { return serial(xs) }, name, func() int { return variant(xs) }}
	}
}

func BenchmarkWords(b *testing.B)    { pairs["Words"]().bench(b) }
func BenchmarkMessages(b *testing.B) { pairs["Messages"]().bench(b) }
func BenchmarkPages(b *testing.B)    { pairs["Pages"]().bench(b) }
func BenchmarkDistinct(b *testing.B) { pairs["Distinct"]().bench(b) }
func BenchmarkSized(b *testing.B)    { pairs["Sized"]().bench(b) }
func BenchmarkLargest(b *testing.B)  { pairs["Largest"]().bench(b) }
func BenchmarkHits(b *testing.B)     { pairs["Hits"]().bench(b) }
func BenchmarkLatest(b *testing.B)   { pairs["Latest"]().bench(b) }
func BenchmarkPlans(b *testing.B)    { pairs["Plans"]().bench(b) }
func BenchmarkDrain(b *testing.B)    { pairs["Drain"]().bench(b) }
func BenchmarkLimited(b *testing.B)  { pairs["Limited"]().bench(b) }
func BenchmarkAnswers(b *testing.B)  { pairs["Answers"]().bench(b) }
func BenchmarkTwelve(b *testing.B)   { pairs["Twelve"]().bench(b) }
func BenchmarkAny(b *testing.B)      { pairs["Any"]().bench(b) }
func BenchmarkRefine(b *testing.B)   { pairs["Refine"]().bench(b) }

func TestPairs(t *testing.T) {
	for name, make := range pairs {
		t.Run(name, make().test)
	}
}

// connect returns connections to a server.
func connect(tb testing.TB) []net.Conn {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Skip(err)
	}
	tb.Cleanup(func() { l.Close() })
	go serve(l)
	var cs []net.Conn
	for range workers {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { c.Close() })
		cs = append(cs, c)
	}
	return cs
}

func asked(tb testing.TB) pair {
	cs, xs := connect(tb), numbers(200)
	return pair{func() int { return add(xs) }, "each", func() int { return askEach(cs, xs) }}
}

func BenchmarkAsked(b *testing.B) { asked(b).bench(b) }
func TestAsked(t *testing.T)      { asked(t).test(t) }

// reported has few messages for much work.
func reported(tb testing.TB) pair {
	cs, xs := connect(tb), numbers(12)
	return pair{func() int { return jobs(xs) }, "each", func() int { return jobsReported(cs, xs) }}
}

func BenchmarkReported(b *testing.B) { reported(b).bench(b) }
func TestReported(t *testing.T)      { reported(t).test(t) }

func echoed(tb testing.TB) pair {
	var from, to []net.PacketConn
	for i := range 2 * workers {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			tb.Skip(err)
		}
		tb.Cleanup(func() { c.Close() })
		if i%2 == 0 {
			from = append(from, c)
		} else {
			to = append(to, c)
		}
	}
	xs := numbers(500)
	return pair{func() int { return add(xs) }, "each", func() int { return echoEach(from, to, xs) }}
}

func BenchmarkEchoed(b *testing.B) { echoed(b).bench(b) }
func TestEchoed(t *testing.T)      { echoed(t).test(t) }

// BenchmarkRows works beside a tree of a million nodes.
func BenchmarkRows(b *testing.B) {
	kept := tree(20)
	on(20_000, rows, "fresh", rowsFresh)().bench(b)
	runtime.KeepAlive(kept)
}

// BenchmarkTitles works beside an index of 300,000 entries.
func BenchmarkTitles(b *testing.B) {
	kept := index(300_000)
	on(20_000, titles, "built", titlesBuilt)().bench(b)
	runtime.KeepAlive(kept)
}

// BenchmarkRowsFlat works beside as much memory without a pointer in it.
func BenchmarkRowsFlat(b *testing.B) {
	kept := make([]int, 4<<20)
	on(20_000, rows, "fresh", rowsFresh)().bench(b)
	runtime.KeepAlive(kept)
}

func TestRows(t *testing.T) {
	kept, all := tree(10), index(1000)
	on(2_000, rows, "fresh", rowsFresh)().test(t)
	on(2_000, titles, "built", titlesBuilt)().test(t)
	runtime.KeepAlive(kept)
	runtime.KeepAlive(all)
}

// BenchmarkAge goes over 128 MB.
func BenchmarkAge(b *testing.B) {
	rs := make([]record, 2<<20)
	age(rs) // touched
	pair{func() int { return age(rs) }, "halves", func() int { return ageHalves(rs) }}.bench(b)
}

// BenchmarkWeigh goes over three times 64 MB.
func BenchmarkWeigh(b *testing.B) {
	out, x, y := make([]float64, 8<<20), make([]float64, 8<<20), make([]float64, 8<<20)
	for i := range x {
		x[i], y[i], out[i] = float64(i), float64(-i), 1
	}
	pair{func() int { return weigh(out, x, y) }, "halves", func() int { return weighHalves(out, x, y) }}.bench(b)
}

// BenchmarkPasses goes over 256 KB again and again.
func BenchmarkPasses(b *testing.B) {
	xs := make([]uint64, 32<<10)
	pair{func() int { return passes(xs, 200) }, "halves", func() int { return passesHalves(xs, 200) }}.bench(b)
}

func TestMemory(t *testing.T) {
	rs := make([]record, 1001)
	for i := 0; i < len(rs); i += 3 {
		rs[i].name[0] = 'x'
	}
	pair{func() int { return age(rs) }, "halves", func() int { return ageHalves(rs) }}.test(t)
	if rs[0].age != 4 || rs[1000].age != 4 {
		t.Errorf("after four years records are %d and %d", rs[0].age, rs[1000].age)
	}
	out, x := make([]float64, 101), make([]float64, 101)
	for i := range x {
		x[i] = float64(i)
	}
	weighHalves(out, x, x)
	for i := range out {
		if out[i] != float64(3*i) {
			t.Fatalf("out[%d] = %g, want %d", i, out[i], 3*i)
		}
	}
	xs := make([]uint64, 1001)
	if passesHalves(xs, 3); xs[0] != ^uint64(0) || xs[1000] != ^uint64(0) {
		t.Errorf("three passes leave %x and %x", xs[0], xs[1000])
	}
}
