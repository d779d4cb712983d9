package counter

import (
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// These fail to build when a size drifts.
var (
	_ [0]struct{} = [unsafe.Sizeof(stripe{}) - cacheline.Size]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(table{}) - cacheline.Size]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(Int{}) - 16]struct{}{}
)

// TestAlign: 64-bit atomics need it on 32-bit machines.
func TestAlign(t *testing.T) {
	var s struct {
		_ byte
		c Int
	}
	s.c.spread(nil)
	for _, p := range []*atomic.Int64{&s.c.base, &s.c.table.Load().stripes[1].n} {
		if a := uintptr(unsafe.Pointer(p)); a%8 != 0 {
			t.Errorf("a word lies at %#x, want a multiple of 8", a)
		}
	}
}

func TestStripesApart(t *testing.T) {
	var c Int
	c.spread(nil)
	stripes := c.table.Load().stripes
	for i := range stripes[1:] {
		from := uintptr(unsafe.Pointer(&stripes[i].n))
		to := uintptr(unsafe.Pointer(&stripes[i+1].n))
		if to-from < cacheline.Size {
			t.Errorf("stripes %d and %d are %d bytes apart, want >= %d", i, i+1, to-from, cacheline.Size)
		}
	}
}

// TestInline: what an uncontended Add costs depends on it. Where the compiler
// has no instructions for 64-bit atomics, they are calls, and nothing is gained.
func TestInline(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("not promised on " + runtime.GOARCH)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build -gcflags=-m=2: %v\n%s", err, out)
	}
	for _, name := range []string{"add", "(*Int).Add", "(*Int).Inc"} {
		if !strings.Contains(string(out), "can inline "+name+" with") {
			_, why, _ := strings.Cut(string(out), "cannot inline "+name)
			why, _, _ = strings.Cut(why, "\n")
			t.Errorf("%s is not inlined%s", name, why)
		}
	}
}
