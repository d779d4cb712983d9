package pipe

import "context"

// Map calls f with each item. Its results come in the order of the items.
//
// f may be called on any goroutine, for several items at once. What it shares needs
// the care that goroutines need. Map panics if f is nil.
func Map[T, U any](p Pipe[T], f func(v T) U) Pipe[U] {
	if f == nil {
		panic("pipe.Map: f is nil")
	}
	fuse[T](&p.d, mapping[T, U](f))
	return Pipe[U](p)
}

// MapContext is [Map] for what may fail, or wait. The context that f gets is that of
// the run, which is done when the run ends for any reason. The first error in the
// order of the items ends the run: those before it are delivered, and the sink returns
// an [*Error]. See [Pipe.OnError].
func MapContext[T, U any](p Pipe[T], f func(ctx context.Context, v T) (U, error)) Pipe[U] {
	if f == nil {
		panic("pipe.MapContext: f is nil")
	}
	fuse[T](&p.d, mappingContext[T, U](f))
	p.d.context = true
	return Pipe[U](p)
}

type mapping[T, U any] func(v T) U

func (f mapping[T, U]) run(l *lane, in, out vector) vector {
	from, to := in.(*vec[T]), as[U](out)
	items := from.items
	results := to.grown(len(items))[:len(items)]
	if l.paced() {
		return f.paced(l, from, to)
	}
	// at is in memory, for the deferred call; k may be in a register between calls.
	at := 0
	defer broke(l, from, &at)
	for k, v := range items {
		at = k
		results[k] = f(v)
	}
	at = len(items)
	to.items, to.at = results, from.at
	return to
}

// paced is run where the stage has a rate.
func (f mapping[T, U]) paced(l *lane, from *vec[T], to *vec[U]) vector {
	i := 0
	defer broke(l, from, &i)
	for ; i < len(from.items); i++ {
		if !l.wait(from.place(i)) {
			break
		}
		to.own[i] = f(from.items[i])
	}
	to.items, to.at = to.own[:i], from.at
	if to.at != nil {
		to.at = to.at[:i]
	}
	i = len(from.items)
	return to
}

func (f mapping[T, U]) code() uintptr            { return codeOf(f) }
func (f mapping[T, U]) oneForOne()               {}
func (f mapping[T, U]) call() string             { return "Map" }
func (f mapping[T, U]) inlet(up desc) source     { return &relay[T]{up} }
func (f mapping[T, U]) sizes() (in, out uintptr) { return sizeOf[T](), sizeOf[U]() }

type mappingContext[T, U any] func(ctx context.Context, v T) (U, error)

func (f mappingContext[T, U]) run(l *lane, in, out vector) vector {
	from, to := in.(*vec[T]), as[U](out)
	n := len(from.items)
	results := to.grown(n)
	to.at = from.at
	ctx, paced := l.ctx, l.paced()
	i, k := 0, 0 // items, and results
	defer broke(l, from, &i)
	for ; i < n; i++ {
		if paced && !l.wait(from.place(i)) {
			break
		}
		r, err := f(ctx, from.items[i])
		if err != nil && l.st.about != nil {
			for try := 0; err != nil && l.again(try, err); try++ {
				r, err = f(ctx, from.items[i])
			}
		}
		if err != nil {
			if !l.failed(from.place(i), from.items[i], err) {
				break
			}
			if k == i {
				// The first item that is left out.
				at := to.places(n)
				for j := range i {
					at[j] = int32(from.place(j))
				}
				to.at = at
			}
			continue
		}
		results[k] = r
		if k != i {
			to.at[k] = int32(from.place(i))
		}
		k++
	}
	i = n
	to.items = results[:k]
	if to.at != nil {
		to.at = to.at[:k]
	}
	return to
}

func (f mappingContext[T, U]) code() uintptr            { return codeOf(f) }
func (f mappingContext[T, U]) oneForOne()               {}
func (f mappingContext[T, U]) call() string             { return "MapContext" }
func (f mappingContext[T, U]) inlet(up desc) source     { return &relay[T]{up} }
func (f mappingContext[T, U]) sizes() (in, out uintptr) { return sizeOf[T](), sizeOf[U]() }

// broke is deferred by those who call functions for items. It notes at which one it
// was, where i is not past all of them: the function has panicked, or called Goexit.
func broke[T any](l *lane, from *vec[T], i *int) {
	if *i < len(from.items) {
		l.place, l.item = from.place(*i), from.items[*i]
	}
}
