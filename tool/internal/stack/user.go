package stack

import (
	"strings"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// IsUser reports whether a function of a file is outside of the standard
// library: what counts as the user's by default.
func IsUser(fn, file string) bool {
	pkg := packageOf(fn)
	if pkg == "" {
		return false // assembly, C, or made by the compiler
	}
	file = strings.ReplaceAll(file, `\`, "/")
	if strings.HasSuffix(file, "_testmain.go") || strings.HasSuffix(file, "_cgo_gotypes.go") {
		return false // written by go test, and by cgo
	}
	if strings.HasSuffix(file, "_test.go") {
		return true
	}
	// Go 1.27 has closures in a package "_": where they were inlined into
	// several packages. Their file is all that tells.
	closure := pkg == "_" || strings.HasPrefix(pkg, "_/")
	if !source.Standard(pkg) && !closure {
		return true
	}
	// A module may be called like a part of the library. Where the file has a
	// full path, that of the library is GOROOT/src/…; not of the same package
	// though, since the runtime implements functions of others (time.Sleep).
	switch full := strings.HasPrefix(file, "/") || strings.Contains(file, ":/"); {
	case full:
		_, below, ok := cutLast(file, "/src/")
		if !ok {
			return true
		}
		file = below
	case !closure:
		return false // -trimpath, or nothing known
	}
	return !source.Standard(file)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// packageOf returns the import path in a function's name, like net/http of
// net/http.(*conn).serve; "" if it has none.
func packageOf(fn string) string {
	if strings.HasPrefix(fn, "type:") || strings.HasPrefix(fn, "type.") || strings.HasPrefix(fn, "go:") {
		return ""
	}
	// Type arguments and receivers hold paths of their own.
	name := fn
	if i := strings.IndexAny(name, "[("); i >= 0 {
		name = name[:i]
	}
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return ""
	}
	return name[:slash+dot]
}

// System reports whether goroutines that start at fn are the runtime's. The one
// that writes a trace is: the program does not run it otherwise.
func System(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") && fn != "runtime.main" || strings.HasPrefix(fn, "runtime/trace.")
}

// Probe reports whether a frame is of what the probe adds to package testing:
// its files are on no disk. Their name tells, since they are payoff's.
func Probe(f source.Place) bool {
	file := f.File[strings.LastIndexAny(f.File, `/\`)+1:]
	return strings.HasPrefix(file, "payoff_") && strings.HasPrefix(f.Func, "testing")
}

// Edited reports whether the user edits a file of the user's: one of a dependency is
// not shown, but the call of it.
func Edited(_, file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	return !strings.Contains(file, "/pkg/mod/") && !strings.Contains(file, "@v") && !strings.Contains(file, "/vendor/")
}

// Common reports whether goroutines start and wait at fn whoever starts them.
func Common(fn string) bool {
	for _, p := range []string{"sync.", "internal/sync.", "testing.", "runtime."} {
		if strings.HasPrefix(fn, p) {
			return true
		}
	}
	return false
}
