package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// progress shows where a run stands: on a terminal one line that is written
// over, elsewhere a plain line every ten seconds at most.
type progress struct {
	w     io.Writer
	tty   *os.File
	last  time.Time
	drawn bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if terminal(w) {
		p.tty = w.(*os.File)
	}
	return p
}

const (
	drawEvery  = 200 * time.Millisecond // seldom enough not to disturb what is measured
	plainEvery = 10 * time.Second
)

// notice writes a line that stays.
func (p *progress) notice(s string) {
	p.done()
	fmt.Fprintln(p.w, "payoff:", plain.Clean(s))
}

func roundLine(m measure.Progress) string {
	s := fmt.Sprintf("%s: round %d", m.Package, m.Round)
	if m.Round <= m.Rounds {
		s += fmt.Sprintf(" of at most %d", m.Rounds)
	}
	s += fmt.Sprintf(", %d of %d decided, at most %v left", m.Decided, m.All, m.Left.Round(time.Second))
	if m.Dropped > 0 {
		s += fmt.Sprintf(", %d samples repeated", m.Dropped)
	}
	return s
}

func (p *progress) draw(s string) {
	s = plain.Clean(s)
	every := plainEvery
	if p.tty != nil {
		every = drawEvery
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	if p.tty == nil {
		fmt.Fprintln(p.w, "payoff:", s)
		return
	}
	if width, _, err := term.GetSize(int(p.tty.Fd())); err == nil && width > 1 {
		s = runewidth.Truncate(s, width-1, "")
	}
	p.drawn = true
	fmt.Fprint(p.w, "\r\x1b[K", s)
}

// done clears the line.
func (p *progress) done() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
