package d

import "testing"

func Test(t *testing.T) {
	if got := boxed([]int{1, 2, 300}); got != 44*9+2*3+1 {
		t.Errorf("boxed = %d", got)
	}
	if got := mixed([]int{7, 8}, []string{"a"}); got != "8;a;7;3" {
		t.Errorf("mixed = %q", got)
	}
	if got := mixed([]int{7, 8}, []string{"stop"}); got != "8;3" {
		t.Errorf("mixed = %q", got)
	}
	if got := mixed(nil, nil); got != "none" {
		t.Errorf("mixed of nothing = %q", got)
	}
	if got := overlaps([]span{{1, 3}, {2, 4}, {9, 10}, {0, 20}}); got != 5 {
		t.Errorf("overlaps = %d", got)
	}
}
