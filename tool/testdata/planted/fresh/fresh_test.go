package fresh

import (
	"flag"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// withCures also runs the variants in which only the cause was removed. They are
// no part of the benchmarks otherwise: they are there to find the truth.
var withCures = flag.Bool("cures", false, "also run the cures")

// A way is a way to do what a program does.
type way struct {
	name     string
	do       func() int
	setup    func() (undo func()) // before the first operation; nil where nothing is needed
	parallel bool                 // by the goroutines of RunParallel
}

// A program is the honest serial code and one more way.
type program struct {
	name   string
	serial way
	other  way
}

func prog(name string, serial func() int, variant string, other func() int) program {
	return program{name, way{name: "variant=serial", do: serial}, way{name: "variant=" + variant, do: other}}
}

// gcPercent sets the growth of the heap between collections.
func gcPercent(percent int) func() func() {
	return func() func() {
		old := debug.SetGCPercent(percent)
		return func() { debug.SetGCPercent(old) }
	}
}

var programs = []program{
	prog("HitRate", hitRateSerial, "slots", hitRateSlots),
	prog("Import", importSerial, "meter", importMeter),
	prog("Walks", walksSerial, "states", walksStates),
	prog("Endpoints", endpointsSerial, "handlers", endpointsHandlers),
	prog("Rows", rowsSerial, "generator", rowsGenerator),
	prog("Expiry", expirySerial, "clock", expiryClock),
	prog("Budget", budgetSerial, "shared", budgetShared),
	prog("Quotes", quotesSerial, "feed", quotesFeed),
	prog("Transfer", transferSerial, "live", transferLive),
	prog("Documents", documentsSerial, "retained", documentsRetained),
	prog("Sieve", sieveSerial, "atomic", sieveAtomic),
	prog("Shipping", shippingSerial, "claimed", shippingClaimed),

	prog("Bank", bankSerial, "tellers", bankTellers),
	prog("Pages", pagesSerial, "shared", pagesShared),
	prog("Votes", votesSerial, "spinning", votesSpinning),
	prog("Journal", journalSerial, "shared", journalShared),
	prog("Settings", settingsSerial, "readers", settingsReaders),
	prog("Rates", ratesSerial, "guarded", ratesGuarded),
	prog("Flags", flagsSerial, "checked", flagsChecked),
	{"Catalogue", way{name: "variant=serial", do: catalogueLookups}, way{name: "variant=parallel", do: catalogueLookups, parallel: true}},

	prog("Lexer", lexerSerial, "channel", lexerChannel),
	prog("Mail", mailSerial, "box", mailBox),
	prog("Filters", filtersSerial, "staged", filtersStaged),
	prog("Bus", busSerial, "acknowledged", busAcknowledged),
	prog("Sensors", sensorsSerial, "select", sensorsSelect),
	prog("Control", controlSerial, "select", controlSelect),
	prog("Search", searchSerial, "cancelled", searchCancelled),
	prog("Calls", callsSerial, "timeout", callsTimeout),
	prog("Watchdog", watchdogSerial, "reset", watchdogReset),
	prog("Answers", answersSerial, "after", answersAfter),

	prog("Light", lightSerial, "rows", lightRows),
	prog("Tree", treeSerial, "spawning", treeSpawning),
	prog("Column", columnSerial, "group", columnGroup),
	prog("Futures", futuresSerial, "each", futuresEach),

	prog("Sessions", sessionsSerial, "byuser", sessionsByUser),
	prog("Fractal", fractalSerial, "bands", fractalBands),
	prog("Files", filesSerial, "each", filesEach),
	prog("Stages", stagesSerial, "pipeline", stagesPipeline),
	prog("Normalize", normalizeSerial, "first", normalizeFirst),
	prog("Print", printSerial, "collected", printCollected),

	prog("Chunks", chunksSerial, "polled", chunksPolled),
	prog("Outbox", outboxSerial, "ticker", outboxTicker),
	prog("Fetch", fetchSerial, "pool", fetchPool),
	prog("Polite", politeSerial, "yielding", politeYielding),
	prog("Report", reportSerial, "turns", reportTurns),
	prog("Rush", rushSerial, "polling", rushPolling),

	prog("Fields", fieldsSerial, "split", fieldsSplit),
	prog("Points", pointsSerial, "copied", pointsCopied),
	prog("Join", joinSerial, "concat", joinConcat),
	prog("Smooth", smoothSerial, "grown", smoothGrown),
	prog("Tidy", tidySerial, "collecting", tidyCollecting),
	{"Messages", way{name: "variant=serial", do: messagesSerial}, way{name: "variant=smallheap", do: messagesWorkers, setup: gcPercent(5)}},
	{"History", way{name: "variant=serial", do: historySerial, setup: flatHistory}, way{name: "variant=linked", do: historyLinked, setup: linkHistory}},
	prog("Upper", upperSerial, "pooled", upperPooled),
	prog("Tokens", upperSerial, "pooled", tokensPooled),
	prog("Frames", framesSerial, "pooled", framesPooled),
	prog("Visitors", visitorsSerial, "maps", visitorsMaps),
	prog("Index", indexSerial, "workers", indexWorkers),
	prog("Docs", docsSerial, "maps", docsMaps),
	prog("Words", wordsSerial, "syncmap", wordsSyncMap),
	prog("Routes", routesSerial, "loaded", routesLoaded),
	prog("Logins", loginsSerial, "syncmap", loginsSyncMap),
	prog("Tiles", tilesSerial, "mapped", tilesMapped),
	prog("Fill", fillSerial, "givenback", fillGivenBack),

	prog("Trades", tradesSerial, "marshal", tradesMarshal),
	prog("Keys", keysSerial, "printed", keysPrinted),
	prog("Versions", versionsSerial, "reflect", versionsReflect),
	prog("Latencies", latenciesSerial, "reversed", latenciesReversed),
	prog("Players", playersSerial, "interface", playersInterface),
	prog("Shards", shardsSerial, "scan", shardsScan),
	prog("Variance", varianceSerial, "again", varianceAgain),
	prog("Areas", areasSerial, "shapes", areasShapes),
	prog("Commands", commandsSerial, "timed", commandsTimed),

	prog("Audit", auditSerial, "unbuffered", auditUnbuffered),
	prog("Store", storeSerial, "reads", storeReads),
	prog("Templates", templatesSerial, "stat", templatesStat),
	prog("Cart", cartSerial, "remote", cartRemote),
	prog("Basket", cartSerial, "socket", cartLocal),
	prog("Metrics", metricsSerial, "datagrams", metricsDatagrams),
	prog("Hash", hashSerial, "c", hashC),
	prog("Lines", linesSerial, "c", linesC),

	prog("Recorder", recorderSerial, "recycling", recorderRecycling),

	prog("Entries", entriesSerial, "workers", entriesWorkers),
	prog("Product", productSerial, "rows", productWorkers),
	prog("Julia", juliaSerial, "cursor", juliaCursor),
	prog("Backup", backupSerial, "pool", backupPool),
	prog("Terms", termsSerial, "merged", termsMerged),
	prog("Blur", blurSerial, "bands", blurBands),
	prog("Runs", runsSerial, "halves", runsHalves),
	prog("Primes", primesSerial, "runs", primesRuns),
	prog("Flow", flowSerial, "pipeline", flowPipeline),
	prog("Encode", encodeSerial, "workers", encodeWorkers),
	prog("Nearest", nearestSerial, "workers", nearestWorkers),
	prog("Life", lifeSerial, "bands", lifeBands),
	prog("Sharded", shardedSerial, "workers", shardedWorkers),
	prog("Snapshot", snapshotSerial, "readers", snapshotReaders),
	prog("FetchAll", fetchAllSerial, "atonce", fetchAllAtOnce),
	prog("Totals", totalsSerial, "locked", totalsLocked),
	prog("Spelled", spelledSerial, "method", spelledMethod),
	prog("Limit", limitSerial, "waited", limitWaited),
	{"Handle", way{name: "variant=serial", do: handleOne}, way{name: "variant=parallel", do: handleOne, parallel: true}},
}

// ways returns the variants of a program, and its cure where those are asked for.
func (p program) ways(cured bool) []way {
	ws := []way{p.serial, p.other}
	if c, ok := cures[p.name]; ok && cured {
		c.name = "cure=" + c.name
		ws = append(ws, c)
	}
	return ws
}

// result keeps what the operations return.
var result int

// run is the benchmark of the program that bears its name.
func run(b *testing.B) {
	name := strings.TrimPrefix(b.Name(), "Benchmark")
	for _, p := range programs {
		if p.name != name {
			continue
		}
		ws := p.ways(*withCures)
		if w, ok := p.edited(); ok && withEdits {
			ws = append(ws, w)
		}
		for _, w := range ws {
			b.Run(w.name, w.measure)
		}
		return
	}
	b.Fatalf("no program %s", name)
}

func (w way) measure(b *testing.B) {
	if w.setup != nil {
		defer runtime.GC()
		defer w.setup()()
	}
	if w.parallel {
		b.RunParallel(func(pb *testing.PB) {
			n := 0
			for pb.Next() {
				n += w.do()
			}
			if n < 0 {
				b.Error("less than nothing")
			}
		})
		return
	}
	for b.Loop() {
		result = w.do()
	}
}

// All ways of a program have to give the same answer, again and again.
func TestAnswers(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			answer := func(w way) int {
				if w.setup != nil {
					defer w.setup()()
				}
				return w.do()
			}
			want := answer(p.serial)
			ws := p.ways(true)
			if w, ok := p.edited(); ok {
				ws = append(ws, w)
			}
			for _, w := range ws {
				for range 3 {
					if got := answer(w); got != want {
						t.Fatalf("%s: %d, serial says %d", w.name, got, want)
					}
				}
			}
		})
	}
}

// Each program is claimed to be ill or healthy, and none but these.
func TestClaims(t *testing.T) {
	claimed := map[string]bool{}
	for _, c := range readClaims(t) {
		claimed[c.Benchmark+"/variant="+c.Variant] = true
	}
	for _, p := range programs {
		name := "Benchmark" + p.name + "/" + p.other.name
		if !claimed[name] {
			t.Errorf("%s has no claim", name)
		}
		delete(claimed, name)
	}
	for name := range claimed {
		t.Errorf("%s is claimed and not there", name)
	}
}

func BenchmarkHitRate(b *testing.B)   { run(b) }
func BenchmarkImport(b *testing.B)    { run(b) }
func BenchmarkWalks(b *testing.B)     { run(b) }
func BenchmarkEndpoints(b *testing.B) { run(b) }
func BenchmarkRows(b *testing.B)      { run(b) }
func BenchmarkExpiry(b *testing.B)    { run(b) }
func BenchmarkBudget(b *testing.B)    { run(b) }
func BenchmarkQuotes(b *testing.B)    { run(b) }
func BenchmarkTransfer(b *testing.B)  { run(b) }
func BenchmarkDocuments(b *testing.B) { run(b) }
func BenchmarkSieve(b *testing.B)     { run(b) }
func BenchmarkShipping(b *testing.B)  { run(b) }
func BenchmarkBank(b *testing.B)      { run(b) }
func BenchmarkPages(b *testing.B)     { run(b) }
func BenchmarkVotes(b *testing.B)     { run(b) }
func BenchmarkJournal(b *testing.B)   { run(b) }
func BenchmarkSettings(b *testing.B)  { run(b) }
func BenchmarkRates(b *testing.B)     { run(b) }
func BenchmarkFlags(b *testing.B)     { run(b) }
func BenchmarkCatalogue(b *testing.B) { run(b) }
func BenchmarkLexer(b *testing.B)     { run(b) }
func BenchmarkMail(b *testing.B)      { run(b) }
func BenchmarkFilters(b *testing.B)   { run(b) }
func BenchmarkBus(b *testing.B)       { run(b) }
func BenchmarkSensors(b *testing.B)   { run(b) }
func BenchmarkControl(b *testing.B)   { run(b) }
func BenchmarkSearch(b *testing.B)    { run(b) }
func BenchmarkCalls(b *testing.B)     { run(b) }
func BenchmarkWatchdog(b *testing.B)  { run(b) }
func BenchmarkAnswers(b *testing.B)   { run(b) }
func BenchmarkLight(b *testing.B)     { run(b) }
func BenchmarkTree(b *testing.B)      { run(b) }
func BenchmarkColumn(b *testing.B)    { run(b) }
func BenchmarkFutures(b *testing.B)   { run(b) }
func BenchmarkSessions(b *testing.B)  { run(b) }
func BenchmarkFractal(b *testing.B)   { run(b) }
func BenchmarkFiles(b *testing.B)     { run(b) }
func BenchmarkStages(b *testing.B)    { run(b) }
func BenchmarkNormalize(b *testing.B) { run(b) }
func BenchmarkPrint(b *testing.B)     { run(b) }
func BenchmarkChunks(b *testing.B)    { run(b) }
func BenchmarkOutbox(b *testing.B)    { run(b) }
func BenchmarkFetch(b *testing.B)     { run(b) }
func BenchmarkPolite(b *testing.B)    { run(b) }
func BenchmarkReport(b *testing.B)    { run(b) }
func BenchmarkRush(b *testing.B)      { run(b) }
func BenchmarkFields(b *testing.B)    { run(b) }
func BenchmarkPoints(b *testing.B)    { run(b) }
func BenchmarkJoin(b *testing.B)      { run(b) }
func BenchmarkSmooth(b *testing.B)    { run(b) }
func BenchmarkTidy(b *testing.B)      { run(b) }
func BenchmarkMessages(b *testing.B)  { run(b) }
func BenchmarkHistory(b *testing.B)   { run(b) }
func BenchmarkUpper(b *testing.B)     { run(b) }
func BenchmarkTokens(b *testing.B)    { run(b) }
func BenchmarkFrames(b *testing.B)    { run(b) }
func BenchmarkVisitors(b *testing.B)  { run(b) }
func BenchmarkIndex(b *testing.B)     { run(b) }
func BenchmarkDocs(b *testing.B)      { run(b) }
func BenchmarkWords(b *testing.B)     { run(b) }
func BenchmarkRoutes(b *testing.B)    { run(b) }
func BenchmarkLogins(b *testing.B)    { run(b) }
func BenchmarkTiles(b *testing.B)     { run(b) }
func BenchmarkFill(b *testing.B)      { run(b) }
func BenchmarkTrades(b *testing.B)    { run(b) }
func BenchmarkKeys(b *testing.B)      { run(b) }
func BenchmarkVersions(b *testing.B)  { run(b) }
func BenchmarkLatencies(b *testing.B) { run(b) }
func BenchmarkPlayers(b *testing.B)   { run(b) }
func BenchmarkShards(b *testing.B)    { run(b) }
func BenchmarkVariance(b *testing.B)  { run(b) }
func BenchmarkAreas(b *testing.B)     { run(b) }
func BenchmarkCommands(b *testing.B)  { run(b) }
func BenchmarkAudit(b *testing.B)     { run(b) }
func BenchmarkStore(b *testing.B)     { run(b) }
func BenchmarkTemplates(b *testing.B) { run(b) }
func BenchmarkCart(b *testing.B)      { run(b) }
func BenchmarkBasket(b *testing.B)    { run(b) }
func BenchmarkMetrics(b *testing.B)   { run(b) }
func BenchmarkHash(b *testing.B)      { run(b) }
func BenchmarkLines(b *testing.B)     { run(b) }
func BenchmarkEntries(b *testing.B)   { run(b) }
func BenchmarkProduct(b *testing.B)   { run(b) }
func BenchmarkJulia(b *testing.B)     { run(b) }
func BenchmarkBackup(b *testing.B)    { run(b) }
func BenchmarkTerms(b *testing.B)     { run(b) }
func BenchmarkBlur(b *testing.B)      { run(b) }
func BenchmarkRuns(b *testing.B)      { run(b) }
func BenchmarkPrimes(b *testing.B)    { run(b) }
func BenchmarkFlow(b *testing.B)      { run(b) }
func BenchmarkEncode(b *testing.B)    { run(b) }
func BenchmarkNearest(b *testing.B)   { run(b) }
func BenchmarkLife(b *testing.B)      { run(b) }
func BenchmarkSharded(b *testing.B)   { run(b) }
func BenchmarkSnapshot(b *testing.B)  { run(b) }
func BenchmarkFetchAll(b *testing.B)  { run(b) }
func BenchmarkTotals(b *testing.B)    { run(b) }
func BenchmarkSpelled(b *testing.B)   { run(b) }
func BenchmarkLimit(b *testing.B)     { run(b) }
func BenchmarkHandle(b *testing.B)    { run(b) }
func BenchmarkRecorder(b *testing.B)  { run(b) }
