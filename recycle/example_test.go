package recycle_test

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"github.com/gopayoff/payoff/recycle"
)

type request struct {
	path   string
	params [8]string
	n      int
}

// requests is shared by all goroutines that serve.
var requests recycle.Pool[request]

func ExamplePool() {
	r := requests.Get() // all zero
	r.path = "/index"
	r.params[r.n] = "q=go"
	r.n++
	fmt.Println(r.path, r.params[:r.n])
	requests.Put(r) // r is not ours any more
	// Output: /index [q=go]
}

var buffers = recycle.NewPoolFunc(nil, (*bytes.Buffer).Reset)

func ExamplePoolFunc() {
	b := buffers.Get()
	fmt.Fprintf(b, "%d bottles", 99)
	fmt.Println(b)
	buffers.Put(b) // keeps b's memory, not its content
	// Output: 99 bottles
}

var keys recycle.Slices[byte]

func ExampleSlices() {
	name := "gopher"
	key := keys.Get(len("user:") + len(name))
	key = append(key, "user:"...)
	key = append(key, name...)
	fmt.Printf("%08x %s\n", crc32.ChecksumIEEE(key), key)
	keys.Put(key)
	// Output: 88f7b354 user:gopher
}

func ExampleSlices_Grow() {
	line := keys.Get(0)
	for _, word := range []string{"as", "long", "as", "it", "gets"} {
		line = keys.Grow(line, len(word)+1)
		line = append(line, word...)
		line = append(line, ' ')
	}
	fmt.Printf("%q\n", line)
	keys.Put(line)
	// Output: "as long as it gets "
}

func ExampleFreeList() {
	type conn struct{ id int }
	idle := recycle.NewFreeList[*conn](2)
	for id := range 3 {
		if !idle.Put(&conn{id}) {
			fmt.Println("close", id)
		}
	}
	if _, ok := idle.Get(); ok {
		fmt.Println("reuse one")
	}
	// Output:
	// close 2
	// reuse one
}
