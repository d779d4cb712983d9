package values

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Some results as fmt has them.
var fixed = []struct {
	f    float64
	want []string
}{
	{1e6, []string{"1e+06|1e+06|1000000.000000|1.000000e+06", "1e+06|1000000|1.000e+06|1e+06", "1e+06"}},
	{math.Inf(1), []string{"+Inf|+Inf|+Inf|+Inf", "+Inf|+Inf|+Inf|+Inf", "+Inf"}},
	{math.NaN(), []string{"NaN|NaN|NaN|NaN", "NaN|NaN|NaN|NaN", "NaN"}},
	{math.Copysign(0, -1), []string{"-0|-0|-0.000000|-0.000000e+00", "-0|-0|-0.000e+00|-0", "-0"}},
	{123456789, []string{"1.23456789e+08|1.23456789e+08|123456789.000000|1.234568e+08", "1.23456789e+08|123456789|1.235e+08|1.2346e+08", "1.23456789e+08"}},
}

func TestFloats(t *testing.T) {
	for _, tt := range fixed {
		x := texts(0, 0, 0, tt.f, 0, "", nil, 0, false)
		if got := []string{x[3], x[4], x[10]}; !slices.Equal(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.f, got, tt.want)
		}
	}
}

// What is made of random values has the sum that fmt gives.
func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	runes := []rune{-1, 0, 'a', '\n', '"', utf8.RuneError, 0x10ffff, 0x110000, math.MaxInt32, 'ä', '世', 0xd800}
	h := uint64(14695981039346656037)
	add := func(s string) {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	for range 20000 {
		i := int(int32(rnd.Uint32() >> rnd.IntN(32)))
		f := math.Float64frombits(rnd.Uint64())
		if rnd.IntN(2) == 0 {
			f = float64(i) / 1024
		}
		var s string
		for range rnd.IntN(5) {
			s += string(runes[rnd.IntN(len(runes))]) + string([]byte{byte(rnd.Uint32())})
		}
		r := runes[rnd.IntN(len(runes))]
		for _, x := range texts(i, uint16(i), number(i), f, float32(f), s, []byte(s), r, i%2 == 0) {
			add(x)
		}
		add(string(appended([]byte("x"), i, uint16(i), number(i), f, s, r, i%2 == 0)))
		add(written(i, f, s, r, i%2 == 0))
	}
	if want := uint64(16178211738854569286); h != want {
		t.Errorf("sum %d, want %d", h, want)
	}
}

func TestOrder(t *testing.T) {
	out, full := seen("xx")
	if string(out) != "axxyyyy" || string(full) != "abcd" {
		t.Errorf("seen: %s, and %s behind it", out, full)
	}
	if got := again([]string{"a", "bbbb"}, 7); got != "a:7;bbbb:7;" {
		t.Errorf("again: %s", got)
	}
	if got := over(12); got != "1297" {
		t.Errorf("over: %s", got)
	}
	if got := beside(new(pair)) + filled() + sunk(nil); got != "1 1 1zz7[]" {
		t.Errorf("beside, filled and sunk: %s", got)
	}
	var b bytes.Buffer
	var sb strings.Builder
	panics(&b, &sb, []int{1, 2, 3}, nil)
	panics(&b, &sb, []int{1}, nil)
	if b.String() != "k=1;k=2;k=1;" || sb.String() != "0/10,0/10," {
		t.Errorf("panics: %s %s", &b, &sb)
	}
}

// What is made of random structs has the sum that fmt gives.
func TestRandomStructs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	h := uint64(14695981039346656037)
	for range 20000 {
		i := int(int32(rnd.Uint32() >> rnd.IntN(32)))
		s := string([]rune{'a', '%', '{', 0x110000, '"', ' '}[:rnd.IntN(7)]) + string([]byte{byte(rnd.Uint32())})
		it := item{i, s, i%2 == 0, size(i), byte(i), float32(math.Float64frombits(rnd.Uint64()))}
		for _, x := range append(structs(i, s, it.Size, it, &it), writeStructs(holder{it}, &holder{it})) {
			for i := range len(x) {
				h = (h ^ uint64(x[i])) * 1099511628211
			}
		}
	}
	if want := uint64(3159026054034534291); h != want {
		t.Errorf("sum %d, want %d", h, want)
	}
}

func TestStructs(t *testing.T) {
	it := item{-1, "a b", true, 7, 'a', 1e6}
	got := structs(2, "s", 9, it, &it)
	for i, want := range []string{
		"{-1 a b true 7 97 1e+06}|{N:-1 name:a b On:true Size:7 b:97 F:1e+06}",
		"<&{-1 a b true 7 97 1e+06} {N:2 name:s On:true Size:9 b:98 F:0.5}>",
		"&{2 ss false 3 0 1e+06}",
		"{-1 a b true 7 97 1e+06}",
	} {
		if got[i] != want {
			t.Errorf("%d: %s, want %s", i, got[i], want)
		}
	}
}
