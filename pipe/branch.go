package pipe

// Broadcast gives each item to each branch. It is a pipe of what comes out of all of
// them: that of one branch in its order, and between branches in none. A branch gets a
// pipe of the items and returns one that begins with it. Broadcast calls it at once, and
// the functions in it when the pipe runs.
//
// Broadcast panics if a branch is nil.
func Broadcast[T, U any](p Pipe[T], branches ...func(p Pipe[T]) Pipe[U]) Pipe[U] {
	return branch("Broadcast", p, nil, branches)
}

// Split gives each item to one branch, that with index to(v), and is otherwise as
// [Broadcast]. An index that no branch has drops the item. to runs on the goroutine
// that calls the sink.
func Split[T, U any](p Pipe[T], to func(v T) int, branches ...func(p Pipe[T]) Pipe[U]) Pipe[U] {
	if to == nil {
		panic("pipe.Split: to is nil")
	}
	return branch("Split", p, to, branches)
}

func branch[T, U any](name string, p Pipe[T], to func(v T) int, branches []func(p Pipe[T]) Pipe[U]) Pipe[U] {
	b := &branching[T, U]{name: name, up: p.d, to: to}
	for _, f := range branches {
		if f == nil {
			panic("pipe." + name + ": a branch is nil")
		}
		in := &inlet[T]{name}
		b.inlets = append(b.inlets, in)
		b.branches = append(b.branches, f(Pipe[T]{p.d.behind(in)}).d)
	}
	return behind[U](&p.d, b)
}

type branching[T, U any] struct {
	name     string
	up       desc
	to       func(v T) int // nil: to all
	inlets   []*inlet[T]
	branches []desc
}

func (f *branching[T, U]) title() string { return f.name }

// drive has each branch, when it asks its source for items, start the next one, and the
// last one the source of all. So each is ready when the first item comes, and ends when
// there are no more.
func (f *branching[T, U]) drive(s *segment) {
	p := newPusher[U](s)
	t := &brancher[T]{to: f.to, all: make([]*pusher[T], len(f.branches)), open: len(f.branches)}
	var start func(i int)
	start = func(i int) {
		if i == len(f.branches) {
			t.up = s.r.segment(&f.up, t, s)
			if i > 0 && t.open == 0 {
				t.up.stop()
			}
			f.up.from.drive(t.up)
			return
		}
		begun := false
		if s.r.inlets == nil {
			s.r.inlets = make(map[any]func(*segment))
		}
		s.r.inlets[f.inlets[i]] = func(in *segment) {
			if begun {
				panic("pipe." + f.name + ": a branch uses its pipe twice")
			}
			begun = true
			t.all[i] = newPusher[T](in)
			in.onCut = t.ended
			if in.cut {
				t.ended()
			}
			start(i + 1)
			t.all[i].close()
		}
		drive(s, &f.branches[i], &relaying[U]{pushing[U]{p}})
		if !begun {
			panic("pipe." + f.name + ": a branch does not begin with its pipe")
		}
	}
	start(0)
	p.close()
}

// An inlet is the source of a branch.
type inlet[T any] struct{ name string }

func (f *inlet[T]) title() string { return "branch of " + f.name }

func (f *inlet[T]) drive(s *segment) {
	begin := s.r.inlets[f]
	if begin == nil {
		panic("pipe." + f.name + ": the pipe of a branch is used outside of it")
	}
	begin(s)
}

type brancher[T any] struct {
	to   func(v T) int
	all  []*pusher[T]
	open int      // branches that want items
	up   *segment // that the items are from; nil: it has not begun
}

// ended is called where a branch wants no more items. What is before it ends when none
// does.
func (t *brancher[T]) ended() {
	if t.open--; t.open == 0 && t.up != nil {
		t.up.stop()
	}
}

func (t *brancher[T]) take(s *segment, v vector) bool {
	items := v.(*vec[T]).items
	if t.to == nil {
		for _, p := range t.all {
			p.pushAll(items)
		}
		return s.wanted()
	}
	for _, x := range items {
		if i := t.to(x); i >= 0 && i < len(t.all) {
			t.all[i].push(x)
		}
		if !s.wanted() {
			return false
		}
	}
	return true
}

// gather hands on errors by the first branch that wants items.
func (t *brancher[T]) gather(s *segment, errs []error) bool {
	for _, p := range t.all {
		if p.s.wanted() {
			pushing[T]{p}.gather(s, errs)
			return s.wanted()
		}
	}
	s.r.gather(errs)
	return s.wanted()
}
