package pool

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A server answers over loopback, in a process of its own: what serves is not to be
// seen by a pool that looks at its own process.

const serverEnv = "PAYOFF_PEERS_POOL_SERVER"

func isServer() bool { return os.Getenv(serverEnv) != "" }

// slowdown is how long a request takes that finds so many in flight, itself
// included: 5 ms up to 24, and then more and more, so that more than 24 at once
// get less done.
func slowdown(inFlight int64) time.Duration {
	const healthy, base = 24, 5 * time.Millisecond
	if inFlight <= healthy {
		return base
	}
	over := float64(inFlight) / healthy
	return time.Duration(float64(base) * over * math.Sqrt(over))
}

// serve is the process of a server, which ends with its standard input.
func serve() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	var inFlight atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/steady", func(http.ResponseWriter, *http.Request) { time.Sleep(5 * time.Millisecond) })
	mux.HandleFunc("/slows", func(http.ResponseWriter, *http.Request) {
		time.Sleep(slowdown(inFlight.Add(1)))
		inFlight.Add(-1)
	})
	fmt.Fprintln(os.Stderr, http.Serve(l, mux))
	os.Exit(1)
}

// lifeline is the server's standard input. It is closed with this process, and
// would be sooner if nobody held it.
var lifeline io.WriteCloser

// started is the server's address, once it is asked for. It lives as long as this
// process, whose end closes the pipe to it.
var started = sync.OnceValues(func() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), serverEnv+"=1")
	c.Stderr = os.Stderr
	if lifeline, err = c.StdinPipe(); err != nil {
		return "", err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(address), err
})

// get returns a task that asks the server, over so many connections at most; 0: as
// many as there are requests.
func get(tb testing.TB, path string, connections int) func(i int) {
	address, err := started()
	if err != nil {
		tb.Skipf("no server: %v", err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2048, MaxConnsPerHost: connections}}
	tb.Cleanup(client.CloseIdleConnections)
	url := "http://" + address + path
	return func(int) {
		r, err := client.Get(url)
		if err != nil {
			panic(err)
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			panic(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			panic(r.Status)
		}
	}
}
