package m07

import "testing"

var docs = func() [][]byte {
	docs := make([][]byte, 400)
	for i := range docs {
		docs[i] = make([]byte, 1000)
		docs[i][i] = 1
	}
	return docs
}()

func BenchmarkM07(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			digests(docs)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			digestsAtOnce(docs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := digestsAtOnce(docs), digests(docs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
