package m08

import (
	"os"
	"testing"
)

var journal = func() *log {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	return &log{f: f}
}()

var records = func() []record {
	rs := make([]record, 400)
	for i := range rs {
		rs[i] = record{i, "somebody", []string{"a", "b", "c", "d"}}
	}
	return rs
}()

func BenchmarkM08(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			write(journal, records)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			writeAtOnce(journal, records, 4)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := writeAtOnce(journal, records, 4), write(journal, records); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
