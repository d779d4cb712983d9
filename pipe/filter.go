package pipe

import "context"

// Filter keeps the items for which keep returns true. It may be called as the function
// of [Map] is. Filter panics if keep is nil.
func Filter[T any](p Pipe[T], keep func(v T) bool) Pipe[T] {
	if keep == nil {
		panic("pipe.Filter: keep is nil")
	}
	fuse[T](&p.d, filtering[T](keep))
	return p
}

// FilterContext is to [Filter] what [MapContext] is to [Map].
func FilterContext[T any](p Pipe[T], keep func(ctx context.Context, v T) (bool, error)) Pipe[T] {
	if keep == nil {
		panic("pipe.FilterContext: keep is nil")
	}
	fuse[T](&p.d, filteringContext[T](keep))
	p.d.context = true
	return p
}

type filtering[T any] func(v T) bool

func (keep filtering[T]) run(l *lane, in, out vector) vector {
	from, to := in.(*vec[T]), as[T](out)
	items := from.items
	kept, at := to.grown(len(items)), to.places(len(items))
	paced, k, i := l.paced(), 0, 0
	defer broke(l, from, &i)
	for j, v := range items {
		i = j
		if paced && !l.wait(from.place(j)) {
			break
		}
		if keep(v) {
			kept[k] = v
			at[k] = int32(from.place(j))
			k++
		}
	}
	i = len(items)
	to.items, to.at = kept[:k], at[:k]
	return to
}

func (keep filtering[T]) code() uintptr            { return codeOf(keep) }
func (keep filtering[T]) call() string             { return "Filter" }
func (keep filtering[T]) inlet(up desc) source     { return &relay[T]{up} }
func (keep filtering[T]) sizes() (in, out uintptr) { return sizeOf[T](), sizeOf[T]() }

type filteringContext[T any] func(ctx context.Context, v T) (bool, error)

func (keep filteringContext[T]) run(l *lane, in, out vector) vector {
	from, to := in.(*vec[T]), as[T](out)
	items := from.items
	kept, at := to.grown(len(items)), to.places(len(items))
	i, k := 0, 0
	defer broke(l, from, &i)
	for ; i < len(items); i++ {
		if l.paced() && !l.wait(from.place(i)) {
			break
		}
		ok, err := keep(l.ctx, items[i])
		for try := 0; err != nil && l.again(try, err); try++ {
			ok, err = keep(l.ctx, items[i])
		}
		if err != nil {
			if !l.failed(from.place(i), items[i], err) {
				break
			}
			continue
		}
		if ok {
			kept[k] = items[i]
			at[k] = int32(from.place(i))
			k++
		}
	}
	i = len(items)
	to.items, to.at = kept[:k], at[:k]
	return to
}

func (keep filteringContext[T]) code() uintptr            { return codeOf(keep) }
func (keep filteringContext[T]) call() string             { return "FilterContext" }
func (keep filteringContext[T]) inlet(up desc) source     { return &relay[T]{up} }
func (keep filteringContext[T]) sizes() (in, out uintptr) { return sizeOf[T](), sizeOf[T]() }
