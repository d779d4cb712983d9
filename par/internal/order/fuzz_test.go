package order

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// wordsOf returns the bytes as numbers of 8 bytes, times over with a difference,
// so that little input makes a long slice.
func wordsOf(data []byte, times uint16, add uint64) []uint64 {
	var x []uint64
	for t := range uint64(times%1000) + 1 {
		for b := data; len(b) > 0; b = b[min(8, len(b)):] {
			var w [8]byte
			copy(w[:], b)
			x = append(x, binary.LittleEndian.Uint64(w[:])+t*add)
		}
		if len(x) > 100_000 {
			break
		}
	}
	return x
}

func fuzzSort[E cmp.Ordered](t *testing.T, words []uint64, of func(w uint64) E) {
	got := make([]E, len(words))
	for i, w := range words {
		got[i] = of(w)
	}
	want := slices.Clone(got)
	slices.Sort(want)
	Sort(got)
	checkSorted(t, "fuzz", got, want)
}

func FuzzSort(f *testing.F) {
	f.Add([]byte(nil), uint16(0), uint64(0))
	f.Add([]byte("12345678abcdefgh"), uint16(500), uint64(1))
	f.Add([]byte("12345678abcdefgh"), uint16(200), ^uint64(0))
	f.Add(binary.LittleEndian.AppendUint64(nil, 0x7ff<<52-50), uint16(999), uint64(1))
	f.Add(binary.LittleEndian.AppendUint64(nil, 0xfff<<52-50), uint16(999), uint64(1<<29))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x80\x00"), uint16(300), uint64(1<<63))
	f.Add(slices.Repeat([]byte{7}, 64), uint16(400), uint64(0x9e3779b97f4a7c15))
	f.Fuzz(func(t *testing.T, data []byte, times uint16, add uint64) {
		w := wordsOf(data, times, add)
		fuzzSort(t, w, func(w uint64) uint64 { return w })
		fuzzSort(t, w, func(w uint64) int64 { return int64(w) })
		fuzzSort(t, w, math.Float64frombits)
		fuzzSort(t, w, func(w uint64) float32 { return math.Float32frombits(uint32(w)) })
		fuzzSort(t, w, func(w uint64) int16 { return int16(w) })
		fuzzSort(t, w, func(w uint64) ident { return ident(w >> 7) })
	})
}

func FuzzSortStrings(f *testing.F) {
	f.Add("", "", uint8(0))
	f.Add("a b c d", "long head, long head ", uint8(100))
	f.Add("a \x00 \x00\x00 a\x00 a\x00\x00 \xff\xfe", "", uint8(255))
	f.Add("1234567 12345678 123456789 1234567\x00", "x", uint8(40))
	f.Fuzz(func(t *testing.T, words, head string, times uint8) {
		if len(words)*int(times) > 50_000 {
			return
		}
		var got []string
		for i := range int(times) + 1 {
			for _, w := range strings.Split(words, " ") {
				got = append(got, head[:i%(len(head)+1)]+w, w[i%(len(w)+1):], w+head)
			}
		}
		want := slices.Clone(got)
		slices.Sort(want)
		type item struct {
			s  string
			at int
		}
		items := make([]item, len(got))
		for i, s := range got {
			items[i] = item{s, i}
		}
		wantItems := slices.Clone(items)
		slices.SortStableFunc(wantItems, func(a, b item) int { return strings.Compare(a.s, b.s) })
		Sort(got)
		checkSorted(t, "fuzz", got, want)
		SortBy(items, func(i item) string { return i.s })
		if !slices.Equal(items, wantItems) {
			t.Fatal("SortBy: not sorted, or not stable")
		}
	})
}

// FuzzSortFunc has comparisons that lie where the byte for a pair of keys says so.
func FuzzSortFunc(f *testing.F) {
	f.Add([]byte("hello world"), uint16(10), []byte(nil))
	f.Add([]byte("hello world"), uint16(999), []byte{1})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1}, uint16(600), []byte{0, 0, 0, 0, 0, 0, 0, 3})
	f.Fuzz(func(t *testing.T, data []byte, times uint16, lies []byte) {
		var x []record
		for range times%1000 + 1 {
			for _, b := range data {
				x = append(x, record{int64(b), len(x), new(int)})
				*x[len(x)-1].p = len(x) - 1
			}
			if len(x) > 20_000 {
				break
			}
		}
		for _, s := range funcSorts {
			got := slices.Clone(x)
			s.sort(got, func(a, b record) int {
				if len(lies) > 0 {
					if l := lies[uint(a.key*31+b.key+int64(a.id))%uint(len(lies))]; l > 0 {
						return int(l%3) - 1
					}
				}
				return byKey(a, b)
			})
			checkAll(t, s.name, got)
			if len(lies) == 0 && !slices.IsSortedFunc(got, byKey) {
				t.Fatalf("%s: not sorted", s.name)
			}
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte("abc"), []byte("bcd"), uint16(3))
	f.Add([]byte(nil), []byte("z"), uint16(900))
	f.Add([]byte("zzzzzzzzzzzz"), []byte("az"), uint16(900))
	f.Fuzz(func(t *testing.T, a, b []byte, times uint16) {
		make_ := func(keys []byte, id int) (x []record) {
			for range times%1000 + 1 {
				for _, k := range keys {
					x = append(x, record{key: int64(k), id: id + len(x)})
				}
				if len(x) > 40_000 {
					break
				}
			}
			slices.SortStableFunc(x, byKey)
			return x
		}
		x := make_(a, 0)
		y := make_(b, len(x))
		dst := make([]record, len(x)+len(y))
		Merge(dst, x, y, byKey)
		if !slices.Equal(dst, mergeTwin(x, y)) {
			t.Fatal("not merged, or not stable")
		}
	})
}
