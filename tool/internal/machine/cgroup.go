package machine

import (
	"path"
	"strconv"
	"strings"
)

// cgroupQuota returns the tightest limit on processor time, in processors,
// that the control groups of this process set; 0 if none does. The runtime
// reads only the group of the process itself; a limit of a parent binds as
// well, so this walks up to the mount point.
func cgroupQuota(read func(string) []byte) float64 {
	v1, v2 := parseCgroup(read("proc/self/cgroup"))
	var tightest float64
	for _, m := range parseCgroupMounts(read("proc/self/mountinfo")) {
		group := v1
		if m.v2 {
			group = v2
		}
		if group == "" {
			continue
		}
		for _, dir := range m.dirs(group) {
			var cores float64
			if m.v2 {
				cores = parseCPUMax(read(dir + "/cpu.max"))
			} else {
				cores = parseCFS(read(dir+"/cpu.cfs_quota_us"), read(dir+"/cpu.cfs_period_us"))
			}
			if cores > 0 && (tightest == 0 || cores < tightest) {
				tightest = cores
			}
		}
	}
	return tightest
}

// A cgroupMount is a place where the groups under root are files.
type cgroupMount struct {
	root, point string
	v2          bool
}

// dirs returns the directories of group and of its parents up to the mount
// point, as names in a file system: without the leading slash.
func (m cgroupMount) dirs(group string) []string {
	rel := path.Clean("/" + group)
	if m.root != "/" {
		cut, ok := strings.CutPrefix(rel, m.root)
		if !ok || cut != "" && cut[0] != '/' {
			return nil // this mount does not show the group
		}
		rel = path.Clean("/" + cut)
	}
	point := strings.TrimPrefix(path.Clean("/"+m.point), "/")
	var dirs []string
	for {
		dirs = append(dirs, path.Join(point, rel))
		if rel == "/" {
			return dirs
		}
		rel = path.Dir(rel)
	}
}

// parseCgroup returns the paths that /proc/self/cgroup gives for the cpu
// controller of version 1 and for version 2, "" where there is none.
func parseCgroup(b []byte) (v1, v2 string) {
	for line := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(f) != 3 || f[2] == "" {
			continue
		}
		if f[0] == "0" && f[1] == "" {
			v2 = f[2]
		}
		for c := range strings.SplitSeq(f[1], ",") {
			if c == "cpu" {
				v1 = f[2]
			}
		}
	}
	return v1, v2
}

// parseCgroupMounts returns the mounts in /proc/self/mountinfo that can hold a
// limit on processor time.
func parseCgroupMounts(b []byte) []cgroupMount {
	var mounts []cgroupMount
	for line := range strings.Lines(string(b)) {
		// 32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
		head, tail, ok := strings.Cut(line, " - ")
		h, t := strings.Fields(head), strings.Fields(tail)
		if !ok || len(h) < 5 || len(t) < 3 {
			continue
		}
		m := cgroupMount{root: unescape(h[3]), point: unescape(h[4]), v2: t[0] == "cgroup2"}
		if m.v2 || t[0] == "cgroup" && strings.Contains(","+t[2]+",", ",cpu,") {
			mounts = append(mounts, m)
		}
	}
	return mounts
}

// unescape replaces the octal escapes (`\040` for a space) of mountinfo.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// parseCPUMax reads cpu.max of version 2: "150000 100000" is 1.5 processors,
// "max 100000" is no limit, for which it returns 0, as for anything malformed.
func parseCPUMax(b []byte) float64 {
	f := strings.Fields(string(b))
	if len(f) != 2 {
		return 0
	}
	return parseCFS([]byte(f[0]), []byte(f[1]))
}

// parseCFS reads the quota and the period of version 1, in microseconds.
// It returns 0 for no limit (-1) and for anything malformed.
func parseCFS(quota, period []byte) float64 {
	q, err := strconv.ParseInt(strings.TrimSpace(string(quota)), 10, 64)
	p, err2 := strconv.ParseInt(strings.TrimSpace(string(period)), 10, 64)
	if err != nil || err2 != nil || q <= 0 || p <= 0 {
		return 0
	}
	return float64(q) / float64(p)
}
