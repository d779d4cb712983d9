package fresh

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strconv"
	"sync"

	"github.com/gopayoff/payoff/tool/testdata/planted/fresh/clib"
)

// must panics with an error, which none of these programs expects.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var devNull = sync.OnceValue(func() *os.File {
	return must(os.OpenFile(os.DevNull, os.O_WRONLY, 0))
})

// An audit log gets a line per action.

var actions = func() [][]byte {
	var as [][]byte
	for _, n := range names("action ", 1_500, 400) {
		as = append(as, []byte(n+"\n"))
	}
	return as
}()

func audit(w io.Writer, lines [][]byte) int {
	n := 0
	for _, l := range lines {
		n += must(w.Write(l)) + keyHash(l)
	}
	return n
}

func auditSerial() int {
	w := bufio.NewWriter(devNull())
	n := audit(w, actions)
	if w.Flush() != nil {
		return -1
	}
	return n
}

func auditUnbuffered() int {
	var ns [2]int
	var wg sync.WaitGroup
	for w := range ns {
		wg.Go(func() {
			log := must(os.OpenFile(os.DevNull, os.O_WRONLY, 0))
			defer log.Close()
			ns[w] = audit(log, actions[len(actions)*w/2:len(actions)*(w+1)/2])
		})
	}
	wg.Wait()
	return ns[0] + ns[1]
}

// A store of fixed records is summed up.

const storeRecord, storeRecords = 16, 2_000

var storeFile = sync.OnceValue(func() *os.File {
	f := must(os.CreateTemp("", "fresh"))
	if err := os.Remove(f.Name()); err != nil {
		panic(err)
	}
	for i := range storeRecords {
		must(f.Write(binary.LittleEndian.AppendUint64(make([]byte, 8), uint64(i*i))))
	}
	return f
})

func sumRecords(data []byte) int {
	sum := 0
	for ; len(data) > 0; data = data[storeRecord:] {
		sum += int(grind(binary.LittleEndian.Uint64(data[8:]), 40) & 0xff)
	}
	return sum
}

func storeSerial() int {
	data := make([]byte, storeRecord*storeRecords)
	must(storeFile().ReadAt(data, 0))
	return sumRecords(data)
}

func storeReads() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			f := storeFile()
			buf := make([]byte, storeRecord)
			for i := storeRecords * w / workers; i < storeRecords*(w+1)/workers; i++ {
				must(f.ReadAt(buf, int64(i*storeRecord)))
				sums[w] += sumRecords(buf)
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Templates are rendered, after a look whether they have changed on disk.

var templates = []string{"/", "/dev", "/proc", os.TempDir()}

func rendering(i int) int { return int(grind(uint64(i), 200) & 0xff) }

func templatesSerial() int {
	sum := 0
	for _, name := range templates {
		mode := int(must(os.Stat(name)).Mode().Perm())
		for i := range 120 {
			sum += rendering(i) * mode
		}
	}
	return sum
}

func templatesStat() int {
	sums := make([]int, len(templates))
	var wg sync.WaitGroup
	for t, name := range templates {
		wg.Go(func() {
			for i := range 120 {
				sums[t] += rendering(i) * int(must(os.Stat(name)).Mode().Perm())
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// A service of another process, here a goroutine, prices items.

func priceOf(item uint64) uint64 { return grind(item, 2_000) & 0xffff }

// servePrices answers requests: a count, and as many items.
func servePrices(c net.Conn) {
	r := bufio.NewReader(c)
	var head, item [8]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		var out []byte
		for range binary.LittleEndian.Uint64(head[:]) {
			if _, err := io.ReadFull(r, item[:]); err != nil {
				return
			}
			out = binary.LittleEndian.AppendUint64(out, priceOf(binary.LittleEndian.Uint64(item[:])))
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

func dial(network, address string) []net.Conn {
	l := must(net.Listen(network, address))
	defer l.Close()
	var cs []net.Conn
	for range 2 {
		cs = append(cs, must(net.Dial(network, l.Addr().String())))
		go servePrices(must(l.Accept()))
	}
	return cs
}

var tcpPrices = sync.OnceValue(func() []net.Conn { return dial("tcp", "127.0.0.1:0") })

var unixPrices = sync.OnceValue(func() []net.Conn {
	return dial("unix", "@fresh-"+strconv.Itoa(os.Getpid()))
})

func ask(c net.Conn, items []int) int {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(items)))
	for _, i := range items {
		out = binary.LittleEndian.AppendUint64(out, uint64(i))
	}
	must(c.Write(out))
	must(io.ReadFull(c, out[8:]))
	sum := 0
	for in := out[8:]; len(in) > 0; in = in[8:] {
		sum += int(binary.LittleEndian.Uint64(in))
	}
	return sum
}

var cart = numbers(48, 1<<20)

func cartSerial() int {
	sum := 0
	for _, i := range cart {
		sum += int(priceOf(uint64(i)))
	}
	return sum
}

func cartRemote() int { return askEach(tcpPrices(), 1) }
func cartLocal() int  { return askEach(unixPrices(), 1) }

// askEach asks over each connection for its part, some items at a time.
func askEach(cs []net.Conn, size int) int {
	sums := make([]int, len(cs))
	var wg sync.WaitGroup
	for w, c := range cs {
		wg.Go(func() {
			part := cart[len(cart)*w/len(cs) : len(cart)*(w+1)/len(cs)]
			for i := 0; i < len(part); i += size {
				sums[w] += ask(c, part[i:min(i+size, len(part))])
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1]
}

// Counters are reported as datagrams.

var metricsSink = sync.OnceValue(func() net.PacketConn {
	return must(net.ListenPacket("udp", "127.0.0.1:0"))
})

var statsd = sync.OnceValue(func() net.Conn {
	return must(net.Dial("udp", metricsSink().LocalAddr().String()))
})

var hits = numbers(240, 1<<16)

func metricsSerial() int {
	var out []byte
	sum := 0
	for _, h := range hits {
		sum += read(h) + int(grind(uint64(h), 150)&1)
		out = append(out[:0], "hits:1|c"...)
	}
	return sum + len(out)
}

func metricsDatagrams() int {
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for _, h := range hits[len(hits)*w/2 : len(hits)*(w+1)/2] {
				sums[w] += read(h) + int(grind(uint64(h), 150)&1)
				must(statsd().Write([]byte("hits:1|c")))
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + len("hits:1|c")
}

// Hashes come from a library in C, one call each.

var hashInputs = numbers(8_000, 1<<30)

func hashSerial() int {
	sum := uint32(0)
	for _, h := range hashInputs {
		sum += clib.GoMixed(uint32(h), 16)
	}
	return int(sum)
}

func hashC() int {
	var sums [workers]uint32
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := uint32(0)
			for _, h := range cut(hashInputs, w) {
				sum += clib.Mixed(uint32(h), 16)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return int(sums[0] + sums[1] + sums[2] + sums[3])
}

// Lines are weighed by the same library.

func linesSerial() int {
	sum := uint32(0)
	for range 3 {
		for _, a := range actions {
			sum += clib.GoWeight(a)
		}
	}
	return int(sum)
}

func linesC() int {
	var sums [workers]uint32
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := uint32(0)
			for range 3 {
				for _, a := range cut(actions, w) {
					sum += clib.Weight(a)
				}
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return int(sums[0] + sums[1] + sums[2] + sums[3])
}
