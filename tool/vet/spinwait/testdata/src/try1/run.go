package dagrun

import (
	"fmt"
	"runtime"
	"sync"
)

// TaskError is the failure of one task.
type TaskError struct {
	Task string
	Err  error
}

func (e *TaskError) Error() string { return fmt.Sprintf("dagrun: %s: %v", e.Task, e.Err) }

// Unwrap returns the task's own error.
func (e *TaskError) Unwrap() error { return e.Err }

// outcome reports the end of a task to the scheduler.
type outcome struct {
	node *node
	err  error
}

// schedule releases nodes as their needs are met, until all are done or
// one has failed.
type schedule struct {
	ready *box[*node]
	done  *box[outcome]
	left  map[*node]int
	todo  int
}

func newSchedule(nodes []*node) *schedule {
	s := &schedule{
		ready: newBox[*node](),
		done:  newBox[outcome](),
		left:  make(map[*node]int, len(nodes)),
		todo:  len(nodes),
	}
	for _, n := range nodes {
		s.left[n] = n.needs
		if n.needs == 0 {
			s.ready.put(n)
		}
	}
	return s
}

func (s *schedule) loop() error {
	defer s.ready.close()
	for s.todo > 0 {
		o, _ := s.done.take()
		if o.err != nil {
			return &TaskError{o.node.task.Name, o.err}
		}
		s.todo--
		for _, m := range o.node.next {
			if s.left[m]--; s.left[m] == 0 {
				s.ready.put(m)
			}
		}
	}
	return nil
}

func (s *schedule) work() {
	for {
		n, ok := s.ready.take()
		if !ok {
			return
		}
		s.done.put(outcome{n, n.task.Do()})
	}
}

// Run carries out the plan with the given number of workers, or one per
// processor if it is zero. After a failure no further task is started;
// the first failure is returned. A plan may be run again.
func (p *Plan) Run(workers int) error {
	if len(p.nodes) == 0 {
		return nil
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := newSchedule(p.nodes)
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.work()
		}()
	}
	err := s.loop()
	wg.Wait()
	return err
}
