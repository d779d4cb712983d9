package padding

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/sharing"
)

// Fields beside each other share the room between them, in whatever order they are
// found; a part leaves the rest as it is, without a note.
func TestParts(t *testing.T) {
	const queue = "package p\n\ntype queue struct {\n\thead int\n\ttail, seen int\n\tname string\n\tlast int\n\titems []int\n}\n\n" +
		"func (q *queue) put() {\n\tq.head++\n\tq.tail++\n\tq.seen++\n\tq.last++\n\tq.items[0]++\n}\n\nvar q = queue{items: make([]int, 4)}\n"
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": queue, "x_test.go": "package p\n"})
	file := filepath.Join(dir, "p.go")
	prog, err := program.List(context.Background(), tc, "example.com/p")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := prog.Typed(prog.Editable())
	if err != nil {
		t.Fatal(err)
	}
	const extra = 2 // rooms of the padded type
	for _, tt := range []struct {
		sites string
		part  Part
		does  int
		rooms int
	}{
		{"q.head q.tail q.last q.items[0]", All, 4, 3 + 2 + extra},
		{"q.tail q.head q.last q.items[0]", All, 4, 3 + 2 + extra},
		{"q.head q.tail q.last q.items[0]", Singles, 3, 3 + 2},
		{"q.tail q.head", Singles, 2, 3},
		{"q.seen q.head", Singles, 2, 4},
		{"q.head", All, 1, 2},
		{"q.head q.tail q.last q.items[0]", Elements, 1, extra},
		{"q.head", Elements, 0, 0},
		{"q.items[0]", Structs, 0, 0},
		{"q.head q.tail q.items[0]", Structs, 2, 0}, // 56 bytes behind 72
	} {
		var sites []sharing.Watched
		for _, expr := range strings.Fields(tt.sites) {
			sites = append(sites, site(t, file, queue, expr))
		}
		e := pad(pkgs, sites, tt.part)
		o, err := e.Overlay()
		if err != nil {
			t.Fatal(err)
		}
		if len(o) > 0 {
			if err := prog.Check(o, prog.Editable()); err != nil {
				t.Errorf("%s, part %d: %v", tt.sites, tt.part, err)
			}
		}
		rooms := 0
		for _, text := range o {
			rooms += strings.Count(string(text), "[128]byte")
		}
		if tt.part == Structs && tt.does > 0 && !strings.Contains(string(o[file]), "_ [56]byte") {
			t.Errorf("%s: no room behind the struct", tt.sites)
		}
		if len(e.Does) != tt.does || rooms != tt.rooms || len(e.Leaves) > 0 {
			t.Errorf("%s, part %d: does %v with %d rooms, leaves %v, want %d with %d, none left", tt.sites, tt.part, e.Does, rooms, e.Leaves, tt.does, tt.rooms)
			for _, text := range o {
				t.Logf("%s", text)
			}
		}
	}
}
