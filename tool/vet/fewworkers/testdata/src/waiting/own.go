package waiting

import (
	"net"
	"sync"
)

// Each reads twenty times: more goroutines read more.
func readers(c net.Conn) {
	var wg sync.WaitGroup
	for i := 0; i < 10; i++ { // want "the workers wait, and are few" // refuse "workers: what each worker does is its own"
		wg.Add(1)
		go func() {
			defer wg.Done()
			b := make([]byte, 1024)
			for range 20 {
				c.Read(b)
			}
		}()
	}
	wg.Wait()
}
