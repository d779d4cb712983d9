package dispatch

// A step makes one number of another.
type step interface{ next(x uint64) uint64 }

// A linear makes a*x + b, two instructions: what a call costs shows.
type linear struct{ a, b uint64 }

func (l linear) next(x uint64) uint64 { return l.a*x + l.b }

// An apart is a linear whose method is called.
type apart linear

//go:noinline
func (l apart) next(x uint64) uint64 { return l.a*x + l.b }

// Inlined has the code of the method in its loop.
func Inlined(a, b uint64, xs []uint64) (sum uint64) {
	l := linear{a, b}
	for _, x := range xs {
		sum += l.next(x)
	}
	return sum
}

// Called calls the method.
func Called(a, b uint64, xs []uint64) (sum uint64) {
	l := apart{a, b}
	for _, x := range xs {
		sum += l.next(x)
	}
	return sum
}

// Interface finds the method in an interface value.
func Interface(a, b uint64, xs []uint64) uint64 { return throughInterface(linear{a, b}, xs) }

// throughInterface is not inlined: its caller knows the type, and the compiler
// would call the method of that.
//
//go:noinline
func throughInterface(s step, xs []uint64) (sum uint64) {
	for _, x := range xs {
		sum += s.next(x)
	}
	return sum
}

// Generic calls the method of a type parameter.
func Generic(a, b uint64, xs []uint64) uint64 { return throughParameter(linear{a, b}, xs) }

//go:noinline
func throughParameter[S step](s S, xs []uint64) (sum uint64) {
	for _, x := range xs {
		sum += s.next(x)
	}
	return sum
}

// Func calls a function value.
func Func(a, b uint64, xs []uint64) uint64 { return throughFunc(linear{a, b}.next, xs) }

//go:noinline
func throughFunc(next func(uint64) uint64, xs []uint64) (sum uint64) {
	for _, x := range xs {
		sum += next(x)
	}
	return sum
}
