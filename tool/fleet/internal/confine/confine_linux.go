package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func as(cmd *exec.Cmd, user *User) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if user != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user.UID, Gid: user.GID}
	}
}

// adopt makes this process the parent of what its children leave.
func adopt() error {
	// The thread that started this process, in its parent, may have ended since.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

func enter(s state) error {
	// What follows holds for a thread, and after Exec for the process.
	runtime.LockOSThread()
	limit := func(what int, n int64) error {
		if n <= 0 {
			return nil
		}
		return syscall.Setrlimit(what, &syscall.Rlimit{Cur: uint64(n), Max: uint64(n)})
	}
	err := errors.Join(limit(unix.RLIMIT_DATA, s.Limits.Memory), limit(unix.RLIMIT_NPROC, int64(s.Limits.Processes)), limit(unix.RLIMIT_FSIZE, s.Limits.File),
		syscall.Setrlimit(unix.RLIMIT_CORE, &syscall.Rlimit{}))
	if err != nil {
		return fmt.Errorf("set its limits: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if err := writeOnly(s.Dir); err != nil && !errors.Is(err, errNoLandlock) {
		return fmt.Errorf("keep it in its folder: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, []string{self}, os.Environ())
}

// errNoLandlock says that this kernel cannot keep a process from writing.
var errNoLandlock = errors.New("the kernel has no Landlock")

// landlock is the version of it that the kernel has.
func landlock() (version int, err error) {
	v, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0, errNoLandlock
	}
	return int(v), nil
}

// writeOnly lets the process, once it has called Exec, write beneath a folder and to the
// devices that take everything, and nowhere else.
func writeOnly(dir string) error {
	version, err := landlock()
	if err != nil {
		return err
	}
	writes := uint64(unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM)
	if version >= 2 {
		writes |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		writes |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	set := unix.LandlockRulesetAttr{Handled_access_fs: writes}
	fd, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&set)), unsafe.Sizeof(set.Handled_access_fs), 0)
	if e != 0 {
		return fmt.Errorf("landlock: %w", e)
	}
	defer unix.Close(int(fd))
	allow := func(path string, access uint64) error {
		to, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		defer unix.Close(to)
		rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(to)}
		if _, _, e := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, fd, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); e != 0 {
			return fmt.Errorf("%s: landlock: %w", path, e)
		}
		return nil
	}
	if err := errors.Join(allow(dir, writes), allow(os.DevNull, unix.LANDLOCK_ACCESS_FS_WRITE_FILE)); err != nil {
		return err
	}
	if _, _, e := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); e != 0 {
		return fmt.Errorf("landlock: %w", e)
	}
	return nil
}

// Lacks says what a job is not kept from here.
func Lacks(user *User) (lacks []string) {
	if _, err := landlock(); err != nil {
		lacks = append(lacks, "a job can write outside of its folder, where its user can: the kernel has no Landlock")
	}
	if user == nil && os.Geteuid() == 0 {
		lacks = append(lacks, "jobs run as root, and so without a limit of processes: -user names another")
	}
	return lacks
}

// children are the processes of the machine by parent; those that have ended and are
// not waited for are in dead.
func children() (of map[int][]int, dead map[int]bool) {
	of, dead = map[int][]int{}, map[int]bool{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue
		}
		// The name, in brackets, may hold anything.
		i := strings.LastIndexByte(string(stat), ')')
		f := strings.Fields(string(stat[i+1:]))
		if i < 0 || len(f) < 2 {
			continue
		}
		parent, _ := strconv.Atoi(f[1])
		of[parent] = append(of[parent], pid)
		dead[pid] = f[0] == "Z" || f[0] == "X"
	}
	return of, dead
}

// descendants are the live processes that this one, or what it started, has started.
func descendants() (live []int) {
	of, dead := children()
	next := []int{os.Getpid()}
	for len(next) > 0 {
		pid := next[0]
		next = next[1:]
		for _, c := range of[pid] {
			if dead[c] {
				if pid == os.Getpid() {
					syscall.Wait4(c, nil, syscall.WNOHANG, nil)
				}
			} else {
				live = append(live, c)
			}
			next = append(next, c)
		}
	}
	return live
}

// Sweep ends all that descends from this process, and returns how many processes that
// were, and whether some are left. They are stopped first, until no new one appears: what
// forks faster than it is ended would outlive it.
func Sweep() (ended int, left bool) {
	seen := map[int]bool{}
	for range 1000 {
		live := descendants()
		if len(live) == 0 {
			return len(seen), false
		}
		fresh := false
		for _, pid := range live {
			if !seen[pid] {
				seen[pid], fresh = true, true
				syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
		if fresh {
			continue
		}
		for _, pid := range live {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond) // until they are gone
	}
	return len(seen), true
}

// Evict ends the processes whose program or whose folder lies beneath dir: those of an
// agent that was killed.
func Evict(dir string) (ended int) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return 0
	}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		within := slices.ContainsFunc([]string{"exe", "cwd"}, func(link string) bool {
			to, err := os.Readlink(filepath.Join("/proc", e.Name(), link))
			return err == nil && strings.HasPrefix(to, dir+"/")
		})
		if within && syscall.Kill(pid, syscall.SIGKILL) == nil {
			ended++
		}
	}
	return ended
}
