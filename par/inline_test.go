package par

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestInline: Serial, which is called at each fork, is inlined.
func TestInline(t *testing.T) {
	if !stress.Long() {
		t.Skip("builds the tests of the package")
	}
	out, err := exec.Command("go", "test", "-c", "-o", t.TempDir()+"/test", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go test -c -gcflags=-m: %v\n%s", err, out)
	}
	for _, want := range []string{
		"can inline (*Task[go.shape.int,go.shape.int]).Serial",
		"can inline (*TaskContext[go.shape.*uint8,go.shape.uint64]).Serial",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the compiler does not say: %s", want)
		}
	}
}
