package e

import (
	"bytes"
	"sync"
	"testing"
)

func Test(t *testing.T) {
	for range 2 {
		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"joined", joined([]string{"ab", "c"}), "d"},
			{"pointed", pointed("ab"), 2},
			{"encoded", encoded([]string{"ab", "c"}), 9},
			{"decoded", decoded("ab"), 2},
		} {
			if c.got != c.want {
				t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
			}
		}
	}
}

type tested struct{ pool sync.Pool }

func newTested() *tested {
	t := &tested{}
	t.pool.New = newBuffer
	return t
}

func TestTested(t *testing.T) {
	if n := newTested().pool.Get().(*bytes.Buffer).Len(); n != 0 {
		t.Error(n)
	}
}
