// Tests of the code in the catalogue: TestSameBehaviour copies this file into
// a package with all of it.
package p

import (
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var lengths = []int{0, 1, 2, 3, 7, 100, 5000, 1 << 17}

const workers = 3 // divides none of the lengths but the 0

func ints(n int) []int {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	xs := make([]int, n)
	for i := range xs {
		xs[i] = r.IntN(1000) - 500
	}
	return xs
}

func int64s(n int) []int64 {
	xs := make([]int64, n)
	for i, x := range ints(n) {
		xs[i] = int64(x)
	}
	return xs
}

func texts(n int) []string {
	xs := make([]string, n)
	for i, x := range ints(n) {
		xs[i] = "Word" + strconv.Itoa(x)
	}
	return xs
}

func check[T comparable](t *testing.T, what string, before, after T) {
	t.Helper()
	if before != after {
		t.Errorf("%s: before gives %v, after %v", what, before, after)
	}
}

func total(xs []int64) (sum int64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

func TestFalseshare(t *testing.T) {
	for _, n := range lengths {
		xs := int64s(n)
		check(t, "neighbours", sumNeighbours(xs, workers), total(xs))
		check(t, "apart", sumApart(xs, workers), total(xs))
	}
}

func TestRmw(t *testing.T) {
	for _, n := range lengths {
		xs := int64s(n)
		check(t, "slots", sumSlots(xs, workers), total(xs))
		check(t, "register", sumRegister(xs, workers), total(xs))
	}
}

func TestOversubscription(t *testing.T) {
	for _, n := range lengths {
		xs := int64s(n)
		check(t, "spinning", sumSpinning(xs, workers), total(xs))
		check(t, "parked", sumParked(xs, workers), total(xs))
	}
}

func TestTrueshare(t *testing.T) {
	odd := func(x int) bool { return x%2 != 0 }
	for _, n := range lengths {
		check(t, "count", countShared(ints(n), odd, workers), countOwn(ints(n), odd, workers))
	}
}

func TestHandoff(t *testing.T) {
	for _, n := range lengths {
		check(t, "sum", sumSquaresEach(ints(n)), sumSquaresBatched(ints(n)))
	}
}

func TestGrain(t *testing.T) {
	for _, n := range lengths[1:] { // both panic when there is no number
		check(t, "max", maxHalves(ints(n)), maxPieces(ints(n)))
	}
}

func TestLock(t *testing.T) {
	for _, n := range lengths {
		if before, after := countLocked(texts(n), workers), countMerged(texts(n), workers); !maps.Equal(before, after) {
			t.Errorf("n=%d: before has %d words, after %d, or other counts", n, len(before), len(after))
		}
	}
}

func TestRwmutex(t *testing.T) {
	var before settingsLocked
	var after settings
	check(t, "absent", before.get("a"), after.get("a"))
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			key := strconv.Itoa(i % 10)
			before.set(key, key+"!")
			after.set(key, key+"!")
			check(t, "present", before.get(key), after.get(key))
		})
	}
	wg.Wait()
	for i := range 11 {
		key := strconv.Itoa(i)
		check(t, key, before.get(key), after.get(key))
	}
}

func TestImbalance(t *testing.T) {
	for _, n := range lengths[:7] {
		check(t, "pairs", countPairsRows(ints(n), 10, workers), countPairsDrawn(ints(n), 10, workers))
	}
}

func TestSerial(t *testing.T) {
	for _, n := range lengths {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(i)
		}
		check(t, "text", string(writeAlone(xs, workers)), string(writeParts(xs, workers)))
	}
}

func TestWaiting(t *testing.T) {
	for _, n := range lengths[:6] {
		for what, fetch := range map[string]func([]string, func(string)){
			"per processor": fetchPerProcessor,
			"up to 7":       func(keys []string, f func(string)) { fetchUpTo(7, keys, f) },
		} {
			var calls, under, most atomic.Int64
			fetch(texts(n), func(string) {
				now := under.Add(1)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				calls.Add(1)
				under.Add(-1)
			})
			check(t, what, calls.Load(), int64(n))
			if limit := int64(max(7, runtime.GOMAXPROCS(0))); most.Load() > limit {
				t.Errorf("%s: %d at once, want at most %d", what, most.Load(), limit)
			}
		}
	}
}

func TestWork(t *testing.T) {
	for _, n := range lengths {
		check(t, "letters", lettersHashed(texts(n), workers), lettersSplit(texts(n), workers))
	}
}

func TestAlloc(t *testing.T) {
	for _, n := range lengths {
		check(t, "sum", checksumsAllocating(texts(n)), checksumsReusing(texts(n)))
	}
}

func TestReflection(t *testing.T) {
	for _, n := range lengths {
		var points []point
		for _, x := range ints(n) {
			points = append(points, point{x, -x})
		}
		before, err := encodeReflecting(points)
		if err != nil {
			t.Fatal(err)
		}
		check(t, "text", string(before), string(encodeDirectly(points)))
	}
}

func TestInterfacesort(t *testing.T) {
	for _, n := range lengths {
		var before []person
		for i := range n {
			before = append(before, person{strconv.Itoa(i), i * 7919 % max(n, 1)})
		}
		after := slices.Clone(before)
		sortByIndex(before)
		sortByValue(after)
		for i := range before {
			if before[i].age != after[i].age {
				t.Fatalf("n=%d: before has %v at %d, after %v", n, before[i], i, after[i])
			}
		}
	}
}

func TestSyscalls(t *testing.T) {
	for _, n := range lengths[:7] {
		var written []string
		for i, write := range []func(*os.File, []string) error{writeEach, writeBuffered} {
			name := filepath.Join(t.TempDir(), strconv.Itoa(i))
			f, err := os.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := write(f, texts(n)); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if err := write(f, []string{"late"}); err == nil {
				t.Errorf("%d: no error from a closed file", i)
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			written = append(written, string(data))
		}
		check(t, "text", written[0], written[1])
	}
}

func TestBandwidth(t *testing.T) {
	for _, n := range lengths {
		before := make([]float64, n)
		for i := range before {
			before[i] = float64(i % 100)
		}
		after := slices.Clone(before)
		check(t, "sum", scaleThenSum(before, 0.5, workers), scaleAndSum(after, 0.5, workers))
		if !slices.Equal(before, after) {
			t.Errorf("n=%d: scaled differently", n)
		}
	}
}

func TestAffinity(t *testing.T) {
	for _, n := range []int{0, 1, 2, 50} {
		var before, after [][]byte
		for i := range n {
			block := make([]byte, 100*i)
			for j := range block {
				block[j] = byte(i * j)
			}
			before, after = append(before, block), append(after, slices.Clone(block))
		}
		check(t, "sum", sumInverted(before), sumInvertedInPlace(after, workers))
		for i := range before {
			check(t, "block", string(before[i]), string(after[i]))
		}
	}
}

func TestMachine(t *testing.T) {
	for _, n := range lengths {
		check(t, "all", len(slices.Concat(partsOfMachine(ints(n))...)), n)
		check(t, "all", len(slices.Concat(partsAllowed(ints(n))...)), n)
		check(t, "parts", len(partsAllowed(ints(n))), runtime.GOMAXPROCS(0))
	}
}

func TestLayout(t *testing.T) {
	for _, n := range lengths {
		text := make([]byte, n)
		for i, x := range ints(n) {
			text[i] = " ab"[(x+500)%3]
		}
		check(t, "spaces", countSpaces(text), countSpacesAtOnce(text))
	}
}

func TestPool(t *testing.T) {
	for _, n := range lengths[:7] {
		lines := texts(n)
		for i := range lines {
			lines[i] += " and more"
		}
		check(t, "words", wordsPooled(lines), wordsOwn(lines))
	}
}

func TestGc(t *testing.T) {
	names := texts(5000)
	before, after := indexLinked(names), newIndexFlat(names)
	for _, name := range append(names[:100], "", "W", "Word", "Word9999", "x") {
		check(t, name, lenLinked(before, name), after.len(name))
	}
	if n := newIndexFlat(nil).len("x"); n != -1 {
		t.Errorf("an empty index has x, of %d", n)
	}
}

func TestTimer(t *testing.T) {
	for _, n := range lengths[:6] {
		sums := [2]int{}
		for k, drain := range []func(<-chan int, time.Duration) (int, bool){drainEach, drainWatched} {
			in := make(chan int, n)
			for _, x := range ints(n) {
				in <- x
			}
			close(in)
			sum, ok := drain(in, time.Minute)
			if !ok {
				t.Errorf("n=%d: given up", n)
			}
			sums[k] = sum
			if _, ok := drain(make(chan int), time.Millisecond); ok {
				t.Error("silence ends with all values")
			}
		}
		check(t, "sum", sums[0], sums[1])
	}
}

func TestSelect(t *testing.T) {
	for _, n := range lengths[:7] {
		sums := [2]int{}
		for k, merge := range []func([4]chan int) int{mergeSelect, mergeEach} {
			var in [4]chan int
			for i := range in {
				in[i] = make(chan int, 1)
				go func() {
					for _, x := range ints(n + i) {
						in[i] <- x
					}
					close(in[i])
				}()
			}
			sums[k] = merge(in)
		}
		check(t, "sum", sums[0], sums[1])
	}
}

func TestMapgrow(t *testing.T) {
	for _, n := range lengths[:7] {
		if before, after := lastSeen(texts(n)), lastSeenSized(texts(n)); !maps.Equal(before, after) {
			t.Errorf("n=%d: before has %d words, after %d, or other places", n, len(before), len(after))
		}
	}
}

func TestSyncmap(t *testing.T) {
	for _, n := range lengths[:7] {
		if before, after := wordCountsShared(texts(n), workers), wordCountsOwn(texts(n), workers); !maps.Equal(before, after) {
			t.Errorf("n=%d: before has %d words, after %d, or other counts", n, len(before), len(after))
		}
	}
}

func TestNetwork(t *testing.T) {
	var sums [2]uint32
	for k, ask := range []func(net.Conn, []uint32) (uint32, error){sumPeerEach, sumPeerStreamed} {
		here, there := net.Pipe()
		go io.Copy(there, there)
		sum, err := ask(here, []uint32{1, 2, 3, 1 << 31, 7})
		if err != nil {
			t.Fatal(err)
		}
		sums[k] = sum
		here.Close()
		if _, err := ask(here, []uint32{1}); err == nil {
			t.Error("a closed connection answers")
		}
	}
	check(t, "sum", sums[0], sums[1])
}

func TestCgo(t *testing.T) {
	weigh := func(x int32) int32 { return x * 31 }
	all := func(xs []int32) (total int32) {
		for _, x := range xs {
			total += weigh(x)
		}
		return total
	}
	check(t, "weight", weighEach([]int32{1, 2, 3}, weigh), weighAll([]int32{1, 2, 3}, all))
}

func TestPagefault(t *testing.T) {
	jobs := [][]uint32{{1, 2, 2, 1 << 20}, nil, {7}}
	check(t, "marks", marksFreed(jobs), marksKept(jobs))
}

func TestSmt(t *testing.T) {
	for _, n := range lengths[:7] {
		xs := make([]float64, n)
		for i, x := range ints(n) {
			xs[i] = float64(x)
		}
		check(t, "norm", normsThreads(xs), normsCores(xs, 1)) // whole numbers add up alike
	}
}

func TestStoptheworld(t *testing.T) {
	for _, f := range []func(func()) uint64{heapBefore, heapBeforeRead} {
		did := 0
		if n := f(func() { did++ }); n == 0 || did != 1 {
			t.Errorf("%d bytes before, the request made %d times", n, did)
		}
	}
}

func TestDelay(t *testing.T) {
	ids := []int{3, 1, 2}
	price := func(id int) int { return id * id }
	check(t, "total", totalOf(ids, price), totalAtOnce(ids, price))
}
