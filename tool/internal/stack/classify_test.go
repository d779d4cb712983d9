package stack

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// stacks are written leaf first, as in a profile, with the names that Go 1.22
// to 1.27 give.
var stacks = []struct {
	want  Category
	stack string
}{
	{User, "main.f main.main runtime.main"},
	{User, "sync/atomic.(*Int64).Add main.f"},
	{User, "internal/runtime/atomic.(*Uint32).Load sync/atomic.(*Uint32).Load main.f"},
	{User, "crypto/internal/fips140/sha256.blockSHANI crypto/sha256.Sum256 main.f"},
	{User, "indexbytebody bytes.IndexByte main.f"},
	{User, "memeqbody runtime.memequal main.f"},
	{User, "runtime.cmpstring cmp.Compare[...] main.f"},
	{User, "internal/chacha8rand.block internal/chacha8rand.(*State).Refill runtime.rand math/rand.(*runtimeSource).Int63 main.f"},
	{User, "strconv.ParseInt main.f"},
	{User, "main.less slices.insertionSortCmpFunc[...] slices.pdqsortCmpFunc[...] slices.SortFunc[...] main.f"},
	{User, "slices.partitionOrdered[...] slices.pdqsortOrdered[...] slices.Sort[...] sort.Ints main.f"},
	{User, "sort.Search main.f"},
	{User, "main.f.func1 sort.Search main.f"},
	{User, "example/foo.Work testing.(*B).runN testing.(*B).launch"},
	{User, "aa.Work main.main runtime.main"},
	{User, "main.f.func1 sync.(*WaitGroup).Go.func1"},
	{User, "main.f.func1 sync.(*Once).doSlow sync.(*Once).Do main.g"},
	{User, "testing.(*B).Loop foo.BenchmarkX testing.(*B).runN"},
	{User, "gopkg.in/yaml%2ev3.parse main.f"},
	{User, "golang.org/x/exp/maps.Keys[...] main.f"},

	{Chan, "runtime.chansend runtime.chansend1 main.f"},
	{Chan, "runtime.lock2 runtime.lockWithRank runtime.lock runtime.chanrecv runtime.chanrecv2 main.f"},
	{Chan, "runtime.futex runtime.futexwakeup runtime.notewakeup runtime.startm runtime.wakep runtime.ready runtime.goready.func1 runtime.systemstack runtime.goready runtime.send runtime.chansend runtime.chansend1 main.f"},
	{Chan, "runtime.gopark runtime.chanrecv runtime.chanrecv1 main.f"},
	{Chan, "runtime.mallocgc runtime.makechan main.f"},
	{Chan, "runtime.closechan main.f"},
	{Chan, "runtime.memmove runtime.typedmemmove runtime.recv runtime.chanrecv runtime.chanrecv1 main.f"},
	{Select, "runtime.selectgo main.f"},
	{Select, "runtime.sellock runtime.selectgo main.f"},
	{Select, "runtime.chansend runtime.selectnbsend main.f"},
	{Select, "runtime.mallocgc reflect.Select main.f"},
	{Select, "runtime.selectgo reflect.rselect reflect.Select main.f"},

	{Spawn, "runtime.newproc1 runtime.newproc.func1 runtime.systemstack runtime.newproc main.f"},
	{Spawn, "runtime.mallocgc runtime.newobject runtime.malg runtime.newproc1 runtime.newproc.func1 runtime.systemstack runtime.newproc main.f"},
	{Spawn, "runtime.newproc1 runtime.newproc.func1 runtime.systemstack runtime.newproc sync.(*WaitGroup).Go main.f"},
	{Spawn, "runtime.gdestroy runtime.goexit0 runtime.mcall"},
	{Spawn, "runtime.casgstatus runtime.execute runtime.schedule runtime.goexit0 runtime.mcall"},
	{Spawn, "runtime.goexit1"},

	{Switch, "runtime.casgstatus runtime.park_m runtime.mcall"},
	{Switch, "runtime.runqget runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"},
	{Switch, "runtime.execute runtime.schedule runtime.park_m runtime.mcall"},
	{Switch, "runtime.asyncPreempt main.f"},
	{Switch, "runtime.lock2 runtime.goschedImpl runtime.gopreempt_m runtime.newstack runtime.morestack main.f"},
	{Switch, "runtime.schedule runtime.goschedImpl runtime.gopreempt_m runtime.mcall"},
	{Switch, "runtime.coroswitch iter.Pull[...].func2 main.f"},
	{Switch, "runtime.coroswitch_m runtime.mcall"},

	{Idle, "runtime.futex runtime.futexsleep runtime.notesleep runtime.mPark runtime.stopm runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"},
	{Idle, "runtime.runqgrab runtime.runqsteal runtime.stealWork runtime.findRunnable runtime.schedule runtime.goexit0 runtime.mcall"},
	{Idle, "runtime.futex runtime.futexwakeup runtime.notewakeup runtime.startm runtime.wakep runtime.resetspinning runtime.schedule runtime.park_m runtime.mcall"},
	{Idle, "runtime.usleep runtime.sysmon runtime.mstart1 runtime.mstart0 runtime.mstart"},
	{Idle, "internal/runtime/syscall.Syscall6 internal/runtime/syscall.EpollWait runtime.netpoll runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"},

	{Lock, "sync.(*Mutex).Lock main.f"},
	{Lock, "runtime.procyieldAsm runtime.procyield internal/sync.runtime_doSpin internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock main.f"},
	{Lock, "runtime.procyield sync.runtime_doSpin sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.f"},
	{Lock, "runtime.semacquire1 sync.runtime_SemacquireMutex sync.(*Mutex).lockSlow main.f"},
	{Cond, "runtime.notifyListWait sync.runtime_notifyListWait sync.(*Cond).Wait main.f"},
	{Cond, "internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*Cond).Wait main.f"},
	{Lock, "runtime.semacquire1 internal/poll.runtime_Semacquire internal/poll.(*fdMutex).rwlock internal/poll.(*FD).writeLock internal/poll.(*FD).Write os.(*File).Write main.f"},
	{Lock, "internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock internal/sync.(*HashTrieMap[...]).Swap sync.(*Map).Store main.f"},
	{Lock, "internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*Pool).pinSlow sync.(*Pool).pin sync.(*Pool).Get main.f"},
	{Lock, "sync.(*Mutex).Unlock runtime.deferreturn main.f"},

	{RWMutex, "sync/atomic.(*Int32).Add sync.(*RWMutex).RLock main.f"},
	{RWMutex, "sync.(*RWMutex).RUnlock main.f"},
	{Lock, "internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock sync.(*RWMutex).Lock main.f"},
	{Lock, "sync.(*RWMutex).Unlock main.f"},
	{WaitGroup, "sync/atomic.(*Uint64).Add sync.(*WaitGroup).Add sync.(*WaitGroup).Done main.f"},
	{WaitGroup, "runtime.goready runtime.readyWithTime runtime.semrelease1 sync.runtime_Semrelease sync.(*WaitGroup).Add sync.(*WaitGroup).Done main.f.func1"},
	{WaitGroup, "sync.(*WaitGroup).Done sync.(*WaitGroup).Go.func1"},
	{Once, "sync/atomic.(*Uint32).Load sync.(*Once).Do main.f"},
	{Once, "sync.(*Mutex).Lock sync.(*Once).doSlow sync.(*Once).Do main.f"},
	{Once, "sync.OnceValue[...].func2 main.f"},

	{GC, "runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker"},
	{GC, "runtime.scanObject runtime.gcDrain runtime.gcDrainMarkWorkerIdle runtime.gcBgMarkWorker.func2 runtime.systemstack"},
	{GC, "runtime.gcDrainN runtime.gcAssistAlloc1 runtime.gcAssistAlloc.func2 runtime.systemstack runtime.gcAssistAlloc runtime.deductAssistCredit runtime.mallocgc runtime.newobject main.f"},
	{Sweep, "runtime.(*sweepLocked).sweep runtime.(*mcentral).cacheSpan runtime.(*mcache).refill runtime.(*mcache).nextFree runtime.mallocgc runtime.newobject main.f"},
	{GC, "runtime.wbBufFlush1 runtime.wbBufFlush.func1 runtime.systemstack runtime.wbBufFlush runtime.gcWriteBarrier main.f"},
	{Sweep, "runtime.sweepone runtime.bgsweep"},
	{GC, "runtime.bulkBarrierPreWrite runtime.typedmemmove runtime.chansend runtime.chansend1 main.f"},
	{GC, "runtime.greyobject runtime.gcDrain runtime.gcAssistAlloc runtime.mallocgc encoding/json.Marshal main.f"},

	{Alloc, "runtime.mallocgcSmallScanNoHeader runtime.mallocgc runtime.newobject main.f"},
	{Alloc, "runtime.memclrNoHeapPointers runtime.mallocgcLarge runtime.mallocgc runtime.makeslice main.f"},
	{Alloc, "runtime.memmove runtime.growslice main.f"},
	{Alloc, "runtime.nextFreeFast runtime.mallocgc runtime.growslice strings.(*Builder).WriteString main.f"},
	{Alloc, "runtime.memmove runtime.concatstrings runtime.concatstring2 main.f"},
	{Alloc, "runtime.mallocgcTiny runtime.mallocgc runtime.convT64 main.f"},
	{AllocWait, "runtime.lock2 runtime.lockWithRank runtime.lock runtime.(*mcentral).cacheSpan runtime.(*mcache).refill runtime.mallocgc runtime.newobject main.f"},
	{AllocWait, "runtime.procyield runtime.lock2 runtime.lock runtime.(*mheap).alloc.func1 runtime.systemstack runtime.(*mheap).alloc runtime.mallocgcLarge runtime.makeslice main.f"},
	{Pool, "sync.(*Pool).pin sync.(*Pool).Get main.f"},
	{Pool, "sync.(*poolChain).popHead sync.(*Pool).Get main.f"},
	{PoolMiss, "runtime.mallocgc runtime.newobject main.init.func1 sync.(*Pool).Get main.f"},
	{PoolMiss, "runtime.mallocgc runtime.makeslice main.newBuffer main.init.func1 sync.(*Pool).Get main.f"},
	{Alloc, "runtime.mallocgc runtime.growslice main.f main.g"},
	{Alloc, "runtime.mallocgcSmallNoScanSC2 runtime.newobject main.f"},

	{Copy, "runtime.memmove main.f"},
	{Copy, "runtime.memclrNoHeapPointers main.f"},
	{Copy, "runtime.memmove bytes.(*Buffer).Write main.f"},
	{Copy, "runtime.duffcopy main.f"},
	{Map, "runtime.mapaccess1_fast64 main.f"},
	{Map, "internal/runtime/maps.ctrlGroup.matchH2 internal/runtime/maps.(*Map).getWithoutKeySmallFastStr runtime.mapaccess2_faststr main.f"},
	{MapGrow, "runtime.mallocgc runtime.newarray runtime.makeBucketArray runtime.hashGrow runtime.mapassign main.f"},
	{MapGrow, "internal/runtime/maps.(*table).uncheckedPutSlot internal/runtime/maps.(*table).grow internal/runtime/maps.(*table).rehash runtime.mapassign_fast64 main.f"},
	{MapGrow, "runtime.mallocgc internal/runtime/maps.newarray internal/runtime/maps.newGroups internal/runtime/maps.(*table).reset internal/runtime/maps.newTable internal/runtime/maps.(*Map).growToTable runtime.mapassign_faststr main.f"},
	{Map, "internal/runtime/maps.newTable internal/runtime/maps.NewMap runtime.makemap main.f"},
	{Map, "aeshashbody runtime.mapaccess1_faststr main.f"},
	{SyncMap, "internal/sync.(*HashTrieMap[...]).Load sync.(*Map).Load main.f"},
	{SyncMap, "internal/sync.(*Mutex).Lock sync.(*Mutex).Lock internal/sync.(*HashTrieMap[...]).Swap sync.(*Map).Store main.f"},
	{SyncMap, "runtime.mallocgc runtime.newobject internal/sync.newEntryNode[...] internal/sync.(*HashTrieMap[...]).Swap sync.(*Map).Swap sync.(*Map).Store main.f"},

	{Syscall, "internal/runtime/syscall.Syscall6 syscall.RawSyscall6 syscall.Syscall syscall.write internal/poll.(*FD).Write os.(*File).Write main.f"},
	{Syscall, "internal/runtime/syscall.Syscall6 syscall.Syscall syscall.write internal/poll.(*FD).Write os.(*File).Write fmt.Fprintf main.f"},
	{Syscall, "runtime.exitsyscall syscall.Syscall syscall.read internal/poll.(*FD).Read os.(*File).Read encoding/json.(*Decoder).Decode main.f"},
	{Cgo, "runtime.exitsyscall runtime.cgocall net._C2func_getaddrinfo main.f"},
	{Cgo, "internal/runtime/atomic.(*Uint32).CompareAndSwap runtime.reentersyscall runtime.entersyscall runtime.cgocall main._Cfunc_f main.f"},
	{User, "runtime.cgocall main._Cfunc_f main.f"},
	{Syscall, "internal/poll.(*fdMutex).rwlock internal/poll.(*FD).Write os.(*File).Write main.f"},
	{Syscall, "runtime.exitsyscall0 runtime.mcall"},
	{Net, "internal/runtime/syscall.Syscall6 syscall.Syscall syscall.write internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write main.f"},
	{Dial, "crypto/internal/fips140/rsa.decrypt crypto/rsa.SignPKCS1v15 crypto/tls.(*serverHandshakeStateTLS13).handshake crypto/tls.(*Conn).serverHandshake crypto/tls.(*Conn).handshakeContext crypto/tls.(*Conn).HandshakeContext net/http.(*conn).serve"},
	{Dial, "internal/runtime/syscall.Syscall6 syscall.connect net.(*netFD).connect net.(*sysDialer).dialTCP net.(*Dialer).DialContext net/http.(*Transport).dial net/http.(*Transport).dialConn net/http.(*Transport).dialConnFor"},
	{Dial, "runtime.mallocgc crypto/x509.parseCertificate crypto/tls.(*Conn).clientHandshake crypto/tls.(*Conn).Handshake main.f"},
	{GC, "runtime.gcAssistAlloc runtime.mallocgc crypto/tls.(*Conn).clientHandshake main.f"},
	{Net, "crypto/tls.(*Conn).Write net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*conn).serve"},
	{World, "runtime.systemstack runtime.ReadMemStats main.f"},
	{World, "runtime.futex runtime.startm runtime.startTheWorldWithSema runtime.startTheWorld runtime.GOMAXPROCS main.f"},
	{Net, "net/textproto.(*Reader).ReadLine net/http.readRequest net/http.(*conn).readRequest net/http.(*conn).serve"},

	{Stack, "runtime.adjustframe runtime.copystack runtime.newstack runtime.morestack main.f"},
	{Stack, "runtime.morestack main.f"},
	{Reflect, "encoding/json.(*encodeState).marshal encoding/json.Marshal main.f"},
	{Reflect, "runtime.mallocgc runtime.growslice encoding/json.Marshal main.f"},
	{Reflect, "runtime.mapassign_faststr reflect.mapassign_faststr reflect.Value.SetMapIndex encoding/json.(*decodeState).object main.f"},
	{Reflect, "fmt.(*pp).doPrintf fmt.Sprintf main.f"},
	{Reflect, "reflect.Value.Call main.f"},
	{Reflect, "encoding/json/internal/jsonwire.AppendQuote encoding/json/jsontext.(*encoderState).WriteToken encoding/json/v2.Marshal main.f"},
	{Reflect, "reflect.Value.SetInt encoding/binary.(*decoder).value encoding/binary.Read main.f"},
	{User, "encoding/binary.Read main.f"},
	{User, "encoding/binary.AppendUvarint main.f"},
	{User, "encoding/binary.ReadUvarint main.f"},
	{User, "encoding/binary.littleEndian.Uint64 main.f"},

	{Sort, "sort.insertionSort sort.pdqsort sort.Sort main.f"},
	{Sort, "main.byAge.Less sort.insertionSort sort.pdqsort sort.Sort main.f"},
	{Sort, "main.f.func1 sort.partition_func sort.pdqsort_func sort.Slice main.f"},
	{Sort, "runtime.typedmemmove internal/reflectlite.Swapper.func9 sort.insertionSort_func sort.Slice main.f"},
	{Sort, "main.(*queue).Less container/heap.up container/heap.Push main.f"},
	{Sort, "internal/cmp.Compare main.byAge.Less sort.reverse.Less sort.heapSort sort.Sort main.f"},
	{Alloc, "runtime.mallocgc runtime.newobject main.byAge.Less sort.insertionSort sort.Sort main.f"},

	{Yield, "runtime.Gosched main.f"},
	{Yield, "runtime.goschedImpl runtime.gosched_m runtime.mcall"},
	{Timer, "runtime.(*timer).reset runtime.resetTimer time.(*Timer).Reset main.f"},
	{Timer, "runtime.(*timer).unlock runtime.(*timer).maybeRunChan runtime.selectgo main.f"},
	{Timer, "runtime.(*timer).maybeAdd runtime.blockTimerChan runtime.chanrecv runtime.chanrecv1 main.f"},
	{Clock, "time.now time.Now main.f"},
	{Clock, "runtime.nanotime time.runtimeNow time.Since main.f"},
	{TimerMade, "runtime.mallocgc runtime.newobject time.newTimer time.NewTimer time.After main.f"},
	{GC, "runtime.gcAssistAlloc runtime.mallocgc runtime.newobject time.newTimer time.NewTimer time.After main.f"},
	{TimerMade, "runtime.mallocgc runtime.newobject context.WithDeadlineCause context.WithDeadline context.WithTimeout main.f"},
	{Timer, "runtime.mapassign_fast64ptr context.(*cancelCtx).propagateCancel context.WithDeadlineCause context.WithTimeout main.f"},
	{Timer, "internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock context.(*cancelCtx).propagateCancel context.WithDeadlineCause main.f"},
	{Timer, "internal/runtime/maps.(*Map).Delete context.removeChild context.(*timerCtx).cancel context.WithDeadlineCause.func3 main.f"},
	{Timer, "runtime.(*timer).stop time.stopTimer time.(*Timer).Stop context.(*timerCtx).cancel context.WithDeadlineCause.func3 runtime.deferreturn main.f"},
	{Alloc, "runtime.mallocgc runtime.newobject context.WithCancel main.f"},
	{Timer, "runtime.(*timers).siftDown runtime.(*timers).adjust runtime.(*timers).check runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"},
	{Timer, "runtime.timeSleep time.Sleep main.f"},
	{Timer, "time.sendTime runtime.(*timer).unlockAndRun runtime.(*timers).run runtime.(*timers).check runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"},
	{Defer, "runtime.deferreturn main.f"},
	{Defer, "runtime.gopanic main.f"},
	{Runtime, "runtime.getitab runtime.typeAssert main.f"},
	{Runtime, "sync/atomic.(*Uint64).Add testing.(*PB).Next foo.BenchmarkX.func1 testing.(*B).RunParallel.func1"},
	{Runtime, "runtime.stopTheWorldWithSema runtime.ReadMemStats testing.(*B).StopTimer foo.BenchmarkX"},
	{Runtime, "runtime.mapassign_fast64 runtime/pprof.(*profMap).lookup runtime/pprof.(*profileBuilder).addCPUData runtime/pprof.profileWriter"},
	{Runtime, "testing.(*B).launch"},
	{Runtime, "runtime.systemstack"},
	{Runtime, ""},
}

func TestClassify(t *testing.T) {
	seen := map[Category]bool{}
	for _, s := range stacks {
		seen[s.want] = true
		var frames []source.Place
		for _, fn := range strings.Fields(s.stack) {
			frames = append(frames, source.Place{Func: fn})
		}
		r := NewReader(nil, nil)
		nearest, _ := r.Mine(frames)
		if got := r.Mechanism(frames, nearest); got != s.want {
			t.Errorf("%s is the time of %q, want %q", s.stack, got, s.want)
		}
	}
	for _, c := range []Category{
		User, Chan, Select, Spawn, Switch, Idle, Lock, RWMutex, WaitGroup, Once, GC, Alloc, AllocWait, Sweep, Pool, PoolMiss, Copy, Map, MapGrow, SyncMap,
		Syscall, Cgo, Net, Dial, World, Stack, Reflect, Sort, Yield, Timer, Clock, Defer, Runtime,
	} {
		if !seen[c] {
			t.Errorf("no stack of category %q", c)
		}
	}
}

func TestUserCode(t *testing.T) {
	for _, c := range []struct {
		fn, file string
		want     bool
	}{
		{"main.f", "/home/u/x/main.go", true},
		{"example.com/a/b.(*T[...]).M", "/home/u/b/b.go", true},
		{"aa.F", "/home/u/aa/a.go", true},
		{"aa.F", "aa/a.go", true},
		{"example/foo.F", "", true},
		{"hash/mine.F", "/home/u/hash/mine/m.go", true}, // a module named like a std package
		{"sort_test.BenchmarkSort", "/usr/local/go/src/sort/sort_test.go", true},
		{"sort.BenchmarkSort", "/usr/local/go/src/sort/sort_bench_test.go", true},
		{"_.f.func1", "/home/u/x/main.go", true},
		{"_.goready.func1", "/usr/local/go/src/runtime/proc.go", false},
		{"_.goready.func1", "runtime/proc.go", false},
		{"time.Sleep", "/usr/local/go/src/runtime/time.go", false},
		{"net/http.(*conn).serve", "net/http/server.go", false},
		{"runtime.mallocgc", `C:\Program Files\Go\src\runtime\malloc.go`, false},
		{"runtime.mallocgc", "C:/Program Files/Go/src/runtime/malloc.go", false},
		{"runtime.mallocgc", "", false},
		{"vendor/golang.org/x/net/http/httpguts.F", "/usr/local/go/src/vendor/golang.org/x/net/http/httpguts/g.go", false},
		{"main.main", "_testmain.go", false},
		{"main._Cfunc_f", "_cgo_gotypes.go", false},
		{"memeqbody", "/usr/local/go/src/internal/bytealg/equal_amd64.s", false},
		{"type:.eq.main.T", "<autogenerated>", false},
		{"", "", false},
	} {
		if got := IsUser(c.fn, c.file); got != c.want {
			t.Errorf("IsUser(%q, %q) = %t, want %t", c.fn, c.file, got, c.want)
		}
	}
}

func TestSystem(t *testing.T) {
	for fn, want := range map[string]bool{
		"runtime.gcBgMarkWorker": true, "runtime.bgsweep": true, "runtime/trace.Start.func1": true,
		"runtime.main": false, "main.main": false, "testing.tRunner": false,
	} {
		if got := System(fn); got != want {
			t.Errorf("System(%q) = %v, want %v", fn, got, want)
		}
	}
}

// Mine finds the user's frame nearest to the leaf, and the one to show: the
// first that place takes, or else the nearest.
func TestMine(t *testing.T) {
	frames := []source.Place{{Func: "sync.(*Mutex).Lock"}, {Func: "dep.org/x.Get"}, {Func: "sort.Sort"}, {Func: "main.f"}, {Func: "main.main"}}
	is := func(prefix string) func(fn, file string) bool {
		return func(fn, _ string) bool { return strings.HasPrefix(fn, prefix) }
	}
	for _, c := range []struct {
		user, place    func(fn, file string) bool
		nearest, shown int
	}{
		{nil, nil, 1, 1},
		{nil, is("main."), 1, 3},
		{nil, is("none."), 1, 1},
		{nil, is("sort."), 1, 1}, // is not the user's
		{is("main."), nil, 3, 3},
		{is("none."), is("main."), -1, -1},
	} {
		r := NewReader(c.user, c.place)
		for range 2 { // as it is found, and as it is known
			if nearest, shown := r.Mine(frames); nearest != c.nearest || shown != c.shown {
				t.Errorf("Mine = %d, %d, want %d, %d", nearest, shown, c.nearest, c.shown)
			}
		}
	}
	if below := Below(frames, 1); len(below) != 1 || len(Below(frames, -1)) != len(frames) {
		t.Errorf("below frame 1 are %v, want one frame", below)
	}
}

// The outermost call says what a wait is for.
func TestLock(t *testing.T) {
	for _, c := range []struct {
		stack string
		want  Category
	}{
		{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*Once).doSlow main.f", Once},
		{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*RWMutex).Lock main.f", RWMutex},
		{"sync.(*Mutex).Lock main.init sync.(*Once).Do main.main", Lock},
		{"internal/poll.(*fdMutex).rwlock os.(*File).Write main.f", Lock},
		{"runtime.semacquire runtime.gcStart main.f", GC},
		{"sync.(*Cond).Wait main.f", ""},
		{"runtime.chanrecv1 main.f", ""},
	} {
		var frames []source.Place
		for _, fn := range strings.Fields(c.stack) {
			frames = append(frames, source.Place{Func: fn})
		}
		r := NewReader(nil, nil)
		nearest, _ := r.Mine(frames)
		if got := r.Lock(frames, nearest); got != c.want {
			t.Errorf("Lock of %s = %q, want %q", c.stack, got, c.want)
		}
	}
}

func TestCommon(t *testing.T) {
	for fn, want := range map[string]bool{"sync.(*WaitGroup).Go.func1": true, "testing.(*B).runN": true, "runtime.main": true, "main.f": false, "example.com/sync.F": false, "syncs.F": false} {
		if got := Common(fn); got != want {
			t.Errorf("Common(%q) = %t, want %t", fn, got, want)
		}
	}
}

func TestProbe(t *testing.T) {
	for _, tt := range []struct {
		fn, file string
		want     bool
	}{
		{"testing.(*B).payoffStop", "/usr/local/go/src/testing/payoff_probe.go", true},
		{"testing.(*B).payoffStop", `C:\Go\src\testing\payoff_probe.go`, true},
		{"testing.payoffRead", "$GOROOT/src/testing/payoff_usage.go", true},
		{"testing/internal/testdeps.payoffCollect", "testing/internal/testdeps/payoff_evidence.go", true},
		{"testing.(*B).StopTimer", "/usr/local/go/src/testing/benchmark.go", false},
		{"example.com/m.F", "/home/u/m/payoff_test.go", false},
	} {
		if got := Probe(source.Place{Func: tt.fn, File: tt.file}); got != tt.want {
			t.Errorf("Probe of %s in %s: %t, want %t", tt.fn, tt.file, got, tt.want)
		}
	}
}
