// Package dagrun runs tasks in the order that their dependencies ask for.
package dagrun

import (
	"errors"
	"fmt"
)

// Task is a named piece of work.
type Task struct {
	Name  string
	Needs []string
	Do    func() error
}

// Errors of a plan.
var (
	ErrCycle = errors.New("dagrun: tasks depend on each other in a circle")
	ErrEmpty = errors.New("dagrun: task has nothing to do")
)

type node struct {
	task  Task
	next  []*node
	needs int
}

// Plan is a checked set of tasks.
type Plan struct {
	nodes []*node
	index map[string]*node
}

// NewPlan checks the tasks.
func NewPlan(tasks []Task) (*Plan, error) {
	p := &Plan{index: make(map[string]*node, len(tasks))}
	for _, t := range tasks {
		if t.Do == nil {
			return nil, fmt.Errorf("%w: %s", ErrEmpty, t.Name)
		}
		if p.index[t.Name] != nil {
			return nil, fmt.Errorf("dagrun: task %s is there twice", t.Name)
		}
		n := &node{task: t}
		p.nodes = append(p.nodes, n)
		p.index[t.Name] = n
	}
	for _, n := range p.nodes {
		for _, need := range n.task.Needs {
			from := p.index[need]
			if from == nil {
				return nil, fmt.Errorf("dagrun: %s needs %s, which is unknown", n.task.Name, need)
			}
			from.next = append(from.next, n)
			n.needs++
		}
	}
	if len(p.order()) != len(p.nodes) {
		return nil, ErrCycle
	}
	return p, nil
}

// order lists the nodes so that each comes after what it needs. Nodes on
// a circle are left out.
func (p *Plan) order() []*node {
	left := make(map[*node]int, len(p.nodes))
	var out []*node
	for _, n := range p.nodes {
		left[n] = n.needs
		if n.needs == 0 {
			out = append(out, n)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, m := range out[i].next {
			if left[m]--; left[m] == 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// Order returns the names of the tasks in an order that works.
func (p *Plan) Order() []string {
	var names []string
	for _, n := range p.order() {
		names = append(names, n.task.Name)
	}
	return names
}
