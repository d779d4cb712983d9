package flow

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// trusted are rows that say less than the analysis finds in the source, each with
// the reason for which the row is right.
var trusted = map[string]string{
	"slices.Grow":                 "what it appends and cuts off again lies behind the capacity, where append copies",
	"sort.Slice":                  "elements are swapped by package reflectlite",
	"sort.SliceStable":            "elements are swapped by package reflectlite",
	"sort.SliceIsSorted":          "the length is asked of package reflectlite",
	"(*strings.Replacer).Replace": "the replacer that it makes once, behind a sync.Once, is one of this package",
	"path/filepath.Abs":           "the working folder is asked of package os",
	"path/filepath.EvalSymlinks":  "links are asked of package os",
	"path/filepath.Glob":          "files are asked of package os",
	"path/filepath.Walk":          "files are asked of package os",
	"path/filepath.WalkDir":       "files are asked of package os",
	"path/filepath.Localize":      "io/fs.ValidPath only reads",
}

// assembly is what the functions without a body do that these packages have.
const assembly = `
math
	reads: archAcos archAcosh archAsin archAsinh archAtan archAtan2 archAtanh archCbrt archCeil archCos archCosh archErf archErfc archExp archExp2
	reads: archExpm1 archFloor archFrexp archHypot archLdexp archLog archLog10 archLog1p archLog2 archMax archMin archMod archModf archPow
	reads: archRemainder archRint archSin archSinh archSqrt archTan archTanh archTrunc
internal/bytealg
	reads: Compare Count CountString Equal Index IndexByte IndexByteString IndexString compareString abigen_runtime_cmpstring
	reads: CompareString Cutover MaxBruteForce IndexRabinKarp LastIndexRabinKarp HashStr HashStrRev
	reads: MakeNoZero
internal/abi
	returns 0: NoEscape Escape
maps
	holds 0: clone
strconv
	reads: index
`

// sources are the packages whose source is read to hold the table against it,
// those that they import first.
var sources = []string{
	"internal/bytealg", "internal/stringslite", "internal/strconv", "internal/filepathlite", "unicode", "unicode/utf8", "unicode/utf16", "math/bits", "math", "cmp", "iter", "errors",
	"slices", "maps", "sort", "strings", "bytes", "strconv", "path", "path/filepath",
}

// All names of the table are functions or methods of the standard library.
func TestNames(t *testing.T) {
	paths := map[string]bool{}
	for name := range standard() {
		paths[pathOf(name)] = true
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes}, slices.Sorted(maps.Keys(paths))...)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, p := range pkgs {
		for fn := range functions(p.Types) {
			there[fn.FullName()] = true
		}
	}
	for name := range standard() {
		if !there[name] {
			t.Errorf("the table has %s, the standard library has not", name)
		}
	}
}

// pathOf is the package of a full name.
func pathOf(name string) string {
	name = strings.TrimLeft(name, "(*")
	slash := strings.LastIndex(name, "/") + 1
	dot := strings.Index(name[slash:], ".")
	return name[:slash+dot]
}

// functions are those that a package declares, methods included.
func functions(p *types.Package) map[*types.Func]bool {
	all := map[*types.Func]bool{}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			all[o] = true
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				for m := range n.Methods() {
					all[m] = true
				}
				if i, ok := n.Underlying().(*types.Interface); ok {
					for m := range i.Methods() {
						all[m] = true
					}
				}
			}
		}
	}
	return all
}

// What the analysis finds in the source of the standard library, the table says.
func TestLibrary(t *testing.T) {
	known, err := parse(assembly)
	if err != nil {
		t.Fatal(err)
	}
	all, pkgs := indexes(t, known, sources...)
	held, used := 0, map[string]bool{}
	for _, p := range pkgs {
		x := all[p]
		for _, fn := range x.solver.funcs {
			obj, ok := fn.Object().(*types.Func)
			if !ok {
				continue
			}
			name := obj.FullName()
			row := standard()[name]
			if row == nil {
				continue
			}
			found := x.solver.solve(fn)
			if more := row.lacks(found); len(more) > 0 {
				if trusted[name] == "" {
					t.Errorf("%s: the table does not say that it %s", name, strings.Join(more, "; "))
				}
				used[name] = true
				continue
			}
			held++
		}
	}
	for name := range trusted {
		if !used[name] {
			t.Errorf("%s is trusted, and need not be", name)
		}
	}
	t.Logf("%d rows of %d are held by the source, %d trusted", held, len(standard()), len(trusted))
	if held < 250 {
		t.Errorf("%d rows are held by the source, want at least 250", held)
	}
}

// lacks says what another summary has that others could notice and s has not.
func (s *Summary) lacks(t *Summary) (more []string) {
	for _, e := range t.Effects {
		if e.Kind&Changes == 0 {
			continue
		}
		for _, f := range s.Effects {
			if f.Kind == e.Kind && (e.Kind != Call || f.Name == e.Name || e.Name != "" && slices.Contains(strings.Split(f.Name, "|"), e.Name)) {
				e.On = e.On.Without(f.On)
			}
		}
		for at := range e.On.All() {
			more = append(more, words(e, at))
		}
	}
	for i, r := range t.Results {
		if i >= len(s.Results) {
			break
		}
		is := r.Is.Without(s.Results[i].Is).Without(Set(Globals)) // errors
		if !is.Empty() {
			more = append(more, "returns "+places(is))
		}
	}
	for _, l := range t.Links {
		for _, m := range s.Links {
			if m.From == l.From {
				l.To = l.To.Without(m.To)
			}
		}
		if l.To = l.To.Without(Set(Fresh, Globals)); !l.To.Empty() {
			more = append(more, place(l.From)+" leads to "+places(l.To))
		}
	}
	slices.Sort(more)
	return slices.Compact(more)
}

// A table that cannot be read is refused, with the line.
func TestParse(t *testing.T) {
	for table, want := range map[string]string{
		"a\n\treads: F F":          "F is there twice",
		"a\n\tjumps: F":            `"jumps" says nothing`,
		"a\n\twrites 9: F":         `"writes 9" names no operand`,
		"a\n\twrites 1 2: F":       `"writes 1 2" names no operand`,
		"a\n\tkeeps x in 0: F":     `"keeps x in 0" names no operand`,
		"\treads: F":               "no names",
		"a\n\treads F":             "no names",
		"a\n\twrites 0, panics: F": "",
	} {
		_, err := parse(table)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q): %v, want %q", table, err, want)
		}
	}
}
