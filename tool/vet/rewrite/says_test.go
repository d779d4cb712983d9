package rewrite

import (
	"go/ast"
	"strings"
	"testing"
)

func TestSerially(t *testing.T) {
	for _, tt := range []struct{ doc, want string }{
		{"F adds up the totals of the organisation.", ""},
		{"F gets all tiles of the viewport at the same time.", "F gets all tiles of the viewport."},
		{"F serves orders, the workers sharing the work.", "F serves orders."},
		{"F is G with the departments added up side by side. The result is the same to the last bit.", "F is G. The result is the same to the last bit."},
		{"F reads the log with a pool of workers and returns the matches in order.", "F reads the log and returns the matches in order."},
		{"F reads the log with workers and channels.", "F reads the log."},
		{"F prices, on several workers, all that is in the basket.", "F prices all that is in the basket."},
		{"F hands each row to a worker.", "F is G."},
		{"F hands each row to a worker. It keeps their order. Workers are few.", "F is G. It keeps their order."},
		{"F returns the bounds of n, computing the children in parallel.", "F returns the bounds of n."},
		{"F is like G, but matches the paths concurrently.", "F is like G."},
		{"F is like G, but matches the paths with workers.", "F is like G."},
		{"F makes quarters, which are independent, so they are made in parallel.", "F makes quarters, which are independent."},
		{"F enriches with all the steps running side by side.", "F enriches."},
		{"F measures like G, the quarters of a region side by side.", "F measures like G."},
		{"F reads the log, parsing lines in goroutines, and counts them.", "F reads the log and counts them."},
		{"F opens with flags, and runs jobs at once.", "F opens with flags, and runs jobs."},
		{"F starts with flags and runs jobs at once.", "F starts with flags and runs jobs."},
		{"F adds up. It may be called by several goroutines at once.", ""},
		{"F adds up in parallel. It is safe for concurrent use.", "F adds up. It is safe for concurrent use."},
		{"F counts words with the given number of clerks.", "F counts words."},
		{"F stops workers.", "F is G."},
		{"F adds up. What is ranged over is another before the goroutines look.", "F adds up."},
		{"F sends on one channel, which gets room, and is done.", "F sends."},
		{"F adds up in parallel.\n\nAn error ends it:\n\n\tworkers := 3\n\nIt is long.", "F adds up.\n\nAn error ends it:\n\n\tworkers := 3\n\nIt is long."},
		{"F sorts in parallel what has more than so many elements that one would take longer for it.", "F sorts what has more than so many elements that one would take longer for\nit."},
		{"Workers F.", "F is G."},
		{"F adds up the figures of every department of the organisation below the head, each on a worker, to the last bit that there is.", "F adds up the figures of every department of the organisation below the head\nto the last bit that there is."},
	} {
		var list []*ast.Comment
		for line := range strings.SplitSeq(tt.doc, "\n") {
			list = append(list, &ast.Comment{Text: strings.TrimRight("// "+line, " ")})
		}
		for _, c := range list {
			c.Text = strings.Replace(c.Text, "// \t", "//\t", 1)
		}
		decl := &ast.FuncDecl{Name: ast.NewIdent("F"), Doc: &ast.CommentGroup{List: list}}
		got := Serially(decl, "F is G.", "clerks")
		got = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(got, "// "), "\n// ", "\n"), "\n//", "\n")
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.doc, got, tt.want)
		}
	}
	for _, text := range []string{"//go:noinline", "/* F adds up in parallel. */"} {
		decl := &ast.FuncDecl{Name: ast.NewIdent("F"), Doc: &ast.CommentGroup{List: []*ast.Comment{{Text: "// F adds up in parallel."}, {Text: text}}}}
		if got := Serially(decl, "F is G."); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
	decl := &ast.FuncDecl{Name: ast.NewIdent("F"), Doc: &ast.CommentGroup{List: []*ast.Comment{{Text: "// F starts workers. Many workers are faster. They keep the order."}}}}
	if got, want := Serially(decl, ""), "// F starts workers. They keep the order."; got != want {
		t.Errorf("with nothing for its first sentence: %q, want %q", got, want)
	}
	pool := &ast.FuncDecl{Name: ast.NewIdent("Pool"), Doc: &ast.CommentGroup{List: []*ast.Comment{{Text: "// Pool adds up numbers."}}}}
	if got := Serially(pool, "Pool is G."); got != "" {
		t.Errorf("its name is no word of goroutines: %q", got)
	}
	if got := Serially(&ast.FuncDecl{Name: ast.NewIdent("F")}, "F is G."); got != "" {
		t.Errorf("without a comment: %q", got)
	}
}
