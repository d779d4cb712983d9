package queue

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Two elements travel: a word, and a cache line of plain words. The loops in
// flow_int64_test.go are written for the word; TestItem64 derives those for the
// line from them, since a loop written once with type parameters would call the
// element's methods through a dictionary.

// capacity is that of every bounded queue here.
const capacity = 1024

// batch is how many items travel at once in batches.
const batch = 64

type elemInt64 = int64

func makeInt64(i int) elemInt64        { return elemInt64(i) }
func valueInt64(v elemInt64) (i int64) { return v }

// An elemItem64 has 64 bytes. Its first and last word are equal, so that half an
// item of one and half of another have the wrong value.
type elemItem64 struct {
	first int64
	_     [6]int64
	last  int64
}

func makeItem64(i int) elemItem64 { return elemItem64{first: int64(i), last: int64(i)} }

func valueItem64(v *elemItem64) (i int64) { return v.first + (v.first ^ v.last) }

// poison ends one consumer of a queue that cannot be closed. Other items are
// not negative.
const poison = -1

// TestItem64 holds flow_item64_test.go to flow_int64_test.go. To derive it anew:
//
//	PEERS_QUEUE_UPDATE=1 go test -run Item64 ./queue
func TestItem64(t *testing.T) {
	src, err := os.ReadFile("flow_int64_test.go")
	if err != nil {
		t.Fatal(err)
	}
	want := string(src)
	want = regexp.MustCompile(`valueInt64\(([^)]*)\)`).ReplaceAllString(want, "valueItem64(&$1)")
	want = strings.ReplaceAll(want, "Int64", "Item64")
	want = "// Code generated from flow_int64_test.go by TestItem64. DO NOT EDIT.\n\n" + want

	const name = "flow_item64_test.go"
	if os.Getenv("PEERS_QUEUE_UPDATE") != "" {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what flow_int64_test.go gives: derive it anew", name)
	}
}
