package fresh

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/tool/testdata/planted/fresh/clib"
)

// A cure is the variant of a program with its one cause removed, and nothing
// else. What it gains is what the cause costs.
var cures = map[string]way{
	"HitRate":   {name: "apart", do: hitRateApart},
	"Import":    {name: "apart", do: importApart},
	"Walks":     {name: "apart", do: walksApart},
	"Endpoints": {name: "apart", do: endpointsApart},
	"Rows":      {name: "own", do: rowsOwn},
	"Expiry":    {name: "own", do: expiryOwn},
	"Budget":    {name: "own", do: budgetOwn},
	"Quotes":    {name: "own", do: quotesOwn},
	"Transfer":  {name: "local", do: transferLocal},
	"Documents": {name: "unretained", do: documentsUnretained},
	"Sieve":     {name: "plain", do: sievePlain},
	"Shipping":  {name: "plain", do: shippingPlain},

	"Bank":      {name: "own", do: bankOwn},
	"Pages":     {name: "own", do: pagesOwn},
	"Votes":     {name: "own", do: votesOwn},
	"Journal":   {name: "own", do: journalOwn},
	"Settings":  {name: "own", do: settingsOwn},
	"Rates":     {name: "unguarded", do: ratesUnguarded},
	"Flags":     {name: "own", do: flagsOwn},
	"Catalogue": {name: "own", do: catalogueOwn, parallel: true},

	"Lexer":    {name: "batches", do: lexerBatches},
	"Mail":     {name: "batches", do: mailBatches},
	"Filters":  {name: "batches", do: filtersBatches},
	"Bus":      {name: "batches", do: busBatches},
	"Sensors":  {name: "onechannel", do: sensorsOne},
	"Control":  {name: "onechannel", do: controlOne},
	"Search":   {name: "onechannel", do: searchOne},
	"Calls":    {name: "onetimer", do: callsOne},
	"Watchdog": {name: "noreset", do: watchdogNoted},
	"Answers":  {name: "notimeout", do: answersPlain},

	"Light":   {name: "bands", do: lightBands},
	"Tree":    {name: "threshold", do: func() int { return treeThreshold(tree, 2) }},
	"Column":  {name: "quarters", do: columnQuarters},
	"Futures": {name: "quarters", do: futuresQuarters},

	"Sessions":  {name: "quarters", do: sessionsQuarters},
	"Fractal":   {name: "interleaved", do: fractalInterleaved},
	"Files":     {name: "blocks", do: filesBlocks},
	"Stages":    {name: "twocompressors", do: func() int { return stagesWith(3) }},
	"Normalize": {name: "inworkers", do: normalizeWorkers},
	"Print":     {name: "inworkers", do: printWorkers},

	"Chunks": {name: "waitgroup", do: chunksWaited},
	"Outbox": {name: "notick", do: outboxAtOnce},
	"Fetch":  {name: "twoworkers", do: func() int { return fetchWith(fetches) }},
	"Polite": {name: "noyield", do: politeRude},
	"Report": {name: "slots", do: reportSlots},
	"Rush":   {name: "parked", do: rushParked},

	"Fields":   {name: "iterator", do: fieldsIterated},
	"Points":   {name: "values", do: pointsValues},
	"Join":     {name: "buffer", do: joinBuffer},
	"Smooth":   {name: "reused", do: smoothReused},
	"Tidy":     {name: "nocollect", do: tidyNot},
	"Messages": {name: "usualheap", do: messagesWorkers},
	"History":  {name: "flat", do: historyFlatWorkers, setup: flatHistory},
	"Upper":    {name: "own", do: upperOwn},
	"Tokens":   {name: "own", do: tokensOwn},
	"Frames":   {name: "putback", do: framesPutBack},
	"Visitors": {name: "sized", do: visitorsSized},
	"Index":    {name: "sized", do: indexSized},
	"Docs":     {name: "sized", do: docsSized},
	"Words":    {name: "ownmaps", do: wordsOwn},
	"Routes":   {name: "plainmap", do: routesPlainly},
	"Logins":   {name: "plainmap", do: loginsSerial},
	"Tiles":    {name: "kept", do: tilesKept},
	"Fill":     {name: "kept", do: fillKept},

	"Trades":    {name: "appended", do: tradesAppended},
	"Keys":      {name: "appended", do: keysAppended},
	"Versions":  {name: "byhand", do: versionsByHand},
	"Latencies": {name: "slices", do: latenciesSlices},
	"Players":   {name: "slices", do: playersSlices},
	"Shards":    {name: "quarters", do: shardsQuarters},
	"Variance":  {name: "kept", do: varianceSerial},
	"Areas":     {name: "direct", do: areasDirect},
	"Commands":  {name: "untimed", do: commandsUntimed},

	"Audit":     {name: "buffered", do: auditBuffered},
	"Store":     {name: "atonce", do: storeAtOnce},
	"Templates": {name: "statonce", do: templatesOnce},
	"Cart":      {name: "onerequest", do: func() int { return askEach(tcpPrices(), len(cart)) }},
	"Basket":    {name: "onerequest", do: func() int { return askEach(unixPrices(), len(cart)) }},
	"Metrics":   {name: "onedatagram", do: metricsOne},
	"Recorder":  {name: "carried", do: recorderCarried},
	"Hash":      {name: "go", do: hashGo},
	"Lines":     {name: "go", do: linesGo},
}

// apart lies on cache lines of its own.
type apart[T any] struct {
	_ [128]byte
	v T
	_ [128]byte
}

// fourth runs do for each worker's part and adds up.
func fourth(do func(w int) int) int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { sums[w] = do(w) })
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

func hitRateApart() int {
	slots := make([]apart[hitRate], workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, k := range cut(cacheKeys, w) {
				if k < 990 {
					slots[w].v.hits++
				} else {
					slots[w].v.misses++
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, s := range slots {
		sum += s.v.hits - 3*s.v.misses
	}
	return sum
}

func importApart() int {
	// Each uses the word of a state of its own.
	states := new([2]apart[importState])
	read, written := &states[0].v, &states[1].v
	read.limit.Store(900)
	var loaded, filtered int
	var wg sync.WaitGroup
	wg.Go(func() { loaded = written.load(readings[:8_000]) })
	wg.Go(func() { filtered = read.filterTwice(readings) + read.filterTwice(readings) })
	wg.Wait()
	return loaded + filtered
}

func walksApart() int {
	states := make([]apart[uint64], 4)
	for w, s := range []uint64{3, 5, 7, 11} {
		states[w].v = s
	}
	return fourth(func(w int) int { return walk(&states[w].v) })
}

func endpointsApart() int {
	var es [workers]apart[endpoint]
	fourth(func(w int) int {
		es[w].v.serve(cut(requests, w))
		return 0
	})
	n := 0
	for i := range es {
		n += int(es[i].v.served.Load() * es[i].v.bytes.Load() % 1009)
	}
	return n
}

func rowsOwn() int {
	gs := make([]apart[idGen], workers)
	var sums [workers]uint64
	fourth(func(w int) int {
		g := &gs[w].v
		g.last.Store(uint64(rowCount / workers * w))
		sum := uint64(0)
		for range rowCount / workers {
			sum += mix(g.next())
		}
		sums[w] = sum
		return 0
	})
	return int((sums[0] + sums[1] + sums[2] + sums[3]) >> 8)
}

func expiryOwn() int {
	clocks := new([2]apart[atomic.Int64])
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() { tickAll(&clocks[0].v, len(expiries)/4) })
	wg.Go(func() {
		n = alive(&clocks[1].v, expiries) + alive(&clocks[1].v, expiries) + alive(&clocks[1].v, expiries)
	})
	wg.Wait()
	return n
}

func budgetOwn() int {
	bs := make([]apart[budget], workers)
	done := fourth(func(w int) int {
		b := &bs[w].v
		b.left.Store(spending/workers + 25)
		n := 0
		for range spending / workers {
			if b.take(1) {
				n++
			}
		}
		return n
	})
	for w := range bs {
		done += int(bs[w].v.left.Load())
	}
	return done
}

func quotesOwn() int {
	qs := new([2]apart[quote])
	qs[1].v.publish(100)
	sum := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range quotes {
			qs[0].v.publish(int64(i))
		}
	})
	wg.Go(func() { sum = qs[1].v.follow(2 * quotes) })
	wg.Wait()
	return sum
}

func transferLocal() int {
	conns := make([]conn, workers)
	return fourth(func(w int) int {
		sum := 0
		for _, p := range cut(packets, w) {
			sum += p
		}
		conns[w].bytes.Add(int64(sum))
		return int(conns[w].bytes.Load())
	})
}

func documentsUnretained() int {
	return fourth(func(w int) int {
		part := cut(documents, w)
		sum := 0
		for range readRounds {
			for i := range part {
				sum += part[i].words()
			}
		}
		return sum
	})
}

func sievePlain() int {
	bits := make([]uint32, sieveLimit/32)
	fourth(func(w int) int {
		lo, hi := sieveLimit/workers*w, sieveLimit/workers*(w+1)
		for _, p := range smallPrimes {
			for m := max(p*p, (lo+p-1)/p*p); m < hi; m += p {
				bits[m/32] |= 1 << (m % 32)
			}
		}
		return 0
	})
	return countClear(bits)
}

func shippingPlain() int {
	claimed := make([]atomic.Bool, len(orders))
	return fourth(func(w int) int {
		lo := len(orders) * w / workers
		sum := 0
		for i, o := range cut(orders, w) {
			if !claimed[lo+i].Load() {
				sum += freight(o)
			}
		}
		return sum
	})
}

func bankOwn() int {
	banks := make([]apart[bank], workers)
	fourth(func(w int) int {
		for _, t := range cut(transfers, w) {
			banks[w].v.transfer(t)
		}
		return 0
	})
	d := 0
	for w := range banks {
		d += banks[w].v.digest()
	}
	return d
}

var ownPages = func() *[workers]apart[lru] {
	cs := new([workers]apart[lru])
	for w := range cs {
		cs[w].v.fill()
	}
	return cs
}()

func pagesOwn() int {
	return fourth(func(w int) int {
		sum := 0
		for _, k := range cut(pageVisits, w) {
			sum += ownPages[w].v.get(k)
		}
		return sum
	})
}

func votesOwn() int {
	bs := make([]apart[ballotBox], workers)
	fourth(func(w int) int {
		for _, v := range cut(ballots, w) {
			bs[w].v.cast(v)
		}
		return 0
	})
	for w := range bs[1:] {
		for i, v := range bs[w+1].v.votes {
			bs[0].v.votes[i] += v
		}
	}
	return bs[0].v.result()
}

func journalOwn() int {
	js := make([]apart[journal], workers)
	return fourth(func(w int) int {
		j := &js[w].v
		j.events = make([]int, 0, len(events)/workers)
		for _, e := range cut(events, w) {
			if e%8 != 0 {
				j.add(e)
			}
		}
		return len(j.events)
	})
}

var ownLimits = func() []apart[settings] {
	ss := make([]apart[settings], workers)
	for w := range ss {
		ss[w].v.limits = limitsOf.limits
	}
	return ss
}()

func settingsOwn() int {
	return fourth(func(w int) int {
		sum := 0
		for _, t := range cut(tenants, w) {
			sum += ownLimits[w].v.limit(t)
		}
		return sum
	})
}

func ratesUnguarded() int {
	return fourth(func(w int) int {
		lo := len(payments) * w / workers
		sum := 0
		for i, p := range cut(payments, w) {
			sum += fee(exchange.to[p] * (lo + i))
		}
		return sum
	})
}

func flagsOwn() int {
	fs := make([]apart[flags], workers)
	return fourth(func(w int) int {
		f := &fs[w].v
		f.on = [16]bool{true, false, true, true, false, true}
		n := 0
		f.set(15, w%2 == 0)
		for _, x := range cut(flagged, w) {
			if f.enabled(x) {
				n++
			}
		}
		return n
	})
}

// Those that ask at the same time ask different copies.
var (
	goodsOwn = func() *[8]apart[catalogue] {
		cs := new([8]apart[catalogue])
		for i := range cs {
			cs[i].v.price = goods.price
		}
		return cs
	}()
	goodsNext atomic.Int64
)

func catalogueOwn() int {
	c := &goodsOwn[goodsNext.Add(1)%8].v
	sum := 0
	for _, t := range tenants[:4_000] {
		sum += c.at(t)
	}
	return sum
}

func lexerBatches() int {
	e := evaluator{sign: 1}
	batches := make(chan []token)
	go func() {
		defer close(batches)
		var batch []token
		for range 2 {
			lex(source, func(t token) {
				batch = append(batch, t)
				if len(batch) == 256 {
					batches <- batch
					batch = make([]token, 0, 256)
				}
			})
		}
		batches <- batch
	}()
	for b := range batches {
		for _, t := range b {
			e.take(t)
		}
	}
	return e.total
}

func mailBatches() int {
	m := newMailbox[[]int](2)
	go func() {
		for ls := range slices.Chunk(letters, 128) {
			m.put(ls)
		}
		m.close()
	}()
	sum := 0
	for {
		ls, ok := m.get()
		if !ok {
			return sum
		}
		for _, l := range ls {
			sum += read(l)
		}
	}
}

func batchStage(in <-chan []int, f func(int) int) <-chan []int {
	out := make(chan []int, 64)
	go func() {
		defer close(out)
		for xs := range in {
			for i, x := range xs {
				xs[i] = f(x)
			}
			out <- xs
		}
	}()
	return out
}

func filtersBatches() int {
	in := make(chan []int, 64)
	go func() {
		defer close(in)
		for xs := range slices.Chunk(samples, 250) {
			in <- slices.Clone(xs)
		}
	}()
	sum := 0
	for xs := range batchStage(batchStage(batchStage(in, scale), offset), clip) {
		for _, x := range xs {
			sum += x
		}
	}
	return sum
}

func busBatches() int {
	subs := make([]subscriber, 3)
	ins, acks := make([]chan []int, 3), make([]chan struct{}, 3)
	for i := range subs {
		ins[i], acks[i] = make(chan []int), make(chan struct{})
		go func() {
			for es := range ins[i] {
				for _, e := range es {
					subs[i].handle(e)
				}
				acks[i] <- struct{}{}
			}
			close(acks[i])
		}()
	}
	for es := range slices.Chunk(busEvents, 100) {
		for i := range subs {
			ins[i] <- es
		}
		for i := range subs {
			<-acks[i]
		}
	}
	total := 0
	for i := range subs {
		close(ins[i])
		<-acks[i]
		total += subs[i].total
	}
	return total
}

func sensorsOne() int {
	in := make(chan int, perSensor*sensors)
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for s := k; s < sensors; s += 8 {
				for i := range perSensor {
					in <- reading(s, i)
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(in)
	}()
	sum := 0
	for v := range in {
		sum += v
	}
	return sum
}

func controlOne() int {
	q := jobQueue()
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			sum := 0
			for j := range q {
				sum += read(j)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1]
}

func searchOne() int {
	done := make(chan struct{})
	var bests [workers]int
	fourth(func(w int) int {
		best := 0
		for _, c := range cut(candidates, w) {
			select {
			case <-done:
				return -1
			default:
			}
			best = max(best, read(c))
		}
		bests[w] = best
		return 0
	})
	return slices.Max(bests[:])
}

func callsOne() int {
	return fourth(func(w int) int {
		late, sum := 0, 0
		t := time.AfterFunc(time.Minute, func() { late++ })
		defer t.Stop()
		for _, c := range cut(calls, w) {
			sum += read(c)
		}
		return sum
	})
}

func watchdogNoted() int {
	return fourth(func(w int) int {
		dog := time.AfterFunc(time.Minute, func() { panic("no frames") })
		defer dog.Stop()
		seen := 0
		return frameSum(cut(frames, w), func() { seen++ })
	})
}

func answersPlain() int {
	q := make(chan int, 1)
	sum := 0
	for _, c := range calls {
		q <- read(c)
		sum += <-q
	}
	return sum
}

func lightBands() int {
	rows := make([]int, imageHeight)
	return fourth(func(w int) int {
		sum := 0
		for y := imageHeight * w / workers; y < imageHeight*(w+1)/workers; y++ {
			rows[y] = rowLight(y)
			sum += rows[y]
		}
		return sum
	})
}

func treeThreshold(n *node, depth int) int {
	if depth == 0 {
		return treeSum(n)
	}
	left := 0
	var wg sync.WaitGroup
	wg.Go(func() { left = treeThreshold(n.left, depth-1) })
	right := treeThreshold(n.right, depth-1)
	wg.Wait()
	return n.weight() + left + right
}

func columnQuarters() int {
	parsed := make([]int, len(column))
	for range 3 {
		var g group
		for w := range workers {
			to := cut(parsed, w)
			g.run(func() error {
				for i, s := range cut(column, w) {
					if err := parseInto(&to[i], s); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if g.wait() != nil {
			return -1
		}
	}
	return digest(parsed)
}

func futuresQuarters() int {
	var fs [workers]<-chan int
	for w := range fs {
		fs[w] = future(func() int {
			sum := 0
			for _, a := range cut(amounts, w) {
				sum += price(a)
			}
			return sum
		})
	}
	sum := 0
	for _, f := range fs {
		sum += <-f
	}
	return sum
}

func sessionsQuarters() int {
	return fourth(func(w int) int {
		sum := 0
		for _, part := range byUser {
			for _, i := range cut(part, w) {
				sum += session(users[i], i)
			}
		}
		return sum
	})
}

func fractalInterleaved() int {
	return fourth(func(w int) int {
		sum := 0
		for y := w; y < fractalSide; y += workers {
			sum += fractalRow(y)
		}
		return sum
	})
}

var fileBlocks = func() (blocks [][]byte) {
	for _, f := range files {
		blocks = slices.AppendSeq(blocks, slices.Chunk(f, 3_000))
	}
	return
}()

func filesBlocks() int {
	return fourth(func(w int) int {
		sum := 0
		for _, b := range cut(fileBlocks, w) {
			sum += adler(b)
		}
		return sum
	})
}

func normalizeWorkers() int {
	rows := make([]int, len(table))
	return fourth(func(w int) int {
		own, in := cut(rows, w), cut(table, w)
		normalizeAll(in, own)
		sum := 0
		for row := range slices.Chunk(own, rowLen) {
			sum += rank(row)
		}
		return sum
	})
}

func printWorkers() int {
	squares := make([]int, len(roots))
	return fourth(func(w int) int {
		lo := len(roots) * w / workers
		part := cut(roots, w)
		for i, r := range part {
			squares[lo+i] = r * r >> 8
		}
		out := make([]byte, 0, 30*len(part))
		for _, s := range squares[lo : lo+len(part)] {
			out = appendRow(out, s)
		}
		return len(out)
	})
}

func chunksWaited() int {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for _, s := range chunkSeeds {
		wg.Go(func() { sum.Add(int64(chunkWork(s))) })
	}
	wg.Wait()
	return int(sum.Load())
}

func outboxAtOnce() int {
	queue := make(chan []int, len(outbox))
	for _, b := range outbox {
		queue <- b
	}
	close(queue)
	sum := 0
	for b := range queue {
		sum += send(b)
	}
	return sum
}

func politeRude() int {
	return fourth(func(w int) int {
		sum := 0
		for _, p := range cut(polite, w) {
			sum += read(p)
		}
		return sum
	})
}

func reportSlots() int {
	const writers = 12
	parts := make([]int, reportParts)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < reportParts; i += writers {
				parts[i] = reportPart(i)
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, p := range parts {
		sum = sum*31 + p
	}
	return sum
}

func rushParked() int {
	const idle = 12
	items := make(chan int, rushItems)
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range idle {
		wg.Go(func() {
			for i := range items {
				sum.Add(int64(rushItem(i)))
			}
		})
	}
	for i := range rushItems {
		items <- i
	}
	close(items)
	wg.Wait()
	return int(sum.Load())
}

func fieldsIterated() int {
	return fourth(func(w int) int {
		sum := 0
		for _, l := range cut(logText, w) {
			n, fields := 0, 0
			for f := range strings.SplitSeq(l, " ") {
				n += len(f)
				fields++
			}
			sum += n * fields
		}
		return sum
	})
}

func pointsValues() int {
	var sums [workers]float64
	fourth(func(w int) int {
		sum := 0.0
		part := cut(points, w)
		for i := range part {
			sum += part[i].moved(2).length()
		}
		sums[w] = sum
		return 0
	})
	return int(sums[0]) + int(sums[1]) + int(sums[2]) + int(sums[3])
}

func joinBuffer() int {
	return fourth(func(w int) int {
		part := cut(cells, w)
		n := 0
		var line []byte
		for i := 0; i < len(part); i += lineCells {
			line = line[:0]
			for _, c := range part[i:min(i+lineCells, len(part))] {
				line = append(append(line, c...), ',')
			}
			n += len(line)
		}
		return n
	})
}

func smoothReused() int {
	return fourth(func(w int) int {
		part := cut(smoothed, w)
		n := 0
		sums := make([]int, 0, smoothRow)
		for i := 0; i < len(part); i += smoothRow {
			sums = sums[:0]
			for _, x := range part[i : i+smoothRow] {
				sums = append(sums, x)
			}
			n += smooth(part[i:i+smoothRow], sums)
		}
		return n
	})
}

func tidyNot() int {
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for i := w; i < len(batches); i += 2 {
				sums[w] += batchWork(batches[i])
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1]
}

func historyFlatWorkers() int {
	n := messagesWorkers()
	historyFlat[n%historyLen] = n
	return n
}

func upperOwn() int {
	return fourth(func(w int) int {
		s := new([32]byte)
		sum := 0
		for _, t := range cut(tokenNames, w) {
			sum += upper(t, s[:])
		}
		return sum
	})
}

func tokensOwn() int {
	return fourth(func(w int) int {
		s := make([]byte, 32)
		sum := 0
		for _, t := range cut(tokenNames, w) {
			sum += upper(t, s)
		}
		return sum
	})
}

func framesPutBack() int {
	return fourth(func(w int) int {
		sum := 0
		for _, s := range cut(frames[:400], w) {
			buf := framePool.Get().(*[frameBytes]byte)
			sum += decode(s, buf[:])
			framePool.Put(buf)
		}
		return sum
	})
}

func visitorsSized() int {
	return fourth(func(w int) int {
		part := cut(visitors, w)
		return distinct(part, make(map[int]struct{}, len(part)))
	})
}

func indexSized() int {
	return fourth(func(w int) int {
		part := cut(records, w)
		return index(part, len(part))
	})
}

func docsSized() int {
	return fourth(func(w int) int {
		part := cut(textWords, w)
		sum := 0
		for i := 0; i < len(part); i += docWords {
			sum += docTop(part[i:i+docWords], make(map[string]int, docWords))
		}
		return sum
	})
}

func wordsOwn() int {
	var tallies [workers]map[string]int
	fourth(func(w int) int {
		m := make(map[string]int, 400)
		for _, word := range cut(wordStream, w) {
			m[word]++
		}
		tallies[w] = m
		return 0
	})
	for _, t := range tallies[1:] {
		for k, n := range t {
			tallies[0][k] += n
		}
	}
	return countDigest(tallies[0])
}

func routesPlainly() int {
	return fourth(func(w int) int {
		sum := 0
		for _, k := range cut(routeKeys, w) {
			sum += routesPlain[k]
		}
		return sum
	})
}

func tilesKept() int {
	return fourth(func(w int) int {
		sum := 0
		for t := w; t < tiles; t += workers {
			sum += draw(t, keptArenas[w])
		}
		return sum
	})
}

func fillKept() int {
	return fourth(func(w int) int {
		sum := 0
		for t := w; t < tiles; t += workers {
			sum += draw(t, mappedCaches[w])
		}
		return sum
	})
}

func tradesAppended() int {
	return fourth(func(w int) int {
		part := cut(trades, w)
		var buf []byte
		n := 0
		for range 3 {
			for i := range part {
				buf = part[i].appendJSON(buf[:0])
				n += len(buf) + int(buf[len(buf)-2])
			}
		}
		return n
	})
}

func keysAppended() int {
	return fourth(func(w int) int {
		lo := len(pairsIn) * w / workers
		var key []byte
		sum := 0
		for i, p := range cut(pairsIn, w) {
			key = appendKey(key[:0], p, (lo+i)&63)
			sum += keyHash(key)
		}
		return sum
	})
}

func versionsByHand() int {
	var ns [2]int
	var wg sync.WaitGroup
	for w := range ns {
		wg.Go(func() {
			n := 0
			for range 2 {
				for i := range versions[1:] {
					if versions[i].equal(&versions[i+1]) {
						n++
					}
				}
			}
			ns[w] = n
		})
	}
	wg.Wait()
	return ns[0] + ns[1]
}

func latenciesSlices() int {
	return fourth(func(w int) int {
		s := slices.Clone(cut(latencies, w))
		slices.Sort(s)
		slices.Reverse(s)
		return percentiles(s)
	})
}

func playersSlices() int {
	return fourth(func(w int) int {
		ps := slices.Clone(cut(players, w))
		slices.SortStableFunc(ps, func(a, b player) int { return int(a.score) - int(b.score) })
		return middle(ps)
	})
}

func shardsQuarters() int {
	var parts [workers][workers]int
	fourth(func(w int) int {
		var sums [workers]int
		for _, k := range cut(shardKeys, w) {
			sums[shardOf(k)] += k & 0xff
		}
		parts[w] = sums
		return 0
	})
	var sums [workers]int
	for _, p := range parts {
		for s, n := range p {
			sums[s] += n
		}
	}
	return digest(sums[:])
}

func areasDirect() int {
	return fourth(func(w int) int {
		part := cut(sides, w)
		sum := 0
		for i := 0; i < len(part); i += 3 {
			sum += part[i]*part[i] + part[i+1]*2 + part[i+2]*4/2
		}
		return sum
	})
}

func commandsUntimed() int {
	return fourth(func(w int) int {
		sum := 0
		for _, c := range cut(commands, w) {
			sum += read(c)
		}
		return sum
	})
}

func auditBuffered() int {
	var ns [2]int
	var wg sync.WaitGroup
	for w := range ns {
		wg.Go(func() {
			log := must(os.OpenFile(os.DevNull, os.O_WRONLY, 0))
			defer log.Close()
			buf := bufio.NewWriter(log)
			ns[w] = audit(buf, actions[len(actions)*w/2:len(actions)*(w+1)/2])
			if buf.Flush() != nil {
				ns[w] = -1
			}
		})
	}
	wg.Wait()
	return ns[0] + ns[1]
}

func storeAtOnce() int {
	return fourth(func(w int) int {
		from, until := storeRecords*w/workers, storeRecords*(w+1)/workers
		buf := make([]byte, (until-from)*storeRecord)
		must(storeFile().ReadAt(buf, int64(from*storeRecord)))
		return sumRecords(buf)
	})
}

func templatesOnce() int {
	sums := make([]int, len(templates))
	var wg sync.WaitGroup
	for t, name := range templates {
		wg.Go(func() {
			mode := int(must(os.Stat(name)).Mode().Perm())
			for i := range 120 {
				sums[t] += rendering(i) * mode
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

func metricsOne() int {
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for _, h := range hits[len(hits)*w/2 : len(hits)*(w+1)/2] {
				sums[w] += read(h) + int(grind(uint64(h), 150)&1)
			}
			must(statsd().Write([]byte("hits:120|c")))
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + len("hits:1|c")
}

func hashGo() int {
	var sums [workers]uint32
	fourth(func(w int) int {
		sum := uint32(0)
		for _, h := range cut(hashInputs, w) {
			sum += clib.GoMixed(uint32(h), 16)
		}
		sums[w] = sum
		return 0
	})
	return int(sums[0] + sums[1] + sums[2] + sums[3])
}

func linesGo() int {
	var sums [workers]uint32
	fourth(func(w int) int {
		sum := uint32(0)
		for range 3 {
			for _, a := range cut(actions, w) {
				sum += clib.GoWeight(a)
			}
		}
		sums[w] = sum
		return 0
	})
	return int(sums[0] + sums[1] + sums[2] + sums[3])
}

func recorderCarried() int {
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for i := w; i < takes; i += 2 {
				fillBlock(buffers[w], i)
				sums[w] += sumBlock(buffers[w])
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1]
}
