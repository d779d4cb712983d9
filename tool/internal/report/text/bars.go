package text

import (
	"fmt"
	"math"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Bars say which characters intervals and speedups are drawn with, beside the rows of
// a table, where there is room.
type Bars int

const (
	NoBars Bars = iota
	ASCII
	Unicode // box drawing, for terminals where each takes one column
)

// A pen has the characters of a drawing.
type pen struct{ noise, one, line, left, right, value, under, over, full, empty string }

var pens = map[Bars]pen{
	ASCII:   {":", "|", "-", "[", "]", "o", "<", ">", "#", "."},
	Unicode: {"░", "│", "─", "├", "┤", "●", "◂", "▸", "█", "░"},
}

const (
	widest, narrowest = 33, 13 // columns of a forest
	fullBar           = 8      // columns of a speedup that is all that the processors could give
)

// pictured adds columns with drawings to a table, if it is written in no more parts
// with them: of is what each row compares, scales what more processors gave it; nil
// where there is nothing to draw.
func (t *writer) pictured(x table, p report.Package, of, scales []*report.Comparison) table {
	if t.bars == NoBars || t.width == 0 {
		return x
	}
	_, bands, _ := t.plan(x)
	fits := func(x table) bool {
		_, with, _ := t.plan(x)
		return len(with) <= len(bands)
	}
	add := func(head string, cells []string) table {
		y := x
		y.columns = append(x.columns[:len(x.columns):len(x.columns)], column{head: head})
		y.rows = make([][]span, len(x.rows))
		for i, r := range x.rows {
			y.rows[i] = append(r[:len(r):len(r)], span{text: cells[i]})
		}
		return y
	}
	axis, ok := newAxis(p, of)
	for axis.width = widest; ok && axis.width >= narrowest; axis.width -= 4 {
		cells := make([]string, len(x.rows))
		for i, c := range of {
			cells[i] = axis.interval(pens[t.bars], c)
		}
		if y := add(axis.head(), cells); fits(y) {
			x = y
			break
		}
	}
	cells, any := make([]string, len(x.rows)), false
	for i, c := range scales {
		cells[i] = speedup(pens[t.bars], c)
		any = any || cells[i] != ""
	}
	if y := add("of ideal", cells); any && fits(y) {
		x = y
	}
	return x
}

// An axis is a logarithmic scale of ratios, the same for all rows of a table.
type axis struct {
	low, high  float64
	noise, far float64 // what counts for nothing, from noise to far
	width      int
}

// newAxis makes one that has all intervals, as far as they are no more than 64 times
// off, and reports whether there are any.
func newAxis(p report.Package, of []*report.Comparison) (a axis, ok bool) {
	a = axis{low: 0.5, high: 2, noise: 1 / (1 + p.Margin), far: 1 + p.Margin}
	if l, h := report.Number(p.Control.Low), report.Number(p.Control.High); l > 0 && h > 0 && p.Control.Pairs >= enough {
		a.noise, a.far = min(a.noise, l), max(a.far, h)
	}
	for _, c := range of {
		if drawn(c) {
			ok = true
			a.low = min(a.low, max(1./64, report.Number(c.Low), report.Number(c.Ratio)/4))
			a.high = max(a.high, min(64, report.Upper(c.Low, c.High), report.Number(c.Ratio)*4))
		}
	}
	// Whole powers of two: they are what the head says.
	a.low, a.high = math.Exp2(math.Floor(math.Log2(a.low))), math.Exp2(math.Ceil(math.Log2(a.high)))
	return a, ok
}

// drawn reports whether there is an interval to draw.
func drawn(c *report.Comparison) bool {
	return c != nil && c.Pairs > 0 && report.Number(c.Ratio) > 0 && !math.IsInf(report.Number(c.Ratio), 0)
}

// at is the column of a ratio; less than 0 or the width and more where it is beyond.
func (a axis) at(x float64) int {
	part := math.Log(x/a.low) / math.Log(a.high/a.low)
	return int(math.Round(min(max(part, -1), 2) * float64(a.width-1)))
}

// head has the ends of the axis, and 1.
func (a axis) head() string {
	low, high := figure.Ratio(a.low), figure.Ratio(a.high)
	if a.low < 1 {
		low = fmt.Sprintf("1/%.0f", 1/a.low)
	}
	if a.high >= 1 {
		high = fmt.Sprintf("%.0f", a.high)
	}
	line := []rune(low + strings.Repeat(" ", a.width-len(low)-len(high)) + high)
	if one := a.at(1); one > len(low) && one < a.width-len(high)-1 {
		line[one] = '1'
	}
	return string(line)
}

// interval draws one over the noise floor.
func (a axis) interval(p pen, c *report.Comparison) string {
	if !drawn(c) {
		return ""
	}
	cells := make([]string, a.width)
	for i := range cells {
		cells[i] = " "
	}
	put := func(i int, s string) { cells[min(max(i, 0), a.width-1)] = s }
	for i := range cells {
		if x := a.low * math.Pow(a.high/a.low, float64(i)/float64(a.width-1)); a.noise <= x && x <= a.far {
			cells[i] = p.noise
		}
	}
	put(a.at(1), p.one)
	low, high := a.at(max(report.Number(c.Low), math.SmallestNonzeroFloat64)), a.at(report.Upper(c.Low, c.High))
	for i := max(low, 0); i <= min(high, a.width-1); i++ {
		put(i, p.line)
	}
	put(low, p.left)
	put(high, p.right)
	if low < 0 {
		put(0, p.under)
	}
	if high >= a.width {
		put(a.width-1, p.over)
	}
	if v := a.at(report.Number(c.Ratio)); v >= 0 && v < a.width {
		put(v, p.value)
	}
	return strings.TrimRight(strings.Join(cells, ""), " ")
}

// speedup draws which part of what the processors could give a benchmark got.
func speedup(p pen, c *report.Comparison) string {
	if !drawn(c) || c.BaseProcs <= 0 || c.Procs <= c.BaseProcs {
		return ""
	}
	part := report.Number(c.Ratio) * float64(c.BaseProcs) / float64(c.Procs)
	n := min(max(int(math.Round(part*fullBar)), 0), fullBar)
	return strings.Repeat(p.full, n) + strings.Repeat(p.empty, fullBar-n)
}
