package a

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

// A literal has no field names.

type unkeyed struct { // want `elements of unkeyeds` // refuse "pad: a literal of it has no field names"
	n    atomic.Int64
	name string
}

var unkeyeds = []unkeyed{{name: "a"}, {atomic.Int64{}, "b"}}

func _(i int) { unkeyeds[i%2].n.Add(1) }

// Other packages may write literals.

type Open struct { // want `elements of opens` // refuse "pad: other packages may write its values without field names"
	Mu sync.Mutex
	N  int
}

var opens [4]Open

func _(i int) { opens[i%4].Mu.Lock() }

// It is written as it lies.

type header struct{ Hits int64 } // want `elements of headers` // refuse "pad: encoding/binary writes or reads it as it lies"

var headers [4]header

func _(i int) []byte {
	atomic.AddInt64(&headers[i%4].Hits, 1)
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, headers[:])
	return b.Bytes()
}

// It is converted.

type (
	local  struct{ n int64 } // want `elements of locals` // refuse "pad: it is converted from or to another type"
	remote struct{ n int64 }
)

var locals [4]local

func _(i int) remote {
	atomic.AddInt64(&locals[i%4].n, 1)
	return remote(locals[i%4])
}

// Another type is made of it.

type (
	base  struct{ mu sync.Mutex } // want `elements of bases` // refuse "pad: type based is made of it"
	based base
)

var bases [4]base

func _(i int, _ *based) { bases[i%4].mu.Lock() }

// The type is written twice.

var twice [4]struct{ n atomic.Int64 } // want `elements of twice` // refuse "pad: its type is written twice"

func _(i int) *struct{ n atomic.Int64 } {
	twice[i%4].n.Add(1)
	return &twice[i%4]
}

// Generic, of known size.

type box[T any] struct {
	n    atomic.Int64
	what *T
}

var boxes [4]box[int] // want `elements of boxes` // refuse "pad: its type is declared elsewhere, or is generic"

func _(i int) { boxes[i%4].n.Add(1) }

// Too large.

type entry struct{ mu sync.Mutex } // want `elements of entries` // refuse "pad: the array would fill more than 1 MiB"

var entries [1 << 20]entry

func _(i uint) { entries[i%(1<<20)].mu.Lock() }

// Bare ones that go elsewhere.

var Exported [4]atomic.Int64 // want `elements of Exported` // refuse "pad: other packages may use Exported"

var (
	handed  = make([]atomic.Int64, 4)          // want `elements of handed` // refuse "pad: it is handed to use"
	alias   = make([]atomic.Int64, 4)          // want `elements of alias` // refuse "pad: it is used as a whole"
	literal = []int64{1, 2, 3}                 // want `elements of literal`
	two, _  = make([]atomic.Uint32, 4), "both" // want `elements of two`
	numbers counters                           // want `elements of numbers` // refuse "pad: its type counters is not written as a slice or array"
	copied  [4]int64                           // want `elements of copied`
)

type counters [4]atomic.Int64

func use([]atomic.Int64) {}

func _(i int) (sum int64) {
	Exported[i%4].Add(1)
	handed[i%4].Add(1)
	use(handed)
	alias[i%4].Add(1)
	a := alias
	_ = a
	atomic.AddInt64(&literal[i%3], 1)
	two[i%4].Add(1)
	numbers[i%4].Add(1)
	atomic.AddInt64(&copied[i%4], 1)
	for _, n := range copied {
		sum += n
	}
	return sum
}

// It is shown.

type shown struct { // want `elements of showns` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

var showns [4]shown

func _(i int) string {
	showns[i%4].n.Add(1)
	return fmt.Sprint(&showns[i%4])
}

type owner struct {
	parts [4]atomic.Int64 // want `elements of parts` // refuse "pad: its fields may be shown: it is made an empty interface"
}

func (o *owner) inc(i int) any {
	o.parts[i%4].Add(1)
	return o
}

type named struct { // want `elements of nameds` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

var nameds [4]named

func _(i int) string {
	nameds[i%4].n.Add(1)
	by := map[string]*named{"a": &nameds[0]}
	return fmt.Sprintf("%+v", by)
}

type held struct { // want `elements of parts` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

type holder struct{ parts [4]held }

func (h *holder) inc(i int) { h.parts[i%4].n.Add(1) }

func _(h *holder) string { return fmt.Sprintf("%v", h) }

type fields struct { // want `elements of manyFields` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

var manyFields = make([]fields, 4)

func _(i int) int {
	manyFields[i%4].n.Add(1)
	return reflect.TypeOf(&manyFields[0]).Elem().NumField()
}

// A pool and json look at none of it.

type pooled struct { // want `elements of pooleds`
	n atomic.Int64
}

var (
	pooleds [4]pooled
	pool    sync.Pool
)

func _(i int) ([]byte, error) {
	pooleds[i%4].n.Add(1)
	pool.Put(&pooleds[i%4])
	return json.Marshal(&pooleds[i%4])
}

// It is shown by an interface that it implements, by a generic function, and by
// a struct that holds anything.

type counted interface{ count() int64 }

type method struct { // want `elements of methods` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

func (m *method) count() int64 { return m.n.Load() }

var methods [4]method

func _(i int) string {
	methods[i%4].n.Add(1)
	var c counted = &methods[i%4]
	return fmt.Sprintf("%+v", c)
}

type arg struct { // want `elements of args` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

var args [4]arg

func text[T any](xs []T) string { return fmt.Sprintf("%v", xs[0]) }

func _(i int) string {
	args[i%4].n.Add(1)
	return text([]*arg{&args[i%4]})
}

type event struct{ value any }

type evented struct { // want `elements of eventeds` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

var eventeds [4]evented

func _(i int) event {
	eventeds[i%4].n.Add(1)
	return event{value: &eventeds[i%4]}
}

// Nothing shows what such an interface holds, but another generic function shows what
// it is given.

type quiet struct { // want `elements of quiets` // refuse "pad: its fields may be shown: it is made an empty interface"
	n atomic.Int64
}

type noted interface{ note() }

func (q *quiet) note() { q.n.Add(1) }

var quiets [4]quiet

func first[T any](xs []T) T { return xs[0] }

func _(i int) {
	quiets[i%4].n.Add(1)
	var n noted = first([]*quiet{&quiets[i%4]})
	n.note()
}

// Assembly gets it.

type assembled struct { // want `elements of assembleds` // refuse "pad: sum, which is not written in Go, gets it"
	n atomic.Int64
}

var assembleds [4]assembled

func sum(all *[4]assembled) int64

func _(i int) int64 {
	assembleds[i%4].n.Add(1)
	return sum(&assembleds)
}

// Who named what fills the cache line took care of it.
type filled struct {
	n   atomic.Int64
	pad [56]byte
}

var fills [4]filled

func _(i int) { fills[i%4].n.Add(1) }
