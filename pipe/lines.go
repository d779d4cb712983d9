package pipe

import (
	"bufio"
	"bytes"
	"io"
)

// Lines is a pipe of the lines that are read from r, without their ends, "\n" or "\r\n".
// The last one need not have an end. An error of r other than [io.EOF] ends the run,
// after the lines before it, with an [*Error].
//
// Lines reads ahead, and what was read stays in the pipe: another run goes on there, but
// loses the lines that the one before had begun to work on. A run that waits for r does
// not see that its context is done. Lines panics if r is nil.
func Lines(r io.Reader) Pipe[string] {
	if r == nil {
		panic("pipe.Lines: r is nil")
	}
	return Pipe[string]{desc{from: &lines{r: bufio.NewReaderSize(r, lineBuffer)}}}
}

const lineBuffer = 64 << 10

type lines struct {
	r   *bufio.Reader
	err error
}

func (f *lines) title() string       { return "Lines" }
func (f *lines) drive(s *segment)    { s.pull(f); f.failed(s) }
func (f *lines) left(*segment) int   { return 0 }
func (f *lines) whole() bool         { return false }
func (f *lines) full() bool          { return false }
func (f *lines) waits(*segment) bool { return false }

// failed ends the run where reading has failed.
func (f *lines) failed(s *segment) {
	if f.err != nil && f.err != io.EOF && !s.r.over && s.r.drain(s) {
		s.r.ended(&ending{err: &Error{s.title(), s.taken, nil, f.err}})
	}
}

func (f *lines) take(s *segment, b *batch, n int, w *waiting) (int, bool) {
	in := as[string](b.in)
	b.in = in
	items := in.grown(n)
	k := 0
	for k < n {
		buf, _ := f.r.Peek(f.r.Buffered())
		if end := bytes.IndexByte(buf, '\n'); end >= 0 {
			items[k] = line(buf[:end])
			k++
			f.r.Discard(end + 1)
			continue
		}
		if k > 0 || w == nil || f.err != nil {
			break
		}
		// The line is longer than what is there.
		var text []byte
		if text, f.err = f.r.ReadBytes('\n'); f.err == nil {
			text = text[:len(text)-1]
		} else if len(text) == 0 {
			break
		}
		items[k] = line(text)
		k++
		break
	}
	in.items, in.at = items[:k], nil
	return k, k == 0 && f.err != nil
}

func line(text []byte) string {
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	return string(text)
}
