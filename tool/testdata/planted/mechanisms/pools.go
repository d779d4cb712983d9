package mechanisms

import (
	"strconv"
	"sync"
)

// Objects that come from a sync.Pool.

// A parser needs a little room for each word.
type parser struct {
	start, end int
	sum        uint32
}

func (p *parser) word(text string, at int) int {
	p.start, p.sum = at, 0
	for p.end = at; p.end < len(text) && text[p.end] != ' '; p.end++ {
		p.sum = p.sum*31 + uint32(text[p.end])
	}
	return int(p.sum & 0xff)
}

func words(text string, lo, hi int) int {
	var p parser
	total := 0
	for at := lo; at < hi; at = p.end + 1 {
		total += p.word(text, at)
	}
	return total
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// wordsPooled takes a parser from the pool for every word of four letters.
func wordsPooled(text string) int {
	return split(len(text)/5, func(lo, hi int) int {
		total := 0
		for at := lo * 5; at < hi*5; {
			p := parsers.Get().(*parser)
			total += p.word(text, at)
			at = p.end + 1
			parsers.Put(p)
		}
		return total
	})
}

// makeWords is n words of four letters.
func makeWords(n int) string {
	var b []byte
	for i := range n {
		for k := range 4 {
			b = append(b, 'a'+byte(mix(uint64(i*4+k), 2)%26))
		}
		b = append(b, ' ')
	}
	return string(b)
}

// A message is built in a buffer of 4 KB.
func message(buf []byte, id int) int {
	buf = append(buf[:0], "id="...)
	buf = strconv.AppendInt(buf, int64(id), 10)
	total := 0
	for _, c := range buf {
		total = total*31 + int(c)
	}
	return total & 0xffff
}

func messages(ids []int) int {
	buf := make([]byte, 0, 4096)
	total := 0
	for _, id := range ids {
		total += message(buf, id)
	}
	return total
}

var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, 4096)
	return &b
}}

// messagesLost returns early and forgets to put the buffer back.
func messagesLost(ids []int) int {
	return split(len(ids), func(lo, hi int) int {
		total := 0
		for _, id := range ids[lo:hi] {
			b := buffers.Get().(*[]byte)
			total += message(*b, id)
			if id >= 0 {
				continue
			}
			buffers.Put(b)
		}
		return total
	})
}

// pages are built in buffers of 64 KB: page fills one.
func page(buf []byte, id int) int {
	for i := 0; i < len(buf); i += 64 {
		buf[i] = byte(id + i)
	}
	return int(buf[64]) + int(mix(uint64(id), 2000)&0xff)
}

var escaped []byte

func pages(ids []int) int {
	total := 0
	for _, id := range ids {
		buf := make([]byte, 64<<10)
		escaped = buf
		total += page(buf, id)
	}
	return total
}

var pageBuffers = sync.Pool{New: func() any {
	b := make([]byte, 64<<10)
	return &b
}}

// pagesPooled saves an allocation of 64 KB with each Get.
func pagesPooled(ids []int) int {
	return split(len(ids), func(lo, hi int) int {
		total := 0
		for _, id := range ids[lo:hi] {
			b := pageBuffers.Get().(*[]byte)
			total += page(*b, id)
			pageBuffers.Put(b)
		}
		return total
	})
}
