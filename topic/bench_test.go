package topic_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	. "github.com/gopayoff/payoff/topic"
)

// A field of devices: names of four tokens, svc.region.dev.evt, and patterns of
// which half are literal.
type devices struct {
	*rand.Rand
	n int // patterns, or so
}

func (d devices) name() [4]string {
	return [4]string{
		fmt.Sprint("svc", d.IntN(20)), fmt.Sprint("region", d.IntN(8)),
		fmt.Sprint("dev", d.IntN(max(1, d.n/160))), fmt.Sprint("evt", d.IntN(8)),
	}
}

func (d devices) subject() string {
	n := d.name()
	return strings.Join(n[:], ".")
}

func (d devices) pattern() string {
	n := d.name()
	switch p := d.IntN(100); {
	case p < 55:
	case p < 63:
		n[1] = "*"
	case p < 78:
		n[3] = "*"
	case p < 92:
		return n[0] + "." + n[1] + "." + n[2] + ".>"
	case p < 93:
		return n[0] + "." + n[1] + ".>"
	case p < 94 && d.IntN(2) == 0:
		n[2] = "*"
	case p < 95:
		n[0] = "*"
	default:
		return strings.Join(n[:], ".") + ".x"
	}
	return strings.Join(n[:], ".")
}

// many has patterns of six tokens with up to four wildcards anywhere: some sixty
// shapes.
type many struct {
	*rand.Rand
	n int
}

func (m many) tokens() []string {
	width := 4
	for width*width*width < m.n {
		width++
	}
	t := make([]string, 6)
	for i := range t {
		t[i] = fmt.Sprint("t", m.IntN(width))
	}
	return t
}

func (m many) subject() string { return strings.Join(m.tokens(), ".") }

func (m many) pattern() string {
	t := m.tokens()
	stars := 0
	for i := range t {
		if stars < 4 && m.IntN(10) < 3 {
			t[i] = "*"
			stars++
		}
	}
	if m.IntN(10) == 0 {
		t[5] = ">"
	}
	return strings.Join(t, ".")
}

type workload interface {
	subject() string
	pattern() string
}

// filled returns an Index with n subscriptions.
func filled(w workload, n int) *Index[int] {
	ix := New[int](NATS)
	for i := range n {
		if _, err := ix.Subscribe(w.pattern(), i); err != nil {
			panic(err)
		}
	}
	return ix
}

func workloads(n int) map[string]workload {
	return map[string]workload{
		"devices": devices{rand.New(rand.NewPCG(1, 2)), n},
		"many":    many{rand.New(rand.NewPCG(1, 2)), n},
	}
}

var sink atomic.Int64

// BenchmarkMatch has readers, and where reads is less than 100 percent, one operation
// of the rest is a Subscribe or an Unsubscribe.
func BenchmarkMatch(b *testing.B) {
	for _, set := range []string{"devices", "many"} {
		for _, n := range []int{1000, 100_000} {
			for _, subjects := range []string{"hot", "zipf", "uni"} {
				for _, reads := range []int{100, 99, 90, 50} {
					for _, cache := range []string{"auto", "off", "on"} {
						b.Run(fmt.Sprintf("set=%s/n=%d/subjects=%s/reads=%d/cache=%s", set, n, subjects, reads, cache), func(b *testing.B) {
							w := workloads(n)[set]
							ix := filled(w, n)
							switch cache {
							case "off":
								ix.NoTrial()
							case "on":
								ix.NoTrial()
								ix.SetCache(true)
							}
							texts := make([]string, map[string]int{"hot": 256, "zipf": 100_000, "uni": 100_000}[subjects])
							for i := range texts {
								texts[i] = w.subject()
							}
							if subjects == "zipf" {
								texts = trace(texts)
							}
							patterns := make([]string, 4096)
							for i := range patterns {
								patterns[i] = w.pattern()
							}
							runMix(b, ix, texts, patterns, reads)
						})
					}
				}
			}
		}
	}
}

// trace returns as many of the subjects, of which the ith comes 1/i as often as the first.
func trace(subjects []string) []string {
	all := make([]string, len(subjects))
	next := rand.NewZipf(rand.New(rand.NewPCG(5, 6)), 1.0001, 1, uint64(len(subjects)-1))
	for i := range all {
		all[i] = subjects[next.Uint64()]
	}
	return all
}

func runMix(b *testing.B, ix *Index[int], texts, patterns []string, reads int) {
	b.ReportAllocs()
	runtime.GC()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		r := rand.NewPCG(rand.Uint64(), 1)
		var dst []int
		var subs []*Sub[int]
		found := 0
		for pb.Next() {
			x := r.Uint64()
			if int(x>>32%100) >= reads {
				if len(subs) < 64 && x&1 == 0 || len(subs) == 0 {
					s, _ := ix.Subscribe(patterns[x>>8%uint64(len(patterns))], 1)
					subs = append(subs, s)
				} else {
					subs[len(subs)-1].Unsubscribe()
					subs = subs[:len(subs)-1]
				}
				continue
			}
			dst = ix.AppendMatch(dst[:0], texts[x>>8%uint64(len(texts))])
			found += len(dst)
		}
		sink.Add(int64(found))
	})
}

// BenchmarkSubscribe is a Subscribe and the Unsubscribe of the one before.
func BenchmarkSubscribe(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		ix := filled(workloads(n)["devices"], n)
		patterns := make([]string, 4096)
		w := devices{rand.New(rand.NewPCG(3, 4)), n}
		for i := range patterns {
			patterns[i] = w.pattern()
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var last *Sub[int]
			i := 0
			for b.Loop() {
				s, _ := ix.Subscribe(patterns[i%len(patterns)], i)
				if last != nil {
					last.Unsubscribe()
				}
				last, i = s, i+1
			}
			last.Unsubscribe()
		})
	}
}

// BenchmarkSnapshot takes one, and with writes, subscribes and unsubscribes as many
// times after it.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{0, 1000, 100_000, 1_000_000} {
		ix := filled(workloads(n)["devices"], n)
		for _, writes := range []int{0, 1, 100} {
			b.Run(fmt.Sprintf("n=%d/writes=%d", n, writes), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					ix.Snapshot()
					for range writes {
						i++
						s, _ := ix.Subscribe(names[i%len(names)], i)
						s.Unsubscribe()
					}
				}
			})
		}
	}
}

// names are patterns that are in different parts of an Index.
var names = func() (all [1024]string) {
	for i := range all {
		all[i] = fmt.Sprint("svc1.region1.dev", i, ".evt9")
	}
	return all
}()

// BenchmarkShapes has subjects that come again, and few shapes: what a result saves then.
func BenchmarkShapes(b *testing.B) {
	for _, tokens := range []int{1, 2, 4, 8} {
		for shapes := range 5 {
			if shapes == 0 || shapes > tokens+1 {
				continue
			}
			for _, cache := range []string{"off", "on"} {
				b.Run(fmt.Sprintf("tokens=%d/shapes=%d/cache=%s", tokens, shapes, cache), func(b *testing.B) {
					ix := New[int](NATS)
					ix.NoTrial()
					ix.SetCache(cache == "on")
					subject := func(i int) []string {
						t := make([]string, tokens)
						for j := range t {
							t[j] = fmt.Sprint("token", i%(3+j*7))
						}
						return t
					}
					for i := range 1000 {
						t := subject(i)
						if s := i % shapes; s > 0 {
							t[s-1] = "*"
						}
						if _, err := ix.Subscribe(strings.Join(t, "."), i); err != nil {
							b.Fatal(err)
						}
					}
					var texts [128]string
					for i := range texts {
						texts[i] = strings.Join(subject(i), ".")
					}
					var dst []int
					i := 0
					for b.Loop() {
						dst = ix.AppendMatch(dst[:0], texts[i%len(texts)])
						i++
					}
				})
			}
		}
	}
}

// total is a loop in a function of its own: b.Loop leaves no call in its body inline.
func total(ix *Index[int], subject string) (sum int) {
	for v := range ix.Match(subject) {
		sum += v
	}
	return sum
}

// BenchmarkMany goes through the values of subjects that match so many.
func BenchmarkMany(b *testing.B) {
	for _, matches := range []int{1, 20, 200} {
		for _, patterns := range []int{1, 4} {
			for _, cache := range []string{"off", "on"} {
				ix := New[int](NATS)
				ix.NoTrial()
				for i := range matches {
					p := []string{"a.b.c", "a.*.c", "a.b.>", "*.b.c"}[i%patterns]
					if _, err := ix.Subscribe(p, i); err != nil {
						b.Fatal(err)
					}
				}
				ix.SetCache(cache == "on")
				name := fmt.Sprintf("matches=%d/patterns=%d/cache=%s", matches, min(matches, patterns), cache)
				if matches < patterns {
					continue
				}
				b.Run(name+"/call=Match", func(b *testing.B) {
					sum := 0
					for b.Loop() {
						sum += total(ix, "a.b.c")
					}
					sink.Add(int64(sum))
				})
				b.Run(name+"/call=AppendMatch", func(b *testing.B) {
					sum := 0
					var dst []int
					for b.Loop() {
						dst = ix.AppendMatch(dst[:0], "a.b.c")
						for _, v := range dst {
							sum += v
						}
					}
					sink.Add(int64(sum))
				})
			}
		}
	}
}

// BenchmarkMarks has 2,000 patterns of ten tokens with so many shapes, and any number of
// wildcards, where tokens have so many values: what the limit of shapes costs, and saves,
// beyond which patterns are found through marks. Subjects hardly come again.
func BenchmarkMarks(b *testing.B) {
	const tokens, patterns = 10, 2000
	for _, values := range []int{6, 50, 2000} {
		for _, shapes := range []int{100, 200, 400, 800} {
			for _, limit := range []int{64, 256, 1 << tokens} {
				b.Run(fmt.Sprintf("limit=%d/values=%d/shapes=%d", limit, values, shapes), func(b *testing.B) {
					defer LimitShapes(limit)()
					r := rand.New(rand.NewPCG(1, 2))
					subject := func() []string {
						t := make([]string, tokens)
						for i := range t {
							t[i] = fmt.Sprint("t", r.IntN(values))
						}
						return t
					}
					all := r.Perm(1 << tokens)[:shapes] // positions of wildcards
					ix := New[int](NATS)
					for i := range patterns {
						t := subject()
						for j := range t {
							if all[i%shapes]>>j&1 != 0 {
								t[j] = "*"
							}
						}
						if _, err := ix.Subscribe(strings.Join(t, "."), i); err != nil {
							b.Fatal(err)
						}
					}
					texts := make([]string, 50_000)
					for i := range texts {
						texts[i] = strings.Join(subject(), ".")
					}
					var dst []int
					n, i := 0, 0
					for b.Loop() {
						dst = ix.AppendMatch(dst[:0], texts[i%len(texts)])
						n, i = n+len(dst), i+1
					}
					b.ReportMetric(float64(n)/float64(i), "matches/op")
				})
			}
		}
	}
}
