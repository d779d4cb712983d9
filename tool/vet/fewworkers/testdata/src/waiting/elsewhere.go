package waiting

import (
	"net/http"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// The number comes from another function, a field, a constant.

type crew struct {
	workers int
	asked   int
}

func (c crew) size(jobs int) int {
	n := c.workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0) // want "the workers call what they are given, and are few"
	}
	return min(n, jobs)
}

func (c crew) run(n int, job func(i int)) {
	feed := make(chan int)
	var wg sync.WaitGroup
	for w := c.size(n); w > 0; w-- {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range feed {
				job(i)
			}
		}()
	}
	for i := range n {
		feed <- i
	}
	close(feed)
	wg.Wait()
}

type prober struct {
	atOnce int
	client http.Client
}

func newProber() *prober {
	return &prober{atOnce: 4} // want "the workers wait, and are few"
}

func (p *prober) probe(urls chan string) {
	var wg sync.WaitGroup
	for range p.atOnce {
		wg.Go(func() {
			for u := range urls {
				if r, err := p.client.Get(u); err == nil {
					r.Body.Close()
				}
			}
		})
	}
	wg.Wait()
}

const lanes = 8 // want "the workers wait, and are few"

func inLanes(urls chan string) {
	var wg sync.WaitGroup
	for range lanes {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// A constant that says more.
const shelves = 6 // want "the workers wait, and are few" // refuse "workers: the number says something else as well"

var shelf [shelves]string

func shelved(urls chan string) {
	var wg sync.WaitGroup
	for range shelves {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// A field that is told to others.
type guide struct{ guides int }

func newGuide() *guide { return &guide{guides: 3} } // want "the workers wait, and are few" // refuse "workers: the number says something else as well"

func (g *guide) load(n int) int { return n / g.guides }

func (g *guide) lead(urls chan string) {
	var wg sync.WaitGroup
	for range g.guides {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// What the worker is given computes, for all that is known: the run decides.
type asker interface{ ask(string) }

func asks(a asker, names chan string) {
	var wg sync.WaitGroup
	for range 5 { // want "the workers call what they are given, and are few"
		wg.Go(func() {
			for n := range names {
				a.ask(n)
			}
		})
	}
	wg.Wait()
}

// It is called one function deeper.
type desk struct{ to asker }

func (d desk) one(name string) { d.to.ask(name) }

func desks(d desk, names chan string) {
	var wg sync.WaitGroup
	for range 7 { // want "the workers call what they are given, and are few"
		wg.Go(func() {
			for n := range names {
				d.one(n)
			}
		})
	}
	wg.Wait()
}

// Many already, and a number that the caller gives.
const plenty = 64

func ample(urls chan string, n int) {
	var wg sync.WaitGroup
	for range plenty {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	for range n {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// A function that says it to others as well.
func share(jobs int) int { return jobs / teams() }

func teams() int { return 7 } // want "the workers wait, and are few" // refuse "workers: the number says something else as well"

func inTeams(urls chan string) {
	var wg sync.WaitGroup
	for n := teams(); n > 0; n-- {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// A goroutine for each, and a few at once.
func slots(urls []string) {
	sem := make(chan struct{}, 4) // want "the workers wait, and are few"
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Add(1)
		sem <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-sem }()
			fetch(u)
		}()
	}
	wg.Wait()
}

// What is sent is of use.
type letter struct{ to string }

func posted(urls []string) {
	ch := make(chan letter, 4)
	for _, u := range urls {
		go func() {
			fetch(u)
			ch <- letter{u}
		}()
	}
	for range urls {
		<-ch
	}
}

func mailed(urls []string) {
	ch := make(chan string, 4)
	for _, u := range urls {
		go func() {
			fetch(u)
			ch <- u
		}()
	}
	for range urls {
		<-ch
	}
}

// A group with a limit; and slots for what the package knows no function of.
func limited(urls []string) error {
	var g errgroup.Group
	g.SetLimit(6) // want "the workers wait, and are few"
	for _, u := range urls {
		g.Go(func() error {
			_, err := http.Get(u)
			return err
		})
	}
	return g.Wait()
}

func slotted(urls []string) {
	sem := make(chan struct{}, 5) // want "the workers wait, and are few"
	for _, u := range urls {
		sem <- struct{}{}
		go func() {
			http.Get(u)
			<-sem
		}()
	}
}

// Of another type.
func narrow(urls chan string, n int8) {
	n = 3 // want "the workers wait, and are few"
	var wg sync.WaitGroup
	for range int(n) {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// More than was set.
func grown(urls chan string) {
	n := runtime.GOMAXPROCS(0) // want "the workers wait, and are few"
	n += 2
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// Its function is handed on.
func crews() int { return 9 } // want "the workers wait, and are few" // refuse "workers: the number says something else as well"

var counts = []func() int{crews}

func inCrews(urls chan string) {
	var wg sync.WaitGroup
	for range crews() {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}
