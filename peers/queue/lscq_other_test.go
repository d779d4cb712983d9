//go:build !amd64 && !arm64

package queue

var lscqInt64, lscqItem64 []flowVariant

var lscqPolls []mailboxVariant
