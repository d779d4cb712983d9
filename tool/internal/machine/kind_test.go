package machine

import (
	"testing"
	"time"
)

// The kind of a machine is what it is, and nothing that differs between two of a kind.
func TestKind(t *testing.T) {
	e := Env{OS: "linux", Arch: "amd64", CPU: "x", UsableCPUs: 4, Memory: 8 << 30}
	same := e
	same.Time, same.Load, same.Memory, same.Go, same.Commit = time.Now(), "3 2 1", 8<<30-100<<20, "go1.26", "abc"
	if e.Kind() != same.Kind() {
		t.Error("load, time and a memory that is a little smaller make another kind")
	}
	for name, change := range map[string]func(*Env){
		"processors": func(e *Env) { e.UsableCPUs = 2 }, "limit": func(e *Env) { e.Quota = 1.5 }, "processor": func(e *Env) { e.CPU = "y" },
		"memory": func(e *Env) { e.Memory *= 2 }, "architecture": func(e *Env) { e.Arch = "arm64" }, "hypervisor": func(e *Env) { e.Virtual = "KVM" },
	} {
		other := e
		if change(&other); other.Kind() == e.Kind() {
			t.Errorf("another %s is no other kind", name)
		}
	}
}
