package par

import (
	"context"
	"sync"
	"sync/atomic"
)

// Call calls f with a, as [Func.Call] does; the Func is made at the first call. It is
// for functions that no package variable can hold: a generic function makes its calls
// with Call. So does a function that calls itself anew from its own body, which a
// variable initialized by [New] must not.
//
//	func Sum[T Number](n *Node[T]) T { return par.Call(sum[T], n) }
//
//	func sum[T Number](t *par.Task[*Node[T], T], n *Node[T]) T
//
// What Call learns belongs to the code of f and its type: closures of one literal
// share it. A call costs 5 to 10 ns more than that of a Func, and f, where it captures
// variables or type parameters, an allocation. Call panics if f is nil.
func Call[A, R any](f func(t *Task[A, R], a A) R, a A) R {
	if f == nil {
		panic("par.Call: f is nil")
	}
	return funcOf[A, R](code(f), nil).withContext(context.Background(), f, a)
}

// CallContext is to [NewContext] what [Call] is to [New]. Each call allocates.
func CallContext[A, R any](ctx context.Context, f func(t *TaskContext[A, R], a A) (R, error), a A) (R, error) {
	if f == nil {
		panic("par.CallContext: f is nil")
	}
	if ctx.Err() != nil {
		var none R
		return none, context.Cause(ctx)
	}
	fn := lookUp[A, fallible[R]](code(f))
	if fn == nil {
		fn = funcOf[A](code(f), failed[R]) // failed is an allocation
	}
	x := fn.withContext(ctx, bodyContext(f), a)
	return x.r, x.err
}

// A named is a Func that Call has made, and the code of its function.
type named struct {
	code uintptr
	fn   any // *Func[A, R]
}

// nameds are all of them: a hash table, half of it empty, that only grows. There are
// as many as the program has functions that are called so.
var nameds struct {
	slots atomic.Pointer[[]atomic.Pointer[named]]
	mu    sync.Mutex // of who adds one
	n     int
}

// funcOf returns the Func for the function with that code, which has none of its own.
func funcOf[A, R any](code uintptr, failed func(R) bool) *Func[A, R] {
	if fn := lookUp[A, R](code); fn != nil {
		return fn
	}
	nameds.mu.Lock()
	defer nameds.mu.Unlock()
	if fn := lookUp[A, R](code); fn != nil {
		return fn
	}
	var old []atomic.Pointer[named]
	if p := nameds.slots.Load(); p != nil {
		old = *p
	}
	fn := new(Func[A, R])
	fn.begin(nil)
	fn.failed = failed
	add := func(slots []atomic.Pointer[named], f *named) {
		i := slot(f.code)
		for slots[i&(len(slots)-1)].Load() != nil {
			i++
		}
		slots[i&(len(slots)-1)].Store(f)
	}
	if nameds.n++; 2*nameds.n > len(old) {
		grown := make([]atomic.Pointer[named], max(64, 2*len(old)))
		for i := range old {
			if f := old[i].Load(); f != nil {
				add(grown, f)
			}
		}
		add(grown, &named{code, fn})
		nameds.slots.Store(&grown)
	} else {
		add(old, &named{code, fn})
	}
	return fn
}

func lookUp[A, R any](code uintptr) *Func[A, R] {
	p := nameds.slots.Load()
	if p == nil {
		return nil
	}
	slots := *p
	for i := slot(code); ; i++ {
		f := slots[i&(len(slots)-1)].Load()
		if f == nil {
			return nil
		}
		if f.code == code {
			if fn, ok := f.fn.(*Func[A, R]); ok {
				return fn
			}
		}
	}
}

// slot returns where to look for that code first.
func slot(code uintptr) int { return int(uint32(code>>4) * 0x9E3779B1 >> 8) }
