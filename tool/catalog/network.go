package catalog

var Network = enter(Cause{
	Slug:  "network",
	Part:  "code",
	Title: "A message for each item",
	What: prose(`
Each Write and Read of a connection is a system call, with the network's own layers in
it. A Read that finds nothing parks its goroutine; when the answer is there, the poller
finds it, and the scheduler wakes the goroutine, perhaps on a processor that slept.
A request and an answer for each item pay that once or twice for each, whatever the item
is worth. So does a hop to a stage in another process, with encoding and decoding besides:
where its function takes less than that, this process has less to do if it calls it.
A connection for each request is dearer still: dialing takes a turn of the network, and
the handshake of TLS more processor time than most requests.`),
	Looks: prose(`
Overhead is far above 1 and processors are partly idle. The CPU profile has package net,
the system calls beneath it, and the scheduler with its poller. The trace has goroutines
blocked on the network about as often as there are items, each for microseconds. Where
all wait for an answer from afar it is waiting, and more connections help.`),
	Evidence: []string{
		"processor time in package net with its system calls beyond the base's, and the switching and waking in proportion to the waits for the network",
		"in a program that runs, processor time in dialing and in handshakes of TLS alone",
	},
	Before: source(`
// Each value is a Write and a Read of its own.
func sumPeerEach(c net.Conn, xs []uint32) (sum uint32, err error) {
	word := make([]byte, 4)
	for _, x := range xs {
		binary.LittleEndian.PutUint32(word, x)
		if _, err := c.Write(word); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(c, word); err != nil {
			return 0, err
		}
		sum += binary.LittleEndian.Uint32(word)
	}
	return sum, nil
}
`),
	After: source(`
// A sender writes through a buffer while the answers are read through another.
func sumPeerStreamed(c net.Conn, xs []uint32) (sum uint32, err error) {
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(c, 32<<10)
		word := make([]byte, 4)
		for _, x := range xs {
			binary.LittleEndian.PutUint32(word, x)
			if _, err := w.Write(word); err != nil {
				sent <- err
				return
			}
		}
		sent <- w.Flush()
	}()
	r := bufio.NewReaderSize(c, 32<<10)
	word := make([]byte, 4)
	for range xs {
		if _, err := io.ReadFull(r, word); err != nil {
			return 0, err
		}
		sum += binary.LittleEndian.Uint32(word)
	}
	return sum, <-sent
}
`),
	Do: "Send many items in one message, and write and read through buffers",
	Wrong: prose(`
When an item must leave at once, as in a conversation, a batch makes it wait. When the
other side takes long for each, its time is what counts, and more requests at once are
the cure. The peer must be able to take several requests before it has answered. A stage
that must leave pays its hop once for many items: Stats of pipe/jetstream have what it costs
beside what the function takes.`),
	Cures: []string{"bufio.NewWriterSize", "bufio.NewReaderSize", "net.Buffers"},
	See: []string{
		"https://go.dev/src/runtime/netpoll.go",
		"https://pkg.go.dev/net#Buffers",
	},
})
