package lead_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// spaces are some network namespaces, each with an address of its own, that reach each
// other through that of the server.
type spaces struct {
	t    *testing.T
	name string
}

const (
	hubAddress   = "10.77.0.1:4333"
	relayAddress = "10.77.0.1:4334"
)

// apart makes as many namespaces beside the server's, or says why it cannot.
func apart(t *testing.T, n int) *spaces {
	t.Helper()
	s := &spaces{t, fmt.Sprintf("payoff%d-", os.Getpid())}
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("namespaces are made by root, with ip")
	}
	if out, err := exec.Command("ip", "netns", "add", s.name+"hub").CombinedOutput(); err != nil {
		t.Skipf("this machine makes no namespaces: %s", out)
	}
	t.Cleanup(func() { s.ip("netns", "del", s.name+"hub") })
	s.in("hub", "addr", "add", "10.77.0.1/32", "dev", "lo")
	s.in("hub", "link", "set", "lo", "up")
	for i := range n {
		own, near, far := fmt.Sprint(i), fmt.Sprintf("near%d", i), fmt.Sprintf("far%d", i)
		s.ip("netns", "add", s.name+own)
		t.Cleanup(func() { s.ip("netns", "del", s.name+own) })
		s.in("hub", "link", "add", near, "type", "veth", "peer", "name", far, "netns", s.name+own)
		s.in("hub", "addr", "add", fmt.Sprintf("10.77.%d.1/24", i+1), "dev", near)
		s.in("hub", "link", "set", near, "up")
		s.in(own, "addr", "add", fmt.Sprintf("10.77.%d.2/24", i+1), "dev", far)
		s.in(own, "link", "set", far, "up")
		s.in(own, "route", "add", "default", "via", fmt.Sprintf("10.77.%d.1", i+1))
	}
	return s
}

func (s *spaces) ip(args ...string) {
	s.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		s.t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

func (s *spaces) in(space string, args ...string) {
	s.t.Helper()
	s.ip(append([]string{"-n", s.name + space}, args...)...)
}

// cut takes the cable of a machine away, for a time.
func (s *spaces) cut(machine int, d time.Duration) {
	near := fmt.Sprintf("near%d", machine)
	s.in("hub", "link", "set", near, "down")
	time.Sleep(d)
	s.in("hub", "link", "set", near, "up")
}

// certificate makes one for the server's address, and returns its files.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(10, 77, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	public, err := x509.CreateCertificate(rand.Reader, x, x, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write("cert.pem", "CERTIFICATE", public), write("key.pem", "PRIVATE KEY", secret)
}

// relay is a line of 50 ms to the server. One in a hundred packets is lost on it, which a
// connection notices as a silence until the packet is sent again.
func relay() error {
	l, err := net.Listen("tcp", relayAddress)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for {
		from, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer from.Close()
			to, err := net.Dial("tcp", hubAddress)
			if err != nil {
				return
			}
			defer to.Close()
			go slowly(from, to)
			slowly(to, from)
		}()
	}
}

func slowly(to, from net.Conn) {
	const way, again, packet = 50 * time.Millisecond, 250 * time.Millisecond, 1460
	type sent struct {
		data []byte
		due  time.Time
	}
	line := make(chan sent, 4096)
	defer close(line)
	go func() {
		defer to.Close()
		for s := range line {
			time.Sleep(time.Until(s.due))
			if _, err := to.Write(s.data); err != nil {
				from.Close()
				break
			}
		}
		for range line {
		}
	}()
	var delay time.Duration
	for n := 1; ; n++ {
		b := make([]byte, packet)
		k, err := from.Read(b)
		if err != nil {
			return
		}
		if delay = way; n%100 == 0 {
			delay += again
		}
		line <- sent{b[:k], time.Now().Add(delay)}
	}
}

// Eight machines with addresses of their own, one behind a slow line that loses packets,
// and one that is cut off twice: for less than the server waits, and for longer. Each run
// comes to its end with each step once, on one machine, the run of the machine that was cut
// off on another, and that machine is there again afterwards.
func TestApart(t *testing.T) {
	const machines, steps = 8, 40
	s := apart(t, machines+1)
	cert, key := certificate(t)
	w := &world{t: t, dir: t.TempDir()}
	there := func(space string, p part) (*exec.Cmd, *lines) {
		p.Hub, p.Cert = w.dir, cert
		return w.processBy([]string{"ip", "netns", "exec", s.name + space}, p, "")
	}
	_, out := there("hub", part{Listen: hubAddress, Key: key})
	out.await(t, "ready")
	_, out = there("hub", part{Relay: true})
	out.await(t, "ready")
	slow := "tls://" + relayAddress
	dirs := make([]string, machines)
	for i := range machines {
		dirs[i] = filepath.Join(folder(t), "agent")
		p := part{Agent: dirs[i]}
		if i == machines-1 {
			p.URL = slow
		}
		there(fmt.Sprint(i), p)
	}
	lead := fmt.Sprint(machines) // where coordinators are, behind the slow line too
	_, out = there(lead, part{URL: slow, Await: machines})
	out.await(t, "agents")
	type life struct {
		cmd *exec.Cmd
		out *lines
	}
	begin := func(run int) life {
		cmd, out := there(lead, part{URL: slow, Coordinator: fmt.Sprintf("apart-%d", run), Steps: steps})
		return life{cmd, out}
	}
	const runs = machines - 1 // one machine is idle, and takes the job of the one that is cut off
	first := make([]life, runs)
	for i := range first {
		first[i] = begin(i)
	}
	_, on, _ := strings.Cut(first[0].out.await(t, "3/"), "@")
	cut := slices.IndexFunc(dirs, func(dir string) bool {
		name, err := os.ReadFile(filepath.Join(dir, "machine"))
		return err == nil && string(name) == on
	})
	if cut < 0 {
		t.Fatalf("no machine is called %q", on)
	}
	s.cut(cut, 3*timing.Beat)
	time.Sleep(timing.AckWait())
	s.cut(cut, 3*timing.AckWait())
	for i, now := range first {
		lives := 1
		for ; ; lives++ {
			err := now.cmd.Wait()
			var answers []string
			for _, line := range now.out.all() {
				if rest, ok := strings.CutPrefix(line, "all "); ok {
					answers = strings.Fields(rest)
				}
			}
			if answers == nil && lives < 8 { // as its user would, by the same command
				now = begin(i)
				continue
			}
			if wrong := whole(answers, steps); wrong != "" || err != nil {
				t.Errorf("run %d, by its coordinator number %d: %s, %v", i, lives, wrong, err)
			}
			break
		}
		if i == 0 && lives == 1 {
			t.Errorf("a machine that was away for three times as long as the server waits kept its run")
		}
	}
	_, out = there(lead, part{URL: slow, Await: machines})
	out.await(t, "agents")
}

// The relay gives all that it is given, in order.
func TestRelay(t *testing.T) {
	near, in := net.Pipe()
	out, far := net.Pipe()
	go slowly(out, in)
	want := bytes.Repeat([]byte("0123456789"), 20_000)
	go func() {
		near.Write(want)
		near.Close()
	}()
	far.SetDeadline(time.Now().Add(20 * time.Second))
	if got, err := io.ReadAll(far); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v; want the %d that were sent", len(got), err, len(want))
	}
}
