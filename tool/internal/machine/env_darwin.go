package machine

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

const notTold = "not told by darwin"

func describeOS(e *Env) {
	if s, err := unix.Sysctl("machdep.cpu.brand_string"); err == nil && s != "" {
		e.CPU = s
	}
	if n, err := unix.SysctlUint32("hw.logicalcpu"); err == nil && n > 0 {
		e.LogicalCPUs = int(n)
	}
	if n, err := unix.SysctlUint32("hw.physicalcpu"); err == nil && n > 0 {
		e.PhysicalCores = int(n)
	}
	if n, err := unix.SysctlUint64("hw.cachelinesize"); err == nil && n > 0 {
		e.CacheLine = int(n)
	}
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil {
		e.Memory = n
	}
	if n, err := unix.SysctlUint32("kern.hv_vmm_present"); err == nil && n != 0 && e.Virtual == "" {
		e.Virtual = "unnamed hypervisor"
	}
	if b, err := unix.SysctlRaw("vm.loadavg"); err == nil {
		e.Load = loadavgStruct(b, binary.LittleEndian)
	}
}
