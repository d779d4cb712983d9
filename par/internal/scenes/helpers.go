package main

import (
	"fmt"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// These are what helpers and their callers share.

// An ad is work on the board, which tells whether somebody has looked at it.
type ad struct{ seen bool }

func (a *ad) Help(*help.Helper) bool { return false }
func (a *ad) Publish(int)            {}

//go:norace
func (a *ad) Ready() bool { a.seen = true; return false }

// posts is a board on which two post at once, and one of them removes an offer before. All
// that are there are found. They meet: the first goroutine begins to look for room at
// the first slot, and the sixth at the third one.
func posts() string {
	var offers []*help.Offer
	for range 6 {
		offers = append(offers, &help.Offer{Work: &ad{}})
	}
	post := func(at ...int) {
		for _, i := range at {
			if !help.Sched.Post(offers[i]) {
				panic("the board is full")
			}
		}
	}
	post(0, 1, 2)
	var wg shim.WaitGroup
	for range 4 {
		wg.Go(func() {})
	}
	wg.Go(func() { post(3, 4) })
	help.Sched.Remove(offers[2])
	post(5)
	wg.Wait()
	payer := new(help.Account)
	payer.Add(help.Plenty)
	for chance := range 8 {
		help.Sched.MayRelay(payer, chance)
	}
	for i, o := range offers {
		if got, want := o.Work.(*ad).seen, i != 2; got != want {
			return fmt.Sprintf("offer %d is found: %t, want %t", i, got, want)
		}
	}
	return ""
}

// asks is three helpers that look at the same time whether they are wanted, where two
// goroutines wait for processors: one of them asks the runtime, and two are to leave.
func asks() string {
	asked := 0
	h := help.Runtime
	h.Ask = func() (help.State, bool) {
		asked++
		return help.State{Procs: 4, Running: 4, Runnable: 2}, true
	}
	defer help.Use(help.Use(h))
	now := help.Clock()
	var wg shim.WaitGroup
	leave := make([]bool, 6)
	look := func(i int) {
		w := help.NewWait(now)
		leave[i] = w.Unwanted(now)
	}
	for i := range 3 {
		wg.Go(func() { look(i) })
	}
	wg.Wait()
	for i := range 3 { // some came before the answer
		look(3 + i)
	}
	n := 0
	for _, l := range leave {
		if l {
			n++
		}
	}
	if asked != 1 || n != 2 {
		return fmt.Sprintf("%d have asked, and %d of %d helpers leave for two goroutines", asked, n, len(leave))
	}
	return ""
}

// fund is two accounts that are opened at once where there is first credit for one.
func fund() string {
	const first = 64
	now := help.Clock()
	h := help.Runtime
	h.Clock = func() time.Duration { return now }
	defer help.Use(help.Use(h))
	open := func() bool {
		a := new(help.Account)
		a.Open()
		return a.Credit() > 0
	}
	given := 0
	for open() {
		given++
	}
	now += help.Earns * time.Duration(help.Sched.Price())
	var wg shim.WaitGroup
	got := make([]bool, 2)
	for i := range got {
		wg.Go(func() { got[i] = open() })
	}
	wg.Wait()
	if given != first || got[0] == got[1] {
		return fmt.Sprintf("%d first credits were given, want %d; then, for one, %v", given, first, got)
	}
	return ""
}
