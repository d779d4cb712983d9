package source

import "strings"

// standard are the first elements of the import paths of the standard library,
// of every release since Go 1.22. "No dot in it" would not do: a module may be
// called example/foo, or aa.
var standard = set(`archive arena bufio builtin bytes cmp compress container
	context crypto database debug embed encoding errors expvar flag fmt go hash
	html image index internal io iter log maps math mime net os path plugin
	reflect regexp runtime simd slices sort strconv strings structs sync syscall
	testing text time unicode unique unsafe uuid vendor weak`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Standard reports whether an import path, or a file's path below GOROOT/src, is
// one of the standard library's by its first element.
func Standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return standard[first]
}
