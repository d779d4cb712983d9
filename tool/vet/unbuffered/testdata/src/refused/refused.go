package refused

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
)

// Each line is answered before the next.
func ask(c *net.TCPConn, lines []string) (answers []string) {
	r := bufio.NewReader(c)
	for _, l := range lines {
		fmt.Fprintln(c, l) // want "each write to c" // refuse "buffer: the loop calls .*ReadString, of which nothing is known, which may have to do with the file"
		a, _ := r.ReadString('\n')
		answers = append(answers, a)
	}
	return answers
}

func dialled(lines []string) error {
	c, err := net.Dial("udp", "127.0.0.1:9")
	if err != nil {
		return err
	}
	for _, l := range lines {
		if _, err := io.WriteString(c, l); err != nil { // want "each write to c" // refuse "buffer: each write to c may be a datagram"
			return err
		}
	}
	return nil
}

func metrics(w io.Writer, n int) {
	for range n {
		io.WriteString(w, "hit") // want "each write to w" // refuse "buffer: each write to c may be a datagram"
	}
}

func hits(c net.Conn) { metrics(c, 3) }

// The receiver has waited for what comes before.
func follow(f *os.File, lines chan string, done chan bool) {
	for l := range lines {
		f.WriteString(l) // want "each write to f" // refuse "buffer: the loop receives from a channel, which may"
	}
	for i := range 10 {
		fmt.Fprintln(f, i) // want "each write to f" // refuse "buffer: the loop sends to a channel, which may"
		done <- true
	}
}

func until(w io.Writer, stop *atomic.Bool, next func() string) {
	for !stop.Load() {
		io.WriteString(w, "more") // want "each write to w" // refuse "buffer: the loop reads memory atomically, which may"
	}
	for range 10 {
		io.WriteString(w, next()) // want "each write to w" // refuse "buffer: the loop calls what it is handed, which may"
	}
}

var log, _ = os.Create(os.DevNull)

func logged(lines []string) {
	for _, l := range lines {
		fmt.Fprintln(log, l)       // want "each write to log" // refuse "buffer: log is not the function's alone"
		fmt.Fprintln(os.Stderr, l) // want "each write to os.Stderr" // refuse "buffer: os.Stderr is not the function's alone"
	}
}

type journal struct {
	f *os.File
	r io.Reader
	n int
}

// A goroutine syncs what another writes.
func (j *journal) add(lines []string) {
	for _, l := range lines {
		fmt.Fprintln(j.f, l) // want "each write to j.f" // refuse "buffer: goroutines use j.f"
	}
}

func (j *journal) start() {
	go func() {
		for {
			j.sync()
		}
	}()
}

func (j *journal) sync() { j.f.Sync() }

func (j *journal) body() { io.ReadAll(j.r) }

// A server reads requests and answers them.
func serve(c net.Conn) error {
	var q [8]byte
	for {
		if _, err := io.ReadFull(c, q[:]); err != nil { // want "each read of c" // refuse "buffer: the loop uses c otherwise, too"
			return err
		}
		if _, err := c.Write(q[:]); err != nil { // want "each write to c" // refuse "buffer: each write to c may be a datagram"
			return err
		}
	}
}

// The loop has other ends.
func ends(f *os.File, rows []int) error {
	for _, n := range rows {
		if n < 0 {
			return io.ErrNoProgress
		}
		if _, err := fmt.Fprintln(f, n); err != nil { // want "each write to f" // refuse "buffer: the loop has a return"
			return err
		}
	}
	for i := 0; ; i++ {
		if _, err := f.WriteString("x"); err != nil { // want "each write to f" // refuse "buffer: nothing says when the loop ends"
			return err
		}
	}
}

// All write to one file.
func together(f *os.File, lines []string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, l := range lines {
				fmt.Fprintln(f, l) // want "each write to f" // refuse "buffer: the function around it has f, too"
			}
		})
		wg.Go(func() { lend(f, lines) })
	}
	wg.Wait()
}

func lend(w io.Writer, lines []string) {
	for _, l := range lines {
		io.WriteString(w, l) // want "each write to w" // refuse "buffer: several goroutines use w"
	}
}

func errors(w io.Writer, lines []string, f *os.File, mine func(int, error)) (n int) {
	for _, l := range lines {
		if _, err := io.WriteString(w, l); err != nil { // want "each write to w" // refuse "buffer: the loop goes on after an error"
			n++
		}
	}
	for _, l := range lines {
		mine(io.WriteString(w, l)) // want "each write to w" // refuse "buffer: what a call returns is handed on"
	}
	for _, l := range lines {
		k, err := io.WriteString(w, l) // want "each write to w" // refuse "buffer: more is done with what a call returns"
		if err != nil {
			return k
		}
	}
	for _, l := range lines {
		k, err := io.WriteString(w, l) // want "each write to w" // refuse "buffer: more is done with what a call returns"
		if err != nil || k < len(l) {
			return k
		}
	}
	for i, l := range lines {
		if _, err := io.WriteString(w, l); err != nil { // want "each write to w" // refuse "buffer: what is done about an error has to do with i"
			mine(i, err)
			return i
		}
	}
	for _, l := range lines {
		defer recover()
		f.WriteString(l) // want "each write to f" // refuse "buffer: the loop has a defer"
	}
	return n
}

func moved(f *os.File, lines []string) {
	for _, l := range lines {
		f.WriteString(l) // want "each write to f" // refuse "buffer: the loop uses f otherwise, too"
		f.Seek(10, io.SeekCurrent)
	}
	for _, l := range lines {
		f.WriteString(l) // want "each write to f" // refuse "buffer: f may change in the loop"
		f = os.Stdout
	}
}

func headers(f *os.File) []byte {
	b := make([]byte, 1)
	for {
		if _, err := io.ReadFull(f, b); err != nil { // want "each read of f" // refuse "buffer: the loop may end before the file, and others may go on reading f"
			return nil
		}
		if b[0] == '\n' {
			break
		}
	}
	rest, _ := io.ReadAll(f)
	return rest
}

// A read returns what there is.
func chunks(r io.Reader, do func([]byte)) error {
	b := make([]byte, 24)
	for {
		n, err := r.Read(b) // want "each read of r" // refuse "buffer: a read of a buffer may return less than one of the file"
		if err != nil {
			return err
		}
		do(b[:n])
	}
}

func kinds(f *os.File, lines []string) error {
	for _, l := range lines {
		_, err := io.WriteString(f, l) // want "each write to f" // refuse "buffer: what becomes of err is not seen"
		if err == io.ErrClosedPipe {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func beat(f *os.File, stop chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
			fmt.Fprintln(f, n) // want "each write to f" // refuse "buffer: the loop receives"
		}
	}
}

// Another goroutine writes lines in between.
func beats(path string, lines [][]byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	stop := make(chan struct{})
	defer close(stop)
	go beat(f, stop)
	for _, l := range lines {
		if _, err := f.Write(l); err != nil { // want "each write to f" // refuse "buffer: a goroutine has f, too"
			return err
		}
	}
	return nil
}

func half(w io.Writer, lines [][]byte, wg *sync.WaitGroup) {
	defer wg.Done()
	for _, l := range lines {
		w.Write(l) // want "each write to w" // refuse "buffer: several goroutines use w"
	}
}

// Two goroutines write lines to one file.
func halves(f *os.File, a, b [][]byte) {
	var wg sync.WaitGroup
	wg.Add(2)
	go half(f, a, &wg)
	go half(f, b, &wg)
	wg.Wait()
}

// Records at places of a file.
func places(f *os.File, n int) (sum int) {
	b := make([]byte, 8)
	for i := range n {
		if _, err := f.ReadAt(b, int64(i*8)); err != nil { // want "each read of f" // refuse "buffer: a buffer reads what comes next, not what is at a place"
			return sum
		}
		sum += int(b[0])
	}
	return sum
}
