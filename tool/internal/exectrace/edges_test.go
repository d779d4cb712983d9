package exectrace

import (
	"fmt"
	"testing"
)

// lineage returns accounts with a window open, and a maker of goroutines whose path is
// of that length.
func lineage(o Options) (*accounts, func(creator *gor, depth int, length int64) *gor) {
	root := &gor{id: none}
	a := newAccounts(o, &crew{procs: 2}, root)
	id := int64(0)
	return a, func(creator *gor, depth int, length int64) *gor {
		if creator == nil {
			creator = root
		}
		id++
		g := &gor{id: id, creator: creator, depth: depth, state: running}
		g.acct = account{epoch: a.epoch, path: track{length: length, burdened: float64(length)}}
		return g
	}
}

// TestWake: what a goroutine that is woken comes after: the one that wakes it, and the
// children of the one that waits, of which some are idle and some an outer frame's.
func TestWake(t *testing.T) {
	for _, tt := range []struct {
		name           string
		creator        bool // the child wakes its creator, else somebody else
		kind           Kind
		receives       bool
		length         int64 // of the path of the one woken
		burdened       float64
		waker          int64 // its length
		left, reported int   // joints of the creator; of the child that went to its path
	}{
		{"a group, of its creator", true, WaitGroup, false, 800, 807, 500, 1, 1},
		{"the semaphore of it", true, Sync, false, 800, 807, 500, 1, 1},
		{"a channel, of its creator", true, ChanReceive, false, 700, 700, 500, 2, 1},
		{"a select, of its creator", true, Select, false, 700, 700, 500, 2, 1},
		{"its creator sends, and it takes", true, ChanSend, true, 200, 200, 200, 3, 0},
		{"its creator sends in a select", true, Select, true, 700, 700, 200, 2, 0},
		{"a lock, of its creator", true, Mutex, false, 500, 507, 500, 3, 1},
		{"a group, of another", false, WaitGroup, false, 800, 807, 100, 1, 0},
		{"a channel, of another", false, ChanReceive, false, 200, 200, 100, 3, 0},
		{"a lock, of another", false, Mutex, false, 200, 200, 100, 3, 0},
		{"another sends, and it takes", false, ChanSend, true, 200, 200, 200, 3, 0},
	} {
		a, g := lineage(Options{Handoff: 7})
		creator := g(nil, 1, 200)
		child := g(creator, 2, 100)
		child.acct.joints = joints{{depth: 1, length: 500, burdened: 500}}
		creator.acct.joints = joints{{depth: 1, length: 900, burdened: 900}, {depth: 2, idle: true, length: 800, burdened: 800}, {depth: 3, length: 700, burdened: 700}}
		woken := creator
		if !tt.creator {
			woken = g(nil, 1, 200)
		}
		woken.state, woken.kind = waiting, tt.kind
		a.wake(child, woken, &stance{recv: tt.receives})
		if p := woken.acct.path; p.length != tt.length || p.burdened != tt.burdened {
			t.Errorf("%s: it comes after %d, %v with prices; want %d, %v", tt.name, p.length, p.burdened, tt.length, tt.burdened)
		}
		if got := child.acct.path.length; got != tt.waker {
			t.Errorf("%s: the path of the one that wakes it is %d, want %d", tt.name, got, tt.waker)
		}
		if left, reported := len(creator.acct.joints), 1-len(child.acct.joints); left != tt.left || reported != tt.reported {
			t.Errorf("%s: %d children of the creator are left, %d of the child are joined; want %d and %d", tt.name, left, reported, tt.left, tt.reported)
		}
	}
}

// TestReport: a path goes to the creator, and to the nearest ancestor that waits for a
// group, if that is no more than eight generations up.
func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kinds map[int]Kind // of the ancestors that wait; 1 is the creator
		idle  bool
		want  string // who has it
	}{
		{"all run", nil, false, "1"},
		{"idle", nil, true, "1 idle"},
		{"the creator waits", map[int]Kind{1: WaitGroup}, false, "1"},
		{"one above it waits for a group", map[int]Kind{2: WaitGroup}, false, "1 2"},
		{"one above it waits for a group, and idle", map[int]Kind{2: WaitGroup}, true, "1 idle 2 idle"},
		{"one above it waits for a channel", map[int]Kind{2: ChanReceive, 3: WaitGroup}, false, "1 3"},
		{"two above it wait for groups", map[int]Kind{3: WaitGroup, 4: WaitGroup}, false, "1 3"},
		{"the eighth waits", map[int]Kind{8: WaitGroup}, false, "1 8"},
		{"the ninth waits", map[int]Kind{9: WaitGroup}, false, "1"},
	} {
		a, g := lineage(Options{})
		up := make([]*gor, 11) // up[0] is the one that reports
		for i := 10; i >= 0; i-- {
			var creator *gor
			if i < 10 {
				creator = up[i+1]
			}
			up[i] = g(creator, 20+i, 100)
			if k, ok := tt.kinds[i]; ok {
				up[i].state, up[i].kind = waiting, k
			}
		}
		a.report(up[0], tt.idle)
		got := ""
		for i, x := range up {
			for _, j := range x.acct.joints {
				got += fmt.Sprintf(" %d", i)
				if j.idle {
					got += " idle"
				}
				if j.depth != 20+i-1 || j.length != 100 {
					t.Errorf("%s: ancestor %d has %d at depth %d, want 100 at %d", tt.name, i, j.length, j.depth, 20+i-1)
				}
			}
		}
		if got != " "+tt.want {
			t.Errorf("%s: reported to%s, want %s", tt.name, got, tt.want)
		}
	}
}
