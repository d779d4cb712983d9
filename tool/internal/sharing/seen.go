package sharing

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Seen is what a watched binary saw.
//
// A return is an access of a goroutine to a line that it used before, where
// another goroutine used that line in between, and one of them wrote: the line
// had to come back. A plain access after a wait, to bytes that the others used,
// is none: they were handed over.
type Seen struct {
	Writes   int // sampled
	Reads    int `json:",omitempty"` // sampled
	Switches int // accesses that followed one of another goroutine
	Lines    int // distinct lines among them, at most 65536
	// False counts the returns after which the goroutine used no bytes that others
	// had taken, True those after which it did: see recorder.comesBack.
	False, True int
	// Locks is how many mutexes are in use, those that are used less counting
	// less: see recorder.mutexes. Records of before have 0.
	Locks int    `json:",omitempty"`
	Pairs []Pair // most first, at most 16
}

// A Pair is two sites that met on a line: the goroutine at one came back to it
// after another was there at the other. They may be the same site.
type Pair struct {
	A, B  Site
	Kind  string // "false" or "true"
	Count int    // returns
}

const (
	// minReturns are too many to be chance: set-up and hand-over make a few.
	minReturns = 16
	// A line that comes from another core costs about a hundred plain accesses,
	// so one return in a hundred doubles their cost. It is counted in
	// switches: where the system lets two threads take turns on one processor,
	// accesses of one follow each other by the thousand, and a line can come
	// back only at a switch.
	switchesPerReturn = 100
	// Less than one in two thousand accesses is not what makes them slow,
	// whoever takes turns.
	accessesPerReturn = 2000
)

// Verdict says which sharing prevails among the returns, "false" or "true",
// and the part of them that it has; or "none" and 0 where lines hardly come
// back at all. Padding can cure at most the false ones. Believe "none" only if
// [Seen.AtOnce].
func (s *Seen) Verdict() (kind string, share float64) {
	returns := s.False + s.True
	switch {
	case returns < minReturns || returns < s.Switches/switchesPerReturn || returns < (s.Writes+s.Reads)/accessesPerReturn:
		return "none", 0
	case s.False > s.True:
		return "false", float64(s.False) / float64(returns)
	}
	return "true", float64(s.True) / float64(returns)
}

// AtOnce reports whether goroutines ran at once often enough for sharing to
// show, which makes nearly every switch a return. If not, the machine was busy
// or the code is serial: run the watched binary again.
func (s *Seen) AtOnce() bool {
	return s.Switches >= 10*max(minReturns, (s.Writes+s.Reads)/accessesPerReturn)
}

// Parse reads the file that a watched binary wrote. A file without its end is
// an error, and so is an empty one.
func Parse(data []byte) (*Seen, error) {
	text, ok := strings.CutPrefix(string(data), recordHead)
	if !ok {
		return nil, errors.New("sharing: not the summary of a watched binary: want " + strconv.Quote(recordHead) + " first")
	}
	text, ok = strings.CutSuffix(text, recordEnd)
	if !ok || bytes.Count(data, []byte(recordEnd)) != 1 {
		return nil, errors.New("sharing: the summary has no end: run the watched binary again")
	}
	s := &Seen{}
	numbers := []struct {
		key string
		to  *int
	}{{"writes", &s.Writes}, {"reads", &s.Reads}, {"switches", &s.Switches}, {"lines", &s.Lines}, {"false", &s.False}, {"true", &s.True}, {"locks", &s.Locks}}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fields := strings.Split(line, "\t")
		var err error
		switch {
		case i < len(numbers):
			if len(fields) != 2 || fields[0] != numbers[i].key {
				err = fmt.Errorf("want %s and its count", numbers[i].key)
				break
			}
			*numbers[i].to, err = count(fields[1])
		default:
			var p Pair
			if p, err = parsePair(fields); err == nil {
				s.Pairs = append(s.Pairs, p)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("sharing: line %q: %w", line, err)
		}
	}
	if n := strings.Count(text, "\n"); n < len(numbers) {
		return nil, fmt.Errorf("sharing: the summary has %d lines, want at least %d", n, len(numbers))
	}
	return s, nil
}

// parsePair reads pair, kind, count, and expression, file, line, column and
// way of access of each site.
func parsePair(fields []string) (Pair, error) {
	if len(fields) != 13 || fields[0] != "pair" || fields[1] != "false" && fields[1] != "true" {
		return Pair{}, errors.New("want a pair, its kind, count and two sites")
	}
	n, err := count(fields[2])
	if err != nil {
		return Pair{}, err
	}
	p := Pair{Kind: fields[1], Count: n}
	for i, site := range []*Site{&p.A, &p.B} {
		f := fields[3+5*i:]
		if site.Expr, err = strconv.Unquote(f[0]); err != nil {
			return Pair{}, fmt.Errorf("expression %s: %w", f[0], err)
		}
		if site.File, err = strconv.Unquote(f[1]); err != nil {
			return Pair{}, fmt.Errorf("file %s: %w", f[1], err)
		}
		if site.Line, err = count(f[2]); err != nil {
			return Pair{}, err
		}
		if site.Column, err = count(f[3]); err != nil {
			return Pair{}, err
		}
		site.Read, site.Lock = f[4] == "read", f[4] == "lock"
		if !site.Read && !site.Lock && f[4] != "write" {
			return Pair{}, fmt.Errorf("access %s: want read, write or lock", f[4])
		}
	}
	return p, nil
}

func count(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err == nil && n < 0 {
		err = fmt.Errorf("%s is negative", s)
	}
	return n, err
}
