package mechanisms

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
)

// Requests to a server on this machine.

// A server adds up the numbers of each request: a count, and so many numbers
// of four bytes.
func serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			r := bufio.NewReaderSize(c, 64<<10)
			var word [4]byte
			for {
				if _, err := io.ReadFull(r, word[:]); err != nil {
					return
				}
				sum := uint32(0)
				for range binary.LittleEndian.Uint32(word[:]) {
					if _, err := io.ReadFull(r, word[:]); err != nil {
						return
					}
					sum += binary.LittleEndian.Uint32(word[:]) & 0xff
				}
				binary.LittleEndian.PutUint32(word[:], sum)
				if _, err := c.Write(word[:]); err != nil {
					return
				}
			}
		}()
	}
}

// ask sends the numbers in requests of size n and adds up the answers.
func ask(c net.Conn, xs []int, n int) int {
	total := 0
	buf := make([]byte, 4*(n+1))
	for lo := 0; lo < len(xs); lo += n {
		part := xs[lo:min(lo+n, len(xs))]
		binary.LittleEndian.PutUint32(buf, uint32(len(part)))
		for i, x := range part {
			binary.LittleEndian.PutUint32(buf[4*(i+1):], uint32(x))
		}
		if _, err := c.Write(buf[:4*(len(part)+1)]); err != nil {
			return -1
		}
		if _, err := io.ReadFull(c, buf[:4]); err != nil {
			return -1
		}
		total += int(binary.LittleEndian.Uint32(buf))
	}
	return total
}

// askEach asks for each number, over a connection for each worker.
func askEach(cs []net.Conn, xs []int) int {
	return split(len(cs), func(w, _ int) int {
		return ask(cs[w], xs[w*len(xs)/len(cs):(w+1)*len(xs)/len(cs)], 1)
	})
}

// job takes half a millisecond.
func job(x int) int { return int(mix(uint64(x), 250_000) & 0xff) }

func jobs(xs []int) int {
	total := 0
	for _, x := range xs {
		total += job(x)
	}
	return total
}

// jobsReported has a server add up the results, one message for each.
func jobsReported(cs []net.Conn, xs []int) int {
	return split(len(cs), func(w, _ int) int {
		total := 0
		for _, x := range xs[w*len(xs)/len(cs) : (w+1)*len(xs)/len(cs)] {
			total += ask(cs[w], []int{job(x)}, 1)
		}
		return total
	})
}

// echo sends each number as a datagram to a socket of its own and reads it
// there.
func echoEach(from, to []net.PacketConn, xs []int) int {
	return split(len(from), func(w, _ int) int {
		total := 0
		var word [4]byte
		for _, x := range xs[w*len(xs)/len(from) : (w+1)*len(xs)/len(from)] {
			binary.LittleEndian.PutUint32(word[:], uint32(x&0xff))
			if _, err := from[w].WriteTo(word[:], to[w].LocalAddr()); err != nil {
				return -1
			}
			if _, _, err := to[w].ReadFrom(word[:]); err != nil {
				return -1
			}
			total += int(binary.LittleEndian.Uint32(word[:]))
		}
		return total
	})
}
