package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

// offer asks for operations at random times, so many each second, for so long, whether
// those before have ended or not. To file it writes for each when it was due, in ns
// since 1970, and how long after that it ended.
func offer(operation func(), perSecond float64, length time.Duration, file string) {
	due := make(chan time.Time, 1<<16)
	var mu sync.Mutex
	took := make([]byte, 0, 16*int(1.1*perSecond*length.Seconds()+1000))
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for at := range due {
				operation()
				d := time.Since(at)
				mu.Lock()
				took = binary.LittleEndian.AppendUint64(took, uint64(at.UnixNano()))
				took = binary.LittleEndian.AppendUint64(took, uint64(d))
				mu.Unlock()
			}
		})
	}
	begin := time.Now()
	at := begin
	for at.Sub(begin) < length {
		at = at.Add(time.Duration(rand.ExpFloat64() / perSecond * 1e9))
		time.Sleep(time.Until(at))
		select {
		case due <- at:
		default:
			log.Fatalf("%.0f operations per second are more than the service can do", perSecond)
		}
	}
	close(due)
	wg.Wait()
	if err := os.WriteFile(file, took, 0o666); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s cured=%v: %d operations\n", *name, *cured, len(took)/16)
}
