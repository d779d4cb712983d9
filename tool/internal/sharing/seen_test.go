package sharing

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/source"
)

const summary = "payoff sharing 3\nwrites\t4096\nreads\t100\nswitches\t4000\nlines\t3\nfalse\t30\ntrue\t10\nlocks\t2\n" +
	"pair\tfalse\t30\t\"s.hits\"\t\"/a b.go\"\t3\t2\twrite\t\"s.misses\"\t\"/a b.go\"\t4\t2\tread\n" +
	"pair\ttrue\t10\t\"n\"\t\"/c.go\"\t5\t1\twrite\t\"n\"\t\"/c.go\"\t5\t1\tlock\nend\n"

func TestParse(t *testing.T) {
	got, err := Parse([]byte(summary))
	hits, misses, n, mu := Site{"s.hits", source.Place{File: "/a b.go", Line: 3}, 2, false, false}, Site{"s.misses", source.Place{File: "/a b.go", Line: 4}, 2, true, false}, Site{"n", source.Place{File: "/c.go", Line: 5}, 1, false, false}, Site{"n", source.Place{File: "/c.go", Line: 5}, 1, false, true}
	want := &Seen{Writes: 4096, Reads: 100, Switches: 4000, Lines: 3, False: 30, True: 10, Locks: 2, Pairs: []Pair{{hits, misses, "false", 30}, {n, mu, "true", 10}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Parse = %+v, %v; want %+v", got, err, want)
	}
	w := &Watcher{Sites: []Watched{{Site: n}, {Site: misses}, {Site: hits}, {Site: Site{Expr: "alone"}}}}
	if met := w.Met(got, "false"); len(met) != 2 || met[0].Site != misses || met[1].Site != hits {
		t.Errorf("Met(false) = %v, want misses and hits", met)
	}
	if met := w.Met(got, "true"); len(met) != 1 || met[0].Site != n {
		t.Errorf("Met(true) = %v, want n", met)
	}
}

func TestParseRefuses(t *testing.T) {
	for i := range len(summary) {
		if s, err := Parse([]byte(summary[:i])); err == nil {
			t.Errorf("Parse of the first %d bytes = %+v, want an error", i, s)
		}
	}
	for _, change := range [][2]string{
		{"sharing 3", "sharing 1"}, {"writes\t", "written\t"}, {"\t4096", "\t-1"}, {"\t4096", "\t"}, {"\t4096", "\t1\t2"}, {"4000", "4e3"},
		{"lines\t3\n", ""}, {"pair\tfalse", "pair\tboth"}, {"pair\tfalse\t30", "pair\tfalse\tx"}, {`"s.hits"`, "s.hits"}, {`"/c.go"`, `"/c.go`},
		{"\t5\t1\tlock\n", "\t5\tlock\n"}, {"\t5\t1\tlock\n", "\t5\t-1\tlock\n"}, {"\t2\tread", "\t2\tboth"}, {"reads\t100\n", ""}, {"locks\t2\n", ""}, {"\tlock\n", "\tlocked\n"}, {"\t3\t2", "\tx\t2"}, {"end\n", "end\nend\n"},
	} {
		if text := strings.Replace(summary, change[0], change[1], 1); text == summary {
			t.Errorf("%q changes nothing", change)
		} else if s, err := Parse([]byte(text)); err == nil {
			t.Errorf("Parse with %q for %q = %+v, want an error", change[1], change[0], s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(summary))
	f.Add([]byte(summary[:len(summary)/2]))
	f.Add([]byte(recordHead + recordEnd))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if (s == nil) == (err == nil) {
			t.Fatalf("Parse = %v, %v; want one of them", s, err)
		}
		if err == nil {
			s.Verdict()
		}
	})
}

func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		seen   Seen
		kind   string
		share  float64
		atOnce bool
	}{
		{Seen{}, "none", 0, false},
		{Seen{Writes: 30, Switches: 30, False: 15}, "none", 0, false},
		{Seen{Writes: 32, Switches: 30, False: 16}, "false", 1, false},
		{Seen{Writes: 4000, Switches: 2000, False: 30, True: 10}, "false", 0.75, true},
		{Seen{Writes: 4000, Switches: 2000, False: 20, True: 20}, "true", 0.5, true},
		{Seen{Writes: 40000, Switches: 20000, True: 199}, "none", 0, true}, // one in a hundred switches
		{Seen{Writes: 40000, Switches: 20000, True: 200}, "true", 1, true},
		{Seen{Writes: 40000, Switches: 40, True: 19}, "none", 0, false}, // hardly any return at all
		{Seen{Writes: 40000, Switches: 40, True: 20}, "true", 1, false}, // threads that took turns
	} {
		if kind, share := test.seen.Verdict(); kind != test.kind || share != test.share {
			t.Errorf("Verdict of %+v = %s %g, want %s %g", test.seen, kind, share, test.kind, test.share)
		}
		if got := test.seen.AtOnce(); got != test.atOnce {
			t.Errorf("AtOnce of %+v = %t, want %t", test.seen, got, test.atOnce)
		}
	}
}
