package size

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var seed = func() uint64 { n, _ := strconv.Atoi(os.Getenv("SEED")); return uint64(max(1, n)) }()

type bestOf struct {
	Cold, Steady float64
	Size         int
}

var noises = map[string]noise{"none": uniform(0), "u30": uniform(30), "exp": exponential, "stalls": stalls(uniform(10))}

func rates(w row, p int, n noise, rule *Rule, size int, short bool) (c, s float64, m *machine) {
	cold, all := w.spans(p)
	if short && w.each == 0 {
		all = min(all, cold+int64(time.Second))
	}
	m = newMachine(p, w.load(n), rule, size, seed)
	m.run(cold)
	a := m.ended
	m.run(all)
	return float64(a) / float64(cold) * 1e9, float64(m.ended-a) / float64(all-cold) * 1e9, m
}

func TestTry(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip()
	}
	file := "/tmp/best.json"
	best := map[string]bestOf{}
	if b, err := os.ReadFile(file); err == nil {
		json.Unmarshal(b, &best)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	sem := make(chan bool, 2)
	var out []string
	ps := []int{2, 16, 256}
	if s := os.Getenv("PS"); s != "" {
		ps = nil
		for _, f := range strings.Split(s, ",") {
			n, _ := strconv.Atoi(f)
			ps = append(ps, n)
		}
	}
	deadline := time.Now().Add(34 * time.Second)
	for _, nn := range strings.Split(os.Getenv("TRY"), ",") {
		n := noises[nn]
		for _, w := range rows {
			if s := os.Getenv("ROW"); s != "" && !strings.Contains(w.name, s) {
				continue
			}
			for _, p := range ps {
				wg.Add(1)
				i := len(out)
				out = append(out, "")
				go func() {
					defer wg.Done()
					sem <- true
					defer func() { <-sem }()
					key := fmt.Sprint(w.name, "/", p, "/", nn, "/", seed)
					mu.Lock()
					b, ok := best[key]
					mu.Unlock()
					if !ok {
						for _, size := range tried {
							if w.each > 0 && size != 1024 {
								continue
							}
							if time.Now().After(deadline) {
								return
							}
							warm, all := int64(500*time.Millisecond), int64(time.Second)
							if c, _ := w.spans(p); c < warm {
								warm, all = c, 2*c
							}
							if w.each > 0 {
								warm, all = w.spans(p)
							}
							m := newMachine(p, w.load(n), nil, size, seed)
							m.run(warm)
							a := m.ended
							m.run(all)
							if s := float64(m.ended-a) / float64(all-warm) * 1e9; s > b.Steady {
								b.Steady, b.Size = s, size
							}
						}
						cold, _ := w.spans(p)
						m := newMachine(p, w.load(n), nil, b.Size, seed)
						m.run(cold)
						b.Cold = float64(m.ended) / float64(cold) * 1e9
						mu.Lock()
						best[key] = b
						mu.Unlock()
					}
					if time.Now().After(deadline) {
						return
					}
					c, s, m := rates(w, p, n, New(0, 0), 0, false)
					flag := ""
					if s/b.Steady < .95 || c/b.Cold < .85 {
						flag = " <<<"
					}
					out[i] = fmt.Sprintf("%-6s %-34s P=%-4d best %4d %10.0f/s  steady %.3f cold %.3f  n %d mean %.0f most %d%s\n",
						nn, w.name, p, b.Size, b.Steady, s/b.Steady, c/b.Cold, m.want, m.sizes.area/float64(m.now), m.sizes.most, flag)
				}()
			}
		}
	}
	wg.Wait()
	for _, s := range out {
		fmt.Print(s)
	}
	b, _ := json.Marshal(best)
	os.WriteFile(file, b, 0o644)
}

// TestTrace prints what the rule did. TRACE=row,P,noise,seconds
func TestTrace(t *testing.T) {
	f := strings.Split(os.Getenv("TRACE"), ",")
	if len(f) < 4 {
		t.Skip()
	}
	p, _ := strconv.Atoi(f[1])
	sec, _ := strconv.ParseFloat(f[3], 64)
	for _, w := range rows {
		if !strings.Contains(w.name, f[0]) {
			continue
		}
		rule := New(0, 0)
		m := newMachine(p, w.load(noises[f[2]]), rule, 0, seed)
		was, ph, ended, at := -1, phase(9), uint64(0), int64(0)
		for m.now < int64(sec*1e9) {
			m.run(m.events[0].at)
			if rule.n != was || rule.phase != ph {
				fmt.Printf("%10.3fms n %4d phase %d step %d base{%d %.0f/s idle %.3f wait %.1f} since: %.0f/s\n", float64(m.now)/1e6, rule.n, rule.phase, rule.step,
					rule.base.size, rule.base.rate()*1e9, rule.base.idleShare(), rule.base.waited(), float64(m.ended-ended)/float64(max(1, m.now-at))*1e9)
				was, ph, ended, at = rule.n, rule.phase, m.ended, m.now
			}
		}
	}
}
