package local

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
func plainEvents(output []byte, procs int) []probe.Event {
	suffix := ""
	if procs != 1 {
		suffix = fmt.Sprintf("-%d", procs)
	}
	var events []probe.Event
	for line := range bytes.Lines(output) {
		line = bytes.TrimRight(line, "\r\n")
		if m := plainClosed.FindSubmatch(line); m != nil {
			kind := probe.Fail
			if string(m[1]) == "SKIP" {
				kind = probe.Skip
			}
			events = append(events, probe.Event{Kind: kind, Name: strings.TrimSuffix(string(m[2]), suffix)})
		} else if bytes.HasSuffix(line, []byte("PASS")) {
			events = append(events, probe.Event{Kind: probe.End})
		} else if plainBegin.Match(line) {
			events = append(events, probe.Event{Kind: probe.Begin, Name: string(line)})
		} else if r := plainResult.Find(line); r != nil {
			if e, ok := plainEvent(r, suffix, procs); ok {
				events = append(events, e)
			}
		}
	}
	return events
}

// plainEvent reads one line of results. Figures per operation become totals,
// as the probe tells them.
func plainEvent(line []byte, suffix string, procs int) (probe.Event, bool) {
	r := benchfmt.NewReader(bytes.NewReader(append(bytes.Clone(line), '\n')), "")
	if !r.Scan() {
		return probe.Event{}, false
	}
	b, ok := r.Result().(*benchfmt.Result)
	if !ok {
		return probe.Event{}, false
	}
	e := probe.Event{
		Kind: probe.Result, Name: "Benchmark" + strings.TrimSuffix(string(b.Name.Full()), suffix),
		Value: map[string]int64{"n": int64(b.Iters), "procs": int64(procs)},
	}
	for _, v := range b.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" { // benchfmt tidies ns/op to sec/op
			value, unit = v.OrigValue, v.OrigUnit
		}
		total := int64(math.Round(value * float64(b.Iters)))
		switch unit {
		case "ns/op":
			e.Value["ns"] = total
		case "B/op":
			e.Value["bytes"] = total
		case "allocs/op":
			e.Value["allocs"] = total
		case "MB/s":
		default:
			if e.Extra == nil {
				e.Extra = map[string]float64{}
			}
			e.Extra[unit] = value
		}
	}
	return e, true
}
