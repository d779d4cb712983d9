// Command record writes the CPU profiles in the directory above: one program
// per mechanism, each under the toolchain that its file names.
//
//	for go in go1.22.12 go1.25.4 go1.26.8 go1.27.3; do
//		GOTOOLCHAIN=$go go run main.go -for 600ms -o .. -tag $go
//	done
//
// user-exe and user-pie are go1.26.8, the second built with -buildmode=pie.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"log"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

var (
	length = flag.Duration("for", time.Second, "record each program for `time`")
	dir    = flag.String("o", ".", "write to `dir`")
	tag    = flag.String("tag", runtime.Version(), "name of the toolchain")
	only   = flag.String("only", "", "comma-separated `programs`; default all")
)

var programs = []struct {
	name string
	run  func(stop func() bool)
}{
	{"chan", channels},
	{"select", selects},
	{"mutex", mutex},
	{"rwmutex", rwmutex},
	{"spawn", spawn},
	{"json", marshal},
	{"sort", sortInterface},
	{"write", write},
	{"alloc", allocate},
	{"map", lookup},
	{"yield", yield},
	{"copy", move},
	{"stack", deep},
	{"user", compute},
}

func main() {
	flag.Parse()
	for _, p := range programs {
		if *only != "" && !strings.Contains(","+*only+",", ","+p.name+",") {
			continue
		}
		if err := record(p.name, p.run); err != nil {
			log.Fatal(err)
		}
	}
}

func record(name string, run func(stop func() bool)) error {
	f, err := os.Create(filepath.Join(*dir, name+"-"+*tag+".pb.gz"))
	if err != nil {
		return err
	}
	runtime.GC()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	end := time.Now().Add(*length)
	pprof.Do(context.Background(), pprof.Labels("payoff", "timed"), func(context.Context) {
		run(func() bool { return time.Now().After(end) })
	})
	pprof.StopCPUProfile()
	return f.Close()
}

// each runs f in as many goroutines as there are processors.
func each(f func(w int)) {
	var wg sync.WaitGroup
	for w := range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(w)
		}()
	}
	wg.Wait()
}

var sink int

func channels(stop func() bool) {
	for !stop() {
		c := make(chan int, 16)
		go func() {
			for i := range 100_000 {
				c <- i
			}
			close(c)
		}()
		for v := range c {
			sink += v
		}
	}
}

func selects(stop func() bool) {
	for !stop() {
		a, b, quit := make(chan int, 16), make(chan int, 16), make(chan bool)
		go func() {
			for i := range 100_000 {
				select {
				case a <- i:
				case b <- i:
				}
			}
			close(quit)
		}()
		for done := false; !done; {
			select {
			case v := <-a:
				sink += v
			case v := <-b:
				sink += v
			case <-quit:
				done = true
			}
		}
	}
}

func mutex(stop func() bool) {
	var mu sync.Mutex
	for !stop() {
		each(func(int) {
			for range 100_000 {
				mu.Lock()
				sink++
				mu.Unlock()
			}
		})
	}
}

func rwmutex(stop func() bool) {
	var mu sync.RWMutex
	for !stop() {
		each(func(int) {
			n := 0
			for range 100_000 {
				mu.RLock()
				n += sink
				mu.RUnlock()
			}
		})
	}
}

func spawn(stop func() bool) {
	var wg sync.WaitGroup
	for !stop() {
		for range 10_000 {
			wg.Add(1)
			go func() { wg.Done() }()
		}
		wg.Wait()
	}
}

type record1 struct {
	Name  string
	Tags  []string
	Score map[string]float64
}

func marshal(stop func() bool) {
	v := record1{"a name", []string{"x", "y", "z"}, map[string]float64{"p": 0.25, "q": 17}}
	for !stop() {
		each(func(int) {
			for range 1000 {
				b, err := json.Marshal(v)
				if err != nil {
					panic(err)
				}
				var back record1
				if err := json.Unmarshal(b, &back); err != nil {
					panic(err)
				}
			}
		})
	}
}

type byValue []int

func (s byValue) Len() int           { return len(s) }
func (s byValue) Less(i, j int) bool { return s[i] < s[j] }
func (s byValue) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortInterface(stop func() bool) {
	s := make([]int, 100_000)
	for !stop() {
		for i := range s {
			s[i] = rand.Int()
		}
		sort.Sort(byValue(s))
	}
}

func write(stop func() bool) {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for !stop() {
		each(func(int) {
			for range 10_000 {
				f.Write([]byte("line\n"))
			}
		})
	}
}

type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

func allocate(stop func() bool) {
	for !stop() {
		each(func(int) {
			for range 10 {
				tree(12)
			}
		})
	}
}

func lookup(stop func() bool) {
	m := make(map[int]int)
	for i := range 1_000_000 {
		m[i*7919] = i
	}
	for !stop() {
		for i := range 100_000 {
			sink += m[i*7919]
		}
	}
}

func yield(stop func() bool) {
	for !stop() {
		each(func(int) {
			for range 10_000 {
				runtime.Gosched()
			}
		})
	}
}

func move(stop func() bool) {
	src, dst := bytes.Repeat([]byte("x"), 1<<20), make([]byte, 1<<20)
	for !stop() {
		for range 100 {
			copy(dst, src)
		}
	}
}

//go:noinline
func down(n int) int {
	var pad [64]byte
	pad[n%64] = byte(n)
	if n == 0 {
		return int(pad[0])
	}
	return down(n-1) + int(pad[n%64])
}

func deep(stop func() bool) {
	for !stop() {
		done := make(chan int)
		go func() { done <- down(20_000) }()
		sink += <-done
	}
}

func compute(stop func() bool) {
	x := uint64(1)
	for !stop() {
		for range 1_000_000 {
			x = x*6364136223846793005 + 1442695040888963407
			x ^= x >> 33
		}
	}
	sink += int(x)
}
