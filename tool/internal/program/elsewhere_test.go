package program_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/program"
)

// The platforms that files tell apart are found, and what does not fit together there,
// also where the overlay hides, changes or adds the file.
func TestElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the standard library from source")
	}
	dir, tc := gocmdtest.Module(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n", "m.go": "package m\n\nimport \"os\"\n\n// F is.\nfunc F() int { return size() + os.Getpid() }\n",
		"size_plan9.go": "package m\n\nfunc size() int { return 0 }\n", "size_other.go": "//go:build !windows && !plan9\n\npackage m\n\nfunc size() int { return 1 }\n",
		"size_windows.go": "package m\n\nfunc size() int { return 2 }\n", "wide_riscv64.s": "", "q/q.go": "//go:build linux\n\npackage q\n",
	})
	in := func(name string) string { return filepath.Join(dir, name) }
	var names []string
	for _, p := range program.Platforms(tc, overlay.Overlay{in("new.go"): []byte("//go:build s390x || arm64\n\npackage m\n"), in("size_plan9.go"): nil}, dir) {
		names = append(names, p.String())
	}
	if want := []string{"linux/arm64", "linux/s390x", "windows/amd64"}; !slices.Equal(names, slices.DeleteFunc(want, func(s string) bool { return s == tc.OS+"/"+tc.Arch })) {
		t.Errorf("platforms %q, want %q", names, want)
	}
	windows := program.Platform{OS: "windows", Arch: "amd64"}
	for _, tt := range []struct {
		name string
		o    overlay.Overlay
		want string
	}{
		{"as it is", nil, ""},
		{"a body", overlay.Overlay{in("size_windows.go"): []byte("package m\n\nfunc size() int { return \"2\" }\n")}, `size_windows.go:3:26: cannot use "2"`},
		{"hidden", overlay.Overlay{in("size_windows.go"): nil}, "m.go:6:23: undefined: size"},
		{"added", overlay.Overlay{in("more_windows.go"): []byte("package m\n\nfunc size() int { return 3 }\n")}, "size_windows.go:3:6: size redeclared"},
		{"a word size", overlay.Overlay{in("size_windows.go"): []byte("package m\n\nfunc size() int { const n = 1 << 40; return n }\n")}, ""},
	} {
		got, err := program.Elsewhere(t.Context(), tc, windows, tt.o, "example.com/m", "example.com/m/q")
		if err != nil || tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}
