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

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		digests(docs)
	}
}

func BenchmarkAtOnce(b *testing.B) {
	for b.Loop() {
		digestsAtOnce(docs)
	}
}

func TestSame(t *testing.T) {
	if got, want := digestsAtOnce(docs), digests(docs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
