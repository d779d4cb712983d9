package catalog

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rooms are the library's packages that a cure may name, with the names in
// them that are settled; a package without names is named as a whole.
var rooms = map[string][]string{
	"par":     {"New", "Do", "For", "ForEach", "Map", "Reduce", "Filter", "Scan", "Find", "Tiles", "Sort", "SortFunc", "SortStableFunc"},
	"queue":   {"SPSC", "MPSC", "MPMC"},
	"pipe":    nil,
	"pool":    nil,
	"snapmap": nil,
	"topic":   nil,
	"counter": {"Int", "Local"},
	"recycle": {"Pool", "PoolFunc", "Slices", "FreeList"},
}

// imports are the packages that Before and After use, by name.
var imports = map[string]string{
	"atomic": "sync/atomic", "binary": "encoding/binary", "bufio": "bufio", "bytes": "bytes", "cmp": "cmp", "crc32": "hash/crc32", "debug": "runtime/debug", "fmt": "fmt", "io": "io", "json": "encoding/json",
	"maphash": "hash/maphash", "maps": "maps", "math": "math", "metrics": "runtime/metrics", "net": "net", "os": "os", "runtime": "runtime", "slices": "slices",
	"sort": "sort", "strconv": "strconv", "strings": "strings", "sync": "sync", "time": "time", "utf8": "unicode/utf8",
}

// Every field of every cause says something, in the form its reader relies on.
func TestComplete(t *testing.T) {
	slug := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]string{}
	for _, c := range All() {
		v := reflect.ValueOf(c)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Field(i).Len() == 0 {
				t.Errorf("%s: %s is empty", c.Slug, name)
			}
			if list, ok := v.Field(i).Interface().([]string); ok {
				for _, s := range list {
					if s != strings.TrimSpace(s) || s == "" || strings.Contains(s, "\n") || strings.HasSuffix(s, ".") {
						t.Errorf("%s: %s has %q, want one line without full stop", c.Slug, name, s)
					}
				}
			}
		}
		if !slug.MatchString(c.Slug) {
			t.Errorf("slug %q, want lower-case letters", c.Slug)
		}
		if !slices.Contains(parts, c.Part) {
			t.Errorf("%s: part %q, want one of %q", c.Slug, c.Part, parts)
		}
		if _, err := os.Stat(c.Slug + ".go"); err != nil {
			t.Errorf("%s: not in a file of its name: %v", c.Slug, err)
		}
		for _, s := range []string{c.Slug, c.Title, c.Do} {
			if of, ok := seen[s]; ok && of != c.Slug {
				t.Errorf("%s and %s both say %q", of, c.Slug, s)
			}
			seen[s] = c.Slug
		}
		for _, s := range []string{c.Title, c.Do} {
			if strings.HasSuffix(s, ".") || strings.Contains(s, "\n") || !(s[0] >= 'A' && s[0] <= 'Z') {
				t.Errorf("%s: %q, want one line with a capital and without full stop", c.Slug, s)
			}
		}
		if len(c.Title) > 50 || len(c.Do) > 90 {
			t.Errorf("%s: title of %d and advice of %d letters, want at most 50 and 90", c.Slug, len(c.Title), len(c.Do))
		}
		for _, s := range []string{c.What, c.Looks, c.Wrong} {
			if !strings.HasSuffix(s, ".") || strings.Contains(s, "\n") || strings.Contains(s, "  ") {
				t.Errorf("%s: want a paragraph in one line that ends in a full stop: %q", c.Slug, s)
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		base := strings.TrimSuffix(f, ".go")
		if _, ok := Find(base); !ok && base != "catalog" && base != "near" && !strings.HasSuffix(base, "_test") {
			t.Errorf("%s: no cause of this name in the catalogue", f)
		}
	}
}

// Figures live in record/ and in what is measured on the reader's machine.
func TestNoFigures(t *testing.T) {
	figure := regexp.MustCompile(`\d(\.\d+)?\s?(ns|us|µs|ms|s|x|×|%|percent|times|[kKMG]i?B)\b`)
	for _, c := range All() {
		for _, s := range slices.Concat([]string{c.Title, c.What, c.Looks, c.Do, c.Wrong}, c.Evidence) {
			if m := figure.FindString(s); m != "" && !strings.Contains(s, "record/") {
				t.Errorf("%s: %q is a figure without a record: %q", c.Slug, m, s)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, want := range All() {
		if c, ok := Find(want.Slug); !ok || c.Title != want.Title {
			t.Errorf("Find(%q) = %q, %t, want %q, true", want.Slug, c.Title, ok, want.Title)
		}
	}
	for _, slug := range []string{"", "Lock", "none"} {
		if c, ok := Find(slug); ok {
			t.Errorf("Find(%q) = %q, true, want false", slug, c.Slug)
		}
	}
}

func TestAllIsTheCallers(t *testing.T) {
	all := All()
	all[0].Slug = "changed"
	if All()[0].Slug == "changed" {
		t.Error("a change of what All returned is in the catalogue")
	}
}

func TestNear(t *testing.T) {
	for slug, want := range map[string]string{
		"fasleshare": "falseshare", "false-share": "falseshare", "falsesharing": "falseshare", "FalseShare": "falseshare",
		"lokc": "lock", "locks": "lock", "rwlock": "lock", "mutex": "rwmutex", "hand off": "handoff", "grian": "grain",
		"json": "reflection", "amdahl": "serial", "gc": "alloc", "garbage": "alloc", "rw": "rmw", "wait": "waiting", "syscall": "syscalls",
		"sort": "interfacesort", "bandwith": "bandwidth",
	} {
		if got := Near(slug); len(got) == 0 || len(got) > 3 || !slices.Contains(got, want) {
			t.Errorf("Near(%q) = %q, want at most three with %s", slug, got, want)
		}
	}
	for _, slug := range []string{"", " ", "-", "x", "quaternion", strings.Repeat("z", 1000)} {
		if got := Near(slug); len(got) > 0 {
			t.Errorf("Near(%q) = %q, want none", slug, got)
		}
	}
	for _, c := range All() {
		if got := Near(c.Slug); len(got) == 0 || got[0] != c.Slug {
			t.Errorf("Near(%q) = %q, want it first", c.Slug, got)
		}
	}
}

// The sources are addresses or papers with their year.
func TestSee(t *testing.T) {
	ok := regexp.MustCompile(`^https://[^ ]+( \([^()]+\))?$|^[A-Z].+, .+ (19|20)\d\d$`)
	for _, c := range All() {
		for _, s := range c.See {
			if !ok.MatchString(s) {
				t.Errorf("%s: %q, want an https address, or authors, title, venue and year", c.Slug, s)
			}
		}
	}
}

// Before and After are formatted, type-check together, and need the standard
// library alone. No name is declared twice in the whole catalogue, which lets
// TestSameBehaviour put all of it into one package.
func TestCode(t *testing.T) {
	imp := stdImporter(t)
	owner := map[string]string{}
	for _, c := range All() {
		file, err := goFile(c)
		if err != nil {
			t.Errorf("%s: %v", c.Slug, err)
			continue
		}
		for what, code := range map[string]string{"Before": c.Before, "After": c.After} {
			if formatted, err := format.Source([]byte("package p\n\n" + code)); err != nil || string(formatted) != "package p\n\n"+code {
				t.Errorf("%s: %s is not as gofmt has it (%v)", c.Slug, what, err)
			}
			for line := range strings.Lines(code) {
				if n := len(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")); n > 92 {
					t.Errorf("%s: %s has a line of %d columns, want at most 92: %q", c.Slug, what, n, line)
				}
			}
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, c.Slug+".go", file, 0)
		if err != nil {
			t.Errorf("%s: %v", c.Slug, err)
			continue
		}
		conf := types.Config{Importer: imp, GoVersion: "go1.26"}
		pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
		if err != nil {
			t.Errorf("%s: %v", c.Slug, err)
			continue
		}
		for _, name := range pkg.Scope().Names() {
			if of, ok := owner[name]; ok {
				t.Errorf("%s and %s both declare %s", of, c.Slug, name)
			}
			owner[name] = c.Slug
		}
	}
}

// A cure is a package of the library, a settled name in one, or what the
// standard library has under that name.
func TestCures(t *testing.T) {
	imp := stdImporter(t)
	for _, c := range All() {
		for _, cure := range c.Cures {
			base := path.Base(cure)
			name, dot := "", strings.LastIndexByte(base, '.')
			pkg := cure
			if dot >= 0 {
				name, pkg = base[dot+1:], strings.TrimSuffix(cure, base[dot:])
			}
			if names, ok := rooms[pkg]; ok {
				if name != "" && !slices.Contains(names, name) {
					t.Errorf("%s: cure %s: %s has no settled name %s (has %v)", c.Slug, cure, pkg, name, names)
				}
				continue
			}
			std, err := imp.Import(pkg)
			if err != nil {
				t.Errorf("%s: cure %s: neither a package of the library (%v) nor of std: %v", c.Slug, cure, slices.Sorted(maps.Keys(rooms)), err)
				continue
			}
			if name != "" && (!token.IsExported(name) || std.Scope().Lookup(name) == nil) {
				t.Errorf("%s: cure %s: package %s has no %s", c.Slug, cure, pkg, name)
			}
		}
	}
}

// TestSameBehaviour: After does what Before does. The code of the whole
// catalogue becomes one package, which testdata/same_test.go then tests and go
// vet looks through.
func TestSameBehaviour(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds and tests a package")
	}
	goCommand(t)
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module example.com/p\n\ngo 1.26\n"))
	for _, c := range All() {
		file, err := goFile(c)
		if err != nil {
			t.Fatalf("%s: %v", c.Slug, err)
		}
		write("cause_"+c.Slug+".go", file) // bare, sync_linux.go and its like would be for one system
	}
	same, err := os.ReadFile(filepath.Join("testdata", "same_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	write("same_test.go", same)
	for _, args := range [][]string{{"vet", "."}, {"test", "-cpu=1,2", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, c := range All() {
		if !bytes.Contains(same, []byte("func Test"+strings.ToUpper(c.Slug[:1])+c.Slug[1:]+"(")) {
			t.Errorf("%s: testdata/same_test.go has no test of it", c.Slug)
		}
	}
}

// goFile returns a file of package p with Before, After and the imports they
// need.
func goFile(c Cause) ([]byte, error) {
	body := c.Before + "\n" + c.After
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n\n"+body, 0)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, id := range f.Unresolved {
		if p, ok := imports[id.Name]; ok {
			used[p] = true
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package p\n\nimport (\n")
	for _, p := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	fmt.Fprintf(&b, ")\n\n%s", body)
	return b.Bytes(), nil
}

// goCommand skips the test where there is no go command.
func goCommand(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("no go command: %v", err)
	}
}

// stdImporter reads the standard library as the go command has compiled it.
func stdImporter(t *testing.T) types.Importer {
	goCommand(t)
	return importer.Default()
}
