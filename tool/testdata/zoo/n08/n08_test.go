package n08

import (
	"net"
	"testing"
)

var conns = func() (conns []net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	for range 4 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		far, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go echo(far)
		conns = append(conns, c)
	}
	return conns
}()

func BenchmarkN08(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			asked(conns, 50)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			askedAtOnce(conns, 50)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := askedAtOnce(conns, 50), asked(conns, 50); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
