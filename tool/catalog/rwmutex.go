package catalog

var RWMutex = enter(Cause{
	Slug:  "rwmutex",
	Part:  "goroutines",
	Title: "The reader count of an RWMutex",
	What: prose(`
Readers of an RWMutex do not exclude each other, yet each of them adds to one
counter on the way in and subtracts from it on the way out. That counter is a word
that every reader writes. If the section between is a lookup or two, the readers
spend their time passing the counter's cache line around, and a plain Mutex may
serve them as well or better.`),
	Looks: prose(`
There is no writer to speak of and still the inflation is well above 1, with all
processors in use. The CPU profile has RLock and RUnlock, or the atomic additions
inlined from them. The trace has no goroutine blocked on the lock: it looks
healthy.`),
	Evidence: []string{
		"processor time in RWMutex methods beyond the base's",
		"hardly any goroutine waits for a writer in the trace: what readers pay is their common count, and its cache line, with what they read beside it",
	},
	Before: source(`
type settingsLocked struct {
	mu sync.RWMutex
	m  map[string]string
}

func (s *settingsLocked) get(key string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[key]
}

func (s *settingsLocked) set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = make(map[string]string)
	}
	s.m[key] = value
}
`),
	After: source(`
type settings struct {
	mu sync.Mutex                        // held by writers
	m  atomic.Pointer[map[string]string] // never written to once stored
}

func (s *settings) get(key string) string {
	if m := s.m.Load(); m != nil {
		return (*m)[key]
	}
	return ""
}

func (s *settings) set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := make(map[string]string)
	if m := s.m.Load(); m != nil {
		maps.Copy(next, *m)
	}
	next[key] = value
	s.m.Store(&next)
}
`),
	Do: "Publish an immutable snapshot and read it through an atomic pointer",
	Wrong: prose(`
When the data is large and written often, copying it for each write costs more than
the readers gain: a map with cheap snapshots or a lock per part is the way then. When
the readers do much work inside, the counter does not matter and an RWMutex is
right. When a reader has to see the value and something else change together, both
belong into one snapshot.`),
	Cures: []string{"sync/atomic.Pointer", "snapmap", "sync.Map", "sync.Mutex"},
	See: []string{
		"https://go.dev/issue/17973 (RWMutex scales poorly with the processors)",
		"Dice and Kogan, BRAVO: Biased Locking for Reader-Writer Locks, USENIX ATC 2019",
	},
})
