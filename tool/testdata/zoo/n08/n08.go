// Package n08 takes a lock after each call over the network.
package n08

import (
	"io"
	"net"
	"sync"
)

// echo answers every byte on its side of a connection.
func echo(c net.Conn) {
	buf := make([]byte, 64)
	for {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		if _, err := c.Write(buf[:n]); err != nil {
			return
		}
	}
}

func ask(c net.Conn, x byte) (byte, error) {
	if _, err := c.Write([]byte{x}); err != nil {
		return 0, err
	}
	var answer [1]byte
	_, err := io.ReadFull(c, answer[:])
	return answer[0], err
}

func asked(conns []net.Conn, n int) (total int) {
	for _, c := range conns {
		for i := range n {
			if x, err := ask(c, byte(i)); err == nil {
				total += int(x)
			}
		}
	}
	return total
}

func askedAtOnce(conns []net.Conn, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, c := range conns {
		wg.Go(func() {
			for i := range n {
				x, err := ask(c, byte(i))
				if err != nil {
					return
				}
				mu.Lock()
				total += int(x)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}
