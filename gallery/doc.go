// Package gallery is a collection of concurrent programs that are slower than
// their serial form, each with its cures. It has no API: its directories are
// read, tested and measured.
//
// A case is a directory that bears the name of its cause, as a rule:
//
//	doc.go        symptom, cause, cures, the source with its figures, and today
//	serial.go     the base that every other variant is measured against
//	disease.go    the variants that lose
//	cure_*.go     the variants that win, one cure to a file
//	case_test.go  the table of variants, held to one answer, and the benchmark
//	want.json     what a measurement must say
//
// Each variant is one function; all of a case have one signature and stand in
// the table variants of case_test.go. Benchmarks are named variant=NAME/n=SIZE
// and run with as many workers as GOMAXPROCS allows.
//
// An experiment is a directory that asks what something costs; nothing is
// planted there. It has doc.go with the question, case_test.go and want.json,
// and its code is in files of any name. It need not be concurrent.
//
// # want.json
//
// It holds the case, its cause, the source, and two lists of claims: comparisons
// are of a variant against the base of the case, pairs are of one variant
// against another. A claim reads: at GOMAXPROCS=procs for both, and at size n
// (every size where n is empty), the verdict on variant against base is
// verdict. Verdicts are pays, even, loses and cannot say; alternatives are
// parted by | and any of them will do. A claim that a variant loses also names
// the cause a measurement has to find, by its name in the catalogue that payoff
// explain prints.
//
// An experiment says so by "kind": "experiment". It claims verdicts and no
// causes. It lists in procs the processors at which it is measured, where a case
// has 1 and 2. Its benchmarks are named variant=NAME, or variant=NAME/PARAM=SIZE
// where param names a parameter; n in its claims is the value of that.
//
// What is only true of some machines is not claimed, or is claimed with
// alternatives. No claim goes beyond two processors.
package gallery
