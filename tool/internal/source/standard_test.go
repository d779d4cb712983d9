package source

import (
	"os/exec"
	"strings"
	"testing"
)

// The library grows. A package that the table lacks would be taken for the
// user's.
func TestStandard(t *testing.T) {
	for _, path := range []string{"app", "app/log", "example.com/log", "main", ""} {
		if Standard(path) {
			t.Errorf("%q is one of the standard library's", path)
		}
	}
	if testing.Short() {
		t.Skip("runs the go command")
	}
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Skipf("go list std: %v", err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		if !Standard(path) {
			t.Errorf("%s is none of the standard library's", path)
		}
	}
}
