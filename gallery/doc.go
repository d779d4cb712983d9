// Package gallery is a collection of concurrent programs that are slower than
// their serial form, each with its cures, and of experiments. Its directories
// are read, tested and measured; the package itself holds what they claim, and
// their sources, for payoff gallery.
//
// A case is a directory that bears the name of its cause, as a rule:
//
//	doc.go        symptom, cause, cures, the source with its figures, and today
//	serial.go     the base that every other variant is measured against
//	disease.go    the variants that lose
//	cure_*.go     the variants that win, one cure to a file
//	case_test.go  the table of variants, held to one answer, and the benchmarks
//	want.json     what a measurement must say
//	then.json     what the article measured and concluded
//
// Each variant is one function; all of a case stand in the table variants of
// case_test.go. Benchmarks are named variant=NAME, and then any number of
// /KEY=VALUE, and run with as many workers as GOMAXPROCS allows.
//
// An experiment is a directory that asks what something costs; nothing is
// planted there. It has doc.go with the question, case_test.go, want.json and
// then.json, and its code is in files of any name. It need not be concurrent.
//
// # want.json
//
// It is a [Want]: the case, its cause, the source, and two lists of claims. Comparisons
// are of a variant against the base of the case, pairs are of one variant against
// another. A claim reads: at GOMAXPROCS=procs for both, in every family of benchmarks
// at the place "at", the verdict on variant against base is verdict. A place is made of
// parts of a family's name, separated by slashes, like "n=1000", "mix=90/goroutines=4"
// or "Marshal"; the empty one is everywhere. Verdicts are pays, even, loses and cannot
// say; alternatives are separated by | and any of them will do. A claim that a variant
// loses also names the cause a measurement has to find, by its name in the catalogue
// that payoff explain prints.
//
// A claim that any verdict meets says nothing and is refused: a variant of which
// nothing holds on every machine is named in "unclaimed".
//
// An experiment says so by "kind": "experiment". It claims verdicts and no
// causes. Procs are the processors to measure at; a case has 1 and 2 if it says
// nothing.
//
// What is only true of some machines is not claimed, or is claimed with
// alternatives. No claim goes beyond two processors.
//
// # then.json
//
// It is a [Then]. It has the lines of the article's tables, none left out, each with
// the benchmark here that measures the same. And it has what the article concludes from
// them, as comparisons, each with a sentence why for a [Status] that it has today. The
// articles are in articles.json.
package gallery
