package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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

// byHand measures the benchmarks in turns: a process for each at each GOMAXPROCS in
// each round. A sub-benchmark has one of its own, too: after its siblings it would find
// a heap that they have grown, and bigcache's reads for keys that do not exist take 47 ns
// alone and 66 ns after others.
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
	bench := func(pattern string, procs int, args ...string) (map[string]float64, error) {
		cmd := exec.CommandContext(ctx, binary, append(args, "-test.run=^$", "-test.bench="+pattern, "-test.cpu="+strconv.Itoa(procs))...)
		cmd.Dir = dir
		out, _ := cmd.Output() // one that fails has no line
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return results(out, procs)
	}
	once, err := bench(s.Bench, 1, "-test.benchtime=1x")
	if err != nil {
		return err
	}
	var all []figure
	for round := range o.hand {
		for _, name := range slices.Sorted(maps.Keys(once)) {
			for procs := 1; procs <= runtime.NumCPU(); procs *= 2 {
				by, err := bench(alone(name), procs)
				if err != nil {
					return err
				}
				for name, ns := range by {
					all = append(all, figure{name, procs, round, ns})
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

// results are the times of an operation in the output of a test binary, by benchmark.
func results(out []byte, procs int) (map[string]float64, error) {
	by := map[string]float64{}
	for _, m := range result.FindAllSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			return nil, err
		}
		name := string(m[1])
		if procs > 1 {
			name = strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
		}
		by[name] = ns
	}
	return by, nil
}

// alone is the pattern of one benchmark.
func alone(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
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
