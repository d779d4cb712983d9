package tune_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/tune"
)

func TestParseAsk(t *testing.T) {
	for _, test := range []struct {
		ask  string
		want tune.Grid
		err  string
	}{
		{ask: "Threshold=16..65536", want: tune.Grid{Low: 16, High: 65536}},
		{ask: "Sort.threshold=16,64,0x100", want: tune.Grid{List: []int64{16, 64, 256}}},
		{ask: "Wait=1ms..1s", want: tune.Grid{Low: 1e6, High: 1e9, Duration: true}},
		{ask: "N=0..8", want: tune.Grid{Low: 0, High: 8}},
		{ask: "Threshold", err: `"Threshold": want a name and values, like Threshold=16..65536`},
		{ask: "=1..2", err: "want a name"},
		{ask: "N=64", err: `N: "64": want a range like 16..65536, or values like 16,64,256`},
		{ask: "N=64..16", err: "want a range from less to more"},
		{ask: "N=1..x", err: `"x": want a whole number like 4096, or a duration like 10ms`},
		{ask: "N=1..1s", err: "want durations or numbers, not both"},
		{ask: "N=-1..4", err: `"-1": want 0 or more`},
		{ask: "N=0.5,1.5", err: "want a whole number"},
	} {
		a, err := tune.ParseAsk(test.ask)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("ParseAsk(%q) = %v, want %s", test.ask, err, test.err)
			}
			continue
		}
		if err != nil || fmt.Sprint(a.Grid) != fmt.Sprint(test.want) || a.Text != test.ask {
			t.Errorf("ParseAsk(%q) = %+v, %v, want %+v", test.ask, a, err, test.want)
		}
	}
}

func TestValues(t *testing.T) {
	powers := func(from, to int) (all []int64) {
		for i := from; i <= to; i++ {
			all = append(all, 1<<i)
		}
		return all
	}
	for _, test := range []struct {
		name    string
		grid    tune.Grid
		n       int
		present int64
		want    []int64
	}{
		{"powers of two", tune.Grid{Low: 16, High: 65536}, 13, 2048, powers(4, 16)},
		{"the present value is none of them", tune.Grid{Low: 16, High: 64}, 13, 33, []int64{16, 32, 33, 64}},
		{"fewer than there are", tune.Grid{Low: 1, High: 1 << 20}, 6, 1, []int64{1, 16, 256, 4096, 65536, 1 << 20}},
		{"geometric", tune.Grid{Low: 10, High: 1000}, 5, 10, []int64{10, 32, 100, 316, 1000}},
		{"in three digits", tune.Grid{Low: 1000, High: 50000}, 4, 1000, []int64{1000, 3680, 13600, 50000}},
		{"from 0", tune.Grid{Low: 0, High: 64}, 4, 64, []int64{0, 1, 8, 64}},
		{"a list", tune.Grid{List: []int64{64, 16, 64}}, 13, 100, []int64{16, 64, 100}},
		{"durations are no powers of two", tune.Grid{Low: 1 << 20, High: 1 << 22, Duration: true}, 3, 1 << 20, []int64{1 << 20, 2100000, 1 << 22}},
		{"outside of the range", tune.Grid{Low: 16, High: 32}, 13, 8, []int64{8, 16, 32}},
	} {
		if got := test.grid.Values(test.n, test.present); !slices.Equal(got, test.want) {
			t.Errorf("%s: Values = %d, want %d", test.name, got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		c    tune.Constant
		v    int64
		want string
	}{
		{tune.Constant{}, 4096, "4096"},
		{tune.Constant{Duration: true}, 1500, "1500"},
		{tune.Constant{Duration: true, Unit: "time"}, int64(1500 * time.Microsecond), "1500 * time.Microsecond"},
		{tune.Constant{Duration: true, Unit: "clock"}, int64(2 * time.Hour), "2 * clock.Hour"},
		{tune.Constant{Duration: true, Unit: "time"}, 0, "0"},
	} {
		if got := test.c.Text(test.v); got != test.want {
			t.Errorf("Text(%d) = %q, want %q", test.v, got, test.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0 %", 0.03: "3 %", 0.0201: "2.1 %", 0.099: "9.9 %", 0.101: "11 %", 1.5: "150 %"} {
		if got := tune.Percent(x); got != want {
			t.Errorf("Percent(%v) = %q, want %q", x, got, want)
		}
	}
}

// docs/tune.md has every field of the JSON form.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/tune.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("outside the repository: no docs here")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, form, _ := strings.Cut(string(text), "## The JSON form")
	seen := map[reflect.Type]bool{}
	var visit func(typ reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if seen[typ] || typ.Kind() != reflect.Struct || !strings.HasSuffix(typ.PkgPath(), "/tune") {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && !regexp.MustCompile("[`.]"+name+"(\\[\\])?`").MatchString(form) {
				t.Errorf("docs/tune.md does not say what %s of %s is", name, typ)
			}
			visit(f.Type)
		}
	}
	visit(reflect.TypeFor[tune.Doc]())
}
