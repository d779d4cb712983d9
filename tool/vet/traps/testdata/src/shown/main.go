// Package main shows, compares, converts and measures the structs that are
// hot.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

type printed struct{ n atomic.Int64 }

type compared struct{ hits, misses int }

type converted struct{ n int64 }

type other struct{ n int64 }

type unkeyed struct{ a, b int64 }

type tagged struct {
	N int64 `json:"n"`
}

type binaried struct{ N int64 }

type counter interface{ count() int64 }

type viaInterface struct{ n atomic.Int64 }

func (v *viaInterface) count() int64 { return v.n.Add(1) }

type viaGeneric struct{ n atomic.Int64 }

type viaField struct{ n atomic.Int64 }

type holder struct{ v any }

type stringer struct{ n atomic.Int64 }

func (s *stringer) String() string { return fmt.Sprint("s", s.n.Load()) }

type embedded struct{ printed2 }

type printed2 struct{ n atomic.Int64 }

type keyed struct{ n int64 }

type pair struct {
	in, out atomic.Int64
}

var (
	one   [4]printed
	two   [4]viaInterface
	three [4]viaGeneric
	four  [4]viaField
	five  [4]stringer
	six   [4]embedded
	seven pair
	eight = [4]converted{}
	nine  = [2]unkeyed{{1, 2}, {3, 4}}
)

func spread(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func show[T any](x T) string { return fmt.Sprintf("%v", x) }

func sizes[T any](x T) uintptr { return unsafe.Sizeof(x) }

func measured() (out []any) {
	type slot struct{ n int }
	slots := make([]slot, 4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				slots[w].n += i
			}
		})
	}
	wg.Wait()
	out = append(out, slots, fmt.Sprintf("%+v", slots))
	more := make([]int32, 4)
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				more[w] += int32(i)
			}
		})
	}
	wg.Wait()
	out = append(out, unsafe.Sizeof(more[0]), *(*int32)(unsafe.Add(unsafe.Pointer(&more[0]), 4)))
	return out
}

func equal() (n int) {
	slots := make([]compared, 4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				if i%2 == 0 {
					slots[w].hits++
				} else {
					slots[w].misses += w
				}
			}
		}()
	}
	wg.Wait()
	seen := map[compared]int{}
	for _, s := range slots {
		seen[s]++
		if s == slots[0] {
			n++
		}
	}
	if any(slots[0]) == any(compared{50, 0}) {
		n += 100
	}
	return n + len(seen)
}

func encodes() string {
	slots := make([]tagged, 3)
	raws := make([]binaried, 3)
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := range 50 {
				slots[w].N += int64(i)
				raws[w].N -= int64(i)
			}
		})
	}
	wg.Wait()
	b, _ := json.Marshal(slots)
	var buf bytes.Buffer
	binary.Write(&buf, binary.LittleEndian, raws)
	return fmt.Sprint(string(b), buf.Len(), reflect.TypeFor[tagged]().NumField())
}

func converts() (o other, k keyed) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 50 {
				eight[w].n += int64(i)
			}
		})
	}
	wg.Wait()
	o = other(eight[2])
	k = *(*keyed)(&o)
	return o, k
}

func main() {
	spread(4, func(w int) {
		for i := range 100 {
			one[i%4].n.Add(1)
			two[i%4].n.Add(1)
			three[i%4].n.Add(1)
			four[i%4].n.Add(1)
			five[i%4].n.Add(1)
			six[i%4].n.Add(1)
			if w%2 == 0 {
				seven.in.Add(1)
			} else {
				seven.out.Add(2)
			}
		}
	})
	var c counter = &two[1]
	fmt.Println(&one[0], &one, c.count())
	fmt.Printf("%v %+v\n", c, c)
	fmt.Println(show(&three[1]), sizes(struct{ a *viaGeneric }{}))
	fmt.Println(holder{v: &four[1]}.v)
	fmt.Println(&five[1], fmt.Sprintf("%+v", &six[1]), seven.in.Load()+seven.out.Load())
	fmt.Println(measured()...)
	fmt.Println(equal(), encodes())
	fmt.Println(converts())
	fmt.Println(nine)
}
