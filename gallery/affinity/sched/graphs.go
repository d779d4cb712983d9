package sched

// Sieve is what a run of the prime sieve has given. A goroutine generates the numbers
// below a limit, and one for each prime drops its multiples. Channels without buffer
// join them.
type Sieve struct {
	Primes []int
	Result
}

// RunSieve runs the sieve on a scheduler.
func RunSieve(policy Policy, price Prices, procs, limit int, seed uint64) Sieve {
	var s Sieve
	s.Result = run(policy, price, procs, seed, sieveMain(limit, price.Division, &s.Primes))
	return s
}

// sieveMain starts the generator, and a filter for each number that comes
// through all filters before it.
func sieveMain(limit int, division int64, primes *[]int) body {
	ch := new(channel)
	started := false
	receiving := false
	return func(_ int64, value int, ok bool) operation {
		switch {
		case !started:
			started = true
			return operation{kind: spawn, start: generate(ch, limit)}
		case !receiving:
			receiving = true
			return operation{kind: receive, ch: ch}
		case !ok:
			return operation{kind: exit}
		}
		receiving = false
		*primes = append(*primes, value)
		in, out := ch, new(channel)
		ch = out
		return operation{kind: spawn, start: filter(in, out, value, division)}
	}
}

func generate(out *channel, limit int) body {
	i := 1
	return func(int64, int, bool) operation {
		i++
		switch {
		case i < limit:
			return operation{kind: send, ch: out, value: i}
		case i == limit:
			return operation{kind: closeCh, ch: out}
		}
		return operation{kind: exit}
	}
}

func filter(in, out *channel, prime int, division int64) body {
	const (
		receiving = iota
		dividing
		deciding
		closing
		ending
	)
	state, number := receiving, 0
	return func(_ int64, value int, ok bool) operation {
		for {
			switch state {
			case receiving:
				state = dividing
				return operation{kind: receive, ch: in}
			case dividing:
				if !ok {
					state = closing
					continue
				}
				number = value
				state = deciding
				return operation{kind: compute, time: division}
			case deciding:
				state = receiving
				if number%prime != 0 {
					return operation{kind: send, ch: out, value: number}
				}
			case closing:
				state = ending
				return operation{kind: closeCh, ch: out}
			default:
				return operation{kind: exit}
			}
		}
	}
}

// PingPong is what two goroutines have measured that pass a value to and fro.
type PingPong struct {
	Trips []int64 // time of each round trip, in picoseconds
	Result
}

// RunPingPong lets two goroutines make round trips over two channels beside
// pairs of hogs, goroutines that compute for burst and then meet at a channel.
func RunPingPong(policy Policy, price Prices, procs, pairs, trips int, burst int64, seed uint64) PingPong {
	var p PingPong
	var toStart []body
	for range pairs {
		ch := new(channel)
		toStart = append(toStart,
			hog(burst, operation{kind: send, ch: ch}),
			hog(burst, operation{kind: receive, ch: ch}))
	}
	there, back := new(channel), new(channel)
	toStart = append(toStart, pong(there, back))
	p.Result = run(policy, price, procs, seed, ping(toStart, there, back, trips, &p.Trips))
	return p
}

// ping starts the others, and makes the round trips.
func ping(toStart []body, there, back *channel, trips int, times *[]int64) body {
	sent := false
	var from int64
	return func(now int64, _ int, _ bool) operation {
		if len(toStart) > 0 {
			start := toStart[0]
			toStart = toStart[1:]
			return operation{kind: spawn, start: start}
		}
		if sent = !sent; !sent {
			return operation{kind: receive, ch: back}
		}
		if from > 0 {
			*times = append(*times, now-from)
		}
		if len(*times) == trips {
			return operation{kind: exit}
		}
		from = now
		return operation{kind: send, ch: there}
	}
}

func pong(there, back *channel) body {
	received := false
	return func(_ int64, value int, _ bool) operation {
		if received = !received; received {
			return operation{kind: receive, ch: there}
		}
		return operation{kind: send, ch: back, value: value}
	}
}

// hog computes for burst, meets the other one, and so on.
func hog(burst int64, meet operation) body {
	met := true
	return func(int64, int, bool) operation {
		if met = !met; met {
			return meet
		}
		return operation{kind: compute, time: burst}
	}
}
