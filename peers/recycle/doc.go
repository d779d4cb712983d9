// Package recycle compares the library's recycle with sync.Pool, free lists of
// the standard library's parts, and github.com/valyala/bytebufferpool.
package recycle
