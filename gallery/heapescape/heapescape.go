package heapescape

// A record is 96 bytes, as many as the article's allocation.
type record struct{ words [12]uint64 }

// fill writes all of r. It is not inlined, and keeps no pointer to r: where r is
// made, the compiler knows that much and cannot leave out the writing.
//
//go:noinline
func (r *record) fill(x uint64) {
	for i := range r.words {
		r.words[i] = x + uint64(i)
	}
}

// sum adds up the ends of r.
func (r *record) sum() uint64 { return r.words[0] + r.words[len(r.words)-1] }

// Stack has a variable for each record.
func Stack(n int) (sum uint64) {
	for x := range uint64(n) {
		var r record
		r.fill(x)
		sum += r.sum()
	}
	return sum
}

// New has new in place of the variable.
func New(n int) (sum uint64) {
	for x := range uint64(n) {
		r := new(record)
		r.fill(x)
		sum += r.sum()
	}
	return sum
}

// Heap gets a pointer to each record from a constructor.
func Heap(n int) (sum uint64) {
	for x := range uint64(n) {
		r := newRecord(x)
		sum += r.sum()
	}
	return sum
}

// newRecord is not inlined, as constructors of some length are not. The record
// outlives its function, so it has to be on the heap.
//
//go:noinline
func newRecord(x uint64) *record {
	r := new(record)
	r.fill(x)
	return r
}

// Value gets a copy of each record from a constructor.
func Value(n int) (sum uint64) {
	for x := range uint64(n) {
		r := makeRecord(x)
		sum += r.sum()
	}
	return sum
}

//go:noinline
func makeRecord(x uint64) record {
	var r record
	r.fill(x)
	return r
}
