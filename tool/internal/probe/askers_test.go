package probe

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAskers: of this toolchain's runtime each answer is changed, at its place.
func TestAskers(t *testing.T) {
	root := goroot(t)
	o, err := Askers(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(o) != 4 {
		t.Errorf("%d files, want 4", len(o))
	}
	for path, content := range o {
		if _, err := parser.ParseFile(token.NewFileSet(), path, content, 0); err != nil {
			t.Error(err)
		}
	}
	debug := string(o[filepath.Join(root, "src", "runtime", "debug.go")])
	for _, head := range []string{"\nfunc GOMAXPROCS(n int) int {", "\nfunc NumCPU() int {"} {
		if !strings.Contains(debug, head+" if ") {
			t.Errorf("%s does not begin with what it tells", head[1:])
		}
	}
	if !strings.Contains(string(o[filepath.Join(root, "src", "runtime", "metrics.go")]), "uint64(GOMAXPROCS(0))") {
		t.Error("the metric is not what is told")
	}
	mutex := string(o[filepath.Join(root, "src", "internal", "sync", "mutex.go")])
	for _, head := range []string{"\nfunc (m *Mutex) Lock() { defer payoffLocked(uintptr(unsafe.Pointer(m)));", "\nfunc (m *Mutex) Unlock() { payoffUnlocking(uintptr(unsafe.Pointer(m)));"} {
		if !strings.Contains(mutex, head) {
			t.Errorf("no %q", head[1:])
		}
	}
	if _, err := Askers(t.TempDir()); err == nil {
		t.Error("Askers of an empty GOROOT = nil error")
	}
}

// TestAskersRefuses: a runtime of another shape is refused by name.
func TestAskersRefuses(t *testing.T) {
	for _, tt := range []struct {
		file, old, new, want string
		patch                func([]byte) ([]byte, error)
	}{
		{"runtime/debug.go", "func GOMAXPROCS(n int) int", "func GOMAXPROCS(procs int) int", "no GOMAXPROCS(n int) int", patchAnswers},
		{"runtime/debug.go", "func NumCPU()", "func CPUs()", "or no NumCPU", patchAnswers},
		{"internal/sync/mutex.go", "(m *Mutex) Unlock()", "(m *Mutex) Open()", "no Mutex with Lock and Unlock", patchMutex},
		{"runtime/metrics.go", "uint64(gomaxprocs)", "uint64(procs())", "no metric of gomaxprocs", patchMetric},
	} {
		src, err := os.ReadFile(filepath.Join(goroot(t), "src", filepath.FromSlash(tt.file)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), tt.old) {
			t.Errorf("this toolchain has no %q to damage", tt.old)
			continue
		}
		if out, err := tt.patch([]byte(strings.ReplaceAll(string(src), tt.old, tt.new))); err == nil || !strings.Contains(err.Error(), tt.want) || out != nil {
			t.Errorf("without %q: %d bytes, %v; want an error with %q", tt.old, len(out), err, tt.want)
		}
	}
}
