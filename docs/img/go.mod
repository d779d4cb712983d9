// No code is here. This file keeps the pictures out of the library's module: who
// uses the library does not download them.
module github.com/gopayoff/payoff/docs/img

go 1.26.0
