package predict

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/world"
)

// sieve is the prime sieve of the gallery's case: a chain of filters, a goroutine each,
// over channels without buffers. An operation on a channel takes 30 ns and a division 2,
// as in gallery/affinity/sched.
func sieve(below int) func(*task) {
	const operation, division = 30, 2
	return func(t *task) {
		c := &channel{}
		value := map[*channel]int{} // what was sent last
		first := c
		t.spawn(fork, func(t *task) {
			for i := 2; i < below; i++ {
				t.work(serial, operation)
				value[first] = i
				first.send(t, give)
			}
			first.close(t, give)
		})
		for {
			if !c.receive(t, take) {
				return
			}
			prime, from, to := value[c], c, &channel{}
			t.spawn(fork, func(t *task) {
				for from.receive(t, take) {
					v := value[from]
					t.work(body, operation+division)
					if v%prime != 0 {
						t.work(body, operation)
						value[to] = v
						to.send(t, give)
					}
				}
				to.close(t, give)
			})
			c = to
		}
	}
}

// sieveTable is how fast the graph of the sieve is under three schedulers.
func sieveTable(t *testing.T, below int) (table string, speed map[world.Order][]float64) {
	t.Helper()
	m := Machine{Name: "model", Wake: 65 * time.Microsecond, Low: 65 * time.Microsecond, High: 65 * time.Microsecond, Line: 43}
	h := hidden{m.prices(choice{}), 1}
	_, g := h.run(t, 1, 1, true, sieve(below))
	var b strings.Builder
	b.WriteString("| processors | Go 1.0 | Go 1.1 | Go 1.5 |\n|---|---|---|---|\n")
	speed = map[world.Order][]float64{}
	one := map[world.Order]float64{}
	for _, n := range []int{1, 2, 4, 8} {
		fmt.Fprintf(&b, "| %d |", n)
		for _, order := range []world.Order{world.OneQueue, world.Behind, world.Next} {
			r, err := run(g, m, n, choice{channels: handed}, 0, 1, order)
			if err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				one[order] = r.time
				fmt.Fprintf(&b, " %.1f ms |", r.time/1e6)
				continue
			}
			x := one[order] / r.time
			speed[order] = append(speed[order], x)
			fmt.Fprintf(&b, " %.2f× |", x)
		}
		b.WriteByte('\n')
	}
	return b.String(), speed
}

// TestSieve: the graph of the sieve gains more from a queue for each processor than from
// one for all, which is what its article tells of Go 1.1.
func TestSieve(t *testing.T) {
	below := 400
	record := os.Getenv("PAYOFF_RECORD") != ""
	if record {
		below = 2000
	}
	table, speed := sieveTable(t, below)
	t.Logf("\n%s", table)
	for i := range speed[world.Behind] {
		if one, own := speed[world.OneQueue][i], speed[world.Behind][i]; own < 1.2*one {
			t.Errorf("at %d processors a queue for each is %.2f times as fast as at one, one for all %.2f; want the first to be more by a fifth", 2<<i, own, one)
		}
	}
	if record {
		file := filepath.Join("..", "..", "..", "record", "simulated", "predict-sieve.md")
		if err := os.WriteFile(file, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
