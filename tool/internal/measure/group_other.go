//go:build !unix

package measure

import "os/exec"

func group(*exec.Cmd) {}

func quit(cmd *exec.Cmd) { cmd.Process.Kill() }

func kill(cmd *exec.Cmd) { cmd.Process.Kill() }

func endGroup(*exec.Cmd) bool { return false }
