// Package pool has worker pools that find their own size.
package pool
