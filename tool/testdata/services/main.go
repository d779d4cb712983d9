// Command services runs small services under load, each with a cost of concurrency
// planted in it, or with its cure, and takes a trace and a profile of it. payoff trace
// is tested on what it recorded.
//
//	services -list
//	services -run cache [-cured] [-for 2s] [-trace file] [-cpu file]
//	services -run cache -cured -for 10s -load 3000 -latencies file [-debug address]
package main

import (
	"bufio"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A service is one program. start brings it up and returns what one client does
// again and again; done stops it.
type service struct {
	cause   string // what is planted in it, by its slug; "" nothing
	clients int
	start   func(cured bool) (operation func(), done func())
}

var services = map[string]service{}

var (
	name    = flag.String("run", "", "the service")
	cured   = flag.Bool("cured", false, "with its cure")
	length  = flag.Duration("for", 2*time.Second, "how long")
	traced  = flag.String("trace", "", "write a trace to this file")
	profile = flag.String("cpu", "", "write a CPU profile to this file")
	window  = flag.Duration("window", 200*time.Millisecond, "how long the trace is")
	list    = flag.Bool("list", false, "list the services")
	debug   = flag.String("debug", "", "serve net/http/pprof at this address")
	load    = flag.Float64("load", 0, "so many operations each second; 0: each client as many as it can")
	times   = flag.String("latencies", "", "with -load: write how long each took to this file")
)

func main() {
	flag.Parse()
	if *list {
		for _, n := range slices.Sorted(maps.Keys(services)) {
			fmt.Println(n, services[n].cause)
		}
		return
	}
	s, ok := services[*name]
	if !ok {
		log.Fatalf("no service %q: -list has them", *name)
	}
	if *debug != "" {
		l, err := net.Listen("tcp", *debug)
		if err != nil {
			log.Fatal(err)
		}
		go serveDebug(l)
	}
	operation, done := s.start(*cured)
	if *load > 0 {
		offer(operation, *load, *length, *times)
		done()
		return
	}
	var n atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range s.clients {
		wg.Go(func() {
			for !stop.Load() {
				operation()
				n.Add(1)
			}
		})
	}
	time.Sleep(*length / 4)
	begin, before := time.Now(), n.Load()
	record(*length / 2)
	rate := float64(n.Load()-before) / time.Since(begin).Seconds()
	stop.Store(true)
	wg.Wait()
	done()
	fmt.Printf("%s cured=%v procs=%d: %.0f operations per second\n", *name, *cured, runtime.GOMAXPROCS(0), rate)
}

// record lets time pass, and takes what was asked for meanwhile.
func record(d time.Duration) {
	create := func(file string) *os.File {
		f, err := os.Create(file)
		if err != nil {
			log.Fatal(err)
		}
		return f
	}
	if *profile != "" {
		f := create(*profile)
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	if *traced == "" {
		time.Sleep(d)
		return
	}
	f := create(*traced)
	defer f.Close()
	time.Sleep(max(0, d-*window))
	if err := trace.Start(f); err != nil {
		log.Fatal(err)
	}
	time.Sleep(*window)
	trace.Stop()
}

// work takes about n microseconds of processor time.
func work(n int) uint64 {
	h := fnv.New64a()
	var b [128]byte
	for range n * 6 {
		h.Write(b[:])
		b[0]++
	}
	return h.Sum64()
}

// serve serves a handler on loopback. A client's operation is one request over a
// connection of its own.
func serve(h http.Handler) (operation func(), done func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Handler: h}
	go server.Serve(l)
	type client struct {
		c net.Conn
		r *bufio.Reader
	}
	free := make(chan client, 256)
	const request = "GET /item?id=7 HTTP/1.1\r\nHost: x\r\n\r\n"
	return func() {
		var c client
		select {
		case c = <-free:
		default:
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				log.Fatal(err)
			}
			c = client{conn, bufio.NewReader(conn)}
		}
		io.WriteString(c.c, request)
		length := 0
		for {
			line, err := c.r.ReadSlice('\n')
			if err != nil {
				log.Fatal(err)
			}
			if v, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
				fmt.Sscan(v, &length)
			}
			if len(line) == 2 {
				break
			}
		}
		c.r.Discard(length)
		free <- c
	}, func() { server.Close() }
}
