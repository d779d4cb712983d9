package html

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/service"
)

var (
	//go:embed service.tmpl
	serviceBody string

	servicePage = template.Must(template.New("service").Funcs(template.FuncMap{
		"percent": percent, "ratio": figure.Ratio, "time": figure.Time, "count": figure.Count, "plural": figure.Plural,
		"accountBar": accountBar, "partBar": partBar, "pathBar": pathBar, "timeline": timeline, "flame": icicle,
	}).Parse(serviceBody))
)

// Service writes what a program that runs spends as a page. Its pictures are drawn
// here, so that it needs no script. to is where a list of all is; "" in a page that
// stands alone.
func Service(w io.Writer, doc *service.Doc, to string) error {
	d := plain.All(*doc)
	if len(d.Summary) == 0 {
		d.Summary = []string{"Nothing is known"}
	}
	var b strings.Builder
	if err := servicePage.Execute(&b, &d); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\" data-ready=\"true\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n%s%s</body>\n</html>\n",
		hash(Style), template.HTMLEscapeString("payoff: "+d.Summary[0]), Style, home(to), b.String())
	return err
}

// hues are the colours of what processors do.
var hues = map[service.Sort]string{service.Work: "#3a7", service.Overhead: "#c83", service.Idle: "#c44", service.Free: "#999"}

// barWidth is the width of pictures, in their own units.
const barWidth = 960

// A drawing is an SVG that is made from numbers and escaped text.
type drawing struct{ strings.Builder }

func (d *drawing) rect(x, y, w, h float64, fill, title string) {
	fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>`, x, y, max(w, 0), max(h, 0), fill, template.HTMLEscapeString(title))
}

func (d *drawing) svg(height float64, label string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %d %.0f" width="100%%" role="img" aria-label="%s">%s</svg>`, barWidth, height, template.HTMLEscapeString(label), d.String()))
}

func accountBar(items []service.Item) template.HTML {
	var d drawing
	at := 0.0
	for _, i := range items {
		d.rect(at, 0, i.Share*barWidth-1, 28, hues[i.Kind], fmt.Sprintf("%s: %s", i.What, percent(i.Share)))
		at += i.Share * barWidth
	}
	return d.svg(28, "the account as a bar; the table below has its figures")
}

// shades are the colours of what an operation does.
var shades = map[exectrace.Part]string{
	exectrace.PartRuns: "#3a7", exectrace.PartAssist: "#a63", exectrace.PartReady: "#e6b", exectrace.PartLock: "#c44", exectrace.PartChannel: "#c83", exectrace.PartJoin: "#a6c",
	exectrace.PartTimer: "#bbb", exectrace.PartNet: "#9ac", exectrace.PartSyscall: "#8a9", exectrace.PartGC: "#963", exectrace.PartOther: "#999",
}

func partBar(p service.Operation) template.HTML {
	var d drawing
	var words []string
	at := 0.0
	for _, x := range p.Parts {
		share := x.NS / max(p.Mean, 1)
		d.rect(at, 0, share*barWidth-2, 60, shades[x.What], fmt.Sprintf("%s: %s", x.What, figure.Time(x.NS)))
		at += share * barWidth
		if share > 0.02 {
			words = append(words, fmt.Sprintf("%s %s", x.What, percent(share)))
		}
	}
	return d.svg(60, "parts of its time") + template.HTML(template.HTMLEscapeString(strings.Join(words, ", ")))
}

// pathBar draws the legs of a path one after the other.
func pathBar(legs []service.Leg) template.HTML {
	var d drawing
	total, at := 0.0, 0.0
	for _, l := range legs {
		total += l.NS
	}
	for _, l := range legs {
		w := l.NS / max(total, 1) * barWidth
		d.rect(at, 0, w-1, 20, shades[l.What], fmt.Sprintf("%s %s", figure.Time(l.NS), l))
		at += w
	}
	return d.svg(20, "legs of its path; the list below has them")
}

func timeline(t exectrace.Timeline, procs int) template.HTML {
	const height = 120.0
	var d drawing
	n := float64(max(len(t.Running), 1))
	each, unit := barWidth/n, height/float64(max(procs, 1))
	var line strings.Builder
	for i := range t.Running {
		x := float64(i) * each
		run, sys := t.Running[i]*unit, t.System[i]*unit
		title := fmt.Sprintf("at %s: %.2f of the program, %.2f of the runtime, %.1f ready", figure.Time(t.From+float64(i)*t.Slot), t.Running[i], t.System[i], t.Ready[i])
		d.rect(x, height-run, each-1, run, hues[service.Work], title)
		d.rect(x, height-run-sys, each-1, sys, hues[service.Overhead], title)
		fmt.Fprintf(&line, "%.1f,%.1f ", x+each/2, height-math.Min(t.Ready[i]*unit, height))
	}
	fmt.Fprintf(&d, `<polyline points="%s" fill="none" stroke="%s"/>`, line.String(), hues[service.Idle])
	return d.svg(height, "what processors did over time")
}

// icicle draws the stacks, callers above what they call.
func icicle(frames []cpuprof.Frame) template.HTML {
	const row = 18.0
	var d drawing
	var at [64]float64 // where the next frame of a depth begins
	deepest := 0
	for _, f := range frames {
		if f.Depth < 0 || f.Depth >= len(at)-1 {
			continue
		}
		x := at[f.Depth]
		w := f.Share * barWidth
		at[f.Depth] += w
		at[f.Depth+1] = x
		deepest = max(deepest, f.Depth)
		y := float64(f.Depth) * row
		d.rect(x, y, w-0.5, row-1, []string{"#e96", "#ea7", "#eb8"}[f.Depth%3], fmt.Sprintf("%s: %s", f.Func, percent(f.Share)))
		name := f.Func[strings.LastIndexByte(f.Func, '/')+1:]
		if letters := int(w / 6.5); letters > 3 {
			if len(name) > letters {
				name = strings.ToValidUTF8(name[:letters-1], "") + "…"
			}
			fmt.Fprintf(&d, `<text x="%.1f" y="%.1f" font-size="11" fill="#222">%s</text>`, x+2, y+row-6, template.HTMLEscapeString(name))
		}
	}
	return d.svg(float64(deepest+1)*row, "stacks of the processor time")
}
