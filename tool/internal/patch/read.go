package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// An Unfit is a patch that cannot be applied: which hunk of which file, and why.
type Unfit struct {
	File string // as the patch names it; "" for the patch as a whole
	Hunk int    // from 1; 0 for the file as a whole
	At   int    // line of the patch, from 1
	Why  string
	Next string // what to do about it
}

func (e *Unfit) Error() string {
	s := fmt.Sprintf("line %d of the patch", e.At)
	if e.File != "" {
		s = e.File
		if e.Hunk > 0 {
			s += fmt.Sprintf(", hunk %d (line %d of the patch)", e.Hunk, e.At)
		}
	}
	return s + ": " + e.Why + ": " + e.Next
}

// Read applies a patch in the unified format, as git diff and diff -u write it, to
// the files of root that read returns, and returns the changes. It writes nothing.
// A hunk applies where its lines are, moved by what those before it added at most: it
// is not searched for elsewhere. That the patch does not fit is an [*Unfit].
//
// Line ends are those of the file: a patch whose lines end in the other way is
// refused, and so are renames, copies, modes, links and binary files.
func Read(root, text string, read func(name string) (string, error)) (changes []Change, err error) {
	p := &reader{root: root, read: read, lines: strings.SplitAfter(text, "\n")}
	if n := len(p.lines); p.lines[n-1] == "" {
		p.lines = p.lines[:n-1]
	}
	for p.at < len(p.lines) {
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	if len(p.changes) == 0 {
		return nil, &Unfit{At: max(1, len(p.lines)), Why: "it changes no file", Next: "give one in the unified format, as git diff writes it"}
	}
	return p.changes, nil
}

// A reader reads one patch.
type reader struct {
	root    string
	read    func(string) (string, error)
	lines   []string // with their ends
	at      int
	changes []Change
}

// next reads one line outside of hunks, or a file with all its hunks.
func (p *reader) next() error {
	line := strings.TrimRight(p.lines[p.at], "\r\n")
	refuse := func(why, next string) error { return &Unfit{At: p.at + 1, Why: why, Next: next} }
	switch {
	case strings.HasPrefix(line, "rename from "), strings.HasPrefix(line, "copy from "):
		return refuse("it "+strings.Fields(line)[0]+"s a file", "write it by git diff --no-renames")
	case strings.HasPrefix(line, "GIT binary patch"), strings.HasPrefix(line, "Binary files "):
		return refuse("it changes a binary file", "leave that out: it is no source")
	case strings.HasPrefix(line, "old mode "), strings.HasPrefix(line, "new mode "):
		return refuse("it changes the mode of a file", "leave that out: a build does not see it")
	case strings.HasPrefix(line, "new file mode 120000"), strings.HasPrefix(line, "new file mode 160000"):
		return refuse("it makes a link or a submodule", "leave that out")
	case strings.HasPrefix(line, "@@@"):
		return refuse("it is of a merge", "write it by git diff against one commit")
	case strings.HasPrefix(line, "@@ "):
		return refuse("a hunk without the names of its file", "keep the lines --- and +++ before it")
	case strings.HasPrefix(line, "--- ") && p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at+1], "+++ "):
		return p.file()
	}
	p.at++ // heads, words of a mail
	return nil
}

// file reads the names of a file and its hunks.
func (p *reader) file() error {
	head := p.at + 1
	from, err1 := name(p.lines[p.at][len("--- "):])
	to, err2 := name(p.lines[p.at+1][len("+++ "):])
	if err := errors.Join(err1, err2); err != nil {
		return &Unfit{At: head, Why: "the name of a file cannot be read", Next: "write the patch by git diff"}
	}
	if strings.HasPrefix(from, "a/") && strings.HasPrefix(to, "b/") || from == "/dev/null" && strings.HasPrefix(to, "b/") || strings.HasPrefix(from, "a/") && to == "/dev/null" {
		from, to = strings.TrimPrefix(from, "a/"), strings.TrimPrefix(to, "b/")
	}
	c := Change{New: from == "/dev/null", Gone: to == "/dev/null"}
	file := to
	if c.Gone {
		file = from
	}
	unfit := func(why, next string) error { return &Unfit{File: file, At: head, Why: why, Next: next} }
	switch {
	case c.New && c.Gone:
		return unfit("it has no name", "write the patch by git diff")
	case !c.New && !c.Gone && from != to && from != to+".orig":
		return unfit("before, it is "+from, "write the patch by git diff --no-renames")
	case !filepath.IsLocal(filepath.FromSlash(file)):
		return unfit("it is outside of "+p.root, "change files below that folder alone")
	}
	c.File = filepath.Join(p.root, filepath.FromSlash(file))
	for _, x := range p.changes {
		if x.File == c.File {
			return unfit("it is changed twice", "make one patch of both")
		}
	}
	text, err := p.read(c.File)
	switch {
	case c.New && err == nil:
		return unfit("there is one already", "give a patch of the code as it is")
	case !c.New && errors.Is(err, fs.ErrNotExist):
		return unfit("there is no such file", "give a patch for this module, with names from "+p.root)
	case !c.New && err != nil:
		return unfit(err.Error(), "make it readable")
	}
	if !c.New {
		c.Before = text
	}
	p.at += 2
	h := &hunks{reader: p, file: file, old: split(c.Before)}
	for p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], "@@ ") {
		if err := h.next(); err != nil {
			return err
		}
	}
	if h.n == 0 {
		return unfit("it has no hunk", "write the patch anew: it was cut")
	}
	h.out.WriteString(strings.Join(h.old[h.done:], ""))
	c.After = h.out.String()
	if c.Gone && c.After != "" {
		return unfit("it is to go, and lines of it are left", "give a patch of the code as it is")
	}
	if c.Before == c.After && !c.New && !c.Gone {
		return nil
	}
	p.changes = append(p.changes, c)
	return nil
}

// name is the name of a file in a head: up to a tab, and as git quotes it.
func name(s string) (string, error) {
	s = strings.TrimRight(s, "\r\n")
	if strings.HasPrefix(s, `"`) {
		end := strings.LastIndexByte(s, '"')
		return strconv.Unquote(s[:end+1])
	}
	s, _, _ = strings.Cut(s, "\t")
	return s, nil
}

// split cuts a text into lines with their ends.
func split(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}

// hunks applies those of one file.
type hunks struct {
	*reader
	file string
	old  []string // lines of the file, with their ends
	done int      // of them
	n    int      // hunks
	out  strings.Builder
}

// next applies one hunk.
func (h *hunks) next() error {
	h.n++
	head := h.at + 1
	unfit := func(at int, why, next string) error {
		return &Unfit{File: h.file, Hunk: h.n, At: at, Why: why, Next: next}
	}
	const again = "give a patch of the code as it is"
	from, olds, news, ok := ranges(h.lines[h.at])
	if !ok {
		return unfit(head, "its head cannot be read", "write the patch by git diff")
	}
	if olds > 0 {
		from-- // from 0; of none it is the line before
	}
	switch {
	case from < h.done:
		return unfit(head, "it is not below the one before", "write the patch by git diff")
	case from > len(h.old):
		return unfit(head, fmt.Sprintf("the file has %d lines, and the hunk begins at %d", len(h.old), from+1), again)
	}
	h.out.WriteString(strings.Join(h.old[h.done:from], ""))
	h.done = from
	h.at++
	for olds > 0 || news > 0 {
		if h.at == len(h.lines) {
			return unfit(head, "it ends before its last line", "write the patch anew: it was cut")
		}
		line, at := h.lines[h.at], h.at+1
		if strings.TrimRight(line, "\r\n") == "" {
			line = " " + line // a blank that an editor took away
		}
		h.at++
		kind, text := line[0], line[1:]
		if h.at < len(h.lines) && strings.HasPrefix(h.lines[h.at], "\\") { // No newline at end of file
			text = strings.TrimRight(text, "\r\n")
			h.at++
		}
		switch kind {
		case ' ', '-':
			if olds--; olds < 0 {
				return unfit(at, "it has more lines than its head says", "write the patch anew")
			}
			if h.done == len(h.old) {
				return unfit(at, "the file ends before its last line", again)
			}
			if has := h.old[h.done]; has != text {
				if strings.TrimRight(has, "\r\n") == strings.TrimRight(text, "\r\n") {
					return unfit(at, "the lines of the file and of the patch end in different ways (CRLF and LF, or none)", "write the patch by git diff, without changing its line ends")
				}
				return unfit(at, fmt.Sprintf("line %d of the file is %q, and the hunk has %q", h.done+1, strings.TrimRight(has, "\r\n"), strings.TrimRight(text, "\r\n")), again)
			}
			h.done++
			if kind == ' ' {
				news--
				h.out.WriteString(text)
			}
		case '+':
			news--
			h.out.WriteString(text)
		default:
			return unfit(at, "it ends before its last line", "write the patch anew: it was cut")
		}
		if news < 0 {
			return unfit(at, "it has more lines than its head says", "write the patch anew")
		}
	}
	return nil
}

// ranges reads the head of a hunk: @@ -from,olds +to,news @@.
func ranges(line string) (from, olds, news int, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || f[0] != "@@" || f[3] != "@@" || f[1][0] != '-' || f[2][0] != '+' {
		return 0, 0, 0, false
	}
	one := func(s string) (start, n int, ok bool) {
		at, count, many := strings.Cut(s, ",")
		start, err := strconv.Atoi(at)
		n = 1
		if many && err == nil {
			n, err = strconv.Atoi(count)
		}
		return start, n, err == nil && start >= 0 && n >= 0 && (start > 0 || n == 0)
	}
	from, olds, ok1 := one(f[1][1:])
	_, news, ok2 := one(f[2][1:])
	return from, olds, news, ok1 && ok2
}
