package help

import (
	"testing"
	"time"
)

// TestLinger: a helper without work stays for as long as its payer can pay, and the
// payer pays for it.
func TestLinger(t *testing.T) {
	for _, credit := range []time.Duration{-time.Millisecond, 0, 40 * time.Microsecond, time.Second} {
		f, s := newFake(t)
		a := rich()
		s.Bring(f.now, a, 1)
		a.credit.Store(int64(credit))
		from := f.now
		f.started[0]()
		stayed := f.now - from
		most := max(min(mostLinger, credit/2), leastLinger)
		if stayed > most+5*time.Microsecond || stayed < most {
			t.Errorf("with credit %v the helper stayed for %v, want %v", credit, stayed, most)
		}
		if paid := credit - a.Credit(); credit > -mostDebt && credit < time.Second && (paid < stayed-2*time.Microsecond || paid > stayed) {
			t.Errorf("with credit %v it stayed for %v and was paid %v", credit, stayed, paid)
		}
		if s.sought.Load() != 0 {
			t.Errorf("it still seems to look for work")
		}
	}
}

// TestFund: first credits do not add up to more than a part of the time, however
// many accounts are opened.
func TestFund(t *testing.T) {
	f, _ := newFake(t)
	var given time.Duration
	for f.now < 100*time.Millisecond {
		a := new(Account)
		a.Open()
		given += a.Credit()
		f.now += time.Microsecond
	}
	if least, most := firstCredits*FirstPrice, firstCredits*FirstPrice+f.now*11/10/Earns; given < least || given > most {
		t.Errorf("%v were given in %v, want %v to %v", given, f.now, least, most)
	}
}

// TestSettle: calls that gain leave what was advanced, however little of it there was
// room for; calls that lose end it.
func TestSettle(t *testing.T) {
	newFake(t)
	const ms = time.Millisecond
	for _, c := range []struct {
		alone, took, advanced time.Duration
		wakes                 bool
	}{
		{160 * ms, 60 * ms, 120 * ms, true},
		{100 * time.Microsecond, 60 * time.Microsecond, 50 * time.Microsecond, true},
		{1 * ms, 1400 * time.Microsecond, 700 * time.Microsecond, false},
		{100 * time.Microsecond, 110 * time.Microsecond, 60 * time.Microsecond, false},
	} {
		a := new(Account)
		for left := c.advanced; left > 0; left -= 20 * time.Microsecond {
			a.Add(20 * time.Microsecond)
		}
		a.Settle(c.alone, c.took, c.advanced)
		if a.MayWake() != c.wakes {
			t.Errorf("%+v: credit %v", c, a.Credit())
		}
	}
}

// TestBound: a function that asks for help whenever it may, and gains nothing by it,
// spends no more on wakes and on helpers without work than a part of its own time.
func TestBound(t *testing.T) {
	for _, ran := range []time.Duration{5 * time.Microsecond, 60 * time.Microsecond, 2 * time.Millisecond} {
		f, s := newFake(t)
		a := new(Account)
		a.Open()
		var work, spent time.Duration
		for work < time.Second {
			f.now += ran
			work += ran
			a.Earn(ran)
			from := f.now
			if s.Bring(f.now, a, 7) > 0 {
				for _, g := range f.started {
					g() // finds nothing
				}
				f.started = nil
				spent += f.now - from
			}
		}
		if most := work/Earns + work/1000 + FirstPrice; spent > most {
			t.Errorf("calls of %v: %v spent in %v of work, want at most %v", ran, spent, work, most)
		}
		if spent < work/Earns/4 {
			t.Errorf("calls of %v: only %v spent in %v: nobody asked for help", ran, spent, work)
		}
	}
}
