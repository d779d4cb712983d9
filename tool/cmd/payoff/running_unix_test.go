//go:build unix

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// running reports whether the process exists and has not ended: one that
// nobody waited for is a zombie.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
