package machine

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// An Env describes where a run was made. A zero field is unknown, and for the
// fields that [Describe] fills, Missing says so.
type Env struct {
	Time time.Time `json:"time"`
	OS   string    `json:"os"`   // as in GOOS
	Arch string    `json:"arch"` // as in GOARCH
	CPU  string    `json:"cpu,omitzero"`

	// LogicalCPUs are the processors of the machine, PhysicalCores the cores
	// they run on. UsableCPUs is what GOMAXPROCS is when nobody sets it: what
	// affinity and control group leave to this process. Quota is the control
	// group's limit in processors, 0 if there is none; GOMAXPROCS rounds it up,
	// and to 2 at least, so it may be less than UsableCPUs.
	LogicalCPUs   int `json:"logicalCPUs"`
	PhysicalCores int `json:"physicalCores,omitzero"`
	UsableCPUs    int `json:"usableCPUs"`
	// UsableCores are the cores that affinity leaves.
	UsableCores int     `json:"usableCores,omitzero"`
	Quota       float64 `json:"quota,omitzero"`

	CacheLine int    `json:"cacheLine,omitzero"` // bytes
	Cache     int    `json:"cache,omitzero"`     // bytes of the last one
	Memory    uint64 `json:"memory,omitzero"`    // bytes
	Virtual   string `json:"virtual,omitzero"`   // vendor of the hypervisor, "" if none is seen
	Governor  string `json:"governor,omitzero"`  // of the clock rate; several are joined by commas
	Load      string `json:"load,omitzero"`      // load average of 1, 5 and 15 minutes: "0.22 0.18 0.08"

	Go     string `json:"go,omitzero"`     // toolchain that builds the benchmarks; the caller fills it
	Commit string `json:"commit,omitzero"` // of the measured tree; the caller fills it from [GitState]
	Dirty  bool   `json:"dirty,omitzero"`  // likewise

	// Missing names what this platform could not tell, one phrase each:
	// "governor: not readable".
	Missing []string `json:"missing,omitempty"`
}

// Kind names the kind of machine: what it is, and neither what it is called nor where it
// stands. Machines of a kind can stand in for each other.
func (e Env) Kind() string {
	const gib = 1 << 30
	text := fmt.Sprintf("%s/%s|%s|%d|%d|%d|%.2f|%d|%d|%s", e.OS, e.Arch, e.CPU, e.LogicalCPUs, e.PhysicalCores, e.UsableCPUs, e.Quota, e.CacheLine, (e.Memory+gib/2)/gib, e.Virtual)
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:5])
}

// String says in some words what the machine is.
func (e Env) String() string {
	s := fmt.Sprintf("%s (%s/%s, %d processors)", cmp.Or(e.CPU, "a processor without a name"), e.OS, e.Arch, e.UsableCPUs)
	if e.Quota > 0 {
		s += fmt.Sprintf(", limited to %.3g", e.Quota)
	}
	return s
}

// Describe returns what can be found out about this machine without measuring.
// It never fails: what the platform does not tell is named in Missing. It
// leaves Go, Commit and Dirty to the caller, and sets GOMAXPROCS for a moment
// to learn its default.
func Describe() Env {
	e := Env{
		Time:          time.Now().Round(0),
		OS:            runtime.GOOS,
		Arch:          runtime.GOARCH,
		CPU:           strings.Join(strings.Fields(cpuid.CPU.BrandName), " "),
		LogicalCPUs:   runtime.NumCPU(),
		PhysicalCores: max(cpuid.CPU.PhysicalCores, 0),
		CacheLine:     max(cpuid.CPU.CacheLine, 0),
		Cache:         max(cpuid.CPU.Cache.L2, cpuid.CPU.Cache.L3, 0),
	}
	if cpuid.CPU.VM() {
		// Without this bit the leaf that names the hypervisor holds anything.
		e.Virtual = vendorName(cpuid.CPU.HypervisorVendorString)
	}

	restore := holdProcs()
	e.UsableCPUs = defaultProcs()
	restore()

	describeOS(&e)
	if e.UsableCores == 0 {
		e.UsableCores = e.PhysicalCores
	}

	for _, f := range []struct {
		name string
		lack bool
	}{
		{"cpu", e.CPU == ""},
		{"physical cores", e.PhysicalCores == 0},
		{"cache line", e.CacheLine == 0},
		{"memory", e.Memory == 0},
		{"virtual", e.Virtual == "" && !cpuidTells},
		{"governor", e.Governor == ""},
		{"load", e.Load == ""},
	} {
		if f.lack {
			e.Missing = append(e.Missing, f.name+": "+notTold)
		}
	}
	return e
}

// cpuidTells reports whether the processor itself says that it is virtual.
const cpuidTells = runtime.GOARCH == "amd64" || runtime.GOARCH == "386"

// vendorName makes the 12 bytes that name a hypervisor readable; a hypervisor
// that hides its name is still one.
func vendorName(raw string) string {
	s := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, raw)
	if s = strings.TrimSpace(s); s == "" {
		return "unnamed hypervisor"
	}
	return s
}
