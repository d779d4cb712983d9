// Cstrie shows what the matchers of tylertreat/fast-topic-matching do, the Ctrie of the
// article among them, and measures them beside package topic.
//
// It is no part of the module around it, since the matchers have no version that the
// module proxy serves. To run it, put a checkout beside this one and say where both are:
//
//	git clone https://github.com/tylertreat/fast-topic-matching ../ftm
//	(cd ../ftm && git checkout 8a64d7b && go mod init github.com/tylertreat/fast-topic-matching && go mod tidy)
//	cp -r peers/topic/testdata/cstrie ../cstrie && cd ../cstrie
//	go mod edit -replace=github.com/gopayoff/payoff=CHECKOUT -replace=github.com/tylertreat/fast-topic-matching=../ftm
//	go mod edit -require=github.com/gopayoff/payoff@v0.0.0 -require=github.com/tylertreat/fast-topic-matching@v0.0.0
//	GOWORK=off go mod tidy && GOWORK=off go build . && ./cstrie
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/gopayoff/payoff/topic"
	matching "github.com/tylertreat/fast-topic-matching"
)

var only = flag.String("only", "", "run this trace in this process")

// traces are what is called, in the order of the calls.
var traces = []struct {
	name string
	run  func()
}{
	{"recursion", recursion},
	{"nil", races},
	{"lost", lost},
}

func main() {
	flag.Parse()
	for _, t := range traces {
		if *only == t.name {
			debug.SetMaxStack(64 << 20)
			t.run()
			return
		}
	}
	for _, t := range traces {
		fmt.Printf("== %s\n", t.name)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		out, err := exec.CommandContext(ctx, os.Args[0], "-only", t.name).CombinedOutput()
		cancel()
		fmt.Print(shorten(out))
		if err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("== speed")
	speed()
}

// shorten leaves out what is not about the matchers, and of a stack that goes on for
// ever all but its end.
func shorten(out []byte) string {
	var keep []string
	inStack := false
	for l := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		inStack = inStack || strings.HasPrefix(l, "goroutine ") || strings.HasPrefix(l, "runtime stack")
		ours := strings.HasPrefix(l, "github.com/tylertreat/") || strings.HasPrefix(l, "main.")
		if !inStack || ours && len(keep) < 14 {
			l, _, _ = strings.Cut(l, "(0x")
			keep = append(keep, l)
		}
	}
	return strings.Join(keep, "\n") + "\n"
}

// recursion: four calls by one goroutine. What was emptied below a branch that has
// subscribers stays, and a lookup that comes to it begins again for ever.
func recursion() {
	m := matching.NewCSTrieMatcher()
	s, _ := m.Subscribe("b.b.b", 1)
	m.Subscribe("b.b", 2)
	m.Unsubscribe(s)
	fmt.Println(`Subscribe("b.b.b"); Subscribe("b.b"); Unsubscribe("b.b.b"); Lookup("b.b.x")`)
	fmt.Println(m.Lookup("b.b.x"))
}

// races: two goroutines that come and go, each with a topic of its own. Where the
// contraction of one loses against the other it is tried again with its arguments in
// another order, of which one is nil.
func races() {
	fmt.Println(`two goroutines, each: Subscribe("N.x"), Unsubscribe("N.x") with its own N`)
	m := matching.NewCSTrieMatcher()
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			come(m, fmt.Sprint(g, ".x"), 2_000_000)
		}()
	}
	wg.Wait()
}

func come(m matching.Matcher, topic string, n int) {
	for range n {
		s, err := m.Subscribe(topic, 1)
		if err != nil {
			panic(err)
		}
		m.Unsubscribe(s)
	}
}

// lost: one goroutine subscribes to what stays, while another comes and goes with a
// topic of its own. A contraction is computed from one state and put in the place of a
// newer one.
func lost() {
	const stay = 20_000
	fmt.Printf("one goroutine subscribes to %d topics that stay, another comes and goes with its own; lookups afterwards\n", stay)
	for range 20 {
		if lose(stay) {
			return
		}
	}
}

func lose(stay int) bool {
	m := matching.NewCSTrieMatcher()
	end := make(chan bool)
	panics := make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-end:
				panics <- n
				return
			default:
			}
			func() {
				defer func() {
					if recover() != nil {
						n++ // the nil dereference, see races
					}
				}()
				come(m, "own.x", 10)
			}()
		}
	}()
	topic := func(i int) string { return fmt.Sprintf("stay%d.%d", i%50, i) }
	for i := range stay {
		m.Subscribe(topic(i), i)
	}
	close(end)
	n := <-panics
	missing, first := 0, ""
	for i := range stay {
		if len(m.Lookup(topic(i))) == 0 {
			if missing++; first == "" {
				first = topic(i)
			}
		}
	}
	fmt.Printf("%d of %d are gone, the first is %q; %d panics of the other were caught\n", missing, stay, first, n)
	return missing > 0
}

// speed looks up subjects of four tokens, as set=stars of peers/topic: no tails, which
// these matchers do not know. Nobody unsubscribes, which they do not survive.
func speed() {
	const subjects = 20_000
	for _, n := range []int{1000, 10_000} {
		r := rand.New(rand.NewPCG(1, 2))
		name := func() []string {
			return []string{fmt.Sprint("svc", r.IntN(20)), fmt.Sprint("region", r.IntN(8)),
				fmt.Sprint("dev", r.IntN(max(1, n/160))), fmt.Sprint("evt", r.IntN(8))}
		}
		patterns := make([]string, n)
		for i := range patterns {
			t := name()
			switch p := r.IntN(100); {
			case p < 65:
			case p < 75:
				t[1] = "*"
			case p < 95:
				t[3] = "*"
			default:
				t[0] = "*"
			}
			patterns[i] = strings.Join(t, ".")
		}
		asked := make([]string, subjects)
		for i := range asked {
			asked[i] = strings.Join(name(), ".")
		}
		ix := topic.New[int](topic.NATS)
		begin := time.Now()
		for i, p := range patterns {
			ix.Subscribe(p, i)
		}
		filled := time.Since(begin)
		var dst []int
		rounds := map[string][]float64{}
		fill := map[string]time.Duration{"payoff": filled}
		var names []string
		run := map[string]func(string) int{"payoff": func(s string) int {
			dst = ix.AppendMatch(dst[:0], s)
			return len(dst)
		}}
		for _, v := range []struct {
			name string
			m    matching.Matcher
		}{{"cstrie", matching.NewCSTrieMatcher()}, {"trie", matching.NewTrieMatcher()}} {
			begin := time.Now()
			for i, p := range patterns {
				v.m.Subscribe(p, i)
			}
			fill[v.name] = time.Since(begin)
			run[v.name] = func(s string) int { return len(v.m.Lookup(s)) }
		}
		for name := range run {
			names = append(names, name)
		}
		sort.Strings(names)
		for range 5 {
			for _, name := range names {
				begin, f := time.Now(), run[name]
				for _, s := range asked {
					f(s)
				}
				rounds[name] = append(rounds[name], float64(time.Since(begin).Nanoseconds())/subjects)
			}
		}
		for _, name := range names {
			sort.Float64s(rounds[name])
			t := rounds[name]
			fmt.Printf("%-6s %6d subscriptions: subscribe %6.0f ns, lookup %6.0f ns [%.0f, %.0f]\n", name, n,
				float64(fill[name].Nanoseconds())/float64(n), t[2], t[0], t[4])
		}
	}
}
