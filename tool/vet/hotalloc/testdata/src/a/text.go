package a

func join(words []string) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", " // want "s is copied whenever something is added to it"
		}
		s += w
	}
	if s == "" {
		return "none"
	}
	return s
}

func started(words []string) (n int) {
	var strings string
	for _, w := range words {
		strings += w + " " // want "strings is copied"
		n += len(strings)
	}
	return n
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
