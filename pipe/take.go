package pipe

// Take is a pipe of the first n items, or of all where there are fewer. When they are
// there what stands before it ends, and what stands behind goes on with them. So it
// ends a source that does not end itself.
//
// Functions before Take may run for items that come after the n'th, as they may before
// a loop that ends early. They do not where only Maps stand between a Slice, Range,
// Chan, Queue or Lines and Take, and OnError drops none of their errors. Then the pipe
// also takes no more than n values from a channel or a queue.
//
// Take panics if n is negative.
func (p Pipe[T]) Take(n int) Pipe[T] {
	if n < 0 {
		panic("pipe.Take: n < 0")
	}
	return behind[T](&p.d, &taking[T]{p.d, n})
}

type taking[T any] struct {
	up desc
	n  int
}

func (f *taking[T]) title() string { return "Take" }

func (f *taking[T]) drive(s *segment) {
	p := newPusher[T](s)
	up := s.r.segment(&f.up, &taken[T]{pushing[T]{p}, f.n}, s)
	if f.n == 0 {
		up.stop()
	} else if up.oneForOne() {
		up.quota = f.n
	}
	f.up.from.drive(up)
	p.close()
}

type taken[T any] struct {
	pushing[T]
	left int
}

func (t *taken[T]) take(s *segment, v vector) bool {
	items := v.(*vec[T]).items
	items = items[:min(len(items), t.left)]
	t.left -= len(items)
	return t.down.pushAll(items) && t.left > 0
}

// Skip is a pipe of the items but the first n. It panics if n is negative.
func (p Pipe[T]) Skip(n int) Pipe[T] {
	if n < 0 {
		panic("pipe.Skip: n < 0")
	}
	return behind[T](&p.d, &skipping[T]{p.d, n})
}

type skipping[T any] struct {
	up desc
	n  int
}

func (f *skipping[T]) title() string { return "Skip" }

func (f *skipping[T]) drive(s *segment) {
	p := newPusher[T](s)
	drive(s, &f.up, &skipper[T]{pushing[T]{p}, f.n})
	p.close()
}

type skipper[T any] struct {
	pushing[T]
	left int
}

func (t *skipper[T]) take(s *segment, v vector) bool {
	items := v.(*vec[T]).items
	n := min(len(items), t.left)
	t.left -= n
	return t.down.pushAll(items[n:])
}

// What follows is how a part of a run ends before the others: what a segment delivers is
// wanted no more, and so is what comes into it.

// stop ends what is upstream of the taker of s: the run, where that is the sink.
func (s *segment) stop() {
	if s.index == 0 {
		s.r.over = true
	}
	if s.r.over || s.cut {
		return
	}
	s.cut = true
	if sh := s.shared; sh != nil {
		sh.mu.Lock()
		sh.shut = true
		sh.open.Store(false)
		sh.mu.Unlock()
	}
	if s.onCut != nil {
		s.onCut()
	}
	for _, up := range s.r.segs {
		if up.down == s {
			up.stop()
		}
	}
}

// wanted reports whether what s delivers still is.
func (s *segment) wanted() bool { return !s.cut && !s.r.over }

// alive is wanted where the context is not done.
func (s *segment) alive() bool { return s.r.alive() && !s.cut }

// oneForOne reports whether the stages give one result for each item.
func (s *segment) oneForOne() bool {
	for _, st := range s.stages {
		if _, ok := st.op.(interface{ oneForOne() }); !ok || st.about != nil && st.about.rule != stopRule {
			return false
		}
	}
	return true
}

// fetch takes up to n items from the feed, of those that may come.
func (s *segment) fetch(f feed, b *batch, n int, w *waiting) (taken int, ended bool) {
	if n = s.room(n); n == 0 {
		return 0, true
	}
	return f.take(s, b, n, w)
}

// room is how many of n items may come.
func (s *segment) room(n int) int {
	if s.quota > 0 {
		n = min(n, s.quota-s.taken)
	}
	return n
}
