package session_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// The other proposer is a program that is asked over a pipe. It is told which benchmark
// is to be faster and what is in the files, and answers with patches. It sees no folder.

const proposerEnv = "PAYOFF_TEST_PROPOSER"

type asked struct {
	Bench string
	Files map[string]string // by names from the root of the tree
}

type proposed struct{ Name, Patch string }

// propose answers what it is asked.
func propose(in io.Reader, out io.Writer) error {
	var q asked
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return err
	}
	var all []proposed
	for name, text := range q.Files {
		for _, x := range [][3]string{{"word", "// Sum adds", "// Sum sums"}, {"wrong", "s += x", "s -= x"}, {"unsound", "s += x", "s += y"}} {
			if after := strings.Replace(text, x[1], x[2], 1); after != text {
				all = append(all, proposed{x[0], patch.Diff("/", []patch.Change{{File: "/" + name, Before: text, After: after}})})
			}
		}
	}
	return json.NewEncoder(out).Encode(all)
}

// TestProposer: edits of another proposer go the way of ours: each has its gates, and the
// best of them answers.
func TestProposer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles and tests edits")
	}
	files := map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.22\n",
		"m.go":      "package m\n\n// Sum adds.\nfunc Sum(xs []int) (s int) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn s\n}\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum([]int{1, 2}) != 3 {\n\t\tt.Error(1)\n\t}\n}\n\nfunc BenchmarkSum(b *testing.B) {\n\txs := make([]int, 1000)\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(xs)\n\t}\n}\n",
	}
	dir, _ := gocmdtest.Module(t, files)
	t.Setenv("GOFLAGS", "")

	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), proposerEnv+"=yes"), os.Stderr
	question, err := json.Marshal(asked{"BenchmarkSum", map[string]string{"m.go": files["m.go"]}})
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = strings.NewReader(string(question))
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []proposed
	if err := json.Unmarshal(answer, &all); err != nil || len(all) != 3 {
		t.Fatalf("%s, %v, want 3 patches", answer, err)
	}
	cure := &session.Cure{Budget: 10 * time.Second}
	for _, x := range all {
		changes, err := patch.Read(dir, x.Patch, func(name string) (string, error) {
			text, err := os.ReadFile(name)
			return string(text), err
		})
		if err != nil {
			t.Fatalf("%s: %v", x.Name, err)
		}
		cure.Edits = append(cure.Edits, &session.Edit{Name: x.Name, Changes: changes})
	}
	var end session.End
	for e := range session.Run(t.Context(), session.Plan{Dir: dir, Procs: []int{1}, Record: filepath.Join(dir, "out"), Causes: session.All, Seed: 1, Unasked: true, Layouts: 1, Budget: time.Second, Cure: cure}) {
		if last, ok := e.(session.End); ok {
			end = last
		}
	}
	if end.Err != nil || end.Doc == nil {
		t.Fatal(end.Err)
	}
	if end.Doc.Outcome != report.EditSame || !strings.HasPrefix(end.Doc.Cured, "Of 3 edits none is known to be faster; the best, that of word: no difference") {
		t.Errorf("%s: %s, want no difference by the edit of a word", end.Doc.Outcome, end.Doc.Cured)
	}
	var got []string
	for _, f := range end.Doc.Fixes[0].Findings[0].Fixes {
		why, _, _ := strings.Cut(f.Why, ": ")
		got = append(got, f.Name+" "+string(f.Word)+" "+why)
	}
	slices.Sort(got)
	if want := []string{"unsound fails build", "word same with it the test binary is the same, byte by byte", "wrong fails tests"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "m.go")); err != nil || string(text) != files["m.go"] {
		t.Errorf("the file was written: %s, %v", text, err)
	}
}
