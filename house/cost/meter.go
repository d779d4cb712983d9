package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

const meterVerb = "-meter"

// A reading is what the tests of one package took.
type reading struct {
	Dir       string
	CPU, Wall float64 // seconds
}

// meter runs a test binary, as go test -exec asks for, and adds a reading to
// the log. It returns the exit code of the binary.
func meter(log string, command []string) int {
	// The test gets an interrupt too, and ends. To ignore it here would have the
	// test inherit that.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	from := time.Now()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	ran := cmd.Run()
	dir, err := os.Getwd()
	if err == nil {
		err = appendReading(log, reading{dir, childrenCPU(), time.Since(from).Seconds()})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		return 2
	}
	var exit *exec.ExitError
	switch {
	case ran == nil:
		return 0
	case errors.As(ran, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintln(os.Stderr, "cost:", ran)
	return 2
}

func appendReading(log string, r reading) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n')) // one write: meters run at once
	return errors.Join(err, f.Close())
}

func readings(log string) (all []reading, err error) {
	f, err := os.Open(log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("no test binary ran")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var r reading
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
