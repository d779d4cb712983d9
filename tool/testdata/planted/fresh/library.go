package fresh

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"sync"
	"time"
)

// Trades are encoded.

type trade struct {
	ID     int    `json:"id"`
	Symbol string `json:"symbol"`
	Price  int    `json:"price"`
}

var trades = func() []trade {
	ts := make([]trade, 600)
	for i := range ts {
		ts[i] = trade{i, []string{"AB", "CDE", "F"}[i%3], i * 17}
	}
	return ts
}()

func (t *trade) appendJSON(to []byte) []byte {
	to = strconv.AppendInt(append(to, `{"id":`...), int64(t.ID), 10)
	to = append(append(append(to, `,"symbol":"`...), t.Symbol...), '"')
	to = strconv.AppendInt(append(to, `,"price":`...), int64(t.Price), 10)
	return append(to, '}')
}

func tradesSerial() int {
	var buf []byte
	n := 0
	for range 3 {
		for i := range trades {
			buf = trades[i].appendJSON(buf[:0])
			n += len(buf) + int(buf[len(buf)-2])
		}
	}
	return n
}

func tradesMarshal() int {
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			part := cut(trades, w)
			for range 3 {
				for i := range part {
					buf, err := json.Marshal(&part[i])
					if err != nil {
						panic(err)
					}
					ns[w] += len(buf) + int(buf[len(buf)-2])
				}
			}
		})
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}

// Cache keys are made of two numbers.

var pairsIn = numbers(5_000, 1<<20)

func keyHash(key []byte) int {
	h := uint32(2166136261)
	for _, c := range key {
		h = (h ^ uint32(c)) * 16777619
	}
	return int(h & 0xffff)
}

func appendKey(key []byte, user, slot int) []byte {
	key = strconv.AppendInt(append(key, "user:"...), int64(user), 10)
	return strconv.AppendInt(append(key, ':'), int64(slot), 10)
}

func keysSerial() int {
	var key []byte
	sum := 0
	for i, p := range pairsIn {
		key = appendKey(key[:0], p, i&63)
		sum += keyHash(key)
	}
	return sum
}

func keysPrinted() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		lo := len(pairsIn) * w / workers
		wg.Go(func() {
			var key bytes.Buffer
			sum := 0
			for i, p := range cut(pairsIn, w) {
				key.Reset()
				fmt.Fprintf(&key, "user:%d:%d", p, (lo+i)&63)
				sum += keyHash(key.Bytes())
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Versions of an object are compared.

type object struct {
	Name string
	Size int
	Tags []int
}

var versions = func() []object {
	vs := make([]object, 3_000)
	for i := range vs {
		vs[i] = object{"object" + strconv.Itoa(i/3), i / 2, []int{i / 5, i / 7}}
	}
	return vs
}()

func (a *object) equal(b *object) bool {
	return a.Size == b.Size && a.Name == b.Name && slices.Equal(a.Tags, b.Tags)
}

func versionsSerial() int {
	n := 0
	for range 4 {
		for i := range versions[1:] {
			if versions[i].equal(&versions[i+1]) {
				n++
			}
		}
	}
	return n
}

func versionsReflect() int {
	var ns [2]int
	var wg sync.WaitGroup
	for w := range ns {
		wg.Go(func() {
			n := 0
			for range 2 {
				for i := range versions[1:] {
					if reflect.DeepEqual(&versions[i], &versions[i+1]) {
						n++
					}
				}
			}
			ns[w] = n
		})
	}
	wg.Wait()
	return ns[0] + ns[1]
}

// Latencies are sorted for their percentiles.

var latencies = numbers(12_000, 1<<20)

func percentiles(sorted []int) int { return sorted[len(sorted)/2] + sorted[len(sorted)/100] }

func latenciesSerial() int {
	sum := 0
	for w := range workers {
		s := slices.Clone(cut(latencies, w))
		slices.Sort(s)
		slices.Reverse(s)
		sum += percentiles(s)
	}
	return sum
}

func latenciesReversed() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			s := slices.Clone(cut(latencies, w))
			sort.Sort(sort.Reverse(sort.IntSlice(s)))
			sums[w] = percentiles(s)
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Players are ranked by score.

type player struct{ id, score int32 }

type byScore []player

func (p byScore) Len() int           { return len(p) }
func (p byScore) Less(i, j int) bool { return p[i].score < p[j].score }
func (p byScore) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }

var players = func() []player {
	ps := make([]player, 4_000)
	for i := range ps {
		ps[i] = player{int32(i), int32(mix(uint64(i)) >> 40)}
	}
	return ps
}()

func middle(ps []player) int { return int(ps[len(ps)/2].score) }

func playersSerial() int {
	sum := 0
	for w := range workers {
		ps := slices.Clone(cut(players, w))
		slices.SortStableFunc(ps, func(a, b player) int { return int(a.score) - int(b.score) })
		sum += middle(ps)
	}
	return sum
}

func playersInterface() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			ps := byScore(slices.Clone(cut(players, w)))
			sort.Stable(ps)
			sums[w] = middle(ps)
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Keys are routed to shards by their hash; each worker looks at all of them.

var shardKeys = numbers(30_000, 1<<30)

func shardOf(k int) int { return int(mix(uint64(k)) >> 40 % workers) }

func shardsSerial() int {
	var sums [workers]int
	for _, k := range shardKeys {
		sums[shardOf(k)] += k & 0xff
	}
	return digest(sums[:])
}

func shardsScan() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, k := range shardKeys {
				if shardOf(k) == w {
					sum += k & 0xff
				}
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return digest(sums[:])
}

// The variance of a series, in two passes that each take the logarithm.

var series = func() []float64 {
	s := make([]float64, 6_000)
	for i, x := range numbers(len(s), 1000) {
		s[i] = float64(x + 1)
	}
	return s
}()

func varianceSerial() int {
	logs := make([]float64, len(series))
	mean := 0.0
	for i, x := range series {
		logs[i] = math.Log(x)
		mean += logs[i]
	}
	mean /= float64(len(series))
	v := 0.0
	for _, l := range logs {
		v += (l - mean) * (l - mean)
	}
	return int(v)
}

func varianceAgain() int {
	mean := 0.0
	for _, x := range series {
		mean += math.Log(x)
	}
	mean /= float64(len(series))
	v := 0.0
	for _, x := range series {
		v += (math.Log(x) - mean) * (math.Log(x) - mean)
	}
	return int(v)
}

// Areas are summed up.

type shape interface{ area() int }

type square struct{ side int }
type oblong struct{ w, h int }
type corner struct{ a, b int }

func (s *square) area() int { return s.side * s.side }
func (o *oblong) area() int { return o.w * o.h }
func (c *corner) area() int { return c.a * c.b / 2 }

var (
	sides  = numbers(75_000, 1000)
	shapes = func() []shape {
		ss := make([]shape, len(sides))
		for i, s := range sides {
			switch i % 3 {
			case 0:
				ss[i] = &square{s}
			case 1:
				ss[i] = &oblong{s, 2}
			default:
				ss[i] = &corner{s, 4}
			}
		}
		return ss
	}()
)

func areasSerial() int {
	sum := 0
	for i := 0; i < len(sides); i += 3 {
		sum += sides[i]*sides[i] + sides[i+1]*2 + sides[i+2]*4/2
	}
	return sum
}

func areasShapes() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, s := range cut(shapes, w) {
				sum += s.area()
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Commands are run, with the slowest time of each worker kept.

var commands = numbers(4_000, 1<<16)

func commandsSerial() int {
	sum := 0
	for _, c := range commands {
		sum += read(c)
	}
	return sum
}

var slowest [workers]time.Duration

func commandsTimed() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum, slow := 0, time.Duration(0)
			for _, c := range cut(commands, w) {
				start := time.Now()
				sum += read(c)
				slow = max(slow, time.Since(start))
			}
			sums[w], slowest[w] = sum, slow
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}
