// Package jobs runs report jobs in the background.
package jobs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"sync"
	"time"
)

// State of a job.
type State int

// The states, in order.
const (
	Queued State = iota
	Running
	Done
	Failed
)

func (s State) final() bool { return s == Done || s == Failed }

// Job is a unit of work.
type Job struct {
	Name string
	Run  func() (string, error)
}

type status struct {
	state  State
	result string
	err    error
}

// Runner runs jobs in goroutines of its own.
type Runner struct {
	queue chan int
	wg    sync.WaitGroup

	mu   sync.Mutex
	jobs []Job
	stat []status
}

// ErrNoJob is returned for a ticket that was never given out.
var ErrNoJob = errors.New("jobs: no such job")

// NewRunner starts n goroutines.
func NewRunner(n int) *Runner {
	r := &Runner{queue: make(chan int, 1024)}
	for range n {
		r.wg.Add(1)
		go r.loop()
	}
	return r
}

// Close lets the jobs in the queue finish.
func (r *Runner) Close() {
	close(r.queue)
	r.wg.Wait()
}

func (r *Runner) loop() {
	defer r.wg.Done()
	for id := range r.queue {
		job := r.start(id)
		res, err := job.Run()
		r.finish(id, res, err)
	}
}

func (r *Runner) start(id int) Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stat[id].state = Running
	return r.jobs[id]
}

func (r *Runner) finish(id int, res string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	st := &r.stat[id]
	st.result, st.err, st.state = res, err, Done
	if err != nil {
		st.state = Failed
	}
}

// Submit queues a job and returns its ticket.
func (r *Runner) Submit(j Job) int {
	r.mu.Lock()
	id := len(r.jobs)
	r.jobs = append(r.jobs, j)
	r.stat = append(r.stat, status{})
	r.mu.Unlock()
	r.queue <- id
	return id
}

// State returns the state of a job.
func (r *Runner) State(id int) (State, error) {
	st, err := r.status(id)
	return st.state, err
}

func (r *Runner) status(id int) (status, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if id < 0 || id >= len(r.stat) {
		return status{}, ErrNoJob
	}
	return r.stat[id], nil
}

const checkInterval = 2 * time.Millisecond

// Result waits for a job to finish and returns what it returned.
func (r *Runner) Result(id int) (string, error) {
	for {
		st, err := r.status(id)
		if err != nil {
			return "", err
		}
		if st.state.final() {
			return st.result, st.err
		}
		time.Sleep(checkInterval)
	}
}

// Checksum returns a job that hashes a sequence of numbers.
func Checksum(name string, n int) Job {
	return Job{Name: name, Run: func() (string, error) {
		if n < 0 {
			return "", errors.New("jobs: negative length")
		}
		h := sha256.New()
		h.Write([]byte(name))
		var b [8]byte
		for i := range n {
			binary.LittleEndian.PutUint64(b[:], uint64(i))
			h.Write(b[:])
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	}}
}
