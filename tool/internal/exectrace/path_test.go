package exectrace

import (
	"maps"
	"testing"
)

// TestFold: folding leaves the sum of a path and of those that branch off it,
// and bounds the nodes that a path holds.
func TestFold(t *testing.T) {
	var tail *node
	wanted := &pathSum{}
	type branch struct {
		tail *node
		want pathSum
	}
	var branches []branch
	for i := range 10 * foldEvery {
		s := step{start: site(i % 3), site: site(i % 7)}
		via := edge(i % 3)
		tail = newNode(tail, s, int64(i), via)
		wanted.piece(s, int64(i), 1)
		switch via {
		case viaSpawn:
			wanted.spawns++
		case viaWake:
			wanted.wakes++
		}
		if i%777 == 0 {
			b := branch{newNode(tail, step{start: 9}, 5, viaSpawn), pathSum{maps.Clone(wanted.steps), wanted.spawns + 1, wanted.wakes}}
			b.want.piece(step{start: 9}, 5, 1)
			branches = append(branches, b)
		}
		held := 0
		for n := tail; n != nil; n = n.parent {
			held++
		}
		if held > 2*foldEvery+1 {
			t.Fatalf("path of %d nodes holds %d, want <= %d", i+1, held, 2*foldEvery+1)
		}
	}
	equal := func(what string, n *node, want *pathSum) {
		t.Helper()
		var got pathSum
		got.add(n)
		if !maps.Equal(got.steps, want.steps) || got.spawns != want.spawns || got.wakes != want.wakes {
			t.Errorf("%s: sum = %+v, want %+v", what, got, *want)
		}
	}
	equal("path", tail, wanted)
	for _, b := range branches {
		equal("branch", b.tail, &b.want)
	}
}

func TestJoints(t *testing.T) {
	var j joints
	for depth, length := range []int64{1: 10, 2: 30, 3: 20} {
		j.add(depth, depth == 3, &track{length: length, burdened: float64(length)}, step{})
	}
	j.add(1, false, &track{length: 5, burdened: 50}, step{}) // shorter, heavier
	var g track
	j.join(&g, 2, false, 7) // not those idle
	if g.length != 30 || g.burdened != 37 {
		t.Errorf("joined depth 2: length, burdened = %v, %v, want 30, 37", g.length, g.burdened)
	}
	g = track{}
	j.join(&g, 0, true, 0)
	if g.length != 20 || g.burdened != 50 || len(j) != 0 {
		t.Errorf("joined the rest: length, burdened, left = %v, %v, %v, want 20, 50, none", g.length, g.burdened, j)
	}
}

// TestJointsApart: children of one depth that have ended, and those that wait for work,
// are two joints: to join the first leaves the others.
func TestJointsApart(t *testing.T) {
	var j joints
	j.add(1, true, &track{length: 30, burdened: 30}, step{})
	j.add(1, false, &track{length: 10, burdened: 10}, step{})
	var g track
	j.join(&g, 1, false, 0)
	if g.length != 10 || g.burdened != 10 || len(j) != 1 {
		t.Errorf("joined those that have ended: length, burdened, left = %d, %v, %d, want 10, 10, 1", g.length, g.burdened, len(j))
	}
	j.join(&g, 1, true, 0)
	if g.length != 30 || len(j) != 0 {
		t.Errorf("joined all: length, left = %d, %d, want 30, 0", g.length, len(j))
	}
}

// TestTie: of two paths as long a goroutine keeps its own, and a joint the first.
func TestTie(t *testing.T) {
	own := track{length: 10, burdened: 10, open: 10}
	own.after(10, 12, func() *node { t.Error("the other's path was taken"); return nil })
	if own.open != 10 || own.via != inOrder || own.burdened != 12 {
		t.Errorf("%+v, want its own 10, and 12 with prices", own)
	}
	first := track{length: 10, open: 10}
	var j joints
	j.add(1, false, &first, step{start: 1})
	j.add(1, false, &track{length: 10, open: 10}, step{start: 2})
	if len(j) != 1 || j[0].tail.step.start != 1 {
		t.Errorf("%+v, want the first's path", j)
	}
}
