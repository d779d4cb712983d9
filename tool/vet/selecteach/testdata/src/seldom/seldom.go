// Package seldom has loops that ask for each item whether they are to stop.
package seldom

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

func score(x int) int { return x * x % 1009 }

func best(ctx context.Context, xs []int, stops [2]chan struct{}, quit <-chan error) (int, error) {
	most := 0
	for _, x := range xs {
		select { // want "for each item the loop goes through a select"
		case <-stops[0]:
			return most, nil
		case <-stops[1]:
			return most, nil
		case err := <-quit:
			return 0, err
		case <-ctx.Done():
			return 0, ctx.Err()
		default:
		}
		most = max(most, score(x))
	}
	return most, nil
}

type search struct {
	stop, quit chan struct{}
	sums       []int
	at         int
	seen       atomic.Int64
	mu         sync.Mutex
}

func (s *search) rows(rows [][]int) {
	var looked int
rows:
	for _, row := range rows {
	row:
		for i := 0; i < len(row); i++ {
			if row[i] == 0 {
				continue row
			}
			// Is it over?
			select { // want "for each item the loop goes through a select"
			case <-s.stop:
				break rows
			case <-s.quit:
				continue rows
			default:
			}
			s.sums[s.at] += row[i]
			looked++
		}
	}
	s.at = looked
}

// One channel costs little; a case that goes on takes what is sent; who has
// nothing else to do waits.
func others(ctx context.Context, xs []int, in, quit chan int) (sum int) {
	for _, x := range xs {
		select {
		case <-ctx.Done():
			return sum
		default:
		}
		sum += x
	}
rows:
	for range xs {
		select {
		case v := <-in:
			sum += v
		case <-quit:
			return sum
		default:
		}
		select {
		case <-quit:
			continue rows
		case <-in:
			return sum
		default:
		}
		select {
		case <-quit:
			return sum
		case <-in:
			return sum
		default:
			sum++
		}
	}
	for {
		select {
		case v := <-in:
			return v
		case <-quit:
			return sum
		default:
		}
	}
}

func changes(xs []int, stops []chan struct{}, quit, other chan struct{}) (sum int) {
	for i, x := range xs {
		select { // want "for each item" // refuse "seldom: stops.i. is not the same channel each time"
		case <-stops[i]:
			return sum
		case <-quit:
			return sum
		default:
		}
		sum += x
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop changes quit"
		case <-quit:
			return sum
		case <-stops[0]:
			return sum
		default:
		}
		quit = other
		sum += x
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop changes stops.1."
		case <-quit:
			return sum
		case <-stops[0]:
			return sum
		default:
		}
		stops[1] = other
		sum += x
	}
	return sum
}

func (s *search) tells(xs []int, out chan<- int, stop func(int), more <-chan int) {
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop calls s.seen.Add"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		s.seen.Add(int64(x))
	}
	for i := 0; i < int(s.seen.Load()); i++ {
		select { // want "for each item" // refuse "seldom: the loop looks at what others may set"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		s.at += i
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop waits for other goroutines"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		out <- x
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop calls stop, which may not be meant"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		stop(x)
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop takes a lock"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		s.mu.Lock()
		s.at += x
		s.mu.Unlock()
	}
	for x := range more {
		select { // want "for each item" // refuse "seldom: the loop waits for other goroutines"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		s.at += x
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop waits"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		time.Sleep(time.Duration(x))
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the loop calls close"
		case <-s.stop:
			return
		case <-s.quit:
			return
		default:
		}
		if x == 0 {
			close(s.stop)
		}
	}
}

func jumps(xs []int, stop, quit chan struct{}) (sum int) {
	if len(xs) == 0 {
		goto end
	}
	for _, x := range xs {
		select { // want "for each item" // refuse "seldom: the function has a goto"
		case <-stop:
			return sum
		case <-quit:
			return sum
		default:
		}
		sum += x
	}
end:
	return sum
}
