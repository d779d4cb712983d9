package lint

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// offer adds the edits, those with values as one. Diffs name files from root.
func (x *Finding) offer(fset *token.FileSet, fixes []shape.Fix, root string) {
	for _, fix := range fixes {
		if fix.Holds != "" {
			r := edit.Refusal{Name: fix.Name, Why: "nothing proves that " + fix.Holds + ": payoff fix tries whether it holds"}
			if !slices.Contains(x.Refused, r) {
				x.Refused = append(x.Refused, r)
			}
			continue
		}
		if i := slices.IndexFunc(x.Fixes, func(y Fix) bool { return y.Name == fix.Name && y.Needs == fix.Needs }); i >= 0 {
			x.Fixes[i].Values = append(x.Fixes[i].Values, fix.Value)
			continue
		}
		id := fmt.Sprintf("%s:%s:%d:%s", x.Check, filepath.Base(x.File), x.Line, fix.Name)
		y := Fix{Edit: edit.Edit{ID: id, Name: fix.Name, Says: fix.Message(), Needs: fix.Needs}}
		if fix.Value != 0 {
			y.Values = []int{fix.Value}
		}
		if fix.Alone() {
			var err error
			if y.changes, err = changes(fset, fix.Edits); err != nil {
				x.Refused = append(x.Refused, edit.Refusal{Name: fix.Name, Why: err.Error()})
				continue
			}
			y.Diff = patch.Diff(root, y.changes)
		}
		x.Fixes = append(x.Fixes, y)
	}
}

// changes are what edits make of the files.
func changes(fset *token.FileSet, edits []analysis.TextEdit) (all []patch.Change, err error) {
	var files []*token.File
	byFile := map[*token.File][]analysis.TextEdit{}
	for _, e := range edits {
		f := fset.File(e.Pos)
		if byFile[f] == nil {
			files = append(files, f)
		}
		byFile[f] = append(byFile[f], e)
	}
	for _, f := range files {
		before, err := os.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		after, err := rewrite.Apply(f, before, byFile[f])
		if err != nil {
			return nil, err
		}
		all = append(all, patch.Edited(f.Name(), before, after))
	}
	return all, nil
}
