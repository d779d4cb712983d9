//go:build !unix && !windows

package local

import "os/exec"

type group struct{ cmd *exec.Cmd }

func start(cmd *exec.Cmd) (*group, error) { return &group{cmd}, cmd.Start() }

func (g *group) quit() { g.kill() }

func (g *group) kill() { g.cmd.Process.Kill() }

func (g *group) end() bool { return false }
