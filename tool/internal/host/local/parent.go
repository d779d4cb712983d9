//go:build linux || freebsd

package local

import "syscall"

// endWithParent lets the system end a process when the thread that started it
// ends, as all threads of a killed process do. What the process started
// itself is not ended by that.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
