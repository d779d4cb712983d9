package main

import (
	"fmt"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// These are what helpers and those who call them share.

// An ad is work on the board, which tells whether somebody has looked at it.
type ad struct{ seen bool }

func (a *ad) Help(*help.Helper) bool { return false }
func (a *ad) Publish(int)            {}

//go:norace
func (a *ad) Ready() bool { a.seen = true; return false }

// posts is a board that is full but for two offers, which are removed while three others
// are posted. Two of these find room, and all that are on the board are found there.
func posts() string {
	const slots = 64
	offer := func() *help.Offer { return &help.Offer{Work: &ad{}} }
	var there []*help.Offer
	for range slots {
		o := offer()
		if !help.Sched.Post(o) {
			return fmt.Sprintf("there is room for %d offers, not for %d", len(there), slots)
		}
		there = append(there, o)
	}
	if help.Sched.Post(offer()) {
		return "there is room for one offer more"
	}
	var wg shim.WaitGroup
	removed := there[20:22]
	wg.Go(func() {
		help.Sched.Remove(removed[0])
		help.Sched.Remove(removed[1])
	})
	late, room := make([]*help.Offer, 3), make([]bool, 3)
	for i := range late {
		wg.Go(func() {
			late[i] = offer()
			for range 3 {
				if room[i] = help.Sched.Post(late[i]); room[i] {
					return
				}
				shim.Gosched()
			}
		})
	}
	wg.Wait()
	n := 0
	for i := range late {
		if room[i] {
			n++
		} else {
			removed = append(removed[:len(removed):len(removed)], late[i])
		}
	}
	if n > 2 {
		return fmt.Sprintf("%d offers have room for two", n)
	}
	payer := new(help.Account)
	payer.Add(help.Plenty)
	for chance := range slots {
		help.Sched.MayRelay(payer, chance)
	}
	for i, o := range append(there, late...) {
		want := true
		for _, r := range removed {
			want = want && o != r
		}
		if got := o.Work.(*ad).seen; got != want {
			return fmt.Sprintf("offer %d of %d is found: %t, want %t", i, len(there)+len(late), got, want)
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
