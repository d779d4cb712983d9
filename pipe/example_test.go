package pipe_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing/fstest"

	"github.com/gopayoff/payoff/pipe"
)

func Example() {
	squares := pipe.Map(pipe.Slice([]int{1, 2, 3, 4}), func(v int) int { return v * v })
	even := pipe.Filter(squares, func(v int) bool { return v%2 == 0 })
	for v, err := range even.All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
	}
	// Output:
	// 4
	// 16
}

// Words are counted over files. To read a file and to cut it into words is work, for any
// goroutine; to count them is not.
func Example_wordCount() {
	files := fstest.MapFS{
		"a.txt": {Data: []byte("the quick brown fox\njumps over the lazy dog")},
		"b.txt": {Data: []byte("the end")},
	}
	read := func(_ context.Context, name string) ([]string, error) {
		text, err := files.ReadFile(name)
		return strings.Fields(string(text)), err
	}
	words := pipe.FlatMap(pipe.MapContext(pipe.Slice([]string{"a.txt", "b.txt"}), read), each1[string])
	counts := pipe.GroupBy(words, strings.ToLower, func(n int, _ string) int { return n + 1 })
	for g, err := range counts.All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if g.Value > 1 {
			fmt.Println(g.Key, g.Value)
		}
	}
	// Output: the 3
}

func each1[T any](vs []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, v := range vs {
			if !yield(v) {
				return
			}
		}
	}
}

// Pages are fetched, at most four at a time, and tried again where that fails.
func Example_crawl() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "page", r.URL.Path)
	}))
	defer server.Close()
	fetch := func(ctx context.Context, path string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, "GET", server.URL+path, nil)
		if err != nil {
			return "", err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return "", fmt.Errorf("%s", resp.Status)
		}
		body, err := io.ReadAll(resp.Body)
		return string(body), err
	}
	paths := pipe.Slice([]string{"/a", "/gone", "/b"})
	pages, err := pipe.MapContext(paths, fetch).Named("fetch").AtMost(4).Retry(1, 0).OnError(pipe.Gather).Collect(context.Background())
	fmt.Println(pages)
	fmt.Println(err)
	// Output:
	// [page/a page/b]
	// fetch: item 1: 404 Not Found
}

// Records of a CSV file become lines of JSON.
func Example_csvToJSON() {
	r := csv.NewReader(strings.NewReader("ada,36\nalan,41\n"))
	records := pipe.Seq2(func(yield func([]string, error) bool) {
		for {
			record, err := r.Read()
			if err == io.EOF || !yield(record, err) {
				return
			}
		}
	})
	type person struct {
		Name string `json:"name"`
		Age  string `json:"age"`
	}
	lines := pipe.MapContext(records, func(_ context.Context, r []string) ([]byte, error) {
		line, err := json.Marshal(person{r[0], r[1]})
		return append(line, '\n'), err
	})
	if err := lines.ForEach(context.Background(), func(line []byte) error {
		_, err := os.Stdout.Write(line)
		return err
	}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"name":"ada","age":"36"}
	// {"name":"alan","age":"41"}
}

// A Meter tells where a pipe spends its time.
func ExampleMeter() {
	var m pipe.Meter
	p := pipe.Map(pipe.Slice([]string{"a", "bb", "ccc"}), strings.ToUpper).Named("upper").Meter(&m)
	if err := p.Drain(context.Background()); err != nil {
		fmt.Println(err)
	}
	for _, s := range m.Stats().Stages {
		fmt.Println(s.Name, s.Items)
	}
	// Output:
	// Slice 3
	// upper 3
}

func ExampleWindow() {
	means := pipe.Map(pipe.Window(pipe.Slice([]int{1, 2, 3, 4, 5}), 3, 1), func(w []int) int { return (w[0] + w[1] + w[2]) / 3 })
	fmt.Println(means.Collect(context.Background()))
	// Output: [2 3 4] <nil>
}

func ExampleSplit() {
	odd := func(v int) int { return v % 2 }
	p := pipe.Split(pipe.Slice([]int{1, 2, 3, 4}), odd,
		func(even pipe.Pipe[int]) pipe.Pipe[string] {
			return pipe.Map(even, func(v int) string { return fmt.Sprint("even ", v) })
		},
		func(odd pipe.Pipe[int]) pipe.Pipe[string] {
			return pipe.Map(odd, func(v int) string { return fmt.Sprint("odd ", v) })
		})
	if err := p.ForEach(context.Background(), func(s string) error { fmt.Println(s); return nil }); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// odd 1
	// even 2
	// odd 3
	// even 4
}

// The first three primes above a hundred, of a sequence that has no end.
func ExamplePipe_Take() {
	from := func(n int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for ; yield(n); n++ {
			}
		}
	}
	prime := func(n int) bool {
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				return false
			}
		}
		return n > 1
	}
	primes, err := pipe.Filter(pipe.Seq(from(100)), prime).Take(3).Collect(context.Background())
	fmt.Println(primes, err)
	// Output: [101 103 107] <nil>
}
