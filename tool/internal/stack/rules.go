package stack

import "regexp"

// A rule names the mechanism of the functions that match. In each table the
// first rule that matches a function is the one that holds.
type rule struct {
	category Category
	fn       *regexp.Regexp
	weak     bool // holds only if no other mechanism is beneath
}

func is(c Category, fn string) rule {
	return rule{category: c, fn: regexp.MustCompile(`^(?:` + fn + `)`)}
}

func weakly(c Category, fn string) rule {
	r := is(c, fn)
	r.weak = true
	return r
}

// neutral is the category of functions that name no mechanism, though a later
// rule of the table would match them.
const neutral Category = "neutral"

// anywhere are the mechanisms that count wherever they are beneath the user's
// frame: what a write barrier costs is the collector's even inside of a channel
// operation, and a system call is one even if fmt made it.
var anywhere = []rule{
	// To wait for another user of the same file is not a system call.
	is(Lock, `internal/poll\.runtime_Sem`),
	is(Sweep, `runtime\.(gcSweep|deductSweepCredit|bgsweep|bgscavenge|sweepone|\(\*(sweepLocked|sweepLocker|activeSweep|scavengerState)\)|\(\*mheap\)\.reclaim)`),
	is(GC, `runtime\.(gcAssistAlloc|gcParkAssist|gcDrain|gcBgMark|gcStart|gcMark(Termination|Done|RootPrepare|Tiny)|`+
		`gcWriteBarrier|gcFlushBgCredit|gcResetMarkState|gcController|gcenable|`+
		`deductAssistCredit|wbBufFlush|bulkBarrierPreWrite|wbMove|wbZero|`+
		`forcegchelper|scanobject|scanObject|scanblock|scanstack|scanSpan|scanConservative|`+
		`markroot|markrootSpans|greyobject|tryDeferToSpanScan|runfinq|runFinalizers|runCleanups|`+
		`\(\*(gcWork|spanQueue|cleanupQueue)\)|`+
		`\(\*gcControllerState\)\.(startCycle|endCycle|revise|enlistWorker)|`+
		`GC$|_GC$)`),
	is(Cgo, `runtime\.cgocall(back)?$|runtime\.cgocallbackg`),
	is(Dial, `net\.\(\*(Dialer|sysDialer)\)|crypto/tls\.\(\*Conn\)\.(Handshake|HandshakeContext|handshakeContext|clientHandshake|serverHandshake)$`),
	is(Syscall, `syscall\.|internal/poll\.|internal/syscall/|os\.\(\*(File|Process|Root)\)`),
}

// mechanisms are looked up from the user's frame towards the leaf; the first
// function that has one names it, and what is beneath it belongs to it.
var mechanisms = []rule{
	is(Select, `runtime\.(selectgo|selectnb|block$|sellock|selunlock)|reflect\.(Select|rselect)$`),
	is(Chan, `runtime\.(chansend|chanrecv|closechan|makechan|chanlen|chancap|chanbuf|send$|recv$)`),
	is(Spawn, `runtime\.(newproc|goexit|gdestroy|gfget|gfput|malg)`),
	is(Yield, `runtime\.(Gosched|gosched_m)`),
	is(World, stops),
	is(Switch, `runtime\.(asyncPreempt|coro)|iter\.`),
	is(Stack, `runtime\.(morestack|newstack|copystack|shrinkstack|adjustframes?)`),
	// Deferred calls run beneath the runtime's: to defer mu.Unlock is locking.
	weakly(Defer, `runtime\.(deferproc|deferreturn|deferrangefunc|newdefer|freedefer|popDefer|gopanic|gorecover|recovery|\(\*_panic\)|panic)`),

	is(Lock, `sync\.\(\*RWMutex\)\.(Lock|Unlock|TryLock)`), // a writer's
	is(RWMutex, `sync\.\(\*(RWMutex|rlocker)\)`),
	is(WaitGroup, `sync\.\(\*WaitGroup\)`),
	is(Once, `sync\.(\(\*Once\)|OnceFunc|OnceValue)`),
	is(SyncMap, `sync\.\(\*Map\)`),
	is(Map, `internal/(sync|concurrent)\.\(\*(HashTrieMap|indirect|node|entry)|unique\.`),
	is(Pool, `sync\.(\(\*(Pool|poolChain|poolDequeue)\)|indexLocal|poolCleanup)`),
	is(Cond, `sync\.(\(\*(Cond|notifyList|copyChecker)\)|runtime_notify)`),
	is(Lock, `(internal/)?sync\.(\(\*Mutex\)|runtime_|throw|fatal)`),

	is(neutral, `sort\.(Search|Find|Ints|Strings|Float64s|ints|strings|float64s)`), // no sort.Interface
	is(Sort, `sort\.|container/heap\.`),
	is(Reflect, `(reflect|internal/reflectlite|fmt|encoding/(json|gob|xml|asn1)(/[a-z0-9]+)*|(text|html)/template(/parse)?)\.|`+
		// What of encoding/binary runs on reflection; its varints and byte orders do not.
		`encoding/binary\.(dataSize|\(\*(en|de)coder\))`),
	weakly(Net, `net/http(/[a-z0-9]+)*\.|net\.\(\*`),
	// A context that ends in time is a timer, with its own locks and maps.
	is(Timer, `context\.(With(Timeout|Deadline)|\(\*timerCtx\))|time\.(Sleep|After|Tick|NewTi|startTimer|stopTimer|resetTimer|newTimer|\(\*Ti(mer|cker)\))|runtime\.(timeSleep|\(\*timers?\))`),
	is(Clock, `time\.(now|Now|Since|Until|runtimeN)|runtime\.(nanotime|walltime|time_now|usleep$|_VDSO$)`),

	is(neutral, `runtime\.(map(Keys|Values|Iterinit)Stub$)`),
	is(Map, `runtime\.(map|makemap|mapiter|memhash|strhash|aeshash|(nil)?interhash|typehash|[fc](32|64|128)hash|hashGrow|growWork|evacuate)|`+
		`internal/runtime/maps\.|hash/maphash\.|aeshashbody|memhash|type[:.]\.?hash`),
	is(Alloc, allocates),
	is(Copy, `runtime\.(memmove|memclr|typedmemmove|typedmemclr|typedslicecopy|slicecopy|reflect_typed|duffcopy|duffzero)`),

	// runtime/pprof and its kind are no work of the user's; nor is handing out
	// the iterations of a parallel benchmark.
	is(Runtime, `runtime/(pprof|trace|debug|metrics|coverage)\.|testing\.(\(\*PB\)|\(\*B\)\.(Start|Stop|Reset)Timer)`),
	is(User, `testing\.`),

	// What compiled code calls in order to do its own work.
	is(neutral, `runtime\.(memequal|strequal|ifaceeq|efaceeq|(nil)?interequal|[fc](32|64|128)equal|cmpstring|decoderune|countrunes|`+
		`atomicwb|atomicstorep|u?int64|f?(add|sub|mul|div)|float64to|fcmp|KeepAlive|etext|rand)|type[:.]\.?eq`),
	is(neutral, `(sync/atomic|internal/(abi|chacha8rand|bytealg|cpu|goarch|race|msan|asan|byteorder|stringslite|runtime/(atomic|math|sys|gc))|runtime/internal/(atomic|math|sys))\.`),
	weakly(Runtime, `runtime\.|internal/runtime/|runtime/internal/`),
}

const allocates = `runtime\.(malloc|newobject|newarray|newUserArena|makeslice|growslice|moveSlice|nextslicecap|nextFreeFast|` +
	`concatstring|concatbyte|slicebytetostring|slicerunetostring|stringtoslice|rawstring|rawbyteslice|rawruneslice|intstring|gobytes|gostring|` +
	`convT|reflect_unsafe_New|unsafe_New|persistentalloc|postMallocgc|profilealloc|heapSetType|publicationBarrier|` +
	`SetFinalizer|AddCleanup|addspecial|freegc|freeSized|` +
	`\(\*(mcache|mcentral|mheap|mspan|pageAlloc|fixalloc|pageCache|linearAlloc|pallocBits)\))`

// stops are calls that stop all goroutines while they last. The collector's own stops are
// shorter and belong to it.
const stops = `runtime\.(ReadMemStats|GOMAXPROCS|(stop|start)TheWorld)$`

const ofTimers = `runtime\.(\(\*timers?\)|(un)?blockTimerChan)`

// within corrects a mechanism by what is beneath it.
var within = []struct {
	of Category
	rule
}{
	{Stack, is(Switch, `runtime\.(gopreempt_m|preemptPark|goschedImpl)`)}, // preemption comes in as a stack check
	{WaitGroup, is(Spawn, `runtime\.newproc`)},                            // WaitGroup.Go
	{Select, is(Timer, ofTimers)},                                         // a channel of a timer, which select has to look after
	{Chan, is(Timer, ofTimers)},
	{Timer, is(TimerMade, allocates)},
	{SyncMap, is(Lock, `(internal/)?sync\.\(\*Mutex\)\.(lock|unlock)Slow`)},
	{Pool, is(Lock, `(internal/)?sync\.\(\*Mutex\)\.(lock|unlock)Slow`)},
	{Map, is(MapGrow, `internal/runtime/maps\.\(\*(Map\)\.growTo|table\)\.(rehash|grow|split))|runtime\.(hashGrow|growWork|evacuate)`)},
	{Alloc, is(AllocWait, `runtime\.(lock2|unlock2|lockWithRank|unlockWithRank|lock$|unlock$)`)},
}

// system are the mechanisms of stacks that hold no user's frame because they
// are the scheduler's or a thread's own. Every frame is tried with the first
// rule, then every one with the second, and so on.
var system = []rule{
	is(Timer, `runtime\.(\(\*timer\)\.unlockAndRun|\(\*timers\)\.(run|adjust|cleanHead|deleteMin|siftDown|siftUp|initHeap)|runOneTimer|runtimer|adjusttimers|dodeltimer)|time\.(goFunc|sendTime)`),
	// Looking for work, not finding it, and all that wakes and parks threads.
	is(Idle, `runtime\.(stealWork|runqsteal|runqgrab|stopm|startm|newm|wakep|resetspinning|mPark|futex|semasleep|semawakeup|note|usleep|osyield|`+
		`netpoll|sysmon|handoffp|injectglist|procyield|checkRunqsNoP|checkTimersNoP|checkIdleGCNoP|pidle|gcstopm|templateThread|`+
		`pthread|stdcall|mach_semaphore|kevent|nanotime|retake|exitsyscallfast_pidle)|internal/runtime/syscall|runtime/internal/syscall`),
	is(Spawn, `runtime\.(goexit|gdestroy)`),
	is(Yield, `runtime\.gosched_m`),
	is(Syscall, `runtime\.(exitsyscall|entersyscall|reentersyscall|_ExternalCode)`),
	is(Switch, `runtime\.(park_m|schedule|execute|findRunnable|runqget|globrunqget|goschedImpl|gopreempt_m|preemptPark|goschedguarded_m|goyield_m|coroswitch_m|gogo|casgstatus|ready|goready|mcall|dropg)|gogo$`),
}

// semaphores are the functions that wait for one. Cond.Wait does not: it waits
// for its own lock then.
var semaphores = []rule{
	is(Lock, `(internal/)?(sync\.\(\*Mutex\)\.|sync\.\(\*HashTrieMap\[|poll\.\(\*fdMutex\)\.)`),
	is(RWMutex, `(internal/)?sync\.\(\*RWMutex\)\.`),
	is(WaitGroup, `(internal/)?sync\.\(\*WaitGroup\)\.`),
	is(Once, `(internal/)?sync\.\(\*Once\)\.`),
	is(GC, `runtime\.(gc|GC$|stopTheWorldGC$)`),
	is(World, stops),
}
