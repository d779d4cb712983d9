package a

import "sync"

// It stays when all groups are gone.
var once sync.Once

func churn(x, n int) int {
	for range n {
		x ^= x << 13
	}
	return x
}

func scale(xs, out []int) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { out[i] = churn(x, 2) }) // want "a goroutine starts for each element"
	}
	wg.Wait()
}

// values alone
func each(xs []*int) {
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Add(1)
		go func() { // want "a goroutine starts"
			defer wg.Done()
			*x = churn(*x, 2) // in place
		}()
	}
	wg.Wait()
}

// A row is an element.
func fill(rows [][]int) {
	var wg sync.WaitGroup
	for i := range rows {
		wg.Go(func() { // want "a goroutine starts"
			for j := range rows[i] {
				rows[i][j] = i * j
			}
		})
	}
	wg.Wait()
}

// The cells of a matrix, by parameters.
func multiply(a, b, c [][]int) {
	var wg sync.WaitGroup
	for i := range a {
		for j := range b {
			wg.Add(1)
			go func(i, j int) { // want "a goroutine starts"
				defer wg.Done()
				c[i][j] = cell(a, b, i, j)
			}(i, j)
		}
	}
	wg.Wait()
}

func cell(a, b [][]int, i, j int) (sum int) {
	for k := range b {
		sum += a[i][k] * b[k][j]
	}
	return sum
}

type picture struct{ w, h int }

func row(p *picture, y int) {}

// A counter up to a field, and Done at the end.
func rows(p *picture) {
	var wg sync.WaitGroup
	wg.Add(p.h)
	for y := 0; y < p.h; y++ {
		go func() { // want "a goroutine starts"
			row(p, y)
			wg.Done()
		}()
	}
	wg.Wait()
}

// The body returns early, defers, and shadows.
func early(xs, out []int, mu *sync.Mutex) {
	var wg sync.WaitGroup
	for i, x := range xs {
		x := x + 1
		wg.Add(1)
		go func() { // want "a goroutine starts"
			defer wg.Done()
			if x < 0 {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			w := x
			out[i] += w
		}()
	}
	wg.Wait()
}

func work(i int, out []int) { out[i]++ }

// A function that is declared, over a number.
func declared(n int, out []int) {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		go func(k int) { // want "a goroutine starts"
			work(k, out)
			wg.Done()
		}(i)
	}
	wg.Wait()
}

// Four at a time.
func limited(xs, out []int) {
	slots := make(chan struct{}, 4)
	var wg sync.WaitGroup
	for i := range xs {
		slots <- struct{}{}
		wg.Add(1)
		go func() { // want "a goroutine starts"
			defer func() { <-slots; wg.Done() }()
			out[i] = churn(xs[i], 10)
		}()
	}
	wg.Wait()
}

// A generic function, and a name that is taken.
func mapped[T, U any](xs []T, f func(T) U) []U {
	workers := make([]U, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { workers[i] = f(x) }) // want "a goroutine starts"
	}
	wg.Wait()
	return workers
}

type job struct{ n int }

func (j *job) run() { j.n++ }

// A method value.
func run(jobs []*job) {
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(j.run) // want "a goroutine starts"
	}
	wg.Wait()
}

// A label in the body, twice.
func labelled(xs [][]int, out []int) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { // want "a goroutine starts"
		search:
			for _, v := range x {
				switch v {
				case 0:
					break search
				}
				out[i]++
			}
		})
	}
	wg.Wait()
}

// The group is declared together with others.
func eachError(items []int, f func(i, item int) error) error {
	var (
		wg    sync.WaitGroup // of all
		first sync.Once
		err   error
	)
	for i, item := range items {
		wg.Add(1)
		go func() { // want "a goroutine starts"
			defer wg.Done()
			if e := f(i, item); e != nil {
				first.Do(func() { err = e })
			}
		}()
	}
	wg.Wait()
	return err
}

// What the caller gives may be workers that meet at a barrier: that they do not is a
// condition.
func calling(n int, f func(int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) }) // want "a goroutine starts"
	}
	wg.Wait()
}
