package pool_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/pool"
)

func Example() {
	length := func(ctx context.Context, s string) (int, error) {
		if s == "" {
			return 0, errors.New("empty")
		}
		return len(s), nil
	}
	p := pool.New(length)
	lengths, err := p.SubmitAll(context.Background(), []string{"a", "", "abc"})
	fmt.Println(lengths, err)
	fmt.Println(p.Do(context.Background(), "abcd"))
	p.Close()
	// Output:
	// [1 0 3] task 1: empty
	// 4 <nil>
}

// A crawl: tasks that find more tasks. The pool finds out how many pages to ask for at
// once.
func ExamplePool() {
	links := map[string]string{"/": "/a /b", "/a": "/c", "/b": "/c /d", "/c": "/", "/d": ""}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, links[r.URL.Path])
	}))
	defer server.Close()

	var seen sync.Map
	var p *pool.Pool[string, int]
	p = pool.New(func(ctx context.Context, path string) (int, error) {
		r, err := http.Get(server.URL + path)
		if err != nil {
			return 0, err
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return 0, err
		}
		next := p.Batch(ctx)
		for _, link := range strings.Fields(string(body)) {
			if _, known := seen.LoadOrStore(link, true); !known {
				next.Submit(link)
			}
		}
		pages := 1
		below, err := next.Wait() // another worker takes this one's place meanwhile
		for _, n := range below {
			pages += n
		}
		return pages, err
	})
	seen.Store("/", true)
	pages, err := p.Do(context.Background(), "/")
	fmt.Println(pages, "pages", err)
	p.Close()
	// Output: 5 pages <nil>
}

func ExampleBatch() {
	p := pool.New(func(_ context.Context, n int) (int, error) { return n * n, nil })
	defer p.Close()
	b := p.Batch(context.Background(), pool.TaskOptions{Priority: pool.High})
	for i := range 4 {
		b.Submit(i)
	}
	var squares []int
	for r := range b.Results() { // as they end
		squares = append(squares, r.Value)
	}
	slices.Sort(squares)
	fmt.Println(squares)
	fmt.Println(b.Wait()) // in the order of submission
	// Output:
	// [0 1 4 9]
	// [0 1 4 9] <nil>
}

// Tasks that no call waits for, with a function that gets their errors and panics.
func ExampleOptions() {
	p := pool.New(func(_ context.Context, s string) (int, error) { return strconv.Atoi(s) },
		pool.Options{OnError: func(err error) { fmt.Println("a task failed:", err) }})
	p.Submit(context.Background(), "7")
	p.Submit(context.Background(), "seven")
	fmt.Println(p.Close())
	// Output:
	// a task failed: strconv.Atoi: parsing "seven": invalid syntax
	// <nil>
}

func ExampleGroup_CatchPanics() {
	var g pool.Group
	g.CatchPanics()
	g.Go(func() error { panic("no") })
	var p *par.Panic
	if errors.As(g.Wait(), &p) {
		fmt.Println(p.Value) // and p.Stack
	}
	// Output: no
}

func ExampleGroup() {
	g, ctx := pool.WithContext(context.Background())
	g.Go(func() error { return errors.New("no") })
	g.Go(func() error {
		<-ctx.Done() // the other has failed
		return ctx.Err()
	})
	fmt.Println(g.Wait())
	// Output: no
}
