//go:build !linux

package confine

import (
	"errors"
	"os/exec"
)

func as(*exec.Cmd, *User) {}

func adopt() error { return nil }

func enter(s state) error {
	return errors.New("an agent needs Linux, which alone keeps a job within limits")
}

// Lacks says what a job is not kept from here.
func Lacks(*User) []string { return []string{"nothing confines a job: only Linux does"} }

// Sweep ends all that descends from this process.
func Sweep() (ended int, left bool) { return 0, false }

// Evict ends the processes whose program or whose folder lies beneath dir.
func Evict(string) (ended int) { return 0 }
