package machine_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gopayoff/payoff/tool/internal/machine"
)

func TestParseStat(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		in                 string
		busy, steal, total time.Duration
		ok                 bool
	}{
		{"cpu  4913 1 3114 168584 407 2 89 99 5 0\ncpu0 1 2 3 4\n", 81190 * ms, 990 * ms, 1772090 * ms, true},
		{"cpu 1 2 3 4", 60 * ms, 0, 100 * ms, true}, // Linux 2.4
		{"cpu 1 2 3 4 5 6 7 8 9 10 11 12 later\n", 190 * ms, 80 * ms, 360 * ms, true},
		{"cpu  0 0 0 0 0 0 0 0 0 0\n", 0, 0, 0, false}, // a sandbox
		{"", 0, 0, 0, false},
		{"cpu", 0, 0, 0, false},
		{"cpu 1 2 3", 0, 0, 0, false},
		{"cpu0 1 2 3 4 5", 0, 0, 0, false},
		{"cpu 1 2 x 4 5", 0, 0, 0, false},
		{"cpu 1 2 -3 4 5", 0, 0, 0, false},
		{"cpu 1 2 3 18446744073709551615 5", 0, 0, 0, false},
		{"cpu 1 2 3 99999999999999999999 5", 0, 0, 0, false},
		{"intr 1 2 3 4\ncpu 1 2 3 4\n", 0, 0, 0, false},
	} {
		l, ok := machine.ParseStat([]byte(c.in))
		if l.Busy != c.busy || l.Steal != c.steal || l.Total != c.total || ok != c.ok || l.OK != c.ok {
			t.Errorf("parseStat(%q) = busy %v steal %v total %v, %v; want %v %v %v, %v", c.in, l.Busy, l.Steal, l.Total, ok, c.busy, c.steal, c.total, c.ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("cpu  4913 0 3114 168584 407 0 89 99 0 0\ncpu0 1 2 3 4\n"))
	f.Add([]byte("cpu 1 2 3 4"))
	f.Add([]byte("cpu 1 2 3 18446744073709551615 5"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, stat []byte) {
		l, ok := machine.ParseStat(stat)
		if ok != l.OK {
			t.Errorf("ok = %v, Load.OK = %v", ok, l.OK)
		}
		if !ok {
			return
		}
		if l.Busy < 0 || l.Steal < 0 || l.Total <= 0 || l.Busy+l.Steal > l.Total {
			t.Errorf("parseStat(%q): busy %v + steal %v, total %v", stat, l.Busy, l.Steal, l.Total)
		}
	})
}

func TestSince(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a := machine.Load{Busy: 10 * time.Second, Steal: time.Second, Total: 40 * time.Second, At: at, OK: true}
	b := machine.Load{Busy: 16 * time.Second, Steal: 2 * time.Second, Total: 48 * time.Second, At: at.Add(4 * time.Second), OK: true}
	bad := b
	bad.OK = false
	for _, c := range []struct {
		name          string
		after, before machine.Load
		busy, steal   float64
	}{
		{"forward", b, a, 1.5, 0.25},
		{"same", a, a, 0, 0},
		{"swapped", a, b, 0, 0},
		{"not OK", bad, a, 0, 0},
		{"counters back", machine.Load{Total: 1, At: b.At, OK: true}, a, 0, 0},
	} {
		if busy, steal := c.after.Since(c.before); busy != c.busy || steal != c.steal {
			t.Errorf("%s: Since = %v, %v; want %v, %v", c.name, busy, steal, c.busy, c.steal)
		}
	}
}

func TestParseLoadavg(t *testing.T) {
	for in, want := range map[string]string{
		"0.22 0.18 0.08 2/86 4019\n": "0.22 0.18 0.08",
		"12.00 3.10 1.00":            "12.00 3.10 1.00",
		"":                           "",
		"0.22 0.18":                  "",
		"0.22 x 0.08 2/86":           "",
		"NaN 0 0":                    "",
		"-1 0 0":                     "",
	} {
		if s, ok := machine.ParseLoadavg([]byte(in)); s != want || ok != (want != "") {
			t.Errorf("parseLoadavg(%q) = %q, %v; want %q", in, s, ok, want)
		}
	}
}

func TestLoadavgStruct(t *testing.T) {
	b := make([]byte, 24)
	for i, v := range []uint32{1024, 2048 + 512, 205} {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	if s := machine.LoadavgStruct(b, binary.LittleEndian); s != "" {
		t.Errorf("scale 0: %q, want none", s)
	}
	binary.LittleEndian.PutUint64(b[16:], 2048)
	if s, want := machine.LoadavgStruct(b, binary.LittleEndian), "0.50 1.25 0.10"; s != want {
		t.Errorf("loadavgStruct = %q, want %q", s, want)
	}
	if s := machine.LoadavgStruct(b[:23], binary.LittleEndian); s != "" {
		t.Errorf("short: %q, want none", s)
	}
}

func TestParseCPUList(t *testing.T) {
	for in, want := range map[string][]int{
		"0\n":                   {0},
		"0-3,8":                 {0, 1, 2, 3, 8},
		"0-0,2-3\n":             {0, 2, 3},
		"":                      nil,
		"0-":                    nil,
		"3-1":                   nil,
		"-1":                    nil,
		"a":                     nil,
		"0,,1":                  nil,
		"0-9999999999999999999": nil,
		"0-99999999":            nil,
	} {
		if got, ok := machine.ParseCPUList([]byte(in)); !slices.Equal(got, want) || ok != (want != nil) {
			t.Errorf("parseCPUList(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
}

func TestParseCPUName(t *testing.T) {
	for in, want := range map[string]string{
		"processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 1\nmodel name\t: AMD   EPYC\n": "AMD EPYC",
		"processor\t: 0\nBogoMIPS\t: 108.00\n\nModel\t\t: Raspberry Pi 4\n":                   "Raspberry Pi 4",
		"processor : 0\ncpu\t\t: POWER9, altivec supported\n":                                 "POWER9, altivec supported",
		"model name\n": "",
		"":             "",
	} {
		if got := machine.ParseCPUName([]byte(in)); got != want {
			t.Errorf("parseCPUName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParseMemTotal(t *testing.T) {
	for in, want := range map[string]uint64{
		"MemTotal:        8041236 kB\nMemFree: 1 kB\n": 8041236 << 10,
		"MemFree: 1 kB\nMemTotal: 2 kB":                2 << 10,
		"MemTotal: 2 MB":                               0,
		"MemTotal: x kB":                               0,
		"MemTotal: 99999999999999999999 kB":            0,
		"MemTotal: 18446744073709551615 kB":            0,
		"":                                             0,
	} {
		if got, ok := machine.ParseMemTotal([]byte(in)); ok != (want > 0) || ok && got != want {
			t.Errorf("parseMemTotal(%q) = %d, %v; want %d", in, got, ok, want)
		}
	}
}

func TestParseQuota(t *testing.T) {
	for in, want := range map[string]float64{
		"150000 100000\n": 1.5,
		"max 100000\n":    0,
		"50000 100000":    0.5,
		"100000":          0,
		"-1 100000":       0,
		"1 0":             0,
		"":                0,
	} {
		if got := machine.ParseCPUMax([]byte(in)); got != want {
			t.Errorf("parseCPUMax(%q) = %v, want %v", in, got, want)
		}
	}
	if got := machine.ParseCFS([]byte("-1\n"), []byte("100000\n")); got != 0 {
		t.Errorf("parseCFS(-1, 100000) = %v, want 0", got)
	}
	if got := machine.ParseCFS([]byte("250000\n"), []byte("100000\n")); got != 2.5 {
		t.Errorf("parseCFS(250000, 100000) = %v, want 2.5", got)
	}
}

func TestParseCgroup(t *testing.T) {
	for in, want := range map[string][2]string{
		"0::/user.slice/a b:c\n":                   {"", "/user.slice/a b:c"},
		"4:cpu,cpuacct:/docker/1\n3:cpuset:/x\n":   {"/docker/1", ""},
		"2:cpuacct:/\n1:cpu:/jobs\n0::/unified/\n": {"/jobs", "/unified/"},
		"garbage\n1:cpu\n::\n":                     {"", ""},
		"":                                         {"", ""},
	} {
		if v1, v2 := machine.ParseCgroup([]byte(in)); v1 != want[0] || v2 != want[1] {
			t.Errorf("parseCgroup(%q) = %q, %q; want %q", in, v1, v2, want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		`/a\040b`: "/a b", `/a\134b`: `/a\b`, `\04`: `\04`, `\999`: `\999`, `\`: `\`, "": "",
	} {
		if got := machine.Unescape(in); got != want {
			t.Errorf("unescape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestVendorName(t *testing.T) {
	for in, want := range map[string]string{
		"KVMKVMKVM\x00\x00\x00": "KVMKVMKVM", "Microsoft Hv": "Microsoft Hv", "\x00\x00": "unnamed hypervisor", "": "unnamed hypervisor",
	} {
		if got := machine.VendorName(in); got != want {
			t.Errorf("vendorName(%q) = %q, want %q", in, got, want)
		}
	}
}

// tree makes a file system of a Linux machine with cores of two threads.
func tree(cores int, more map[string]string) fstest.MapFS {
	const cpus = "sys/devices/system/cpu/"
	m := fstest.MapFS{}
	add := func(name, text string) { m[name] = &fstest.MapFile{Data: []byte(text + "\n")} }
	add(cpus+"online", fmt.Sprintf("0-%d", 2*cores-1))
	for c := range 2 * cores {
		dir := fmt.Sprintf("%scpu%d/", cpus, c)
		add(dir+"topology/thread_siblings_list", fmt.Sprintf("%d,%d", c%cores, c%cores+cores))
		add(dir+"cpufreq/scaling_governor", []string{"performance", "powersave"}[c%2])
	}
	add(cpus+"cpu0/cache/index0/coherency_line_size", "128")
	add(cpus+"cpu0/cache/index0/size", "48K")
	add(cpus+"cpu0/cache/index3/size", "32768K")
	add("proc/meminfo", "MemTotal: 1024 kB")
	add("proc/loadavg", "0.50 0.40 0.30 1/2 3")
	add("proc/cpuinfo", "model name : Abacus 9")
	for name, text := range more {
		add(name, text)
	}
	return m
}

func TestDescribeLinux(t *testing.T) {
	var e machine.Env
	machine.DescribeLinux(&e, tree(4, map[string]string{"sys/hypervisor/type": "xen"}))
	if e.LogicalCPUs != 8 || e.PhysicalCores != 4 || e.CacheLine != 128 || e.Memory != 1<<20 {
		t.Errorf("%d logical on %d cores, line %d, memory %d; want 8, 4, 128, 1048576", e.LogicalCPUs, e.PhysicalCores, e.CacheLine, e.Memory)
	}
	if e.UsableCores != 4 || e.Cache != 32<<20 {
		t.Errorf("%d cores usable, cache of %d; want 4, 32 MB", e.UsableCores, e.Cache)
	}
	if e.CPU != "Abacus 9" || e.Governor != "performance,powersave" || e.Load != "0.50 0.40 0.30" || e.Virtual != "xen" || e.Quota != 0 {
		t.Errorf("got %+v", e)
	}

	e = machine.Env{} // two threads of one core, and another core
	machine.DescribeLinux(&e, tree(4, map[string]string{"proc/self/status": "Name: x\nCpus_allowed:\t13\nCpus_allowed_list:\t0-1,4"}))
	if e.PhysicalCores != 4 || e.UsableCores != 2 {
		t.Errorf("%d cores, %d usable; want 4, 2", e.PhysicalCores, e.UsableCores)
	}

	e = machine.Env{CPU: "told", LogicalCPUs: 3, PhysicalCores: 2, CacheLine: 64, Virtual: "KVM"}
	machine.DescribeLinux(&e, fstest.MapFS{})
	if e.CPU != "told" || e.LogicalCPUs != 3 || e.PhysicalCores != 2 || e.CacheLine != 64 || e.Virtual != "KVM" {
		t.Errorf("without files, what was known is lost: %+v", e)
	}
}

func TestHypervisorFiles(t *testing.T) {
	const dmi = "sys/class/dmi/id/"
	for _, c := range []struct {
		vendor, product, want string
	}{
		{"QEMU", "KVM Virtual Machine", "QEMU"},
		{"Amazon EC2", "m7g.large", "Amazon EC2"},
		{"Amazon EC2", "m7g.metal", ""},
		{"Dell Inc.", "PowerEdge", ""},
	} {
		var e machine.Env
		machine.DescribeLinux(&e, tree(1, map[string]string{dmi + "sys_vendor": c.vendor, dmi + "product_name": c.product}))
		if e.Virtual != c.want {
			t.Errorf("%s %s: Virtual = %q, want %q", c.vendor, c.product, e.Virtual, c.want)
		}
	}
}

func TestCgroupQuota(t *testing.T) {
	const (
		mount2 = "24 30 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw"
		mount1 = "32 31 0:29 /docker/7 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct"
	)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"own group", map[string]string{
			"proc/self/cgroup": "0::/a/b", "proc/self/mountinfo": mount2,
			"sys/fs/cgroup/a/b/cpu.max": "150000 100000"}, 1.5},
		{"parent is tighter", map[string]string{
			"proc/self/cgroup": "0::/a/b", "proc/self/mountinfo": mount2,
			"sys/fs/cgroup/a/b/cpu.max": "400000 100000", "sys/fs/cgroup/a/cpu.max": "50000 100000"}, 0.5},
		{"no limit", map[string]string{
			"proc/self/cgroup": "0::/a", "proc/self/mountinfo": mount2, "sys/fs/cgroup/a/cpu.max": "max 100000"}, 0},
		{"version 1 below the mount's root", map[string]string{
			"proc/self/cgroup": "4:cpu,cpuacct:/docker/7/x", "proc/self/mountinfo": mount1,
			"sys/fs/cgroup/cpu/x/cpu.cfs_quota_us": "300000", "sys/fs/cgroup/cpu/x/cpu.cfs_period_us": "100000"}, 3},
		{"group not shown by the mount", map[string]string{
			"proc/self/cgroup": "4:cpu,cpuacct:/docker/77", "proc/self/mountinfo": mount1,
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "300000", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"}, 0},
		{"group above the namespace", map[string]string{
			"proc/self/cgroup": "0::/../../x", "proc/self/mountinfo": mount2, "sys/fs/cgroup/x/cpu.max": "100000 100000"}, 1},
		{"malformed", map[string]string{"proc/self/cgroup": "0:", "proc/self/mountinfo": "a - b\n - \n1 2 3 4 5 - cgroup2"}, 0},
	} {
		var e machine.Env
		machine.DescribeLinux(&e, tree(1, c.files))
		if e.Quota != c.want {
			t.Errorf("%s: Quota = %v, want %v", c.name, e.Quota, c.want)
		}
	}
}
