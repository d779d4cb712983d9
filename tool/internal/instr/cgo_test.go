package instr

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLineCgo: in a program with C code before Go's, an instruction has its own
// line and not that of another one as far away as the C code is long.
func TestLineCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	dir := t.TempDir()
	const source = `package main

// int twice(int x) { return 2*x; }
import "C"

//go:noinline
func marked(x int) int {
	return x*x + 1
}

func main() { println(marked(int(C.twice(3)))) }
`
	for name, text := range map[string]string{"main.go": source, "go.mod": "module example.com/c\n\ngo 1.22\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "c")
	cmd := exec.Command("go", "build", "-ldflags=-linkmode=external", "-o", path, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=", "GOWORK=off", "GOARCH=", "GOOS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	b, err := Read(opened(t, path))
	if err != nil {
		t.Fatal(err)
	}
	start, _, ok := b.Func("main.marked")
	if !ok {
		t.Fatal("no function main.marked")
	}
	if file, line := b.Line(start); filepath.Base(file) != "main.go" || line < 7 || line > 8 {
		t.Errorf("main.marked begins at %s:%d, want main.go:7 or 8", file, line)
	}
}
