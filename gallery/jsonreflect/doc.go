// Package jsonreflect encodes and decodes one struct, and asks what reflection
// and JSON cost.
//
// # Question
//
// How much faster than encoding/json is code that was generated for the type?
// How much faster is another format? And does it cost anything that the struct is
// behind an interface?
//
// # Variants
//
//   - Baseline: encoding/json ([MarshalJSON], [UnmarshalJSON]).
//   - Interface: the same, given a pointer to an interface that holds the pointer
//     to the struct ([MarshalOpen], [UnmarshalOpen]).
//   - Easyjson: JSON by code that easyjson v0.9.2 generates ([MarshalEasyJSON],
//     [UnmarshalEasyJSON]).
//   - Sized: the same, given a buffer of a size that suits ([MarshalSized]).
//   - Msgp: MessagePack by code that msgp v1.6.5 generates ([MarshalMsgp],
//     [UnmarshalMsgp]).
//   - Jsonv2: encoding/json/v2, with Go 1.27 or later, where encoding/json is
//     built on it too. It is in no claim, since other builds do not measure it.
//
// The commands that generate the code are in reading.go. All encode the same
// values, in one goroutine: nothing here depends on processors.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. It tells neither the machine nor the Go
// version.
//
//	BenchmarkJSONReflectionMarshal-8          7063 ns/op
//	BenchmarkJSONMarshal-8                    3981 ns/op
//	BenchmarkMsgpackMarshal-8                  555 ns/op
//	BenchmarkJSONReflectionUnmarshal-8        9362 ns/op
//	BenchmarkJSONUnmarshal-8                  5839 ns/op
//	BenchmarkMsgpackUnmarshal-8               94.6 ns/op
//	BenchmarkJSONReflectionUnmarshalIface-8  10099 ns/op
//
// It says that generated code is about 38% faster at both; by its figures that is
// 38% less time at decoding and 44% at encoding.
//
// Generated JSON was that of ffjson, which is no longer maintained; the
// translator already names easyjson as the faster one. The last line is of the
// whole struct behind an interface, as its code has it.
//
// The 94.6 ns are the time of an error. The code
// (https://github.com/tylertreat/go-benchmarks) hands the MessagePack decoder the text
// that encoding/json wrote. It drops what that returns: the first byte is no map, and
// nothing is decoded.
//
// # What is measured
//
// The test has each variant decode what it encoded, and encoding/json read all
// that is JSON; errors end a benchmark. The value is of the article's kind: four
// short strings, ten empty ones, two numbers, no bytes; and two numbers in a
// struct inside. Decoding begins with a zero struct, and an interface around it,
// that are there already. What is encoded is a new slice each time, in all variants.
//
// # Today
//
// Holds: generated code decodes faster than reflection, and has gained more since
// than the library. MessagePack is faster than either in both directions, at
// encoding by less than it was.
//
// Holds no longer: that generated code encodes JSON faster. Encoding/json has
// become many times faster itself, and easyjson as it comes is behind it here: its
// buffer is too small. Sized is ahead, by less than the article's factor.
//
// Holds no longer: that an interface costs something at decoding. It is one look at
// a type among many; at encoding, where there is less to do, it is some percent.
//
// With encoding/json/v2 decoding takes about half the time of the first version,
// and encoding about two thirds more. Neither comes near the generated code.
package jsonreflect
