//go:build unix && !linux && !freebsd

package local

import "syscall"

func endWithParent(*syscall.SysProcAttr) {}
