package articles

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// TestDamagedProfile: a profile of a record may hold anything, packed or not. 100,000
// variations in the long form.
func TestDamagedProfile(t *testing.T) {
	variations := 200
	if stress.Long() {
		variations = 100_000
	}
	packed, err := os.ReadFile(filepath.Join("..", "cpuprof", "testdata", "mutex-go1.27.3.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := record.Profile(filepath.Join("..", "cpuprof", "testdata", "mutex-go1.27.3.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile")
	seed := stress.Seed(t)
	read := 0
	for n := range variations {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		data := bytes.Clone([][]byte{packed, unpacked, unpacked, unpacked}[n%4])
		switch r.IntN(4) {
		case 0:
			data = data[:r.IntN(len(data)+1)]
		case 1:
			at := r.IntN(len(data))
			data = slices.Insert(data, at, bytes.Repeat(data[at:min(len(data), at+20)], 1+r.IntN(2000))...)
		default:
			for range 1 + r.IntN(4) {
				data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
			}
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("variation %d: panic: %v; %d bytes: %.1000q", n, p, len(data), data)
				}
			}()
			if _, all, err := flat(file, "main.f"); err == nil && all != 0 {
				read++
			}
		}()
		runtime.ReadMemStats(&after)
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<30); took > most {
			t.Fatalf("variation %d: %d bytes allocated, want at most %d; %d bytes: %.1000q", n, took, most, len(data), data)
		}
	}
	if read == 0 || read == variations {
		t.Errorf("%d of %d variations were read: the test tests nothing", read, variations)
	}
}
