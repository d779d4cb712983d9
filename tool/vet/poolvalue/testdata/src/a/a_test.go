package a

import "testing"

func Test(t *testing.T) {
	if d, x, u := digits([]int{1, 22, 333}), deferred(123), uppers([]string{"ab", "c"}); d != 6 || x != 3 || u != 198 {
		t.Errorf("digits = %d, deferred = %d, uppers = %d", d, x, u)
	}
	if all, none := newCoder().code([]string{"a", "bc"}), newCoder().code([]string{"a", ""}); all != 3 || none != -1 {
		t.Errorf("code = %d and %d", all, none)
	}
}
