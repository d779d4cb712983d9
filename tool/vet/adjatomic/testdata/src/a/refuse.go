package a

import (
	"fmt"
	"sync/atomic"
)

type plain struct{ in, out int64 } // want `in and out are on one cache line` // refuse "pad: a literal of it has no field names"

var _ = plain{1, 2}

func (p *plain) inc() { atomic.AddInt64(&p.in, 1) }
func (p *plain) dec() { atomic.AddInt64(&p.out, 1) }

type tagged struct {
	In, Out int64 `x:"n"` // want `In and Out are on one cache line`
	name    string
}

func (t *tagged) incIn()  { atomic.AddInt64(&t.In, 1) }
func (t *tagged) incOut() { atomic.AddInt64(&t.Out, 1) }

type printed struct{ in, out int64 } // want `in and out are on one cache line` // refuse "pad: its fields may be shown: it is made an empty interface"

func (p *printed) incIn()  { atomic.AddInt64(&p.in, 1) }
func (p *printed) incOut() { atomic.AddInt64(&p.out, 1) }

func (p *printed) text() string { return fmt.Sprintf("%+v", p) }
