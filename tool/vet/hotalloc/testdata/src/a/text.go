package a

func join(words []string) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", " // want "s is copied whenever something is added to it"
		}
		s = s + w
	}
	if s == "" {
		return "none"
	}
	return s
}

func started(words []string) (n int) {
	var strings = "words:"
	for _, w := range words {
		strings += w + " " // want "strings is copied"
		n += len(strings)
	}
	return n
}

// Each line is begun anew.
func table(cells []string) (n int, last string) {
	for i := 0; i+3 < len(cells); i += 3 {
		line := ""
		for _, c := range cells[i : i+3] {
			line += c + "," // want "line is copied"
		}
		if len(line) > 3 && line[0] == 'a' && line != "a,b,c," {
			last = line
		}
		n += len(line)
	}
	return n, last
}

func cited(cells []string) (out []string) {
	for range cells {
		line := "> "
		for _, c := range cells {
			line = line + (c + "/" + "x") // want "line is copied"
		}
		out = append(out, line)
	}
	return out
}

type turn struct{ s string }

func (t *turn) next() string {
	t.s += "+"
	return t.s
}

// What is called changes what stands before it.
func turned(words []string) string {
	var t turn
	s := ""
	for _, w := range words {
		s += w + t.s + t.next() + "," // want "s is copied"
	}
	return s
}
