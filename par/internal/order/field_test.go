package order

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// A person has fields of many kinds, some of which lie deeper.
type person struct {
	_    int64
	town string // few
	name string
	at   time.Time
	in   struct {
		height float64
		size   float32
		level  int8
		grade  uint16
	}
	id    int
	count uint
	near  int64 // as id but for few
	was   int   // where it was
	p     *int
}

func people(r *rand.Rand, n int) []person {
	x := make([]person, n)
	for i := range x {
		p := &x[i]
		p.town = fmt.Sprintf("town %d", r.IntN(90))
		p.name = randomText(r, 30, 26)
		p.at = time.Unix(r.Int64N(1e6), r.Int64N(1e9))
		p.in.height = []float64{math.NaN(), math.Copysign(0, -1), 0, r.NormFloat64(), r.NormFloat64()}[r.IntN(5)]
		p.in.size = float32(r.NormFloat64())
		p.in.level = int8(r.IntN(256))
		p.in.grade = uint16(r.Uint32())
		p.id = int(r.Uint64())
		p.count = uint(r.Uint64())
		p.near = int64(p.id)
		if r.IntN(n/2+1) == 0 {
			p.near = -p.near
		}
		p.was = i
		p.p = &p.was
	}
	return x
}

var personOrders = []struct {
	name  string
	field bool // one field decides for most
	cmp   func(a, b person) int
	again bool // there is more to do after that
}{
	{"id", true, func(a, b person) int { return cmp.Compare(a.id, b.id) }, false},
	{"id down", true, func(a, b person) int { return cmp.Compare(b.id, a.id) }, false},
	{"count", true, func(a, b person) int { return cmp.Compare(a.count, b.count) }, false},
	{"name", true, func(a, b person) int { return strings.Compare(a.name, b.name) }, false},
	{"name down, town", true, func(a, b person) int {
		return cmp.Or(strings.Compare(b.name, a.name), strings.Compare(a.town, b.town))
	}, false},
	{"town, id down", true, func(a, b person) int {
		return cmp.Or(strings.Compare(a.town, b.town), cmp.Compare(b.id, a.id))
	}, true},
	{"at", true, func(a, b person) int { return a.at.Compare(b.at) }, false},
	{"at down", true, func(a, b person) int { return b.at.Compare(a.at) }, false},
	{"height", false, func(a, b person) int { return cmp.Compare(a.in.height, b.in.height) }, false}, // few differ
	{"size down", true, func(a, b person) int { return cmp.Compare(b.in.size, a.in.size) }, false},
	{"level, name", true, func(a, b person) int {
		return cmp.Or(cmp.Compare(a.in.level, b.in.level), strings.Compare(a.name, b.name))
	}, true},
	{"grade", true, func(a, b person) int { return cmp.Compare(a.in.grade, b.in.grade) }, false},
	{"near", true, func(a, b person) int { return cmp.Compare(a.near, b.near) }, true}, // id is the first guess
	{"was", true, func(a, b person) int { return cmp.Compare(a.was, b.was) }, false},
	{"last digits", false, func(a, b person) int { return cmp.Compare(a.count%1000, b.count%1000) }, false},
	{"product", false, func(a, b person) int { return cmp.Compare(a.count*7, b.count*7) }, false},
	{"pointer", false, func(a, b person) int { return cmp.Compare(*a.p*31%1009, *b.p*31%1009) }, false},
	{"nothing", false, func(a, b person) int { return 0 }, false},
	{"pairs of grades", true, func(a, b person) int { return cmp.Compare(a.in.grade/2, b.in.grade/2) }, true}, // some equal grades differ
	// By the first field nearly all of the time: what is equal in it is not in one place.
	{"sum", true, func(a, b person) int {
		return cmp.Compare(int(a.in.grade)+int(a.in.level)/100, int(b.in.grade)+int(b.in.level)/100)
	}, true},
}

// Whatever the guess is, the order is that of the function; and where one field
// decides, the guess is right.
func TestField(t *testing.T) {
	stress.NoneLeft(t)
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		ns := []int{guessed - 1, guessed, 3000}
		if stress.Long() {
			ns = append(ns, parallel+5000)
		}
		for _, n := range ns {
			x := people(r, n)
			for _, o := range personOrders {
				want := slices.Clone(x)
				slices.SortStableFunc(want, o.cmp)
				var mu sync.Mutex
				calls := 0
				counted := func(a, b person) int {
					mu.Lock()
					calls++
					mu.Unlock()
					return o.cmp(a, b)
				}
				got := slices.Clone(x)
				SortStableFunc(got, counted)
				if !slices.EqualFunc(got, want, same) {
					t.Fatalf("SortStableFunc by %s, n = %d: not sorted, or not stable", o.name, n)
				}
				if most := 4*n + 600; o.field && n >= guessed && calls > most && !o.again {
					t.Errorf("SortStableFunc by %s, n = %d: %d calls, want at most %d", o.name, n, calls, most)
				}
				got = slices.Clone(x)
				SortFunc(got, o.cmp)
				if !slices.IsSortedFunc(got, o.cmp) {
					t.Fatalf("SortFunc by %s, n = %d: not sorted", o.name, n)
				}
				slices.SortFunc(got, func(a, b person) int { return cmp.Compare(a.was, b.was) })
				if !slices.EqualFunc(got, x, same) {
					t.Fatalf("SortFunc by %s, n = %d: the elements are not those there were", o.name, n)
				}
			}
		}
	})
}

// same reports whether a and b are one person, whole.
func same(a, b person) bool {
	return a.was == b.was && a.name == b.name && a.id == b.id && a.p == b.p && a.at.Equal(b.at)
}

func TestFieldsOf(t *testing.T) {
	type deep struct {
		_ int8
		A struct {
			B uint32
			C []string
		}
		D string
		E bool
		F *int
		G float32
	}
	var d deep
	want := []field{
		{reflect.TypeFor[deep]().Field(1).Offset, reflect.Uint32, false},
		{reflect.TypeFor[deep]().Field(2).Offset, reflect.String, false},
		{reflect.TypeFor[deep]().Field(5).Offset, reflect.Float32, false},
	}
	if got := fieldsOf(reflect.TypeOf(d)); !slices.Equal(got, want) {
		t.Errorf("fieldsOf(%T) = %v, want %v", d, got, want)
	}
	word := reflect.Int64
	if bits.UintSize == 32 {
		word = reflect.Int32
	}
	if got, want := fieldsOf(reflect.TypeFor[int]()), []field{{0, word, false}}; !slices.Equal(got, want) {
		t.Errorf("fieldsOf(int) = %v, want %v", got, want)
	}
	if got := fieldsOf(reflect.TypeFor[*deep]()); len(got) > 0 {
		t.Errorf("fieldsOf(*deep) = %v: these may be written by others", got)
	}
	type wide struct {
		A, B struct{ A, B, C, D, E, F, G, H, I, J int }
	}
	if got := fieldsOf(reflect.TypeFor[wide]()); len(got) != mostFields {
		t.Errorf("%d fields, want %d", len(got), mostFields)
	}
}

// An opponent answers comparisons so that pivots are as small as can be (McIlroy:
// A Killer Adversary for Quicksort, 1999). It makes up the order as it goes, so it
// finds the weakness of any sort that has one.
func TestOpponent(t *testing.T) {
	type item struct{ id uint32 }
	stress.Procs(t, func(t *testing.T) {
		for _, n := range []int{1000, sampled, parallel + 3000} {
			if !stress.Long() && n > sampled {
				continue
			}
			for name, sort := range map[string]func(x []item, cmp func(a, b item) int){
				"SortFunc": SortFunc[item], "SortStableFunc": SortStableFunc[item],
				"quicksort": func(x []item, cmp func(a, b item) int) { quicksort[item]{cmp, 100, 4}.sort(x) },
				"sampler": func(x []item, cmp func(a, b item) int) {
					s := &sampler[item]{cmp, func(x, _ []item) { slices.SortFunc(x, cmp) }}
					s.sort(x, make([]item, n), make([]uint16, n))
				},
			} {
				value := make([]int, n)
				for i := range value {
					value[i] = n
				}
				var mu sync.Mutex
				calls, next, pivot := 0, 0, uint32(0)
				x := make([]item, n)
				for i := range x {
					x[i].id = uint32(i)
				}
				rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
				settle := func(i uint32) {
					value[i] = next
					next++
				}
				sort(x, func(a, b item) int {
					mu.Lock()
					defer mu.Unlock()
					calls++
					if value[a.id] == n && value[b.id] == n {
						if a.id == pivot {
							settle(a.id)
						} else {
							settle(b.id)
						}
					}
					if value[a.id] == n {
						pivot = a.id
					} else if value[b.id] == n {
						pivot = b.id
					}
					return cmp.Compare(value[a.id], value[b.id])
				})
				if most := 4 * n * bits.Len(uint(n)); calls > most {
					t.Errorf("%s, n = %d: %d calls, want at most %d", name, n, calls, most)
				}
				if !slices.IsSortedFunc(x, func(a, b item) int { return cmp.Compare(value[a.id], value[b.id]) }) {
					t.Errorf("%s, n = %d: not sorted", name, n)
				}
			}
		}
	})
}

// TestFieldTies: where the sample shows a field, and elements that are equal in it
// turn out to belong elsewhere, what comes out is as the comparison says.
func TestFieldTies(t *testing.T) {
	type elem struct {
		_    [2]int64
		a, b int
	}
	const n = 4096
	x := make([]elem, 0, n+1)
	for i := range n {
		x = append(x, elem{a: i, b: 10 * i})
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
	// In the order of a: this one, its equal, and the next, of which this one is the
	// last by b.
	const late = n / 3
	x = slices.Insert(x, 0, elem{a: late, b: 10*late + 15})
	byB := func(a, b elem) int { return cmp.Compare(a.b, b.b) }
	for name, sort := range map[string]func([]elem, func(a, b elem) int){"SortFunc": SortFunc[elem], "SortStableFunc": SortStableFunc[elem]} {
		y := slices.Clone(x)
		sort(y, byB)
		if !slices.IsSortedFunc(y, byB) {
			t.Errorf("%s: not sorted", name)
		}
	}
}

// TestFieldWrong: where the sample shows a field that is not the one, by a few elements
// that are not in the sample, what comes out is as the comparison says.
func TestFieldWrong(t *testing.T) {
	type elem struct {
		_    [2]int64
		a, b int
	}
	const n, odd = 4096, 4096 / 3
	byB := func(a, b elem) int { return cmp.Compare(a.b, b.b) }
	for name, change := range map[string]func(this, next *elem){
		"one belongs elsewhere": func(this, next *elem) { this.b = -1 },
		// Equal in b, and not in a: they stay as they are.
		"two are equal": func(this, next *elem) { this.a, next.a, this.b = next.a, this.a, next.b },
	} {
		x := make([]elem, n)
		for i := range x {
			x[i] = elem{a: i, b: 10 * i}
		}
		change(&x[odd], &x[odd+1])
		first, second := x[odd], x[odd+1]
		rest := slices.Delete(x, odd, odd+2)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		x = slices.Concat(rest[:odd], []elem{first, second}, rest[odd:])
		want := slices.Clone(x)
		slices.SortStableFunc(want, byB)
		SortStableFunc(x, byB)
		if !slices.Equal(x, want) {
			t.Errorf("%s: not sorted, or not stable", name)
		}
	}
}
