package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// A figure is what one process of go test said of a benchmark.
type figure struct {
	Bench string  `json:"bench"`
	Procs int     `json:"procs"`
	Round int     `json:"round"`
	NS    float64 `json:"ns"`
}

// result matches a line of a benchmark: its name, with -N where GOMAXPROCS is not 1.
var result = regexp.MustCompile(`(?m)^(Benchmark\S*)\s+\d+\s+([0-9.e+]+) ns/op`)

// byHand measures the benchmarks in turns: a process for each function at each
// GOMAXPROCS in each round.
func (o *options) byHand(ctx context.Context, s stranger, dir, file string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	binary := file + ".test"
	defer os.Remove(binary)
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	list := exec.CommandContext(ctx, binary, "-test.list", s.Bench)
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		return err
	}
	var all []figure
	for round := range o.hand {
		for _, name := range strings.Fields(string(out)) {
			if !strings.HasPrefix(name, "Benchmark") {
				continue
			}
			for procs := 1; procs <= runtime.NumCPU(); procs *= 2 {
				cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.bench=^"+name+"$", "-test.cpu="+strconv.Itoa(procs))
				cmd.Dir = dir
				out, _ := cmd.Output() // one that fails has no line
				if ctx.Err() != nil {
					return ctx.Err()
				}
				for _, m := range result.FindAllSubmatch(out, -1) {
					ns, err := strconv.ParseFloat(string(m[2]), 64)
					if err != nil {
						return err
					}
					bench := string(m[1])
					if procs > 1 {
						bench = strings.TrimSuffix(bench, "-"+strconv.Itoa(procs))
					}
					all = append(all, figure{bench, procs, round, ns})
				}
			}
		}
	}
	var w bytes.Buffer
	for _, f := range all {
		line, err := json.Marshal(f)
		if err != nil {
			return err
		}
		w.Write(append(line, '\n'))
	}
	return os.WriteFile(file, w.Bytes(), 0o644)
}

// read reads what byHand wrote: figures by benchmark and GOMAXPROCS, one a round.
func read(dir string) (map[string]map[int]float64, error) {
	f, err := os.Open(filepath.Join(dir, "hand.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	by := map[string]map[int]float64{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var x figure
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return nil, err
		}
		key := cell(x.Bench, x.Procs)
		if by[key] == nil {
			by[key] = map[int]float64{}
		}
		by[key][x.Round] = x.NS
	}
	return by, lines.Err()
}

func cell(bench string, procs int) string { return fmt.Sprintf("%s-%d", bench, procs) }
