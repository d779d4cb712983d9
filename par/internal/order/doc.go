// Package order sorts and merges on several processors.
//
// What a sort does depends on what it knows. Numbers and strings are taken apart
// by their bits (radix.go, few.go for short ones, pair.go for elements with a key,
// text.go for strings). A comparison function tells nothing of its own accord, but
// most compare a field of the elements, and which one can be guessed and proved
// (field.go). The rest is sorted by comparisons: in place (quick.go), where
// comparing means to fetch what lies elsewhere by samples (sample.go), and in
// stable order by merging (mergesort.go). What is nearly in order is not sorted
// but mended (arranged.go). The parts of all of them are shared by split.go.
//
// Nothing here checks what users may get wrong: package par does.
package order
