package machine

import (
	"bytes"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// describeLinux fills e from the files of /proc and /sys under root.
func describeLinux(e *Env, root fs.FS) {
	const cpus = "sys/devices/system/cpu/"
	read := func(name string) []byte {
		b, err := fs.ReadFile(root, name)
		if err != nil {
			return nil
		}
		return bytes.TrimSpace(b)
	}

	if s := parseCPUName(read("proc/cpuinfo")); e.CPU == "" {
		e.CPU = s
	}
	if list, ok := parseCPUList(read(cpus + "online")); ok {
		e.LogicalCPUs = len(list)
	}
	allowed, known := parseCPUList(statusField(read("proc/self/status"), "Cpus_allowed_list"))
	// The processors of one core name the same list of siblings.
	for _, file := range []string{"core_cpus_list", "thread_siblings_list"} {
		names, _ := fs.Glob(root, cpus+"cpu[0-9]*/topology/"+file)
		cores, usable := make(map[string]bool), make(map[string]bool)
		for _, name := range names {
			b := read(name)
			if len(b) == 0 {
				continue
			}
			cores[string(b)] = true
			number, _, _ := strings.Cut(strings.TrimPrefix(name, cpus+"cpu"), "/")
			if cpu, err := strconv.Atoi(number); !known || err == nil && slices.Contains(allowed, cpu) {
				usable[string(b)] = true
			}
		}
		if len(cores) > 0 {
			e.PhysicalCores, e.UsableCores = len(cores), len(usable)
			break
		}
	}
	names, _ := fs.Glob(root, cpus+"cpu0/cache/index[0-9]*/size")
	for _, name := range names { // the last is the largest
		if n, err := strconv.Atoi(strings.TrimSuffix(string(read(name)), "K")); err == nil {
			e.Cache = max(e.Cache, n<<10)
		}
	}
	if n, err := strconv.Atoi(string(read(cpus + "cpu0/cache/index0/coherency_line_size"))); err == nil && n > 0 {
		e.CacheLine = n
	}
	if n, ok := parseMemTotal(read("proc/meminfo")); ok {
		e.Memory = n
	}
	if s, ok := parseLoadavg(read("proc/loadavg")); ok {
		e.Load = s
	}

	var governors []string
	names, _ = fs.Glob(root, cpus+"cpu[0-9]*/cpufreq/scaling_governor")
	for _, name := range names {
		if g := string(read(name)); g != "" && !slices.Contains(governors, g) {
			governors = append(governors, g)
		}
	}
	slices.Sort(governors)
	e.Governor = strings.Join(governors, ",")

	if e.Virtual == "" {
		e.Virtual = hypervisorFiles(read)
	}
	e.Quota = cgroupQuota(read)
}

// hypervisorFiles returns what the firmware and the kernel say about the
// hypervisor, for processors which do not say it themselves.
func hypervisorFiles(read func(string) []byte) string {
	if s := string(read("sys/hypervisor/type")); s != "" {
		return s
	}
	if s := string(bytes.Trim(read("proc/device-tree/hypervisor/compatible"), "\x00")); s != "" {
		return s
	}
	vendor, product := string(read("sys/class/dmi/id/sys_vendor")), string(read("sys/class/dmi/id/product_name"))
	for _, known := range []string{"QEMU", "VMware", "VirtualBox", "KVM", "Amazon EC2", "Google Compute Engine", "Parallels", "Virtual Machine", "Apple Virtualization"} {
		if strings.Contains(vendor+" "+product, known) && !strings.Contains(product, ".metal") {
			return known
		}
	}
	return ""
}

// parseCPUName returns the name of the processor in /proc/cpuinfo, "" if there is none.
func parseCPUName(cpuinfo []byte) string {
	var board string
	for line := range strings.Lines(string(cpuinfo)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		switch value = strings.Join(strings.Fields(value), " "); strings.TrimSpace(key) {
		case "model name", "cpu model", "uarch", "cpu":
			if value != "" {
				return value
			}
		case "Model", "Hardware":
			board = value
		}
	}
	return board
}

// parseCPUList reads a list of processors such as "0-3,8".
func parseCPUList(list []byte) ([]int, bool) {
	const most = 1 << 16 // no machine has more; a malformed range must not eat memory
	var cpus []int
	for part := range strings.SplitSeq(strings.TrimSpace(string(list)), ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		lo, err := strconv.Atoi(first)
		hi, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || lo < 0 || hi < lo || hi >= most || len(cpus) >= most {
			return nil, false
		}
		for c := lo; c <= hi; c++ {
			cpus = append(cpus, c)
		}
	}
	return cpus, len(cpus) > 0
}

// statusField returns a field of /proc/self/status, nil if it is not there.
func statusField(status []byte, name string) []byte {
	for line := range bytes.Lines(status) {
		if key, value, ok := bytes.Cut(line, []byte(":")); ok && string(key) == name {
			return bytes.TrimSpace(value)
		}
	}
	return nil
}

// parseMemTotal returns the bytes of memory that /proc/meminfo tells.
func parseMemTotal(meminfo []byte) (uint64, bool) {
	for line := range strings.Lines(string(meminfo)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != "MemTotal:" || f[2] != "kB" {
			continue
		}
		kB, err := strconv.ParseUint(f[1], 10, 64)
		return kB << 10, err == nil && kB > 0 && kB < 1<<54
	}
	return 0, false
}
