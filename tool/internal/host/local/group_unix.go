//go:build unix

package local

import (
	"os/exec"
	"syscall"
)

// A group is a process with all that it starts.
type group struct{ cmd *exec.Cmd }

// start starts cmd in a group of its own, so that it ends with all its
// children and a Ctrl-C reaches payoff alone. The caller's thread must live as
// long as the process.
func start(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	return &group{cmd}, cmd.Start()
}

// quit makes a Go program print its goroutines and end.
func (g *group) quit() { syscall.Kill(g.cmd.Process.Pid, syscall.SIGQUIT) }

func (g *group) kill() { syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// end ends what the finished process left running and reports whether there
// was anything.
func (g *group) end() bool { return syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) == nil }
