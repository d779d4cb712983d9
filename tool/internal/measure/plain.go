package measure

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gopayoff/payoff/tool/internal/probe"
)

var (
	plainBegin  = regexp.MustCompile(`^Benchmark\S*$`)
	plainClosed = regexp.MustCompile(`^\s*--- (FAIL|SKIP): (Benchmark\S*)$`)
	// plainResult also finds a result behind what the benchmark printed
	// without a newline.
	plainResult = regexp.MustCompile(`Benchmark\S*\s+\d+\t.*$`)
)

// plainEvents reads the -test.v output of an unprobed binary.
func plainEvents(output []byte, procs int) []event {
	suffix := ""
	if procs != 1 {
		suffix = fmt.Sprintf("-%d", procs)
	}
	var events []event
	for line := range bytes.Lines(output) {
		line = bytes.TrimRight(line, "\r\n")
		if m := plainClosed.FindSubmatch(line); m != nil {
			kind := probe.Fail
			if string(m[1]) == "SKIP" {
				kind = probe.Skip
			}
			events = append(events, event{kind: kind, name: strings.TrimSuffix(string(m[2]), suffix), delay: -1})
		} else if bytes.HasSuffix(line, []byte("PASS")) {
			events = append(events, event{kind: probe.End, delay: -1})
		} else if plainBegin.Match(line) {
			events = append(events, event{kind: probe.Begin, name: string(line), delay: -1})
		} else if r := plainResult.Find(line); r != nil {
			if e, ok := plainEvent(r, suffix, procs); ok {
				events = append(events, e)
			}
		}
	}
	return events
}

func plainEvent(line []byte, suffix string, procs int) (event, bool) {
	r := benchfmt.NewReader(bytes.NewReader(append(bytes.Clone(line), '\n')), "")
	if !r.Scan() {
		return event{}, false
	}
	b, ok := r.Result().(*benchfmt.Result)
	if !ok {
		return event{}, false
	}
	nan := float32(math.NaN())
	s := Sample{N: int64(b.Iters), CPU: math.NaN(), Goroutines: nan, Allocs: nan, Bytes: nan, Voluntary: nan, Preempted: nan, MutexWait: nan, GC: nan, System: nan, Faults: nan, Live: nan, Child: nan, ActualProcs: int32(procs), Got: 1}
	for _, v := range b.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" { // benchfmt tidies ns/op to sec/op
			value, unit = v.OrigValue, v.OrigUnit
		}
		switch unit {
		case "ns/op":
			s.Wall = value
		case "B/op":
			s.Bytes = float32(value)
		case "allocs/op":
			s.Allocs = float32(value)
		case "MB/s":
		default:
			if s.Extra == nil {
				s.Extra = map[string]float64{}
			}
			s.Extra[unit] = value
		}
	}
	name := "Benchmark" + strings.TrimSuffix(string(b.Name.Full()), suffix)
	return event{probe.Result, name, result{name: name, sample: s, stops: -1}, -1}, true
}
