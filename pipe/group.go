package pipe

// A Group is what [GroupBy] has made of the items of one key.
type Group[K comparable, A any] struct {
	Key   K
	Value A
}

// GroupBy is a pipe of one Group for each key that items have, in the order in which
// the keys came first. Its value is what fold has made of these items, in their order:
// fold(…fold(fold(zero, first), second)…, last). Groups come when there are no more
// items; until then a value for each key is kept, and nothing else.
//
// key and fold run on the goroutine that calls the sink. Where to find the key is work,
// let a Map do it before. GroupBy panics if key or fold is nil.
//
//	words := pipe.GroupBy(p, strings.ToLower, func(n int, _ string) int { return n + 1 })
func GroupBy[K comparable, T, A any](p Pipe[T], key func(v T) K, fold func(acc A, v T) A) Pipe[Group[K, A]] {
	if key == nil || fold == nil {
		panic("pipe.GroupBy: key or fold is nil")
	}
	return behind[Group[K, A]](&p.d, &grouping[K, T, A]{p.d, key, fold})
}

type grouping[K comparable, T, A any] struct {
	up   desc
	key  func(v T) K
	fold func(acc A, v T) A
}

func (f *grouping[K, T, A]) title() string { return "GroupBy(" + nameOf(codeOf(f.key)) + ")" }

func (f *grouping[K, T, A]) drive(s *segment) {
	p := newPusher[Group[K, A]](s)
	t := &grouper[K, T, A]{pushing[Group[K, A]]{p}, f, make(map[K]int), nil}
	drive(s, &f.up, t)
	p.pushAll(t.groups)
	p.close()
}

type grouper[K comparable, T, A any] struct {
	pushing[Group[K, A]]
	*grouping[K, T, A]
	at     map[K]int // in groups
	groups []Group[K, A]
}

func (t *grouper[K, T, A]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		k := t.key(x)
		i, ok := t.at[k]
		if !ok {
			i = len(t.groups)
			t.at[k] = i
			t.groups = append(t.groups, Group[K, A]{Key: k})
		}
		g := &t.groups[i]
		g.Value = t.fold(g.Value, x)
	}
	return true
}
