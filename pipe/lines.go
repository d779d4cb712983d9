package pipe

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// Lines is a pipe of the lines that are read from r, without their ends, "\n" or "\r\n".
// The last one need not have an end. An error of r other than [io.EOF] ends the run,
// after the lines before it, with an [*Error].
//
// Short lines that follow each other are parts of one string of 1 KiB at most. So one
// that is kept keeps its neighbours: use [strings.Clone] for few of many.
//
// Lines reads ahead, and what it read stays in the pipe. Another run goes on there, but
// loses the lines that the one before had begun to work on. A run that waits for r does
// not see that its context is done. It reads memory and regular files while lines are
// in work, since that does not wait, and other readers while none is. Lines panics if r
// is nil.
func Lines(r io.Reader) Pipe[string] {
	if r == nil {
		panic("pipe.Lines: r is nil")
	}
	return Pipe[string]{desc{from: &lines{r: r}}}
}

const (
	lineBuffer = 64 << 10

	// Lines share a string up to so many bytes of it, and so many for each that is wanted:
	// to make one costs as much as some hundred bytes, and each line keeps all of it.
	lineShare = 1 << 10
	lineEach  = 64
)

type lines struct {
	r      io.Reader
	prompt bool // to read from r does not wait

	buf []byte
	// buf[at:end] was read and has not been taken. There is no '\n' in buf[at:seen], if
	// seen is beyond at.
	at, seen, end int
	err           error // of r; it is not read again
}

func (f *lines) title() string       { return "Lines" }
func (f *lines) left(*segment) int   { return 0 }
func (f *lines) whole() bool         { return false }
func (f *lines) full() bool          { return false }
func (f *lines) waits(*segment) bool { return false }

func (f *lines) drive(s *segment) {
	f.prompt = prompt(f.r)
	s.pull(f)
	f.failed(s)
}

// failed ends the run where reading has failed. Of a run that is over others may still
// read.
func (f *lines) failed(s *segment) {
	if s.wanted() && f.err != nil && f.err != io.EOF && s.r.drain(s) {
		s.r.ended(&ending{err: &Error{s.title(), s.taken, nil, f.err}})
	}
}

func (f *lines) take(s *segment, b *batch, n int, w *waiting) (int, bool) {
	in := as[string](b.in)
	b.in = in
	items := in.grown(n)
	k := f.cut(items)
	for k == 0 && f.err == nil && (w != nil || f.prompt) {
		f.read()
		k = f.cut(items)
	}
	if k == 0 && f.err != nil && f.at < f.end {
		items[0] = trimmed(string(f.buf[f.at:f.end])) // the last one, without an end
		f.at, k = f.end, 1
	}
	in.items, in.at = items[:k], nil
	return k, k == 0 && f.err != nil
}

// cut takes as many lines as there are and as items has room for, and returns how many.
func (f *lines) cut(items []string) (n int) {
	for n < len(items) {
		text := f.buf[f.at:f.end]
		text = text[:min(len(text), lineShare, lineEach*(len(items)-n))]
		last := bytes.LastIndexByte(text, '\n')
		if last < 0 {
			from := max(f.seen, f.at+len(text))
			i := bytes.IndexByte(f.buf[from:f.end], '\n')
			if i < 0 {
				f.seen = f.end
				break
			}
			items[n] = trimmed(string(f.buf[f.at : from+i]))
			n++
			f.at = from + i + 1
			continue
		}
		for shared := string(text[:last+1]); shared != "" && n < len(items); n++ {
			i := strings.IndexByte(shared, '\n')
			items[n] = trimmed(shared[:i])
			shared = shared[i+1:]
			f.at += i + 1
		}
	}
	return n
}

// trimmed returns a line without what is left of its end.
func trimmed(line string) string {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// read reads more into buf, behind what was not taken.
func (f *lines) read() {
	if f.at > 0 {
		f.seen = max(0, f.seen-f.at)
		f.end = copy(f.buf, f.buf[f.at:f.end])
		f.at = 0
	}
	if f.end == len(f.buf) { // of a line that has not ended
		f.buf = append(make([]byte, 0, max(lineBuffer, 2*len(f.buf))), f.buf...)
		f.buf = f.buf[:cap(f.buf)]
	}
	for range 100 {
		n, err := f.r.Read(f.buf[f.end:])
		if n < 0 || n > len(f.buf)-f.end {
			panic("pipe.Lines: r has returned an impossible count")
		}
		f.end += n
		if f.err = err; n > 0 || err != nil {
			return
		}
	}
	f.err = io.ErrNoProgress
}

// prompt reports whether to read from r does not wait.
func prompt(r io.Reader) bool {
	switch r := r.(type) {
	case *bytes.Buffer, *bytes.Reader, *strings.Reader:
		return true
	case *os.File:
		st, err := r.Stat()
		return err == nil && st.Mode().IsRegular()
	}
	return false
}
