package payoff

import "embed"

// Files is the library's module: go.mod and its directories, as they stand in
// the repository. The command payoff has it, so that it can measure the cases
// of the gallery, which use the library, wherever it was installed. A program
// that imports a block does not have it.
//
//go:embed go.mod doc.go counter ctrie internal par pipe pool queue recycle snapmap topic
var Files embed.FS
