package pipe

import "context"

// Fold runs the pipe and returns what add and join have made of the items. It is
// [Reduce] for what any goroutine may do. Each has a result of its own, which begins as
// what zero returns, and to which add puts one item after the other. Then join puts two
// together. The items of the first came before those of the second.
//
//	sum, err := pipe.Fold(ctx, p, func() int { return 0 }, plus, plus)
//
// What zero returns must change nothing where it is joined, and is the result where
// there are no items. It may be a map or a slice, which add and join may change and
// return. Any goroutine may call zero and add, for several results at once. Only the
// goroutine that calls Fold calls join. Where the cuts are varies, and so does a sum of
// floats in its last digits.
//
// Where there is an error, the items before it were folded. Fold panics if zero, add or
// join is nil.
func Fold[T, A any](ctx context.Context, p Pipe[T], zero func() A, add func(acc A, v T) A, join func(a, b A) A) (A, error) {
	if zero == nil || add == nil || join == nil {
		panic("pipe.Fold: zero, add or join is nil")
	}
	fuse[T](&p.d, &folding[T, A]{zero, add})
	t := &joining[A]{join: join}
	err := flow(ctx, &p.d, t)
	if !t.any {
		return zero(), err
	}
	return t.acc, err
}

// A folding makes one result of the items of a batch.
type folding[T, A any] struct {
	zero func() A
	add  func(acc A, v T) A
}

func (f *folding[T, A]) run(l *lane, in, out vector) vector {
	from, to := in.(*vec[T]), as[A](out)
	to.items, to.at = to.grown(1)[:0], nil
	if len(from.items) == 0 {
		return to
	}
	i, add := 0, f.add
	defer broke(l, from, &i)
	acc := f.zero()
	for j, v := range from.items {
		i = j
		acc = add(acc, v)
	}
	i = len(from.items)
	to.items = append(to.items, acc)
	return to
}

func (f *folding[T, A]) code() uintptr            { return codeOf(f.add) }
func (f *folding[T, A]) call() string             { return "Fold" }
func (f *folding[T, A]) inlet(up desc) source     { return &relay[T]{up} }
func (f *folding[T, A]) sizes() (in, out uintptr) { return sizeOf[T](), 0 }

// A joining puts the results of batches together.
type joining[A any] struct {
	gathering
	acc  A
	any  bool
	join func(a, b A) A
}

func (t *joining[A]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[A]).items {
		if t.any {
			x = t.join(t.acc, x)
		}
		t.acc, t.any = x, true
	}
	return true
}
