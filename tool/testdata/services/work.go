package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func init() {
	sql.Register("sleeps", sleeping{})
	services["queue"] = service{"waiting", 16, startQueue}
	services["pool"] = service{"waiting", 16, startPool}
	services["importer"] = service{"serial", 1, startImporter}
	services["pipeline"] = service{"handoff", 1, startPipeline}
	services["journal"] = service{"serial", 16, startJournal}
	services["partitions"] = service{"imbalance", 16, startPartitions}
	services["ticket"] = service{"serial", 8, startTicket}
	services["poller"] = service{"oversubscription", 4, startPoller}
	services["database"] = service{"", 16, startDatabase}
	services["sharded"] = service{"", 8, startSharded}
}

// sleeping is a driver of a database that takes a millisecond for each statement.
type sleeping struct{}

func (sleeping) Open(string) (driver.Conn, error)          { return sleeping{}, nil }
func (sleeping) Prepare(string) (driver.Stmt, error)       { return sleeping{}, nil }
func (sleeping) Close() error                              { return nil }
func (sleeping) Begin() (driver.Tx, error)                 { return nil, errors.ErrUnsupported }
func (sleeping) NumInput() int                             { return -1 }
func (sleeping) Query([]driver.Value) (driver.Rows, error) { return nil, errors.ErrUnsupported }
func (sleeping) Exec([]driver.Value) (driver.Result, error) {
	time.Sleep(time.Millisecond)
	return driver.RowsAffected(1), nil
}

func database(conns int) *sql.DB {
	db, err := sql.Open("sleeps", "")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db
}

type job struct{ done chan bool }

// startQueue has two workers for jobs that wait for a database.
func startQueue(cured bool) (func(), func()) {
	db, jobs, workers := database(64), make(chan job), 2
	if cured {
		workers = 32
	}
	for range workers {
		go worker(db, jobs)
	}
	return func() {
		j := job{make(chan bool)}
		jobs <- j
		<-j.done
	}, func() { db.Close() }
}

func worker(db *sql.DB, jobs chan job) {
	for j := range jobs {
		work(20)
		if _, err := db.Exec("update"); err != nil {
			panic(err)
		}
		j.done <- true
	}
}

type entry struct {
	n     int
	reply chan int
}

// startJournal has one goroutine that keeps entries in order, and also checks them.
func startJournal(cured bool) (func(), func()) {
	entries, stop := make(chan entry), make(chan bool)
	check := func() { work(100) }
	go func() {
		for n := 0; ; n++ {
			select {
			case e := <-entries:
				if !cured {
					check()
				}
				e.reply <- n
			case <-stop:
				return
			}
		}
	}()
	return func() {
		e := entry{reply: make(chan int, 1)}
		if cured {
			check()
		}
		select {
		case entries <- e:
			<-e.reply
		case <-stop:
		}
	}, func() { close(stop) }
}

// startPartitions has a worker for each of eight partitions, and most entries are of one.
func startPartitions(cured bool) (func(), func()) {
	db, stop := database(64), make(chan bool)
	var partitions [8]chan entry
	for i := range partitions {
		partitions[i] = make(chan entry, 64)
		go store(db, partitions[i], stop)
	}
	var asked atomic.Int64
	return func() {
		e := entry{n: int(asked.Add(1)), reply: make(chan int, 1)}
		to := e.n % len(partitions)
		if !cured && e.n%4 != 0 {
			to = 3
		}
		partitions[to] <- e
		<-e.reply
	}, func() { close(stop); db.Close() }
}

func store(db *sql.DB, entries chan entry, stop chan bool) {
	for {
		select {
		case e := <-entries:
			if _, err := db.Exec("insert"); err != nil {
				panic(err)
			}
			e.reply <- e.n
		case <-stop:
			return
		}
	}
}

// startPool lets requests share one connection of a database.
func startPool(cured bool) (func(), func()) {
	db := database(1)
	if cured {
		db = database(32)
	}
	operation, done := api(db)
	return operation, func() { done(); db.Close() }
}

func startDatabase(bool) (func(), func()) {
	db := database(32)
	operation, done := api(db)
	return operation, func() { done(); db.Close() }
}

func api(db *sql.DB) (func(), func()) {
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		work(20)
		if _, err := db.ExecContext(r.Context(), "update"); err != nil {
			panic(err)
		}
		fmt.Fprint(w, "ok")
	}))
}

// startImporter reads a batch in one goroutine before others work on it.
func startImporter(cured bool) (func(), func()) {
	parse := func(n int) { work(20 * n) }
	return func() {
		const rows = 64
		if !cured {
			parse(rows)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if cured {
					parse(rows / 4)
				}
				work(5 * rows / 4)
			})
		}
		wg.Wait()
	}, func() {}
}

// startPipeline hands single items from stage to stage.
func startPipeline(cured bool) (func(), func()) {
	size := 1
	if cured {
		size = 256
	}
	a, b := make(chan []int), make(chan []int)
	go func() {
		for {
			x := make([]int, size)
			for i := range x {
				x[i] = i
			}
			a <- x
		}
	}()
	go func() {
		for x := range a {
			for i := range x {
				x[i] *= 3
			}
			b <- x
		}
	}()
	total, have := 0, []int(nil)
	return func() {
		for range 256 { // an operation is so many items
			if len(have) == 0 {
				have = <-b
			}
			total += have[0]
			have = have[1:]
		}
	}, func() {}
}

// startTicket lets one task in at a time, by a channel.
func startTicket(cured bool) (func(), func()) {
	places := 1
	if cured {
		places = 8
	}
	tickets := make(chan bool, places)
	return func() {
		_, task := trace.NewTask(context.Background(), "resize")
		defer task.End()
		tickets <- true
		work(200)
		<-tickets
	}, func() {}
}

// startPoller waits for results by looking again and again.
func startPoller(cured bool) (func(), func()) {
	type order struct {
		ready atomic.Bool
		told  chan bool
	}
	orders := make(chan *order, 16)
	go func() {
		for o := range orders {
			work(100)
			o.ready.Store(true)
			close(o.told)
		}
	}()
	return func() {
		_, task := trace.NewTask(context.Background(), "order")
		defer task.End()
		o := &order{told: make(chan bool)}
		orders <- o
		if cured {
			<-o.told
			return
		}
		for !o.ready.Load() {
			runtime.Gosched()
		}
	}, func() {}
}

// startSharded has a lock for each part of a cache, held for an update alone.
func startSharded(bool) (func(), func()) {
	var shards [64]struct {
		mu sync.Mutex
		m  map[string]uint64
	}
	for i := range shards {
		shards[i].m = map[string]uint64{}
	}
	var n atomic.Uint32
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := work(100)
		s := &shards[n.Add(1)%64]
		s.mu.Lock()
		s.m[strings.Clone(r.FormValue("id"))] = v
		s.mu.Unlock()
		fmt.Fprint(w, v)
	}))
}
