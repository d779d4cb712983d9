//go:build unix

package measure

import (
	"os/exec"
	"syscall"
)

// group gives the process a group of its own, so that it ends with all its
// children and a Ctrl-C reaches payoff alone.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func quit(cmd *exec.Cmd) { syscall.Kill(cmd.Process.Pid, syscall.SIGQUIT) }

func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// endGroup ends what a finished process left running and reports whether
// there was anything.
func endGroup(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil }
