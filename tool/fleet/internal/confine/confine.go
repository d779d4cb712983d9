// Package confine keeps what a job runs within limits, and ends all of it: its memory,
// its processes, the size of its files, and where it writes.
//
// A process confines itself and then runs its own program again, which so holds for
// all of its threads and for all that it starts. Nothing is paid for it later: what is
// measured is measured as it would be without.
package confine

import (
	"encoding/json"
	"os"
	"os/exec"
)

// Limits of what a job runs. Zero is none.
type Limits struct {
	Memory    int64 // bytes that each process may write to
	Processes int   // of the user, threads included; only where that is not root
	File      int64 // bytes of a file
}

// A User is under whom a job runs.
type User struct {
	UID, GID uint32
}

// A state is what a process that is to be confined finds in its environment.
type state struct {
	Dir    string
	Limits Limits
	Inside bool // it is
}

const env = "PAYOFF_FLEET_CONFINED"

// Command is the program self, confined to dir, with nothing of this process's
// environment but the way to programs. There it has to call [Enter] before anything
// else. user may be nil: then it runs as this process does.
func Command(self, dir string, l Limits, user *User) (*exec.Cmd, error) {
	text, err := json.Marshal(state{Dir: dir, Limits: l})
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Dir = dir
	cmd.Env = []string{env + "=" + string(text), "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8"}
	as(cmd, user)
	return cmd, nil
}

// Enter reports whether this process is one of [Command]. If so it is confined now.
func Enter() (dir string, inside bool, err error) {
	text := os.Getenv(env)
	if text == "" {
		return "", false, nil
	}
	var s state
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return "", true, err
	}
	if s.Inside {
		os.Unsetenv(env)
		return s.Dir, true, adopt()
	}
	s.Inside = true
	again, err := json.Marshal(s)
	if err != nil {
		return "", true, err
	}
	if err := os.Setenv(env, string(again)); err != nil {
		return "", true, err
	}
	return s.Dir, true, enter(s)
}
