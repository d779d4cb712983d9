package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// docs/json.md has a row for every field of a report and for no other, with
// its path and its type, so that neither can change without the other.
func TestSchema(t *testing.T) {
	const file = "../../../docs/json.md"
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat("../../../go.work"); err != nil {
			t.Skip("outside the repository: no docs here")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	described, err := rows(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if want := fmt.Sprintf("# The JSON report, schema version %d\n", report.Schema); !strings.HasPrefix(string(text), want) {
		t.Errorf("%s does not begin with %q", file, want)
	}
	got := map[string]string{}
	if err := fields(reflect.TypeFor[report.Doc](), "", got); err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		switch typ, ok := described[path]; {
		case !ok:
			t.Errorf("%s has no row for `%s`, %s", file, path, got[path])
		case typ != got[path]:
			t.Errorf("%s says that `%s` is %q, the code that it is %q", file, path, typ, got[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(described)) {
		if _, ok := got[path]; !ok {
			t.Errorf("%s has a row for `%s`, which no report has", file, path)
		}
	}
}

// The example in docs/json.md has no field that a report has not.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../../../docs/json.md")
	if err != nil {
		t.Skip(err) // TestSchema judges that
	}
	_, rest, ok := strings.Cut(string(text), "```json\n")
	example, _, end := strings.Cut(rest, "```\n")
	if !ok || !end {
		t.Fatal("docs/json.md has no example")
	}
	dec := json.NewDecoder(strings.NewReader(example))
	dec.DisallowUnknownFields()
	var doc report.Doc
	if err := dec.Decode(&doc); err != nil {
		t.Fatalf("docs/json.md, example: %v", err)
	}
	if doc.Schema != report.Schema || len(doc.Comparisons) == 0 || len(doc.Packages) == 0 {
		t.Errorf("docs/json.md, example: schema %d, %d comparisons, %d packages; want schema %d and some of each", doc.Schema, len(doc.Comparisons), len(doc.Packages), report.Schema)
	}
}

// row is a line of a table of fields: | `path` | type | meaning |. Tables of
// other things do not begin their rows in code type.
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]*) \\|$")

// rows returns the types in the tables of text by path.
func rows(text string) (map[string]string, error) {
	out := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		path, typ, meaning := m[1], strings.TrimSpace(m[2]), strings.TrimSpace(m[3])
		if _, ok := out[path]; ok {
			return nil, fmt.Errorf("two rows for `%s`", path)
		}
		if meaning == "" {
			return nil, fmt.Errorf("`%s` means nothing", path)
		}
		out[path] = typ
	}
	return out, nil
}

// shared are types that stand in several places: their fields are documented
// once, under the type's own name.
var shared = map[reflect.Type]string{
	reflect.TypeFor[report.Interval](): "interval",
	reflect.TypeFor[machine.Price]():   "price",
	reflect.TypeFor[report.Spread]():   "spread",
	reflect.TypeFor[report.Fix]():      "edit",
	reflect.TypeFor[report.FixAfter](): "answer",
}

// fields puts the JSON fields of struct t into out: their types by path. It
// fails where two have one path, or where encoding/json would do something
// that a row cannot say.
func fields(t reflect.Type, prefix string, out map[string]string) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Struct { // its fields stand among those of t
			if err := fields(f.Type, prefix, out); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous {
			if err := fields(f.Type, prefix, out); err != nil {
				return err
			}
			continue
		}
		if name == "-" {
			continue
		}
		if name == "" {
			return fmt.Errorf("%v.%s has no JSON name", t, f.Name)
		}
		path := prefix + name
		if _, ok := out[path]; ok {
			return fmt.Errorf("two fields with the path %s", path)
		}
		typ, inner, step := typeOf(f.Type)
		if typ == "" {
			return fmt.Errorf("%v.%s: no word for %v", t, f.Name, f.Type)
		}
		if strings.Contains(opts, "omit") {
			typ += ", optional"
		}
		below := path + step
		if name, ok := shared[inner]; ok {
			typ, below = strings.Replace(typ, "object", name, 1), name+"."
			if documented(out, below) {
				inner = nil
			}
		}
		out[path] = typ
		if inner != nil {
			if err := fields(inner, below, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// documented reports whether out has a path below prefix.
func documented(out map[string]string, prefix string) bool {
	for path := range out {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// typeOf returns the word for the JSON of t, and for objects the struct that
// has its fields with what joins their paths to that of t.
func typeOf(t reflect.Type) (word string, inner reflect.Type, step string) {
	switch t.Kind() {
	case reflect.String:
		return "string", nil, ""
	case reflect.Bool:
		return "boolean", nil, ""
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64:
		return "integer", nil, ""
	case reflect.Float64:
		return "number", nil, ""
	case reflect.Pointer:
		w, inner, step := typeOf(t.Elem())
		if w != "" && inner == nil {
			return w + " or null", nil, ""
		}
		return w, inner, step // left out where nil
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return "string", nil, ""
		}
		return "object", t, "."
	case reflect.Slice:
		w, inner, step := typeOf(t.Elem())
		if w != "" {
			return "array of " + w, inner, "[]" + step
		}
	case reflect.Map:
		if w, inner, _ := typeOf(t.Elem()); w != "" && inner == nil && t.Key().Kind() == reflect.String {
			return "object of " + w, nil, ""
		}
	}
	return "", nil, ""
}

// The walk sees what a row has to say, and refuses what it cannot.
func TestFields(t *testing.T) {
	type inner struct {
		X *float64 `json:"x"`
	}
	type place struct {
		File string `json:"file"`
	}
	type sound struct {
		place
		A      int            `json:"a"`
		B      []inner        `json:"b"`
		C      inner          `json:"c,omitzero"`
		D      map[string]int `json:"d,omitempty"`
		T      time.Time      `json:"t"`
		Hidden string         `json:"-"`
		hidden string
	}
	_ = sound{}.hidden
	got := map[string]string{}
	if err := fields(reflect.TypeFor[sound](), "", got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"file": "string", "a": "integer", "b": "array of object", "b[].x": "number or null", "c": "object, optional", "c.x": "number or null", "d": "object of integer, optional", "t": "string"}
	if !maps.Equal(got, want) {
		t.Errorf("fields = %v, want %v", got, want)
	}

	for _, bad := range []reflect.Type{
		reflect.TypeFor[struct{ A int }](),
		reflect.StructOf([]reflect.StructField{ // as a literal, vet would refuse it
			{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"a"`},
			{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"a"`},
		}),
		reflect.TypeFor[struct {
			A any `json:"a"`
		}](),
		reflect.TypeFor[struct {
			A map[int]string `json:"a"`
		}](),
	} {
		if err := fields(bad, "", map[string]string{}); err == nil {
			t.Errorf("fields(%v): no error", bad)
		}
	}

	for _, bad := range []string{"| `a` | string | x |\n| `a` | string | y |\n", "| `a` | string |  |\n"} {
		if r, err := rows(bad); err == nil {
			t.Errorf("rows(%q) = %v, want an error", bad, r)
		}
	}
}
