package refused

import "strings"

var common = strings.NewReader("abc")

// What it reads is the library's, and others have it.
func readers(in <-chan int) (n int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls r.ReadByte"
			r := strings.NewReader("a")
			if v == 0 {
				r = common
			}
			b, _ := r.ReadByte()
			out <- work(v) + int(b)
		}
		close(out)
	}()
	for v := range out {
		n += v
	}
	return n
}
