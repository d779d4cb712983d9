package pool_test

import (
	"fmt"
	"strings"
	"testing"
)

// The model is the protocol of protocol.md, action by action: what is done under the
// lock is two actions, since who submits and who takes do so without it. What it leaves
// out: priorities, what tasks are worth, and when timers fire.

// A place is what a process of the model does next.
type place uint8

const (
	pAway     place = iota // of a worker: it was not started, or has left
	pTake                  // take a task
	pLock                  // lock mu: of who found a task that was coming
	pFound                 // and bring the next
	pRun                   // the task ends
	pBeat                  // look whether others are to be woken
	pPark                  // lock mu, to park
	pParkLook              // the last look
	pParkTell              // where that was before it told
	pParked
	pSend  // of a submitter: send
	pLoad  // load the signs
	pSee   // lock mu
	pBring // decide
	pDrain // of who drains: lock mu and look
	pSleep // it sleeps
	pOver
)

const procs = 6

// A crewState is all that the protocol goes by.
type crewState struct {
	ring, left     int8 // tasks that wait; that are not submitted
	alert, armed   bool
	fired          place // of the watch, whose timer has fired: pBring; else pAway
	active, coming int8
	locked         bool
	at             [procs]place
	flag           [procs]bool // a worker's coming
	stack          [procs]int8 // who is parked, from the bottom, +1
	drained        bool
}

// A crewModel is a crew, of a kind.
type crewModel struct {
	submitters, workers int
	tasks, want         int8
	short               bool // tasks are known to be short
	block               bool // tasks need not end
	plant               string
}

func (m crewModel) start() (s crewState) {
	s.left = m.tasks
	for i := range m.submitters {
		s.at[m.workers+i] = pSend
	}
	s.at[procs-1] = pDrain
	if m.block {
		s.at[procs-1] = pOver
	}
	m.tell(&s)
	return s
}

// tell is crew.tell.
func (m crewModel) tell(s *crewState) {
	full := s.active >= m.want
	quiet := s.coming > 0 || full || s.armed && s.active > 0 && m.short
	if m.plant == "quiet without a watch" {
		quiet = s.coming > 0 || full || s.active > 0 && m.short
	}
	s.alert = !quiet
}

// bring is crew.bring after its tell.
func (m crewModel) bring(s *crewState, long bool) {
	if s.ring == 0 || s.coming > 0 {
		return
	}
	if s.active < m.want && (long || s.active == 0 || !m.short) {
		s.active++
		s.coming++
		w := -1
		for i := procs - 1; i >= 0 && w < 0; i-- {
			if s.stack[i] > 0 {
				w = int(s.stack[i] - 1)
				s.stack[i] = 0
			}
		}
		for i := 0; w < 0; i++ {
			if s.at[i] == pAway {
				w = i
			}
		}
		s.at[w], s.flag[w] = pTake, true
		m.tell(s)
	} else if s.active < m.want && !s.armed && m.plant != "no watch" {
		s.armed = true
		m.tell(s)
	}
}

// moves calls move with each state that an action leads to. What is free need not come.
func (m crewModel) moves(s crewState, move func(to crewState, what string, free bool)) {
	step := func(i int, what string, free bool, do func(n *crewState)) {
		n := s
		do(&n)
		move(n, fmt.Sprintf("%d: %s", i, what), free)
	}
	for i := range procs {
		switch s.at[i] {
		case pTake:
			if s.ring > 0 {
				step(i, "take", false, func(n *crewState) {
					n.ring--
					n.at[i] = pRun
					if n.flag[i] {
						n.at[i] = pLock
					}
				})
			} else {
				step(i, "find nothing", false, func(n *crewState) { n.at[i] = pPark })
			}
		case pLock:
			if !s.locked {
				step(i, "lock, is not coming any more, tell", false, func(n *crewState) {
					n.locked = true
					n.flag[i] = false
					n.coming--
					m.tell(n)
					n.at[i] = pFound
				})
			}
		case pFound:
			step(i, "bring the next, unlock", false, func(n *crewState) {
				if m.plant != "found brings nobody" {
					m.bring(n, false)
				}
				n.locked = false
				n.at[i] = pRun
			})
		case pRun:
			step(i, "the task ends", m.block, func(n *crewState) { n.at[i] = pTake })
			if s.alert && s.ring > 0 && s.coming == 0 && s.active < m.want {
				step(i, "the task ends, and others pay", true, func(n *crewState) { n.at[i] = pBeat })
			}
		case pBeat:
			if !s.locked {
				step(i, "lock, bring, unlock", false, func(n *crewState) {
					m.tell(n)
					m.bring(n, true)
					n.at[i] = pTake
				})
			}
		case pPark:
			if !s.locked {
				step(i, "lock, is not active any more, tell", false, func(n *crewState) {
					n.locked = true
					if n.flag[i] {
						n.flag[i] = false
						n.coming--
					}
					n.active--
					if m.plant != "parks before it tells" {
						m.tell(n)
					}
					n.at[i] = pParkLook
				})
			}
		case pParkLook:
			step(i, "look again, unlock", false, func(n *crewState) {
				n.locked = false
				if n.coming == 0 && n.ring > 0 && m.plant != "parks without a last look" {
					n.active++
					n.coming++
					n.flag[i] = true
					m.tell(n)
					n.at[i] = pTake
					return
				}
				if n.active == 0 && n.ring == 0 && n.at[procs-1] == pSleep && m.plant != "who drains is not told" {
					n.at[procs-1] = pDrain
				}
				k := 0
				for n.stack[k] > 0 {
					k++
				}
				n.stack[k] = int8(i + 1)
				n.at[i] = pParked
				if m.plant == "parks before it tells" {
					n.locked = true
					n.at[i] = pParkTell
				}
			})
		case pParkTell:
			step(i, "tell, unlock", false, func(n *crewState) {
				m.tell(n)
				n.locked = false
				n.at[i] = pParked
			})
		case pSend:
			if s.left == 0 {
				step(i, "is over", false, func(n *crewState) { n.at[i] = pOver })
			} else {
				step(i, "send", false, func(n *crewState) {
					n.left--
					n.ring++
					n.at[i] = pLoad
				})
			}
		case pLoad:
			step(i, "load the signs", false, func(n *crewState) {
				n.at[i] = pSend
				if n.alert {
					n.at[i] = pSee
				}
			})
		case pSee:
			if !s.locked {
				step(i, "lock, tell", false, func(n *crewState) {
					n.locked = true
					m.tell(n)
					n.at[i] = pBring
				})
			}
		case pBring:
			step(i, "bring, unlock", false, func(n *crewState) {
				m.bring(n, false)
				n.locked = false
				n.at[i] = pSend
			})
		case pDrain:
			if !s.locked && s.left == 0 {
				step(i, "lock, look, unlock", false, func(n *crewState) {
					n.at[i] = pSleep
					if n.active == 0 && n.ring == 0 {
						n.at[i], n.drained = pOver, true
					}
				})
			}
		}
	}
	switch {
	case s.fired == pAway && s.armed && !s.locked:
		step(procs, "the watch fires, lock, tell", false, func(n *crewState) {
			n.locked = true
			n.armed = false
			if m.plant != "the watch tells too late" {
				m.tell(n)
			}
			n.fired = pBring
		})
	case s.fired == pBring:
		step(procs, "the watch brings, unlock", false, func(n *crewState) {
			n.fired = pAway
			if n.ring > 0 {
				m.bring(n, true)
				n.armed = n.ring > 0 && n.active < m.want
				m.tell(n)
			} else if m.plant == "the watch tells too late" {
				n.fired = pParkTell
				return
			}
			n.locked = false
		})
	case s.fired == pParkTell:
		step(procs, "the watch tells, unlocks", false, func(n *crewState) {
			n.fired = pAway
			m.tell(n)
			n.locked = false
		})
	}
}

// wrong says what must not be so. atRest: only free actions are left.
func (m crewModel) wrong(s crewState, atRest bool) string {
	var active, coming int8
	for i := range m.workers {
		if s.at[i] != pAway && s.at[i] != pParked && s.at[i] != pParkLook && s.at[i] != pParkTell {
			active++
		}
		if s.flag[i] {
			coming++
		}
	}
	switch {
	case s.active != active || s.coming != coming:
		return "counts are wrong"
	case s.active > m.want:
		return "more are active than wanted"
	case coming > 1:
		return "two are coming"
	case !atRest:
		return ""
	case s.ring > 0 && s.active < m.want:
		return "a task waits, and nobody comes"
	case !m.block && (s.ring > 0 || s.left > 0 || s.at[procs-1] != pOver):
		return "not all is done"
	}
	return ""
}

// explore visits all states of m, and returns how many there are, and what is wrong with
// one, with the way to it.
func (m crewModel) explore() (states int, wrong string) {
	type from struct {
		s    crewState
		what string
	}
	seen := map[crewState]from{m.start(): {}}
	wave := []crewState{m.start()}
	for len(wave) > 0 {
		s := wave[len(wave)-1]
		wave = wave[:len(wave)-1]
		atRest := true
		m.moves(s, func(to crewState, what string, free bool) {
			atRest = atRest && free
			if _, ok := seen[to]; !ok {
				seen[to] = from{s, what}
				wave = append(wave, to)
			}
		})
		if wrong := m.wrong(s, atRest); wrong != "" {
			var way []string
			for at := s; at != m.start(); at = seen[at].s {
				way = append([]string{seen[at].what}, way...)
			}
			return len(seen), fmt.Sprintf("%s\n\t%s", wrong, strings.Join(way, "\n\t"))
		}
	}
	return len(seen), ""
}

var crews = []crewModel{
	{submitters: 1, workers: 2, tasks: 3, want: 2},
	{submitters: 2, workers: 2, tasks: 3, want: 2},
	{submitters: 2, workers: 2, tasks: 4, want: 1},
	{submitters: 1, workers: 2, tasks: 3, want: 2, short: true},
	{submitters: 2, workers: 3, tasks: 4, want: 3, short: true},
	{submitters: 2, workers: 3, tasks: 4, want: 3, short: true, block: true},
	{submitters: 2, workers: 3, tasks: 4, want: 3, block: true},
	{submitters: 1, workers: 3, tasks: 4, want: 2, block: true},
}

// TestModel: in no order of actions does a task wait while nobody comes, or a call that
// drains sleep on.
func TestModel(t *testing.T) {
	for _, m := range crews {
		n, wrong := m.explore()
		t.Logf("%+v: %d states", m, n)
		if wrong != "" {
			t.Errorf("%+v: %s", m, wrong)
		}
	}
}

// TestModelFails: each fault is found.
func TestModelFails(t *testing.T) {
	for _, plant := range []string{
		"quiet without a watch", "no watch", "found brings nobody", "parks before it tells",
		"parks without a last look", "who drains is not told", "the watch tells too late",
	} {
		found := false
		for _, m := range crews {
			m.plant = plant
			if n, wrong := m.explore(); wrong != "" {
				found = true
				what, _, _ := strings.Cut(wrong, "\n")
				t.Logf("%s: %s, after %d states", plant, what, n)
				break
			}
		}
		if !found {
			t.Errorf("%s: nothing is wrong", plant)
		}
	}
}
