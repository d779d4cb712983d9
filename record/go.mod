// No code is here. This file keeps the record out of the library's module: who
// uses the library does not download the raw results.
module github.com/gopayoff/payoff/record

go 1.26.0
